#include "report.hpp"

#include "plot.hpp"
#include "svg.hpp"

#include "abut/base/version.hpp"
#include "abut/io/file.hpp"
#include "abut/io/json_object.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/run/momentum_balance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace abut {

namespace {

using nlohmann::json;

constexpr const char* style = R"(
body { font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 780px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; margin: 0 0 .2em; } h2 { font-size: 1.1em; margin: 2em 0 .5em; }
p.verdict { padding: .7em 1em; border-left: 5px solid; margin: 1em 0; overflow-wrap: anywhere; }
.good { border-color: #2a8a4a; background: #eef8f1; } .open { border-color: #b58900; background: #fdf8e8; }
.bad { border-color: #c00000; background: #fdeeee; }
table { border-collapse: collapse; width: 100%; } td, th { padding: .25em .8em .25em 0; text-align: left; vertical-align: top; border-bottom: 1px solid #eee; }
td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; } th.number { text-align: right; }
td.share { width: 35%; } td.share div { background: #56b4e9; height: .8em; margin-top: .35em; }
.note { color: #666; font-size: .9em; } code, pre { font: 13px/1.4 ui-monospace, monospace; } pre { background: #f6f6f6; padding: 1em; overflow-x: auto; }
svg { display: block; max-width: 100%; height: auto; margin: .8em 0; }
)";

/// A number of a scene, by the names that lead to it; not a number where it is missing or null.
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

/// What the page says about the steps, gathered from the statistics line by line: a run may have many.
struct RunStatistics {
    std::vector<Vec2> kinetic, elastic, contact, gravity, friction_heat, script_work, gain;
    std::vector<Vec2> iterations, contacts, smallest_distance, script_lag;
    std::map<std::string, std::vector<Vec2>> forces; ///< of each pair of bodies, where they touch
    std::vector<double> times;
    SolveTimes seconds;

    std::int64_t total_iterations = 0, intersections = 0, inverted = 0;
    MomentumBalance momentum;
    double least_distance = INFINITY, largest_gain = -INFINITY, largest_energy = 0;
    bool is_verified = false, has_balance = false;
    std::optional<StepRecord> failed; ///< the step that did not converge

    void add(const StepRecord& record)
    {
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
        push_sum(script_work, balance.script_work);
        push(gain, balance.gain);
        push(iterations, static_cast<double>(record.iterations));
        push(contacts, static_cast<double>(record.contacts));
        push(smallest_distance, record.smallest_distance);
        push(script_lag, record.script_lag);
        add_forces(record);

        total_iterations += record.iterations;
        if (record.verified) {
            is_verified = true;
            intersections += record.verified->num_intersections;
            inverted += record.verified->num_inverted;
        }
        least_distance = std::fmin(least_distance, record.smallest_distance);
        momentum.add(balance.momentum_defect);
        largest_gain = std::fmax(largest_gain, balance.gain);
        has_balance = has_balance || std::isfinite(balance.gain);
        largest_energy = std::fmax(
            largest_energy, or_zero(balance.kinetic) + std::abs(or_zero(balance.elastic)) + or_zero(balance.contact));
        seconds.add(record.times);
        if (!record.is_converged())
            failed = record;
    }

    void add_forces(const StepRecord& record)
    {
        for (const ForceRecord& force : record.forces) {
            std::vector<Vec2>& points = forces[force.on + " – " + force.by];
            // Where they did not touch in the step before is a gap.
            if (!points.empty() && times.size() > 1 && points.back().x() < times[times.size() - 2])
                points.emplace_back(record.time, NAN);
            points.emplace_back(record.time, (force.contact + force.friction).norm());
        }
    }

    [[nodiscard]] std::size_t steps() const { return times.size(); }
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

std::string verdict(const RunStatistics& history, int steps_wanted, bool has_inertia)
{
    const auto paragraph = [](const char* kind, const std::string& word, const std::string& text) {
        return fmt::format("<p class=\"verdict {}\"><b>{}</b> {}</p>\n", kind, word, xml_escaped(text));
    };
    const bool is_whole = static_cast<int>(history.steps()) >= steps_wanted;
    const std::string done = fmt::format("{} of {} steps", history.steps(), steps_wanted);
    if (history.failed)
        return paragraph(
            "bad", "Failed.",
            fmt::format(
                "Step {} ended in {}: {}. The state before it is in repro/; 'abut resume' on that folder tries the "
                "step again.",
                history.failed->step, history.failed->outcome, history.failed->message));
    if (history.intersections + history.inverted > 0)
        return paragraph(
            "bad", "Not good.",
            fmt::format(
                "{}; the exact tests found {} intersections and {} inverted elements.", done, history.intersections,
                history.inverted));
    if (history.steps() == 0)
        return paragraph("open", "Nothing yet.", done + ".");
    if (!history.is_verified)
        return paragraph("open", "Not verified.", done + "; all converged, but the exact tests were not run.");
    if (has_inertia && history.momentum.is_off())
        return paragraph("open", "Free of intersections, but inaccurate.", done + "; " + history.momentum.note() + ".");
    if (!is_whole)
        return paragraph("open", "Good so far.", done + "; 'abut resume' continues the run.");
    return paragraph("good", "Good.", done + ", all converged, free of intersections and inversions by exact tests.");
}

std::string findings(const RunStatistics& history)
{
    std::string rows;
    rows += row("intersections", history.is_verified ? fmt::format("{}", history.intersections) : "not tested");
    rows += row("inverted elements", history.is_verified ? fmt::format("{}", history.inverted) : "not tested");
    rows +=
        row("smallest distance of contacts",
            std::isfinite(history.least_distance) ? short_number(history.least_distance) + " m" : "no contact");
    if (history.has_balance) {
        rows +=
            row("momentum that no force explains",
                "at most " + short_number(history.momentum.largest()) + " of what moves about");
        rows +=
            row("energy gained in a step",
                history.largest_gain > 0 ? fmt::format(
                                               "at most {} J, with up to {} J about",
                                               short_number(history.largest_gain), short_number(history.largest_energy))
                                         : "none");
    }
    return "<table>\n" + rows + "</table>\n";
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
            xml_escaped(choice.value("name", "")), short_number(choice.value("value", 0.0)),
            xml_escaped(choice.value("reason", "")));
    if (rows.empty())
        return "";
    return "<h2>What was chosen, and why</h2>\n<table>\n<tr><th>value</th><th "
           "class=\"number\">chosen</th><th>reason</th></tr>\n" +
           rows + "</table>\n";
}

std::string phases(const RunStatistics& history)
{
    static constexpr std::array<std::pair<double SolveTimes::*, const char*>, 6> names{
        {{&SolveTimes::factorize, "linear systems"},
         {&SolveTimes::assemble, "Hessians and their assembly"},
         {&SolveTimes::guard, "collision-free steps"},
         {&SolveTimes::line_search, "line search"},
         {&SolveTimes::evaluate, "energies and gradients"},
         {&SolveTimes::update, "collision sets"}}};
    const double total = history.seconds.total();
    if (!(total > 0))
        return "";
    std::string rows;
    for (const auto& [phase, name] : names) {
        const double seconds = history.seconds.*phase;
        rows += fmt::format(
            "<tr><td>{}</td><td class=\"number\">{:.3g} s</td><td class=\"number\">{:.0f} %</td>"
            "<td class=\"share\"><div style=\"width:{:.1f}%\"></div></td></tr>\n",
            name, seconds, 100 * seconds / total, 100 * seconds / total);
    }
    return fmt::format(
        "<h2>Where the time went</h2>\n<table>\n{}</table>\n<p class=\"note\">{:.3g} s of solves: {} steps, {} Newton "
        "iterations, {:.3g} ms an iteration.</p>\n",
        rows, total, history.steps(), history.total_iterations,
        1e3 * total / static_cast<double>(std::max<std::int64_t>(1, history.total_iterations)));
}

/// `dt` [s] and `dhat` [m] are those of the scene; dhat may be unknown, not a number.
std::string plots(const RunStatistics& history, double dt, double dhat)
{
    PlotOptions common{
        .title = "", .x_title = "time [s]", .x_range = Vec2(history.times.front() - dt, history.times.back())};
    if (history.failed)
        common.mark = history.failed->time;
    const auto with_title = [&](std::string title) {
        PlotOptions options = common;
        options.title = std::move(title);
        return options;
    };
    std::string page;

    // Of the weight's energy only changes mean something.
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
    if (dhat > 0 && std::isfinite(history.least_distance))
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

    if (largest(history.script_lag) > 0)
        page += plot(with_title("How far scripted vertices are behind [m]"), {{"lag", history.script_lag}});
    return page;
}

} // namespace

WrittenReport write_report(const ResultFolder& results)
{
    const json scene = read_scene_json(results.scene_path());
    const std::filesystem::path choices_path = results.folder() / "choices.json";
    RunStatistics history;
    std::vector<std::string> passed_over = results.for_each_record([&](StepRecord&& record) { history.add(record); });

    const std::string name =
        scene.value("name", std::filesystem::path(absolute_name(results.folder())).filename().string());
    const SceneTime usual;
    const double steps = number(scene, {"time", "steps"}), dt = number(scene, {"time", "dt"});
    const int steps_wanted = std::isfinite(steps) ? static_cast<int>(std::clamp(steps, 0.0, 1e9)) : usual.steps;
    const json* const time = scene.contains("time") && scene["time"].is_object() ? &scene["time"] : nullptr;
    const bool has_inertia =
        time == nullptr || !time->contains("integrator") || (*time)["integrator"] != "quasi_static";
    double dhat = number(scene, {"contact", "dhat"});
    std::error_code ignored;
    if (!std::isfinite(dhat) && std::filesystem::is_regular_file(choices_path, ignored))
        for (const json& choice : parse_json(read_file(choices_path, 1 << 20), choices_path.string()))
            if (choice.value("name", "") == "contact.dhat")
                dhat = choice.value("value", NAN);

    std::string page = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
        xml_escaped(name), style);
    page += verdict(history, steps_wanted, has_inertia);
    page += findings(history);
    page += choices(choices_path);
    page += phases(history);
    if (history.steps() > 0)
        page += "<h2>Over time</h2>\n" + plots(history, std::isfinite(dt) ? dt : usual.dt, dhat);
    constexpr std::size_t most_bytes = 50'000;
    if (const std::string text = scene.dump(2); text.size() <= most_bytes)
        page += "<h2>The scene</h2>\n<details><summary>scene.json, as it was run</summary>\n<pre>" + xml_escaped(text) +
                "</pre></details>\n";
    page += fmt::format("<p class=\"note\">abut {}</p>\n</body>\n</html>\n", version);
    const std::filesystem::path path = results.folder() / "report.html";
    write_file(path, page);
    return {path, std::move(passed_over)};
}

} // namespace abut
