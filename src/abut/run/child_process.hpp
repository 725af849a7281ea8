#pragma once
// A command in a process of its own, and what it took.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace abut {

struct ChildReport {
    int exit_code = 0;                        ///< 127 where the command could not be started
    int signal = 0;                           ///< that ended it; 0: none
    bool was_stopped = false;                 ///< because the caller did not want to go on
    std::string errors{};                     ///< the end of what it wrote to its standard error
    double wall_seconds = 0, cpu_seconds = 0; ///< from its start to its end
    std::optional<std::int64_t> peak_bytes{}; ///< of memory; nothing where it was too short to tell
};

/// Runs a command to its end; its standard output is dropped. `goes_on` is asked several times a second: where it
/// returns false, the process is killed. It is also killed where this process ends before it, on systems that can do
/// so.
[[nodiscard]] ChildReport run_child(const std::vector<std::string>& command, const std::function<bool()>& goes_on);

} // namespace abut
