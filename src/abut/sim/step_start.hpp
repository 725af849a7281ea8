#pragma once
// Where the solve of a step starts. Newton's method starts where the step does. Block descent, whose steps are local
// and small, starts where its vertices would be by what they did before, as far as that is safe.

#include "abut/sim/system.hpp"

namespace abut {

/// Moves x, where a step starts, to where its solve starts: by the adaptive guess, as far as nothing meets on the way,
/// and shortened to the domains of the energies (OGC, eq. 28). Does nothing where there is no guess. Contacts must have
/// been found at x.
void move_to_start(System& system, Eigen::VectorXd& x);

} // namespace abut
