#include "abut/run/compare/page.hpp"

#include "abut/base/error.hpp"
#include "abut/draw/plot.hpp"
#include "abut/draw/svg.hpp"
#include "abut/io/file.hpp"
#include "abut/run/html_page.hpp"
#include "abut/run/playback_html.hpp"

#include <algorithm>

namespace abut {

namespace {

/// More lines than these cannot be told apart.
constexpr std::size_t most_lines = 12;

constexpr const char* style = R"(<style>
body { max-width: 1100px; } h3 { font-size: .95em; margin: 0 0 .3em; }
.side-by-side { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 480px), 1fr)); gap: 1em; }
</style>
)";

/// "2: model=ogc", short enough for a legend.
std::string name_of(const CompareRow& row, std::size_t index)
{
    return fmt::format("{}: {}", index + 1, row.run->name);
}

std::vector<bool> good_rows(const Comparison& comparison)
{
    std::vector<bool> is_good;
    for (const CompareRow& row : comparison.rows)
        is_good.push_back(row.is_good);
    if (comparison.reference)
        is_good.push_back(comparison.reference->is_good);
    return is_good;
}

std::string verdict(const Comparison& comparison)
{
    const auto is_good = [](const CompareRow& row) { return row.is_good; };
    const auto good = std::count_if(comparison.rows.begin(), comparison.rows.end(), is_good);
    const bool is_reference_bad = comparison.reference && !comparison.reference->is_good;
    return fmt::format(
        "<p class=\"verdict {}\"><b>{} of {} variants are good.</b>{} All runs end at {} s; {} of each variant.</p>\n",
        comparison.is_good() ? "good" : "bad", good, comparison.rows.size(),
        is_reference_bad ? " The reference is not, so distances to it mean little." : "",
        short_number(comparison.plan.end),
        comparison.plan.repeat == 1 ? "1 run" : fmt::format("{} runs", comparison.plan.repeat));
}

/// CPU time against the distance to the reference, at each of the chosen times.
std::string accuracy_plots(const Comparison& comparison)
{
    std::string html;
    for (const std::size_t frame : comparison.plan.at) {
        PlotOptions options{
            .title = fmt::format(
                "Root-mean-square distance to the reference at {} s [m]; numbers are rows",
                short_number(comparison.plan.frame_times[frame])),
            .x_title = "CPU time of the whole run [s]",
            .is_logarithmic = true,
            .is_x_logarithmic = true,
            .most_in_legend = most_lines};
        std::vector<PlotLine> dots;
        for (std::size_t k = 0; k < comparison.rows.size(); ++k) {
            const CompareRow& row = comparison.rows[k];
            const double distance = frame < row.distance.size() ? row.distance[frame].root_mean_square : NAN;
            dots.push_back(
                {.name = name_of(row, k),
                 .points = {Vec2(row.cpu_seconds.median(), distance)},
                 .is_dots = true,
                 .label = std::to_string(k + 1)});
        }
        html += plot(options, dots);
    }
    return html;
}

template <typename PointsOf>
std::string plot_over_time(const Comparison& comparison, PlotOptions options, PointsOf&& points_of)
{
    std::vector<PlotLine> lines;
    const std::size_t shown = std::min(most_lines, comparison.rows.size());
    for (std::size_t k = 0; k < shown; ++k)
        lines.push_back({name_of(comparison.rows[k], k), points_of(comparison.rows[k])});
    if (shown < comparison.rows.size())
        options.title += fmt::format("; the first {} of {} variants", shown, comparison.rows.size());
    options.x_title = "time [s]";
    options.x_range = Vec2(0, comparison.plan.end);
    options.is_over_time = true;
    return plot(options, lines);
}

/// A run that the page plays.
struct PlayedRun {
    std::string title, name;
    PackedPlayback playback;
};

/// Nothing where there are no frames, as of a variant that did not start.
std::optional<PlayedRun>
played(const CompareFolder& folder, const CompareRow& row, std::string title, std::string name, double megabytes)
{
    try {
        const ResultFolder results = ResultFolder::open(folder.results_of(*row.run, 1), false);
        const ResultPlayback playback(results, PlaybackFields::motion);
        return PlayedRun{std::move(title), std::move(name), pack(results, playback, {.megabytes = megabytes})};
    } catch (const Error&) {
        return std::nullopt;
    } catch (const std::bad_alloc&) {
        return std::nullopt;
    }
}

/// The first variants and the reference, side by side, with one time line and one camera.
std::string side_by_side(const Comparison& comparison, const CompareFolder& folder)
{
    constexpr std::size_t most_played = 8;
    constexpr double most_megabytes = 40;
    const std::size_t shown = std::min(most_played, comparison.rows.size());
    const double megabytes = most_megabytes / static_cast<double>(shown + (comparison.reference ? 1 : 0));
    std::vector<PlayedRun> runs;
    const auto add = [&](const CompareRow& row, std::string title, std::string name) {
        if (std::optional<PlayedRun> run = played(folder, row, std::move(title), std::move(name), megabytes))
            runs.push_back(std::move(*run));
    };
    if (comparison.reference)
        add(*comparison.reference, "the reference", "reference");
    for (std::size_t k = 0; k < shown; ++k)
        add(comparison.rows[k], name_of(comparison.rows[k], k), fmt::format("run-{}", k + 1));
    if (runs.empty())
        return "";
    std::string html = "<h2>Side by side</h2>\n<div class=\"side-by-side\">\n";
    for (const PlayedRun& run : runs)
        html += fmt::format("<div><h3>{}</h3>\n", xml_escaped(run.title)) +
                playback_html(
                    run.playback, {.name = run.name,
                                   .group = "runs",
                                   .reference = &run == &runs.front() ? "" : runs.front().name,
                                   .fallback = "<p>This browser cannot play the frames in 3D: it needs WebGL.</p>"}) +
                "</div>\n";
    html += fmt::format(
        "</div>\n<p class=\"note\">{} Time and camera are shared. Colour by difference shows how far each vertex is "
        "from "
        "that of {}.</p>\n",
        shown < comparison.rows.size() ? fmt::format("The first {} of {} variants.", shown, comparison.rows.size())
                                       : "",
        xml_escaped(runs.front().title));
    return html;
}

std::string plots_over_time(const Comparison& comparison)
{
    std::string html;
    if (comparison.reference)
        html += plot_over_time(
            comparison,
            {.title = "Root-mean-square distance to the reference [m]", .x_title = "", .is_logarithmic = true},
            [&](const CompareRow& row) {
                std::vector<Vec2> points;
                for (std::size_t k = 0; k < row.distance.size(); ++k)
                    points.emplace_back(comparison.plan.frame_times[k], row.distance[k].root_mean_square);
                return points;
            });
    html += plot_over_time(
        comparison, {.title = "Newton iterations of each step", .x_title = "", .smallest_tick = 1},
        [](const CompareRow& row) { return row.iterations; });
    html +=
        plot_over_time(comparison, {.title = "Contacts", .x_title = "", .smallest_tick = 1}, [](const CompareRow& row) {
            return row.contacts;
        });
    html += plot_over_time(
        comparison, {.title = "Energy: kinetic, elastic, of contact and of gravity [J]", .x_title = ""},
        [](const CompareRow& row) { return row.energy; });
    return html;
}

} // namespace

std::string comparison_page(const Comparison& comparison, const Table& table, const CompareFolder& folder)
{
    std::string body =
        style + verdict(comparison) + table_to_html(table, good_rows(comparison)) + side_by_side(comparison, folder);
    if (comparison.reference)
        body += "<h2>Time against accuracy</h2>\n" + accuracy_plots(comparison) +
                fmt::format(
                    "<p class=\"note\">The reference: {}. Variants with another model of contact or another time step "
                    "solve another problem, and end elsewhere however well they solve it.</p>\n",
                    xml_escaped(comparison.reference->run->name));
    body += "<h2>Over time</h2>\n" + plots_over_time(comparison) + sorting_html() + viewer_html();
    return html_page(comparison.plan.name + ": comparison", body);
}

void write_tables(const Comparison& comparison, const Table& table, const CompareFolder& folder)
{
    write_file(folder.path() / "compare.json", comparison_to_json(comparison, table).dump(1) + "\n");
    write_file(folder.path() / "compare.csv", table_to_csv(table));
    write_file(folder.path() / "compare.html", comparison_page(comparison, table, folder));
}

} // namespace abut
