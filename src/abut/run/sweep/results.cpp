#include "abut/run/sweep/results.hpp"

#include "abut/base/version.hpp"
#include "abut/io/file.hpp"

#include <algorithm>
#include <functional>

namespace abut {

namespace {

using nlohmann::json;

/// A column and where its values come from, for points that have a report.
struct ReportColumn {
    TableColumn column;
    std::function<json(const PointReport&)> value;
};

std::vector<ReportColumn> verdict_columns()
{
    return {
        {{"verdict", "verdict", "what to think of it; not_run: it has not ended"},
         [](const PointReport& report) { return json(report.judged.verdict); }},
        {{"good", "good", "is it?"}, [](const PointReport& report) { return json(report.judged.is_good); }},
        {{"steps", "steps", "that were made"}, [](const PointReport& report) { return json(report.steps); }},
        {{"wall_seconds", "wall", "wall time of its last process [s]"},
         [](const PointReport& report) { return finite_or_null(report.child.wall_seconds); }},
        {{"cpu_seconds", "CPU", "CPU time of its last process [s]"},
         [](const PointReport& report) { return finite_or_null(report.child.cpu_seconds); }},
        {{"solve_seconds", "solves", "time of the solves of all steps [s]"},
         [](const PointReport& report) { return finite_or_null(report.solve_seconds); }},
        {{"resumed", "resumed", "was it cut off and continued? Then the times of processes are those of the last"},
         [](const PointReport& report) { return json(report.is_resumed); }},
        {{"memory", "MB", "most memory [MB]"},
         [](const PointReport& report) {
             return report.child.peak_bytes ? json(std::round(static_cast<double>(*report.child.peak_bytes) / 1e5) / 10)
                                            : json(nullptr);
         }},
        {{"iterations", "iterations", "of Newton, over all steps"},
         [](const PointReport& report) { return json(report.iterations); }},
        {{"most_contacts", "contacts", "most of a step"},
         [](const PointReport& report) { return json(report.most_contacts); }},
        {{"smallest_gap", "gap", "smallest distance of contacts [m]"},
         [](const PointReport& report) { return finite_or_null(report.smallest_distance); }},
        {{"momentum_defect", "momentum", "largest change of momentum in a step that no force explains, as a share"},
         [](const PointReport& report) { return finite_or_null(report.momentum_defect); }}};
}

} // namespace

std::size_t SweepResults::num_good() const
{
    return static_cast<std::size_t>(std::count_if(
        rows.begin(), rows.end(), [](const SweepRow& row) { return row.report && row.report->judged.is_good; }));
}

std::size_t SweepResults::num_missing() const
{
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [](const SweepRow& row) { return !row.report; }));
}

SweepResults gather(const SweepPlan& plan, const SweepFolder& folder)
{
    SweepResults results{plan, observables_of(plan, folder.path()), {}};
    std::error_code ignored;
    for (const SweepPoint& point : plan.points) {
        SweepRow row{&point, folder.report_of(point), std::vector<double>(results.observables.size(), NAN)};
        row.is_settled = is_settled(row.report, plan.options);
        if (row.report && std::filesystem::exists(folder.results_of(point) / "scene.json", ignored))
            row.observed = observe(ResultFolder::open(folder.results_of(point), false), results.observables);
        results.rows.push_back(std::move(row));
    }
    return results;
}

Table table_of(const SweepResults& results)
{
    const SweepPlan& plan = results.plan;
    const std::vector<ReportColumn> reported = verdict_columns();
    Table table;
    table.columns.push_back({"point", "point", "its number"});
    for (const std::string& key : plan.keys)
        table.columns.push_back({key, short_key(key, plan.keys), "as it was set; empty: as the scene has it"});
    for (const ReportColumn& each : reported)
        table.columns.push_back(each.column);
    for (const Observable& observable : results.observables)
        table.columns.push_back({observable.text, observable.text, meaning_of(observable)});
    table.columns.push_back({"folder", "", "in points/"});
    table.columns.push_back({"message", "", "why it is not good"});
    for (std::size_t k = 0; k < results.rows.size(); ++k) {
        const SweepRow& row = results.rows[k];
        std::vector<json>& cells = table.rows.emplace_back();
        cells.emplace_back(k + 1);
        for (const std::string& value : row.point->values)
            cells.push_back(value.empty() ? json(nullptr) : json(value));
        for (const ReportColumn& each : reported)
            cells.push_back(
                row.report                     ? each.value(*row.report)
                : each.column.key == "verdict" ? json("not_run")
                : each.column.key == "good"    ? json(false)
                                               : json(nullptr));
        for (const double value : row.observed)
            cells.push_back(finite_or_null(value));
        cells.emplace_back(row.point->folder);
        cells.emplace_back(row.report ? row.report->judged.message : "it has not ended");
    }
    return table;
}

json results_to_json(const SweepResults& results, const Table& table)
{
    json columns = json::array(), rows = json::array();
    for (const TableColumn& column : table.columns)
        columns.push_back({{"key", column.key}, {"meaning", column.meaning}});
    for (const auto& cells : table.rows) {
        json row = json::object();
        for (std::size_t k = 0; k < cells.size(); ++k)
            row[table.columns[k].key] = cells[k];
        rows.push_back(std::move(row));
    }
    return {
        {"format", 1},
        {"program", version},
        {"scene", results.plan.name},
        {"keys", results.plan.keys},
        {"good", results.num_good() == results.rows.size()},
        {"columns", columns},
        {"rows", rows}};
}

void write_results(const SweepResults& results, const Table& table, const SweepFolder& folder)
{
    write_file(folder.path() / "results.json", results_to_json(results, table).dump(1) + "\n");
    write_file(folder.path() / "results.html", results_page(results, table, folder));
    write_file(folder.path() / "results.csv", table_to_csv(table));
}

} // namespace abut
