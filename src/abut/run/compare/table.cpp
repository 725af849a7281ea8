#include "abut/run/compare/table.hpp"

#include "abut/base/version.hpp"
#include "abut/draw/plot.hpp"

#include <algorithm>
#include <functional>

namespace abut {

namespace {

using nlohmann::json;

/// A column and where its values come from.
struct Source {
    TableColumn column;
    std::function<json(const CompareRow&)> value;
};

std::vector<Source> time_columns()
{
    const auto per_step = [](const char* key, const char* title, const std::string& what,
                             Repeated CompareRow::*seconds) {
        return std::vector<Source>{
            {{key, title, what + " time per step, median of repetitions [s]"},
             [=](const CompareRow& row) { return finite_or_null(row.per_step(row.*seconds).median()); }},
            {{std::string(key) + "_spread", "spread", "largest less smallest of these [s]"},
             [=](const CompareRow& row) { return finite_or_null(row.per_step(row.*seconds).spread()); }}};
    };
    std::vector<Source> sources = per_step("cpu_per_step", "CPU/step", "CPU", &CompareRow::cpu_seconds);
    const auto wall = per_step("wall_per_step", "wall/step", "wall", &CompareRow::wall_seconds);
    sources.insert(sources.end(), wall.begin(), wall.end());
    sources.push_back(
        {{"cpu_seconds", "CPU", "CPU time of the whole run, median of repetitions [s]"},
         [](const CompareRow& row) { return finite_or_null(row.cpu_seconds.median()); }});
    return sources;
}

std::vector<Source> work_columns()
{
    return {
        {{"steps", "steps", "that were made"}, [](const CompareRow& row) { return json(row.summary.steps); }},
        {{"iterations", "iterations", "of Newton, over all steps"},
         [](const CompareRow& row) { return json(row.summary.iterations); }},
        {{"detections", "detections", "how often near pairs were found"},
         [](const CompareRow& row) { return json(row.summary.detections); }},
        {{"linear_iterations", "linear it.", "of linear systems; 0 for direct methods"},
         [](const CompareRow& row) { return json(row.summary.linear_iterations); }},
        {{"largest_residual", "residual", "largest of what forces leave where a step's last iteration begins [N]"},
         [](const CompareRow& row) { return finite_or_null(row.summary.largest_residual); }}};
}

std::vector<Source> distance_columns(const ComparePlan& plan)
{
    std::vector<Source> sources;
    for (const std::size_t frame : plan.at) {
        const std::string time = short_number(plan.frame_times[frame]);
        const auto add = [&](const std::string& key, const std::string& title, const std::string& meaning,
                             double Distance::*what) {
            sources.push_back(
                {{key, title, fmt::format("{} distance of vertices to the reference at {} s [m]", meaning, time)},
                 [=](const CompareRow& row) {
                     return frame < row.distance.size() ? finite_or_null(row.distance[frame].*what) : json(nullptr);
                 }});
        };
        add("rms_at_" + time, "rms@" + time, "root mean square", &Distance::root_mean_square);
        add("largest_at_" + time, "max@" + time, "largest", &Distance::largest);
    }
    return sources;
}

std::vector<Source> quality_columns()
{
    return {
        {{"smallest_gap", "gap", "smallest distance of contacts [m]"},
         [](const CompareRow& row) { return finite_or_null(row.summary.smallest_distance); }},
        {{"momentum_defect", "momentum", "largest change of momentum in a step that no force explains, as a share"},
         [](const CompareRow& row) {
             return row.summary.steps > 0 ? finite_or_null(row.summary.momentum.largest()) : json(nullptr);
         }},
        {{"energy_gain", "gain", "largest gain of energy in a step; negative: all lose [J]"},
         [](const CompareRow& row) { return finite_or_null(row.summary.largest_gain); }},
        {{"not_converged", "not conv.", "steps that did not converge"},
         [](const CompareRow& row) { return json(row.summary.not_converged); }},
        {{"memory", "MB", "most memory of a run [MB]"},
         [](const CompareRow& row) {
             return row.peak_bytes ? json(std::round(static_cast<double>(*row.peak_bytes) / 1e5) / 10) : json(nullptr);
         }},
        {{"verdict", "verdict", "what to think of it, as in report.html"},
         [](const CompareRow& row) { return json(row.verdict); }},
        {{"good", "good", "is it?"}, [](const CompareRow& row) { return json(row.is_good); }},
        {{"message", "", "why not"}, [](const CompareRow& row) { return json(row.message); }}};
}

json distances_to_json(const std::vector<Distance>& distances)
{
    json rms = json::array(), largest = json::array();
    for (const Distance& distance : distances) {
        rms.push_back(finite_or_null(distance.root_mean_square));
        largest.push_back(finite_or_null(distance.largest));
    }
    return {{"rms", rms}, {"largest", largest}};
}

json row_details(const CompareRow& row, const std::vector<ComparePlan::Body>& bodies)
{
    json details{
        {"folder", "runs/" + row.run->folder},
        {"settings", row.run->settings},
        {"all_cpu_seconds", row.cpu_seconds.values},
        {"all_wall_seconds", row.wall_seconds.values}};
    if (row.distance.empty())
        return details;
    details["distance"] = distances_to_json(row.distance);
    for (std::size_t body = 0; body < bodies.size(); ++body)
        details["distance"]["bodies"][bodies[body].name] = distances_to_json(row.body_distance[body]);
    return details;
}

} // namespace

Table table_of(const Comparison& comparison)
{
    const ComparePlan& plan = comparison.plan;
    std::vector<Source> sources{{{"row", "row", "number of the variant"}, [&](const CompareRow& row) {
                                     const auto index = row.run - plan.variants.data();
                                     return row.run->folder == "reference" ? json("reference") : json(index + 1);
                                 }}};
    for (std::size_t k = 0; k < plan.keys.size(); ++k)
        sources.push_back(
            {{plan.keys[k], short_key(plan.keys[k], plan.keys), "as it was set; null: as the scene has it"},
             [k](const CompareRow& row) {
                 return row.run->values[k].empty() ? json(nullptr) : json(row.run->values[k]);
             }});
    for (const auto& more : {time_columns(), work_columns(), distance_columns(plan), quality_columns()})
        sources.insert(sources.end(), more.begin(), more.end());

    Table table;
    for (const Source& source : sources)
        table.columns.push_back(source.column);
    const auto add = [&](const CompareRow& row) {
        table.rows.emplace_back();
        for (const Source& source : sources)
            table.rows.back().push_back(source.value(row));
    };
    for (const CompareRow& row : comparison.rows)
        add(row);
    if (comparison.reference)
        add(*comparison.reference);
    return table;
}

json comparison_to_json(const Comparison& comparison, const Table& table)
{
    const ComparePlan& plan = comparison.plan;
    json columns = json::array(), rows = json::array();
    for (const TableColumn& column : table.columns)
        columns.push_back({{"key", column.key}, {"meaning", column.meaning}});
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
        const bool is_variant = k < comparison.rows.size();
        json row = row_details(is_variant ? comparison.rows[k] : *comparison.reference, plan.bodies);
        for (std::size_t column = 0; column < table.columns.size(); ++column)
            row["table"][table.columns[column].key] = table.rows[k][column];
        rows.push_back(std::move(row));
    }
    return {{"format", 1},           {"program", version},
            {"scene", plan.name},    {"keys", plan.keys},
            {"end", plan.end},       {"times", plan.frame_times},
            {"repeat", plan.repeat}, {"good", comparison.is_good()},
            {"columns", columns},    {"rows", rows}};
}

} // namespace abut
