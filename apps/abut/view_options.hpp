#pragma once
// The options of commands that draw: where the camera is, what it looks at, and how large pictures are.

#include "views.hpp"

#include <CLI/CLI.hpp>

#include <utility>

namespace abut {

/// --size, --camera, --look-at, --up and --zoom.
void add_view_options(CLI::App& command, ViewOptions& options);

/// Width and height of a picture. Rejects, as bad usage, what is no such text or too large.
[[nodiscard]] std::pair<int, int> parse_size(const std::string& text);

/// `dim`: of the run.
[[nodiscard]] View parse_view(const ViewOptions& options, Eigen::Index dim);

} // namespace abut
