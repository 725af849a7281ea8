#pragma once
// Linear solvers by the names that scenes have for them.

#include "abut/base/registry.hpp"
#include "abut/linear/linear_solver.hpp"

namespace abut {

/// "direct": CHOLMOD where Abut is built with it, else Eigen's; "eigen": the latter in any case; "pcg": conjugate
/// gradients; "auto": direct or conjugate gradients, as counts decide.
[[nodiscard]] Registry<std::function<std::unique_ptr<LinearSolver>()>>& linear_solvers();

} // namespace abut
