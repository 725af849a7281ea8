#pragma once
// The solves of a step: as many as friction, which is lagged, and scripts, which pull ever harder, need.

#include "abut/sim/step.hpp"

namespace abut {

/// Solves from x on. The report has outcome, iterations, times and how far scripts are behind.
[[nodiscard]] StepReport solve_step(System& system, Solver& solver, Eigen::VectorXd& x, const SolveObserver& observer);

/// After the step: scripts that were held back for too long are a failure; of a failure, what is known of it.
void explain_outcome(System& system, const Eigen::VectorXd& x, StepReport& report);

} // namespace abut
