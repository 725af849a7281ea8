#pragma once
// One step of time: from a state to the next.

#include "abut/sim/balance.hpp"
#include "abut/sim/verification.hpp"
#include "abut/solver/solver.hpp"

namespace abut {

/// What a step did. It begins as not finished.
struct StepReport {
    int step = 0;    ///< number of the step, from 1
    double time = 0; ///< at its end [s]
    Outcome outcome = Outcome::unfinished;
    std::string message;                     ///< what ended it, with numbers
    std::string limiting;                    ///< what cut the last Newton step that was cut; empty if none
    std::vector<int> limiting_vertices;      ///< where that was one pair, its vertices
    std::vector<IterationRecord> iterations; ///< of all solves of the step
    std::int64_t num_detections = 0;         ///< times that pairs were found: where it starts, then by its solves
    int num_substeps = 1;                    ///< that it was taken as; more than 1 only where time is adaptive
    int num_retries = 0;                     ///< attempts that did not converge and were taken as smaller ones
    std::size_t num_contacts = 0;
    double smallest_distance = INFINITY; ///< among active contacts [m]
    double stiffness = 0;                ///< of contact, at the end
    double script_lag = 0;               ///< how far scripted vertices are behind [m]
    double relative_residual = NAN;      ///< of block descent, as SolveReport's
    int num_lags = 0;                    ///< times that friction and bonds were lagged
    double lag_residual = NAN;           ///< as System::lag_residual, after the last time
    Balance balance;
    std::vector<BodyForce> forces;    ///< between bodies, at the end
    std::vector<ContactArrow> arrows; ///< the same, where they act
    Verification verification;
    SolveTimes times;

    /// Of all linear systems; 0 for direct methods.
    [[nodiscard]] std::int64_t num_linear_iterations() const;
    /// Linear systems that conjugate gradients did not solve and the direct method did.
    [[nodiscard]] int num_linear_fallbacks() const;
    /// How the last linear system was solved, and why so; empty where there was none.
    [[nodiscard]] std::string linear_method() const;
    /// The norm of what forces leave over free blocks where the last iteration began [N]; NaN where there was none.
    [[nodiscard]] double residual() const;
};

/// Advances the state by one step. Whatever the outcome, it is free of intersections, unless contact is off. The bits
/// depend on model and state alone.
[[nodiscard]] StepReport step(System& system, State& state, Solver& solver, const SolveObserver& observer = {});

/// The exact tests of a state, and the smallest distance by the pairs of the system.
[[nodiscard]] Verification verify(System& system, const State& state);

} // namespace abut
