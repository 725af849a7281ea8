#pragma once
// `abut run` for other commands: with its words, its files and its exit codes.

#include "abut/base/error.hpp"
#include "abut/run/run.hpp"

#include <functional>

namespace abut {

struct RunArguments {
    std::filesystem::path output;
    int steps = -1;     ///< −1: as the scene says
    bool force = false; ///< replace earlier results
    bool quiet = false, json = false;
    bool report = true; ///< write report.html at the end
    /// Called when the run is over and what it did was printed; may be left out.
    std::function<void(const RunReport&)> after_run = {};
};

/// Runs the scene that `read` returns.
ExitCode run_scene(const std::function<SceneSource()>& read, const RunArguments& arguments);

} // namespace abut
