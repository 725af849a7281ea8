#pragma once
// What a run keeps of a step: one line of stats.jsonl, whose keys docs/scenes.md lists. It is written and read here
// and nowhere else.

#include "abut/sim/step.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// Forces between two bodies, by their names.
struct ForceRecord {
    std::string on, by;
    Vec3 contact = Vec3::Zero(), friction = Vec3::Zero(); ///< on `on` by `by` [N]
    Vec3 adhesion = Vec3::Zero();                         ///< of these, what bonds pull [N]
    double bonded_area = 0;                               ///< [m²]; 0 where nothing sticks

    [[nodiscard]] bool is_bonded() const { return bonded_area != 0 || adhesion != Vec3::Zero(); }
};

/// Numbers that a line does not have, because another version wrote it, are NaN; counts are 0.
struct StepRecord {
    int step = 0;
    double time = 0;                        ///< at its end [s]
    std::string outcome{"converged"};       ///< by its name
    std::string message;                    ///< of steps that did not converge
    std::vector<int> limiting_vertices;     ///< of these: of the pair that limited them
    std::int64_t iterations = 0;            ///< of Newton
    std::int64_t cut_by_guard = 0;          ///< iterations whose step the guard shortened
    std::int64_t cut_by_line_search = 0;    ///< iterations whose step the line search halved
    std::int64_t linear_iterations = 0;     ///< of linear systems; 0 for direct methods
    std::int64_t linear_fallbacks = 0;      ///< linear systems left to the direct method by conjugate gradients
    std::string linear;                     ///< how the last of them was solved, and why so
    std::int64_t detections = 0;            ///< times that pairs were found
    std::int64_t substeps = 1;              ///< that it was taken as
    std::int64_t retries = 0;               ///< parts that did not converge and became smaller ones
    double relative_residual = NAN;         ///< of block descent: forces at the end, over those at first
    std::int64_t lags = 0;                  ///< times that what resists sliding was lagged
    double lag_residual = NAN;              ///< how far off that is at the end, as StepReport's; NaN where nothing is
    double residual = NAN;                  ///< what forces leave where the last iteration began [N]
    std::int64_t contacts = 0;              ///< pairs within reach of the barrier
    double smallest_distance = INFINITY;    ///< of these [m]; infinite where there is none
    double stiffness = 0;                   ///< of contact
    double script_lag = 0;                  ///< how far scripted vertices are behind [m]
    Balance balance;                        ///< energies and momentum
    std::vector<ForceRecord> forces;        ///< between bodies that touch
    std::optional<Verification> verified{}; ///< where the exact tests were made
    SolveTimes times;

    [[nodiscard]] bool is_converged() const { return outcome == "converged"; }
    /// Did it end the run? Where iterations ran out it did not.
    [[nodiscard]] bool is_failed() const { return !is_converged() && outcome != "not_converged"; }
};

/// The record of a step; `names` are those of the bodies.
[[nodiscard]] StepRecord record_of(const StepReport& report, const BodyNames& names);

/// The line of a record, without a line break.
[[nodiscard]] std::string to_json_line(const StepRecord& record);

/// The record of a line; nothing where it is not one of a step.
[[nodiscard]] std::optional<StepRecord> parse_record(std::string_view line);

} // namespace abut
