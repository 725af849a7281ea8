#pragma once
// A command in a process of its own, and what it took.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

struct ChildReport {
    int exit_code = 0;                        ///< 127 where the command could not be started
    int signal = 0;                           ///< that ended it; 0: none
    bool was_stopped = false;                 ///< because the caller did not want to go on
    std::string errors{};                     ///< the end of what it wrote to its standard error
    std::string output{};                     ///< all that it wrote to its standard output, where that is kept
    double wall_seconds = 0, cpu_seconds = 0; ///< from its start to its end
    std::optional<std::int64_t> peak_bytes{}; ///< of memory; nothing where it was too short to tell
};

/// How a process is ended that is no longer wanted.
struct ChildStop {
    bool has_group = false; ///< it leads a group of processes: signals of a terminal do not reach it, and all are ended
    int signal = 9;         ///< that asks it to end (SIGKILL)
    double patience = 0;    ///< after it, before it is killed [s]
};

/// What becomes of a command's standard output.
enum class ChildOutput : std::uint8_t { dropped, kept };

/// Runs a command to its end. `goes_on` is asked several times a second: where it returns false, the process is killed.
/// It is also killed where this process ends before it, on systems that can do so.
[[nodiscard]] ChildReport run_child(
    const std::vector<std::string>& command, const std::function<bool()>& goes_on, const ChildStop& stop = {},
    ChildOutput output = ChildOutput::dropped);

/// A command in a process of its own that reads what it is given. Its standard output is dropped.
class FedChild {
public:
    explicit FedChild(const std::vector<std::string>& command);
    /// Kills it where it was not waited for.
    ~FedChild();
    FedChild(const FedChild&) = delete;
    FedChild& operator=(const FedChild&) = delete;

    /// Gives it bytes, and waits until it took them. False where it takes no more, because it ended.
    [[nodiscard]] bool feed(std::string_view bytes);
    /// Closes its input and waits for its end.
    [[nodiscard]] ChildReport finish();

private:
    void read_errors();

    int process_ = -1, input_ = -1, errors_ = -1;
    std::string text_; // what it wrote to its standard error
};

/// The program of that name in the folders of PATH; empty where there is none.
[[nodiscard]] std::string find_program(std::string_view name);

} // namespace abut
