#pragma once
// Lines over an axis, as an SVG picture.

#include "abut/math/types.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

struct PlotLine {
    std::string name;          ///< in the legend
    std::vector<Vec2> points;  ///< by rising x; a gap where y is not finite, or not positive on a logarithmic axis
    bool is_reference = false; ///< a limit or a level, dashed and grey
    bool is_dots = false;      ///< a dot at each point, in any order, and no line
    std::string label{};       ///< beside the last point; empty: none
};

struct PlotOptions {
    std::string title;                 ///< what the y axis shows, with its unit
    std::string x_title;               ///< with its unit
    std::optional<Vec2> x_range{};     ///< the same for several plots; default: that of the points
    bool is_logarithmic = false;       ///< the y axis
    bool is_x_logarithmic = false;     ///< the x axis
    double smallest_tick = 0;          ///< least distance of ticks on the y axis; 1 for counts
    std::optional<double> mark{};      ///< an x to be marked by a red line
    std::size_t most_in_legend = 1000; ///< lines beyond it are drawn, but not named
    int width = 760;                   ///< [px]
    bool is_over_time = false;         ///< may a viewer on the same page link it to its time line?
};

/// The SVG picture. Each line is drawn with about a thousand points at most. The attribute `data-plot` tells scripts
/// how pixels and values belong together (docs/playback.md), and lines have the class `abut-line` and their name.
[[nodiscard]] std::string plot(const PlotOptions& options, const std::vector<PlotLine>& lines);

/// Plots of the same width one below the other, as one picture. Those that have nothing to show are left out; empty
/// where that are all.
struct PlotPanel {
    PlotOptions options;
    std::vector<PlotLine> lines;
};
[[nodiscard]] std::string plot_panels(const std::vector<PlotPanel>& panels);

/// At most about `most` points that show the same: of each stretch the lowest and the highest, in their order.
[[nodiscard]] std::vector<Vec2> decimated(const std::vector<Vec2>& points, std::size_t most);

/// A number with few digits: 0.25, 1e-5.
[[nodiscard]] std::string short_number(double value);

} // namespace abut
