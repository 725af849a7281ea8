#pragma once
// The state of one rank for all (base/ranks.hpp).

#include "abut/solver/state.hpp"

namespace abut {

/// Collective: gives all ranks the state of rank 0.
void take_from_root(State& state);

} // namespace abut
