#pragma once
// What the points of a sweep gave: a row for each, and a page with plots and pictures.

#include "abut/run/sweep/folder.hpp"
#include "abut/run/table.hpp"

namespace abut {

struct SweepRow {
    const SweepPoint* point;
    std::optional<PointReport> report; ///< nothing where it was not run to its end
    std::vector<double> observed;      ///< of each observable; NaN where there is none
    bool is_settled = false;
};

struct SweepResults {
    const SweepPlan& plan;
    std::vector<Observable> observables;
    std::vector<SweepRow> rows; ///< of each point, in the order of the plan

    [[nodiscard]] std::size_t num_good() const;
    /// Points that have no report: nothing is known of them.
    [[nodiscard]] std::size_t num_missing() const;
};

/// `plan` must outlive the result.
[[nodiscard]] SweepResults gather(const SweepPlan& plan, const SweepFolder& folder);

[[nodiscard]] Table table_of(const SweepResults& results);
[[nodiscard]] nlohmann::json results_to_json(const SweepResults& results, const Table& table);

/// The table, plots of what was observed against the keys that were varied, and pictures of last frames. It needs no
/// other file and no network.
[[nodiscard]] std::string results_page(const SweepResults& results, const Table& table, const SweepFolder& folder);

/// Writes results.csv, results.json and results.html, each in one piece.
void write_results(const SweepResults& results, const Table& table, const SweepFolder& folder);

} // namespace abut
