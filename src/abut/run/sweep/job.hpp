#pragma once
// A job of a sweep: runs its points one after the other, each in a process of its own. Snakemake starts it.

#include "abut/run/sweep/folder.hpp"

#include <functional>

namespace abut {

/// Commands that run. What follows them is: a scene and options, as those of `abut run`; a folder of results and
/// options, as those of `abut resume`.
struct RunCommands {
    std::vector<std::string> run, resume;
};

/// Runs the points of a job that have no result yet; those that were cut off are continued. What others are running
/// just now is waited for. Leaves the job's marker where all of its points are settled, and returns whether they are.
/// Ends early, and returns false, where `goes_on` returns false, which is asked several times a second.
[[nodiscard]] bool run_job(
    const std::filesystem::path& folder, const std::string& job, const RunCommands& commands,
    const std::function<bool()>& goes_on);

} // namespace abut
