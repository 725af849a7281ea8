#pragma once
// A server for pages on the same machine. One thread does it all and waits for no client: each connection has what it
// sent so far and what it is still to get, and a time by which it must go on.

#include "abut/run/view/http_text.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <map>

namespace abut {

struct ViewServerLimits {
    std::size_t connections = 64; ///< at a time; one more closes the one that has been silent for the longest
    double request_seconds = 5;   ///< from the first byte of a request to its last
    double idle_seconds = 30;     ///< between requests
    double write_seconds = 10;    ///< without a byte taken
    double slowest_rate = 2e4;    ///< of a response, on the whole [bytes/s]
    double linger_seconds = 1;    ///< for a client to read why it is refused
};

class ViewServer {
public:
    using Respond = std::function<ViewResponse(const ViewRequest&)>;

    /// Listens at 127.0.0.1; port 0: any that is free. Throws InputOutput where the port cannot be had.
    explicit ViewServer(int port, const ViewServerLimits& limits = {});
    ~ViewServer();
    ViewServer(const ViewServer&) = delete;
    ViewServer& operator=(const ViewServer&) = delete;

    [[nodiscard]] int port() const { return port_; }

    /// Answers requests until stop(). Throws nothing that `respond` does not throw.
    void serve(const Respond& respond);
    /// May be called by other threads and by signal handlers.
    void stop();

private:
    using Clock = std::chrono::steady_clock;
    enum class Phase : std::uint8_t { reading, writing, lingering };
    struct Connection {
        Phase phase = Phase::reading;
        std::string received;
        std::string head;
        SharedBytes body;         ///< null: none
        std::size_t sent = 0;     ///< of head and body
        std::size_t lingered = 0; ///< bytes passed over
        bool closes = false;      ///< after the response
        Clock::time_point last;   ///< a byte came or went, or the connection began
        Clock::time_point end;    ///< by then the phase must be over
    };
    using Connections = std::map<int, Connection>; // by file descriptor

    void accept_all(Connections& connections) const;
    /// These return false where the connection is over.
    [[nodiscard]] bool handle(int file, Connection& connection, short events, const Respond& respond) const;
    [[nodiscard]] bool receive(int file, Connection& connection) const;
    [[nodiscard]] bool send(int file, Connection& connection) const;
    /// Answers what is complete, until it has to wait.
    [[nodiscard]] bool advance(int file, Connection& connection, const Respond& respond) const;
    void begin_response(Connection& connection, const ViewResponse& response, bool has_body) const;
    [[nodiscard]] bool is_late(const Connection& connection, Clock::time_point now) const;

    ViewServerLimits limits_;
    int listening_ = -1, wake_ = -1;
    int port_ = 0;
    std::atomic<bool> is_stopped_ = false;
};

} // namespace abut
