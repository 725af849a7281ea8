// Of our own, though there are libraries: cpp-httplib as Debian has it is compiled with OpenSSL and brotli, which every
// command of the program would load, and gives each client a thread that a slow one can hold.

#include "abut/run/view/server.hpp"

#include "abut/base/error.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace abut {

namespace {

constexpr std::size_t most_lingered_bytes = 1u << 20;
/// Between looks at who is late [ms].
constexpr int longest_wait = 250;

std::chrono::steady_clock::duration seconds_of(double seconds)
{
    return std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
}

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

int listening_socket(int port)
{
    const int file = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const auto fail = [&]() {
        const std::string reason = std::strerror(errno);
        if (file >= 0)
            ::close(file);
        throw InputOutput(
            port == 0 ? fmt::format("cannot listen at 127.0.0.1: {}", reason)
                      : fmt::format(
                            "cannot listen at 127.0.0.1, port {}: {}; choose another port, or leave --port out for any "
                            "that is free",
                            port, reason));
    };
    if (file < 0)
        fail();
    const int yes = 1; // a port that was used a moment ago may be used again
    ::setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::bind(file, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || ::listen(file, 128) != 0)
        fail();
    return file;
}

int port_of(int file)
{
    sockaddr_in address{};
    socklen_t size = sizeof address;
    if (::getsockname(file, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        throw InputOutput(fmt::format("cannot listen at 127.0.0.1: {}", std::strerror(errno)));
    return ntohs(address.sin_port);
}

} // namespace

ViewServer::ViewServer(int port, const ViewServerLimits& limits) : limits_(limits), listening_(listening_socket(port))
{
    try {
        port_ = port_of(listening_);
        wake_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
        if (wake_ < 0)
            throw InputOutput(fmt::format("cannot listen at 127.0.0.1: {}", std::strerror(errno)));
    } catch (...) {
        ::close(listening_);
        throw;
    }
}

ViewServer::~ViewServer()
{
    ::close(listening_);
    ::close(wake_);
}

void ViewServer::stop()
{
    is_stopped_ = true;
    const std::uint64_t one = 1;
    if (::write(wake_, &one, sizeof one) < 0)
        return; // it is awake
}

void ViewServer::serve(const Respond& respond)
{
    Connections connections;
    std::vector<pollfd> polled;
    while (!is_stopped_) {
        polled.assign({{listening_, POLLIN, 0}, {wake_, POLLIN, 0}});
        for (const auto& [file, connection] : connections)
            polled.push_back({file, static_cast<short>(connection.phase == Phase::writing ? POLLOUT : POLLIN), 0});
        if (::poll(polled.data(), polled.size(), longest_wait) < 0 && errno != EINTR)
            throw InputOutput(fmt::format("cannot wait for requests: {}", std::strerror(errno)));
        if (is_stopped_)
            break;
        const auto now = Clock::now();
        for (std::size_t k = 2; k < polled.size(); ++k) {
            const auto item = connections.find(polled[k].fd);
            const bool goes_on =
                polled[k].revents == 0 || handle(item->first, item->second, polled[k].revents, respond);
            if (!goes_on || is_late(item->second, now)) {
                ::close(item->first);
                connections.erase(item);
            }
        }
        if (polled[0].revents != 0)
            accept_all(connections);
    }
    for (const auto& [file, connection] : connections)
        ::close(file);
}

void ViewServer::accept_all(Connections& connections) const
{
    for (;;) {
        const int file = ::accept4(listening_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (file < 0) {
            // Too many open files: the pause keeps the loop from spinning until one is closed.
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
                ::usleep(10'000);
            if (errno == EINTR || errno == ECONNABORTED)
                continue;
            return;
        }
        if (connections.size() >= limits_.connections) {
            const auto silent =
                std::min_element(connections.begin(), connections.end(), [](const auto& a, const auto& b) {
                    return a.second.last < b.second.last;
                });
            ::close(silent->first);
            connections.erase(silent);
        }
        const int yes = 1; // heads and bodies are written at once: nothing is gained by waiting for more
        ::setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        Connection& connection = connections[file];
        connection.last = Clock::now();
        connection.end = connection.last + seconds_of(limits_.request_seconds);
    }
}

bool ViewServer::is_late(const Connection& connection, Clock::time_point now) const
{
    return now > connection.end ||
           (connection.phase == Phase::writing && now > connection.last + seconds_of(limits_.write_seconds));
}

bool ViewServer::handle(int file, Connection& connection, short events, const Respond& respond) const
{
    if ((events & (POLLIN | POLLOUT)) == 0) // an error, or the client has gone
        return false;
    if (connection.phase == Phase::writing)
        return send(file, connection) && advance(file, connection, respond);
    return receive(file, connection) && (connection.phase == Phase::lingering || advance(file, connection, respond));
}

bool ViewServer::receive(int file, Connection& connection) const
{
    std::array<char, 4096> bytes{};
    const ssize_t count = ::recv(file, bytes.data(), bytes.size(), 0);
    if (count <= 0)
        return count < 0 && would_block();
    connection.last = Clock::now();
    if (connection.phase == Phase::lingering) {
        connection.lingered += static_cast<std::size_t>(count);
        return connection.lingered < most_lingered_bytes;
    }
    if (connection.received.empty())
        connection.end = connection.last + seconds_of(limits_.request_seconds);
    connection.received.append(bytes.data(), static_cast<std::size_t>(count));
    return true;
}

bool ViewServer::send(int file, Connection& connection) const
{
    const std::size_t head = connection.head.size(), all = head + (connection.body ? connection.body->size() : 0);
    while (connection.sent < all) {
        const bool is_head = connection.sent < head;
        const char* const from =
            is_head ? connection.head.data() + connection.sent : connection.body->data() + (connection.sent - head);
        const std::size_t size = (is_head ? head : all) - connection.sent;
        const ssize_t count = ::send(file, from, size, MSG_NOSIGNAL | (is_head && connection.body ? MSG_MORE : 0));
        if (count < 0)
            return would_block();
        connection.sent += static_cast<std::size_t>(count);
        connection.last = Clock::now();
    }
    connection.body.reset();
    if (connection.closes) {
        // A close with unread bytes would take the response back.
        ::shutdown(file, SHUT_WR);
        connection.phase = Phase::lingering;
        connection.end = connection.last + seconds_of(limits_.linger_seconds);
    } else {
        connection.phase = Phase::reading;
        const bool has_more = !connection.received.empty();
        connection.end = connection.last + seconds_of(has_more ? limits_.request_seconds : limits_.idle_seconds);
    }
    return true;
}

bool ViewServer::advance(int file, Connection& connection, const Respond& respond) const
{
    // Requests may come in one piece; they are answered one after the other.
    while (connection.phase == Phase::reading) {
        ParsedRequest parsed = parse_request(connection.received);
        if (parsed.state == ParsedRequest::State::incomplete)
            return true;
        if (parsed.state == ParsedRequest::State::refused) {
            connection.closes = true;
            begin_response(connection, parsed.refusal, true);
        } else {
            connection.received.erase(0, parsed.size);
            connection.closes = !parsed.request.keeps_alive || parsed.request.has_body;
            begin_response(connection, respond(parsed.request), parsed.request.method != "HEAD");
        }
        if (!send(file, connection))
            return false;
    }
    return true;
}

void ViewServer::begin_response(Connection& connection, const ViewResponse& response, bool has_body) const
{
    connection.phase = Phase::writing;
    connection.head = response_head(response, !connection.closes);
    connection.body = has_body ? response.body : nullptr;
    connection.sent = 0;
    connection.last = Clock::now();
    const double size = connection.body ? static_cast<double>(connection.body->size()) : 0;
    connection.end = connection.last + seconds_of(limits_.write_seconds + size / limits_.slowest_rate);
}

} // namespace abut
