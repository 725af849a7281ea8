#include "abut/draw/plot.hpp"

#include "abut/draw/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace abut {

namespace {

/// Colours that people of all kinds of sight tell apart (Okabe and Ito).
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

std::string plot(const PlotOptions& options, const std::vector<PlotLine>& lines)
{
    const auto is_shown = [&](const Vec2& p) { return std::isfinite(p.y()) && (!options.is_logarithmic || p.y() > 0); };
    Vec2 low = Vec2::Constant(INFINITY), high = Vec2::Constant(-INFINITY);
    for (const PlotLine& line : lines)
        for (const Vec2& p : line.points) {
            low.x() = std::min(low.x(), p.x());
            high.x() = std::max(high.x(), p.x());
            if (is_shown(p)) {
                low.y() = std::min(low.y(), p.y());
                high.y() = std::max(high.y(), p.y());
            }
        }
    if (!low.allFinite() || !high.allFinite())
        return "";
    if (options.x_range) {
        low.x() = std::min(low.x(), options.x_range->x());
        high.x() = std::max(high.x(), options.x_range->y());
    }
    if (!options.is_logarithmic && low.y() > 0 && low.y() < 0.5 * high.y())
        low.y() = 0;
    // Time is not rounded to ticks: the picture ends where the run does.
    Axis across = linear_axis(low.x(), high.x(), 0);
    if (high.x() > low.x()) {
        across.low = low.x();
        across.high = high.x();
    }
    const Axis up = options.is_logarithmic ? logarithmic_axis(low.y(), high.y())
                                           : linear_axis(low.y(), high.y(), options.smallest_tick);

    // The legend, in rows, where there is something to tell apart
    constexpr double left = 66, margin = 14, row_height = 17;
    struct Entry {
        double x, y;
        std::string text;
    };
    std::vector<Entry> legend;
    double top = 34;
    if (lines.size() > 1) {
        double x = left;
        for (const PlotLine& line : lines) {
            const std::string text = shortened(line.name, 48);
            const double width = 30 + 6.4 * static_cast<double>(text.size());
            if (x > left && x + width > options.width - margin) {
                x = left;
                top += row_height;
            }
            legend.push_back({x, top, text});
            x += width;
        }
        top += 14;
    }
    constexpr double plot_height = 170;
    const double right = options.width - margin, bottom = top + plot_height;
    const auto place = [&](const Vec2& p) {
        return Vec2(left + (right - left) * across.at(p.x()), bottom - plot_height * up.at(p.y()));
    };

    Svg svg(options.width, static_cast<int>(bottom) + 38);
    svg.text(Vec2(left, 17), options.title, 13);
    for (const double tick : up.ticks) {
        const double y = place(Vec2(across.low, tick)).y();
        svg.line(Vec2(left, y), Vec2(right, y), grid_color, 1);
        svg.text(Vec2(left - 7, y + 4), short_number(tick), small, "end");
    }
    for (const double tick : across.ticks) {
        if (tick < across.low - 1e-9 * (across.high - across.low) || tick > across.high * (1 + 1e-9))
            continue;
        const double x = place(Vec2(tick, up.low)).x();
        svg.line(Vec2(x, top), Vec2(x, bottom), grid_color, 1);
        svg.line(Vec2(x, bottom), Vec2(x, bottom + 4), frame_color, 1);
        svg.text(Vec2(x, bottom + 17), short_number(tick), small, "middle");
    }
    svg.text(Vec2((left + right) / 2, bottom + 32), options.x_title, small, "middle");
    svg.line(Vec2(left, bottom), Vec2(right, bottom), frame_color, 1);
    svg.line(Vec2(left, top), Vec2(left, bottom), frame_color, 1);
    if (options.mark)
        svg.line(place(Vec2(*options.mark, up.low)), place(Vec2(*options.mark, up.high)), mark_color, 1.5);

    std::size_t color = 0;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        const PlotLine& line = lines[k];
        const std::string_view stroke = line.is_reference ? reference_color : colors[color++ % colors.size()],
                               dashes = line.is_reference ? "5 4" : "";
        if (!legend.empty()) {
            const std::array<Vec2, 2> sample{
                Vec2(legend[k].x, legend[k].y - 4), Vec2(legend[k].x + 16, legend[k].y - 4)};
            svg.polyline(sample, stroke, 2.5, dashes);
            svg.text(Vec2(legend[k].x + 21, legend[k].y), legend[k].text, small);
        }
        std::vector<Vec2> run;
        const auto draw = [&] {
            if (run.size() == 1)
                svg.circle(run[0], 1.5, stroke);
            else if (!run.empty())
                svg.polyline(run, stroke, 1.5, dashes);
            run.clear();
        };
        for (const Vec2& p : decimated(line.points, 1000)) {
            if (is_shown(p))
                run.push_back(place(p));
            else
                draw();
        }
        draw();
    }
    return svg.str();
}

} // namespace abut
