#pragma once
// What the runs of a comparison did: times, sums over their steps, distances to the reference.

#include "abut/math/types.hpp"
#include "abut/run/compare/folder.hpp"
#include "abut/run/compare/frame_distance.hpp"
#include "abut/run/run_summary.hpp"

namespace abut {

/// Of the repetitions of a run.
struct Repeated {
    std::vector<double> values;

    [[nodiscard]] double median() const; ///< NaN where there is none
    [[nodiscard]] double spread() const; ///< the largest less the smallest; NaN where there are not two
};

/// A variant, or the reference.
struct CompareRow {
    const PlannedRun* run;
    std::string verdict; ///< by its name; "not_started" and "crashed" where there is none
    std::string message; ///< why it is not good
    bool is_good = false;
    RunSummary summary;
    Repeated cpu_seconds, wall_seconds; ///< of whole runs
    std::optional<std::int64_t> peak_bytes{};
    std::vector<Distance> distance;                   ///< to the reference at each frame; NaN where there is none
    std::vector<std::vector<Distance>> body_distance; ///< the same, of each body
    std::vector<Vec2> iterations, contacts, energy;   ///< over time; energy is the sum of all kinds [J]

    /// CPU or wall time per step that was made [s].
    [[nodiscard]] Repeated per_step(const Repeated& seconds) const;
};

struct Comparison {
    const ComparePlan& plan;
    std::vector<CompareRow> rows; ///< of the variants
    std::optional<CompareRow> reference{};

    /// Are all rows good?
    [[nodiscard]] bool is_good() const;
};

/// Of runs that have all ended. `plan` must outlive the result.
[[nodiscard]] Comparison measure(const ComparePlan& plan, const CompareFolder& folder);

} // namespace abut
