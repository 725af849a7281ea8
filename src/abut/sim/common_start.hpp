#pragma once
// Where a solve begins, with models that freeze their pairs: bodies that touch nothing are moved to where their inertia
// takes them as rigid ones, so that only their deformation is left to the solver. docs/decisions/0021-free-motion.md

#include "abut/sim/system.hpp"

namespace abut {

/// Moves x, where contacts were found, and returns true where something moved: what hangs together by elements, hinges
/// or stitches, touches nothing and is held by nothing. On the way nothing meets. A start that has more energy is not
/// taken.
bool start_together(System& system, Eigen::VectorXd& x);

} // namespace abut
