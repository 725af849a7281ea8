#pragma once
// Linear solvers by the names that scenes have for them.

#include "abut/base/registry.hpp"
#include "abut/linear/linear_solver.hpp"
#include "abut/solver/state.hpp"

namespace abut {

/// "direct": CHOLMOD where Abut is built with it, else Eigen's; "eigen": the latter in any case; "pcg": conjugate
/// gradients; "auto": direct or conjugate gradients, as counts decide.
[[nodiscard]] Registry<std::function<std::unique_ptr<LinearSolver>()>>& linear_solvers();

/// What a linear solver remembers from step to step is part of the state.
void remember_linear_solver(const LinearSolver& solver, History& history);
void recall_linear_solver(const History& history, LinearSolver& solver);

} // namespace abut
