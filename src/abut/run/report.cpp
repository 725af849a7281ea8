#include "abut/run/report.hpp"

#include "abut/draw/plot.hpp"
#include "abut/draw/svg.hpp"
#include "abut/io/file.hpp"
#include "abut/io/json_object.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/run/fingerprint.hpp"
#include "abut/run/html_page.hpp"
#include "abut/run/momentum_cure.hpp"
#include "abut/run/playback_html.hpp"
#include "abut/run/repro_archive.hpp"
#include "abut/run/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace abut {

namespace {

using nlohmann::json;

/// A number of a scene, by the path of its keys; NaN where it is missing or null.
double number(const json& scene, std::initializer_list<const char*> keys)
{
    const json* at = &scene;
    for (const char* key : keys) {
        const auto found = at->is_object() ? at->find(key) : at->end();
        if (!at->is_object() || found == at->end())
            return NAN;
        at = &*found;
    }
    return at->is_number() ? at->get<double>() : NAN;
}

double or_zero(double value) { return std::isfinite(value) ? value : 0; }

/// The steps over time, gathered record by record: a run may have many.
struct RunHistory {
    std::vector<Vec2> kinetic, elastic, contact, gravity, friction_heat, damping_loss, plastic_heat, script_work, gain;
    std::vector<Vec2> iterations, contacts, smallest_distance, script_lag;
    std::map<std::string, std::vector<Vec2>> forces; ///< of each pair of bodies, where they touch
    /// Of those that stick: the pull of bonds, and their area.
    std::map<std::string, std::pair<std::vector<Vec2>, std::vector<Vec2>>> bonds;
    std::vector<double> times;
    RunSummary summary;

    void add(const StepRecord& record)
    {
        summary.add(record);
        const Balance& balance = record.balance;
        times.push_back(record.time);
        const auto push = [&](std::vector<Vec2>& points, double value) { points.emplace_back(record.time, value); };
        const auto push_sum = [&](std::vector<Vec2>& points, double value) {
            push(points, (points.empty() ? 0 : points.back().y()) + or_zero(value));
        };
        push(kinetic, balance.kinetic);
        push(elastic, balance.elastic);
        push(contact, balance.contact);
        push(gravity, balance.gravity);
        push_sum(friction_heat, balance.friction_loss);
        push_sum(damping_loss, balance.damping_loss);
        push_sum(plastic_heat, balance.plastic_loss);
        push_sum(script_work, balance.script_work);
        push(gain, balance.gain);
        push(iterations, static_cast<double>(record.iterations));
        push(contacts, static_cast<double>(record.contacts));
        push(smallest_distance, record.smallest_distance);
        push(script_lag, record.script_lag);
        add_forces(record);
    }

    void add_forces(const StepRecord& record)
    {
        for (const ForceRecord& force : record.forces) {
            std::vector<Vec2>& points = forces[force.on + " – " + force.by];
            // A gap where they did not touch in the step before.
            if (!points.empty() && times.size() > 1 && points.back().x() < times[times.size() - 2])
                points.emplace_back(record.time, NAN);
            points.emplace_back(record.time, (force.contact + force.friction).norm());
            if (force.is_bonded() || bonds.contains(force.on + " – " + force.by)) {
                auto& [pull, area] = bonds[force.on + " – " + force.by];
                pull.emplace_back(record.time, force.adhesion.norm());
                area.emplace_back(record.time, force.bonded_area);
            }
        }
    }
};

double largest(const std::vector<Vec2>& points)
{
    double found = 0;
    for (const Vec2& p : points)
        found = std::fmax(found, std::abs(p.y()));
    return found;
}

std::string row(const std::string& name, const std::string& value)
{
    return fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", xml_escaped(name), xml_escaped(value));
}

/// Needs the meshes of the scene; without them, as where they have changed, the general advice stays.
void find_cure(const ResultFolder& results, RunGoal& goal)
{
    try {
        goal.momentum_cure = momentum_cure(scene_of_run(results));
    } catch (const Error&) {
        return;
    }
}

std::string verdict(const RunSummary& summary, const ResultFolder& results, RunGoal goal)
{
    const Verdict verdict = verdict_of(summary, goal);
    if (verdict == Verdict::inaccurate)
        find_cure(results, goal);
    const bool is_bad = verdict == Verdict::failed || verdict == Verdict::not_good;
    const VerdictText text = explain_verdict(summary, goal);
    return fmt::format(
        "<p class=\"verdict {}\"><b>{}</b> {}</p>\n", verdict == Verdict::good ? "good" : (is_bad ? "bad" : "open"),
        text.words, xml_escaped(text.reason));
}

std::string findings(const RunSummary& summary)
{
    const auto tested = [&](std::int64_t count) {
        return summary.verified > 0 ? fmt::format("{}", count) : "not tested";
    };
    std::string rows;
    rows += row("intersections", tested(summary.num_intersections));
    rows += row("inverted elements", tested(summary.num_inverted));
    rows +=
        row("smallest distance of contacts",
            std::isfinite(summary.smallest_distance) ? short_number(summary.smallest_distance) + " m" : "no contact");
    if (const std::string divided = summary.division_text(); !divided.empty())
        rows += row("smaller steps", divided);
    if (const std::string lagged = summary.lag_text(); !lagged.empty())
        rows += row("friction by forces of before", lagged);
    if (const std::string linear = summary.linear_text(); !linear.empty())
        rows += row("linear systems", linear);
    if (std::isfinite(summary.largest_gain)) {
        rows +=
            row("momentum that no force explains",
                "at most " + short_number(summary.momentum.largest()) + " of what moves about");
        rows +=
            row("energy gained in a step",
                summary.largest_gain > 0 ? fmt::format(
                                               "at most {} J, with up to {} J about",
                                               short_number(summary.largest_gain), short_number(summary.largest_energy))
                                         : "none");
    }
    return "<table>\n" + rows + "</table>\n";
}

/// Of what was chosen: a number or a word.
std::string text_of(const json& value)
{
    return value.is_string() ? xml_escaped(value.get<std::string>()) : short_number(value.get<double>());
}

/// What the scene left open. A folder that came from elsewhere may have no such file.
std::string choices(const std::filesystem::path& path)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored))
        return "";
    const json list = parse_json(read_file(path, 1 << 20), path.string());
    std::string rows;
    for (const json& choice : list)
        rows += fmt::format(
            "<tr><td><code>{}</code></td><td class=\"number\">{}</td><td>{}</td></tr>\n",
            xml_escaped(choice.value("name", "")), text_of(choice.value("value", json(0.0))),
            xml_escaped(choice.value("reason", "")));
    if (rows.empty())
        return "";
    return "<h2>What was chosen, and why</h2>\n<table>\n<tr><th>value</th><th "
           "class=\"number\">chosen</th><th>reason</th></tr>\n" +
           rows + "</table>\n";
}

std::string phases(const RunSummary& summary)
{
    static constexpr std::array<std::pair<double SolveTimes::*, const char*>, 7> names{
        {{&SolveTimes::factorize, "linear systems"},
         {&SolveTimes::symbolic, "orderings of linear systems"},
         {&SolveTimes::assemble, "Hessians and their assembly"},
         {&SolveTimes::guard, "collision-free steps"},
         {&SolveTimes::line_search, "line search"},
         {&SolveTimes::evaluate, "energies and gradients"},
         {&SolveTimes::update, "collision sets"}}};
    const double total = summary.times.total();
    if (!(total > 0))
        return "";
    std::string rows;
    for (const auto& [phase, name] : names) {
        const double seconds = summary.times.*phase;
        rows += fmt::format(
            "<tr><td>{}</td><td class=\"number\">{:.3g} s</td><td class=\"number\">{:.0f} %</td>"
            "<td class=\"share\"><div style=\"width:{:.1f}%\"></div></td></tr>\n",
            name, seconds, 100 * seconds / total, 100 * seconds / total);
    }
    return fmt::format(
        "<h2>Where the time went</h2>\n<table>\n{}</table>\n<p class=\"note\">{:.3g} s of solves: {} steps, {} Newton "
        "iterations, {:.3g} ms per iteration.</p>\n",
        rows, total, summary.steps, summary.iterations,
        1e3 * total / static_cast<double>(std::max<std::int64_t>(1, summary.iterations)));
}

/// `dt` [s] and `dhat` [m] are those of the scene; dhat is NaN where it is unknown.
std::string plots(const RunHistory& history, double dt, double dhat)
{
    PlotOptions common{
        .title = "",
        .x_title = "time [s]",
        .x_range = Vec2(history.times.front() - dt, history.times.back()),
        .is_over_time = true};
    if (history.summary.failed)
        common.mark = history.summary.failed->time;
    const auto with_title = [&](std::string title) {
        PlotOptions options = common;
        options.title = std::move(title);
        return options;
    };
    std::string page;

    // The energy of weight has no natural zero: show its change.
    std::vector<Vec2> gravity = history.gravity;
    const double start = gravity.empty() ? 0 : gravity.front().y();
    for (Vec2& p : gravity)
        p.y() -= start;
    std::vector<PlotLine> energies;
    const auto add = [&](const char* name, const std::vector<Vec2>& points) {
        if (largest(points) > 0)
            energies.push_back({name, points});
    };
    add("kinetic", history.kinetic);
    add("elastic", history.elastic);
    add("contact", history.contact);
    add("gravity, from its start", gravity);
    add("heat of friction so far", history.friction_heat);
    add("loss by damping and air so far", history.damping_loss);
    add("heat of flow so far", history.plastic_heat);
    add("work of scripts so far", history.script_work);
    page += plot(with_title("Energies [J]"), energies);
    page += plot(with_title("Energy gained by each step [J]; implicit steps lose some"), {{"gain", history.gain}});

    PlotOptions counts = with_title("Newton iterations of each step");
    counts.smallest_tick = 1;
    page += plot(counts, {{"iterations", history.iterations}});
    counts.title = "Contacts";
    page += plot(counts, {{"contacts", history.contacts}});

    PlotOptions gaps = with_title("Smallest distance of contacts [m]");
    gaps.is_logarithmic = true;
    std::vector<PlotLine> distances{{"smallest distance", history.smallest_distance}};
    if (dhat > 0 && std::isfinite(history.summary.smallest_distance))
        distances.push_back(
            {"where contact begins", {Vec2(history.times.front(), dhat), Vec2(history.times.back(), dhat)}, true});
    page += plot(gaps, distances);

    // Forces of the pairs that press hardest
    constexpr std::size_t most_pairs = 8;
    std::vector<std::pair<double, PlotLine>> pairs;
    for (const auto& [name, points] : history.forces)
        pairs.push_back({largest(points), {name, points}});
    std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<PlotLine> forces;
    for (std::size_t k = 0; k < std::min(most_pairs, pairs.size()); ++k)
        forces.push_back(std::move(pairs[k].second));
    std::string title = "Forces between bodies, contact and friction [N]";
    if (pairs.size() > most_pairs)
        title += fmt::format("; the largest {} of {} pairs", most_pairs, pairs.size());
    else if (pairs.size() == 1)
        title += ": " + forces[0].name;
    page += plot(with_title(title), forces);

    if (!history.bonds.empty()) {
        std::vector<PlotLine> pulls, areas;
        for (const auto& [name, pull_and_area] : history.bonds)
            if (pulls.size() < most_pairs) {
                pulls.push_back({name, pull_and_area.first});
                areas.push_back({name, pull_and_area.second});
            }
        page += plot(with_title("Pull of bonds between bodies [N]"), pulls);
        page += plot(with_title("Area of bonds between bodies [m²]"), areas);
    }

    if (largest(history.script_lag) > 0)
        page += plot(with_title("How far scripted vertices are behind [m]"), {{"lag", history.script_lag}});
    return page;
}

/// What stopped a failing step, if one pair did: marked in the last frame, and in view.
void point_at_failure(const StepRecord& failed, const ResultFolder& results, PackOptions& options)
{
    const std::vector<int> steps = results.frame_steps();
    if (failed.limiting_vertices.empty() || steps.empty())
        return;
    const Positions x = results.frame(steps.back()).mesh.vertices;
    PlaybackMark mark{.label = fmt::format("what limited step {}", failed.step)};
    Vec3 low = Vec3::Constant(INFINITY), high = Vec3::Constant(-INFINITY);
    for (const int v : failed.limiting_vertices) {
        if (v < 0 || v >= x.rows())
            return;
        mark.points.push_back(lifted(x, v));
        low = low.cwiseMin(mark.points.back());
        high = high.cwiseMax(mark.points.back());
    }
    const double size = (high - low).norm(), extent = (x.colwise().maxCoeff() - x.colwise().minCoeff()).norm();
    // A single vertex on a plane has no size of its own.
    options.look_at = {.point = 0.5 * (low + high), .radius = size > 0 ? 3 * size : 0.05 * extent};
    options.marks.push_back(std::move(mark));
}

std::string note(std::string_view sentence) { return fmt::format("<p class=\"note\">{}</p>\n", xml_escaped(sentence)); }

/// The frames to play, or why there are none.
std::string frames_to_play(const ResultFolder& results, const RunSummary& summary, std::optional<double> megabytes)
{
    try {
        const ResultPlayback playback(results);
        const std::vector<int> steps = results.frame_steps();
        const std::string picture = picture_html(results, playback.scene(), steps.back());
        PackOptions options{.megabytes = megabytes.value_or(playback.scene().report_megabytes)};
        if (options.megabytes == 0)
            return picture + note("The frames are not in this page, because its size is limited to 0 MB; 'abut report "
                                  "OUT --size 40' puts them in.");
        if (summary.failed)
            point_at_failure(*summary.failed, results, options);
        const PackedPlayback packed = pack(results, playback, options);
        const std::string sentence =
            "<p>This browser cannot play the frames in 3D: it needs WebGL and DecompressionStream, which all common "
            "browsers have since 2023.</p>\n";
        const bool is_thinned = packed.steps.size() < packed.frames_of_run;
        return playback_html(packed, {.name = "run", .fallback = picture + sentence}) +
               note(fmt::format(
                   "{} of {} frames{}, positions rounded to {} of each body's extent; frames/ has every bit.",
                   packed.steps.size(), packed.frames_of_run,
                   is_thinned ? fmt::format(", to keep this page within {} MB", short_number(options.megabytes)) : "",
                   short_number(playback_precision)));
    } catch (const Error& error) {
        return note(fmt::format("No frames to play: {}.", error.what()));
    } catch (const std::bad_alloc&) {
        return note("No frames to play: there was not enough memory left. 'abut report OUT' tries again.");
    }
}

/// What is legal, and most likely not meant.
std::string warnings(const std::filesystem::path& path)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored))
        return "";
    std::string items;
    for (const json& warning : parse_json(read_file(path, 1 << 24), path.string()))
        items += "<li>" + xml_escaped(warning.is_string() ? warning.get<std::string>() : warning.dump()) + "</li>\n";
    return items.empty() ? "" : "<h2>Warnings</h2>\n<ul class=\"warnings\">\n" + items + "</ul>\n";
}

/// The scene, or the failing step, as a file to give to someone.
std::string repro(const ResultFolder& results, bool is_failure)
{
    constexpr std::uintmax_t most_bytes = 20'000'000;
    const std::optional<ReproArchive> archive = repro_archive(results, is_failure, most_bytes);
    const std::string what =
        is_failure ? "the scene, its meshes and the state before the failing step: unpack it, and 'abut "
                     "resume repro' fails in the same way"
                   : "the scene and its meshes: unpack it, and 'abut run repro/scene.json' gives the same "
                     "results, bit for bit on the same kind of processor";
    if (!archive)
        return is_failure ? note(fmt::format("repro/ holds {}.", what)) : "";
    return "<h2>Reproduce it</h2>\n" + download_html("repro.zip", "application/zip", archive->bytes, "Download repro") +
           note(fmt::format("{} kB: {}.", (archive->bytes.size() + 999) / 1000, what));
}

/// The name and the numbers of a scene that the page speaks of.
struct SceneFacts {
    std::string name;
    RunGoal goal;
    double dt = SceneTime().dt; ///< [s]
    double dhat = NAN;          ///< [m]
};

SceneFacts facts_of(const ResultFolder& results, const json& scene, const std::filesystem::path& choices_path)
{
    const SceneTime usual;
    const double steps = number(scene, {"time", "steps"}), dt = number(scene, {"time", "dt"});
    const json* const time = scene.contains("time") && scene["time"].is_object() ? &scene["time"] : nullptr;
    SceneFacts facts{
        .name = scene.value("name", std::filesystem::path(absolute_name(results.folder())).filename().string()),
        .goal =
            {.steps = std::isfinite(steps) ? static_cast<int>(std::clamp(steps, 0.0, 1e9)) : usual.steps,
             .has_inertia =
                 time == nullptr || !time->contains("integrator") || (*time)["integrator"] != "quasi_static"},
        .dt = std::isfinite(dt) ? dt : usual.dt,
        .dhat = number(scene, {"contact", "dhat"})};
    std::error_code ignored;
    if (!std::isfinite(facts.dhat) && std::filesystem::is_regular_file(choices_path, ignored))
        for (const json& choice : parse_json(read_file(choices_path, 1 << 20), choices_path.string()))
            if (choice.value("name", "") == "contact.dhat")
                facts.dhat = choice.value("value", NAN);
    return facts;
}

} // namespace

WrittenReport write_report(const ResultFolder& results, const ReportOptions& options)
{
    const json scene = read_scene_json(results.scene_path());
    const std::filesystem::path choices_path = results.folder() / "choices.json";
    RunHistory history;
    std::vector<std::string> passed_over = results.for_each_record([&](StepRecord&& record) { history.add(record); });
    const SceneFacts facts = facts_of(results, scene, choices_path);

    std::string page = verdict(history.summary, results, facts.goal);
    page += frames_to_play(results, history.summary, options.megabytes);
    page += warnings(results.folder() / "warnings.json");
    page += "<h2>What was found</h2>\n" + findings(history.summary);
    page += choices(choices_path);
    if (history.summary.steps > 0)
        page += "<h2>Over time</h2>\n" + plots(history, facts.dt, facts.dhat);
    page += phases(history.summary);
    page += repro(results, history.summary.failed.has_value());
    constexpr std::size_t most_scene_bytes = 50'000;
    if (const std::string text = scene.dump(2); text.size() <= most_scene_bytes)
        page += "<h2>The scene</h2>\n<details><summary>scene.json, as it was run</summary>\n<pre>" + xml_escaped(text) +
                "</pre></details>\n";
    page += viewer_html();
    const std::filesystem::path path = results.folder() / "report.html";
    write_file(path, html_page(facts.name, page));
    return {path, std::move(passed_over)};
}

} // namespace abut
