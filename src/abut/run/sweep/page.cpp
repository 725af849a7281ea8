#include "abut/draw/plot.hpp"
#include "abut/draw/svg.hpp"
#include "abut/io/deflate.hpp"
#include "abut/io/file.hpp"
#include "abut/io/text.hpp"
#include "abut/run/html_page.hpp"
#include "abut/run/sweep/results.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace abut {

namespace {

constexpr const char* sweep_style = R"(<style>
body { max-width: 1100px; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(240px, 1fr)); gap: .8em; }
.pictures figure { margin: 0; } .pictures figcaption { font-size: .85em; overflow-wrap: anywhere; }
.pictures figure.bad img { outline: 3px solid #c00000; }
</style>
)";

std::string settings_text(const SweepPlan& plan, const SweepPoint& point, std::size_t left_out)
{
    std::string text;
    for (std::size_t k = 0; k < plan.keys.size(); ++k)
        if (k != left_out && !point.values[k].empty())
            text +=
                fmt::format("{}{}={}", text.empty() ? "" : ", ", short_key(plan.keys[k], plan.keys), point.values[k]);
    return text;
}

/// The value of a key as a number; NaN where it is none.
double number_of(const std::string& text)
{
    double value = NAN;
    return parse_number(text, value) == NumberStatus::good ? value : NAN;
}

/// Keys of which at least two points have different numbers.
std::vector<std::size_t> numeric_keys(const SweepPlan& plan)
{
    std::vector<std::size_t> list;
    for (std::size_t k = 0; k < plan.keys.size(); ++k) {
        double smallest = INFINITY, largest = -INFINITY;
        for (const SweepPoint& point : plan.points) {
            smallest = std::fmin(smallest, number_of(point.values[k]));
            largest = std::fmax(largest, number_of(point.values[k]));
        }
        if (smallest < largest)
            list.push_back(k);
    }
    return list;
}

/// A line for each combination of the other keys, with a dot at each point.
std::string plot_against(
    const SweepResults& results, std::size_t key, const std::string& title,
    const std::function<double(const SweepRow&)>& value_of)
{
    constexpr std::size_t most_lines = 12;
    const SweepPlan& plan = results.plan;
    std::map<std::string, std::vector<Vec2>> groups;
    std::vector<std::string> order;
    for (const SweepRow& row : results.rows) {
        const Vec2 at(number_of(row.point->values[key]), value_of(row));
        if (!at.allFinite())
            continue;
        const std::string name = settings_text(plan, *row.point, key);
        if (!groups.contains(name))
            order.push_back(name);
        groups[name].push_back(at);
    }
    std::vector<PlotLine> lines;
    for (const std::string& name : order) {
        std::vector<Vec2>& points = groups[name];
        std::stable_sort(points.begin(), points.end(), [](const Vec2& a, const Vec2& b) { return a.x() < b.x(); });
        lines.push_back({.name = name, .points = points, .is_dots = points.size() == 1 || order.size() > most_lines});
    }
    return lines.empty() ? "" : plot({.title = title, .x_title = plan.keys[key], .most_in_legend = most_lines}, lines);
}

std::string plots(const SweepResults& results)
{
    std::string html;
    for (const std::size_t key : numeric_keys(results.plan)) {
        for (std::size_t k = 0; k < results.observables.size(); ++k)
            html += plot_against(
                results, key, fmt::format("{}: {}", results.observables[k].text, meaning_of(results.observables[k])),
                [k](const SweepRow& row) { return row.observed[k]; });
        html += plot_against(results, key, "time of the solves [s]", [](const SweepRow& row) {
            return row.report ? row.report->solve_seconds : NAN;
        });
    }
    return html.empty() ? "" : "<h2>Against the keys</h2>\n" + html;
}

std::string pictures(const SweepResults& results, const SweepFolder& folder)
{
    constexpr std::size_t most_pictures = 300;
    constexpr std::uintmax_t most_bytes = 1 << 22;
    std::string html;
    std::size_t shown = 0;
    std::error_code ignored;
    for (std::size_t k = 0; k < results.rows.size() && shown < most_pictures; ++k) {
        const SweepRow& row = results.rows[k];
        const std::filesystem::path picture = folder.picture_of(*row.point);
        if (!std::filesystem::is_regular_file(picture, ignored))
            continue;
        ++shown;
        html += fmt::format(
            "<figure class=\"{}\"><img loading=\"lazy\" alt=\"The last frame of point {}\" "
            "src=\"data:image/png;base64,{}\"><figcaption>{}: {}</figcaption></figure>\n",
            row.report && row.report->judged.is_good ? "" : "bad", k + 1, base64(read_file(picture, most_bytes)), k + 1,
            xml_escaped(settings_text(results.plan, *row.point, results.plan.keys.size())));
    }
    if (shown == 0)
        return "";
    return fmt::format(
        "<h2>Last frames</h2>\n<div class=\"pictures\">\n{}</div>\n{}", html,
        shown < results.rows.size()
            ? fmt::format("<p class=\"note\">{} of {} points.</p>\n", shown, results.rows.size())
            : "");
}

} // namespace

std::string results_page(const SweepResults& results, const Table& table, const SweepFolder& folder)
{
    std::vector<bool> is_good;
    for (const SweepRow& row : results.rows)
        is_good.push_back(row.report && row.report->judged.is_good);
    const std::size_t good = results.num_good(), missing = results.num_missing();
    const std::string verdict = fmt::format(
        "<p class=\"verdict {}\"><b>{} of {} points are good.</b>{}</p>\n",
        good == results.rows.size()        ? "good"
        : good + missing == is_good.size() ? "open"
                                           : "bad",
        good, results.rows.size(), missing > 0 ? fmt::format(" {} have not ended.", missing) : "");
    return html_page(
        results.plan.name + ": sweep", sweep_style + verdict + table_to_html(table, is_good) + plots(results) +
                                           pictures(results, folder) + sorting_html());
}

} // namespace abut
