#pragma once
// What a run did, summed over its steps, and what to think of it: for the program's last lines, `abut info`, the report
// and Python alike.

#include "abut/run/momentum_balance.hpp"
#include "abut/run/step_record.hpp"

namespace abut {

/// Sums over the records of a run.
struct RunSummary {
    int steps = 0, not_converged = 0;
    int verified = 0; ///< steps whose end was tested exactly
    std::int64_t iterations = 0, linear_iterations = 0, detections = 0;
    std::int64_t divided = 0, substeps = 0, retries = 0; ///< steps that were taken as smaller ones; these; tries before
    std::int64_t most_contacts = 0, num_intersections = 0, num_inverted = 0;
    std::int64_t linear_fallbacks = 0; ///< linear systems left to the direct method by conjugate gradients
    std::vector<std::pair<std::string, int>> linear_methods; ///< steps by how their last linear system was solved
    std::string last_linear;                                 ///< of the last step, with the reason
    double largest_residual = NAN;       ///< of steps, as StepRecord::residual [N]; NaN where no record has one
    double smallest_distance = INFINITY; ///< of contacts [m]; infinite where there was none
    MomentumBalance momentum;
    double largest_gain = -INFINITY;    ///< of energy, in a step [J]; minus infinity where no record has one
    double largest_energy = 0;          ///< sum of kinetic, elastic and contact energy [J]
    SolveTimes times;                   ///< of all solves
    std::optional<StepRecord> failed{}; ///< the last step that failed
    /// Of the steps whose iterations ran out: which was the farthest off, and its StepRecord::relative_residual.
    int worst_step = 0;
    double worst_residual = NAN;

    /// Of the steps in which something resists sliding: their number, the sum of their StepRecord::lag_residual, and
    /// the one where it is largest.
    int lagged = 0, most_lagged = 0;
    double lag_sum = 0, largest_lag = 0;

    void add(const StepRecord& record);
    /// "off by 0.02 on average, at most by 0.3, in step 7: ..."; empty where nothing resists sliding.
    [[nodiscard]] std::string lag_text() const;
    /// "3 steps were taken as 12 smaller ones, 2 of them after a try that did not converge"; empty where none was.
    [[nodiscard]] std::string division_text() const;
    /// "12 steps by conjugate gradients, schwarz, 345 iterations; 3 by CHOLMOD ...; last: ..."; empty where no record
    /// says it.
    [[nodiscard]] std::string linear_text() const;
    /// "7 of 30 steps did not converge: ..."; empty where all did, or one failed.
    [[nodiscard]] std::string unconverged_text() const;
    /// Did the exact tests find nothing?
    [[nodiscard]] bool is_clean() const { return num_intersections == 0 && num_inverted == 0; }
    /// "1.2e-04 m", or `otherwise` where nothing touched.
    [[nodiscard]] std::string distance_text(std::string_view otherwise) const;
};

enum class Verdict : std::uint8_t {
    good,         ///< all steps, all converged, verified
    unfinished,   ///< good so far
    nothing_yet,  ///< no step was made
    not_verified, ///< all converged, but no state was tested
    inaccurate,   ///< no intersection was found, but momentum does not balance, or iterations ran out
    not_good,     ///< the exact tests found something
    failed,       ///< a step failed
};
[[nodiscard]] std::string_view to_string(Verdict verdict);
/// Must the numbers of such a run not be used as they are?
[[nodiscard]] bool is_wrong(Verdict verdict);

/// What a run was to do.
struct RunGoal {
    int steps = 0;           ///< of the scene
    bool has_inertia = true; ///< else momentum need not balance
    /// What helps where it does not: momentum_cure() of the scene.
    std::string momentum_cure = "lower solver.tolerance, or leave it out";
};

[[nodiscard]] Verdict verdict_of(const RunSummary& summary, const RunGoal& goal);

/// The verdict as sentences: the first two or three words say what it is, the rest why.
struct VerdictText {
    std::string words, reason;
};
[[nodiscard]] VerdictText explain_verdict(const RunSummary& summary, const RunGoal& goal);

/// How to go on after a failing step, as a sentence without a full stop; `repro` is the folder that it left.
[[nodiscard]] std::string advice_after_failure(const std::string& repro);

} // namespace abut
