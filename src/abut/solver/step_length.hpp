#pragma once
// How long a step is, how long it can be at most, and how stiff a system must be for rounding not to move it.

#include "abut/solver/solver.hpp"

namespace abut {

/// The length of a step over free blocks [m].
[[nodiscard]] double length_of(const Eigen::VectorXd& step, const Problem& problem, StepNorm norm);

/// What no block's Newton step exceeds [m], by the gradient and the problem's least stiffness alone: from H >= K =
/// diag(k) and H d = -g follows d·K d <= d·H d = -d·g, and with Cauchy and Schwarz d·K d <= g·K⁻¹ g. Infinite where a
/// free block has no k.
[[nodiscard]] double bound_of_step(const Eigen::VectorXd& gradient, const Problem& problem);

/// The stiffness [N/m] against which the rounding of the gradient at x moves free blocks by about `length`.
[[nodiscard]] double stiffness_against_rounding(
    const SymmetricBlockMatrix& hessian, const Eigen::VectorXd& x, const Problem& problem, double length);

} // namespace abut
