#include "abut/draw/plot.hpp"

#include "abut/draw/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace abut {

namespace {

/// Colours that colour-blind people can tell apart too (Okabe and Ito).
constexpr std::array<std::string_view, 8> colors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                    "#e69f00", "#56b4e9", "#444444", "#8c6bb1"};
constexpr std::string_view grid_color = "#e6e6e6", frame_color = "#888888", reference_color = "#999999",
                           mark_color = "#c00000";
constexpr double small = 11; // font size [px]

/// A range of values on an axis and where it ticks.
struct Axis {
    double low, high;
    std::vector<double> ticks;
    bool is_logarithmic = false;

    /// In [0, 1].
    [[nodiscard]] double at(double value) const
    {
        return is_logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    }
};

Axis linear_axis(double low, double high, double smallest_tick)
{
    if (!(high > low)) { // one value: room around it
        const double room = std::max({0.5 * std::abs(low), smallest_tick, 1e-300});
        const double value = low;
        low = value < 0 ? value - room : std::max(0.0, value - room);
        high = value < 0 ? std::min(0.0, value + room) : value + room;
    }
    // Ticks at 1, 2 or 5 times a power of ten, about five of them
    const double rough = (high - low) / 5, power = std::pow(10, std::floor(std::log10(rough)));
    const double step = std::max(
        smallest_tick, power * (rough <= 1.5 * power   ? 1
                                : rough <= 3.5 * power ? 2
                                : rough <= 7 * power   ? 5
                                                       : 10));
    Axis axis{step * std::floor(low / step + 1e-9), step * std::ceil(high / step - 1e-9), {}};
    const int count = static_cast<int>(std::lround((axis.high - axis.low) / step));
    for (int k = 0; k <= count; ++k) {
        const double tick = axis.low + k * step;
        axis.ticks.push_back(std::abs(tick) < 1e-9 * step ? 0 : tick);
    }
    return axis;
}

Axis logarithmic_axis(double low, double high)
{
    const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
    const int last = std::max(first + 1, static_cast<int>(std::ceil(std::log10(high) - 1e-9)));
    Axis axis{std::pow(10, first), std::pow(10, last), {}, true};
    const int stride = 1 + (last - first - 1) / 6;
    for (int power = first; power <= last; power += stride)
        axis.ticks.push_back(std::pow(10, power));
    return axis;
}

/// With ticks at 1, 2 and 5 times powers of ten where it spans less than two of them, and bounds at such ticks.
Axis fine_logarithmic_axis(double low, double high)
{
    if (std::log10(high / low) > 2)
        return logarithmic_axis(low, high);
    Axis axis{0, 0, {}, true};
    for (int power = static_cast<int>(std::floor(std::log10(low))); axis.ticks.empty() || axis.ticks.back() < high;
         ++power)
        for (const double digit : {1.0, 2.0, 5.0}) {
            const double tick = digit * std::pow(10, power);
            if (tick <= low * (1 + 1e-9))
                axis.ticks.clear(); // the last one below is the bound
            if (axis.ticks.empty() || axis.ticks.back() < high * (1 - 1e-9) || axis.ticks.size() < 2)
                axis.ticks.push_back(tick);
        }
    axis.low = axis.ticks.front();
    axis.high = axis.ticks.back();
    return axis;
}

/// The start of a text, whole characters of UTF-8.
std::string shortened(const std::string& text, std::size_t most)
{
    if (text.size() <= most)
        return text;
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
        --end;
    return text.substr(0, end) + "…";
}

bool is_shown(const PlotOptions& options, const Vec2& p)
{
    return std::isfinite(p.y()) && (!options.is_logarithmic || p.y() > 0) &&
           (!options.is_x_logarithmic || (p.x() > 0 && std::isfinite(p.x())));
}

struct Axes {
    Axis across, up;
};

/// Axes with room for all points; none where there is nothing to show.
std::optional<Axes> make_axes(const PlotOptions& options, const std::vector<PlotLine>& lines)
{
    Vec2 low = Vec2::Constant(INFINITY), high = Vec2::Constant(-INFINITY);
    for (const PlotLine& line : lines)
        for (const Vec2& p : line.points) {
            if (!options.is_x_logarithmic || is_shown(options, p)) {
                low.x() = std::min(low.x(), p.x());
                high.x() = std::max(high.x(), p.x());
            }
            if (is_shown(options, p)) {
                low.y() = std::min(low.y(), p.y());
                high.y() = std::max(high.y(), p.y());
            }
        }
    if (!low.allFinite() || !high.allFinite())
        return {};
    if (options.x_range) {
        low.x() = std::min(low.x(), options.x_range->x());
        high.x() = std::max(high.x(), options.x_range->y());
    }
    if (!options.is_logarithmic && low.y() > 0 && low.y() < 0.5 * high.y())
        low.y() = 0;
    if (options.is_x_logarithmic)
        return Axes{
            fine_logarithmic_axis(low.x(), high.x()), options.is_logarithmic
                                                          ? fine_logarithmic_axis(low.y(), high.y())
                                                          : linear_axis(low.y(), high.y(), options.smallest_tick)};
    // Time is not rounded to ticks: the picture ends where the run does.
    Axis across = linear_axis(low.x(), high.x(), 0);
    if (high.x() > low.x()) {
        across.low = low.x();
        across.high = high.x();
    }
    return Axes{
        across, options.is_logarithmic ? logarithmic_axis(low.y(), high.y())
                                       : linear_axis(low.y(), high.y(), options.smallest_tick)};
}

constexpr double left = 66, right_margin = 14; // of the plot's area, on either side [px]

struct Legend {
    struct Entry {
        double x, y;
        std::string text;
    };
    std::vector<Entry> entries; ///< of the first lines, or none where there is one line only
    double bottom;
};

/// In rows, below the title.
Legend make_legend(const PlotOptions& options, const std::vector<PlotLine>& lines)
{
    constexpr double row_height = 17;
    Legend legend{{}, 34};
    if (lines.size() <= 1)
        return legend;
    double x = left;
    for (std::size_t k = 0; k < std::min(lines.size(), options.most_in_legend); ++k) {
        const std::string text = shortened(lines[k].name, 48);
        const double width = 30 + 6.4 * static_cast<double>(text.size());
        if (x > left && x + width > options.width - right_margin) {
            x = left;
            legend.bottom += row_height;
        }
        legend.entries.push_back({x, legend.bottom, text});
        x += width;
    }
    legend.bottom += 14;
    return legend;
}

/// The rectangle of the picture in which lines are drawn, and the axes that it spans.
struct Area {
    static constexpr double height = 170;
    double right, top, bottom;
    Axes axes;

    [[nodiscard]] Vec2 place(const Vec2& p) const
    {
        return {left + (right - left) * axes.across.at(p.x()), bottom - height * axes.up.at(p.y())};
    }
};

std::string data_for_scripts(const PlotOptions& options, const Area& area)
{
    const auto& [across, up] = area.axes;
    const std::string json = fmt::format(
        R"({{"x":[{},{}],"px":[{},{}],"y":[{},{}],"py":[{},{}],"log":{},"time":{}}})", across.low, across.high, left,
        area.right, up.low, up.high, area.bottom, area.top, options.is_logarithmic, options.is_over_time);
    return fmt::format(" data-plot=\"{}\"", xml_escaped(json));
}

void draw_axes(Svg& svg, const PlotOptions& options, const Area& area)
{
    const auto& [right, top, bottom, axes] = area;
    const auto& [across, up] = axes;
    for (const double tick : up.ticks) {
        const double y = area.place(Vec2(across.low, tick)).y();
        svg.line(Vec2(left, y), Vec2(right, y), grid_color, 1);
        svg.text(Vec2(left - 7, y + 4), short_number(tick), small, "end");
    }
    for (const double tick : across.ticks) {
        if (tick < across.low - 1e-9 * (across.high - across.low) || tick > across.high * (1 + 1e-9))
            continue;
        const double x = area.place(Vec2(tick, up.low)).x();
        svg.line(Vec2(x, top), Vec2(x, bottom), grid_color, 1);
        svg.line(Vec2(x, bottom), Vec2(x, bottom + 4), frame_color, 1);
        svg.text(Vec2(x, bottom + 17), short_number(tick), small, "middle");
    }
    svg.text(Vec2((left + right) / 2, bottom + 32), options.x_title, small, "middle");
    svg.line(Vec2(left, bottom), Vec2(right, bottom), frame_color, 1);
    svg.line(Vec2(left, top), Vec2(left, bottom), frame_color, 1);
    if (options.mark)
        svg.line(area.place(Vec2(*options.mark, up.low)), area.place(Vec2(*options.mark, up.high)), mark_color, 1.5);
}

struct Pen {
    std::string_view color, dashes;
};

void draw_legend_entry(Svg& svg, const Legend::Entry& entry, const Pen& pen)
{
    const std::array<Vec2, 2> sample{Vec2(entry.x, entry.y - 4), Vec2(entry.x + 16, entry.y - 4)};
    svg.polyline(sample, pen.color, 2.5, pen.dashes);
    svg.text(Vec2(entry.x + 21, entry.y), entry.text, small);
}

void draw_dots(Svg& svg, const PlotOptions& options, const Area& area, const PlotLine& line, const Pen& pen)
{
    for (const Vec2& p : line.points)
        if (is_shown(options, p))
            svg.circle(area.place(p), 4, pen.color);
}

void draw_label(Svg& svg, const PlotOptions& options, const Area& area, const PlotLine& line)
{
    if (!line.label.empty() && !line.points.empty() && is_shown(options, line.points.back()))
        svg.text(area.place(line.points.back()) + Vec2(6, -4), line.label, small);
}

/// With gaps where points are not shown; a point between two gaps is a dot.
void draw_line(Svg& svg, const PlotOptions& options, const Area& area, const PlotLine& line, const Pen& pen)
{
    if (line.is_dots) {
        draw_dots(svg, options, area, line, pen);
        return;
    }
    const std::string attributes =
        fmt::format(" class=\"abut-line\" data-name=\"{}\"", xml_escaped(shortened(line.name, 48)));
    std::vector<Vec2> run;
    const auto draw_run = [&] {
        if (run.size() == 1)
            svg.circle(run[0], 1.5, pen.color);
        else if (!run.empty())
            svg.polyline(run, pen.color, 1.5, pen.dashes, attributes);
        run.clear();
    };
    for (const Vec2& p : decimated(line.points, 1000)) {
        if (is_shown(options, p))
            run.push_back(area.place(p));
        else
            draw_run();
    }
    draw_run();
}

} // namespace

std::string short_number(double value)
{
    std::string text = fmt::format("{:.4g}", value);
    const std::size_t e = text.find('e');
    if (e == std::string::npos)
        return text;
    // 1e-05 is 1e-5, 1e+05 is 1e5
    std::string exponent = text.substr(e + 2);
    exponent.erase(0, std::min(exponent.find_first_not_of('0'), exponent.size() - 1));
    return text.substr(0, e + 1) + (text[e + 1] == '-' ? "-" : "") + exponent;
}

std::vector<Vec2> decimated(const std::vector<Vec2>& points, std::size_t most)
{
    if (points.size() <= most || most < 4)
        return points;
    const std::size_t stretches = most / 2;
    std::vector<Vec2> kept;
    for (std::size_t k = 0; k < stretches; ++k) {
        const std::size_t begin = points.size() * k / stretches, end = points.size() * (k + 1) / stretches;
        std::size_t lowest = end, highest = end;
        for (std::size_t i = begin; i < end; ++i) {
            if (!std::isfinite(points[i].y()))
                continue;
            if (lowest == end || points[i].y() < points[lowest].y())
                lowest = i;
            if (highest == end || points[i].y() > points[highest].y())
                highest = i;
        }
        if (lowest == end) { // a gap
            kept.push_back(points[begin]);
            continue;
        }
        kept.push_back(points[std::min(lowest, highest)]);
        if (lowest != highest)
            kept.push_back(points[std::max(lowest, highest)]);
    }
    return kept;
}

namespace {

struct DrawnPlot {
    std::string svg;
    int height = 0; ///< [px]; 0 where there is nothing to show
};

DrawnPlot draw_plot(const PlotOptions& options, const std::vector<PlotLine>& lines)
{
    const std::optional<Axes> axes = make_axes(options, lines);
    if (!axes)
        return {};
    const Legend legend = make_legend(options, lines);
    const Area area{
        .right = options.width - right_margin,
        .top = legend.bottom,
        .bottom = legend.bottom + Area::height,
        .axes = *axes};

    const int height = static_cast<int>(area.bottom) + 38;
    Svg svg(options.width, height, data_for_scripts(options, area));
    svg.text(Vec2(left, 17), options.title, 13);
    draw_axes(svg, options, area);
    std::size_t color = 0;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        const Pen pen = lines[k].is_reference ? Pen{reference_color, "5 4"} : Pen{colors[color++ % colors.size()], ""};
        if (k < legend.entries.size())
            draw_legend_entry(svg, legend.entries[k], pen);
        draw_line(svg, options, area, lines[k], pen);
        draw_label(svg, options, area, lines[k]);
    }
    return {svg.str(), height};
}

} // namespace

std::string plot(const PlotOptions& options, const std::vector<PlotLine>& lines)
{
    return draw_plot(options, lines).svg;
}

std::string plot_panels(const std::vector<PlotPanel>& panels)
{
    std::string inner;
    int width = 0, height = 0;
    for (const PlotPanel& panel : panels) {
        const DrawnPlot drawn = draw_plot(panel.options, panel.lines);
        if (drawn.height == 0)
            continue;
        constexpr std::string_view start = "<svg ";
        inner += fmt::format("{}y=\"{}\" {}", start, height, drawn.svg.substr(start.size()));
        width = std::max(width, panel.options.width);
        height += drawn.height;
    }
    if (height == 0)
        return "";
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n{2}</svg>\n",
        width, height, inner);
}

} // namespace abut
