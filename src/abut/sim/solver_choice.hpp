#pragma once
// Which solver a scene asks for.

#include "abut/sim/scene.hpp"
#include "abut/solver/solver.hpp"

namespace abut {

/// Does it go block by block? So it does with "vbd", and with "auto" where contact has a bound for each vertex, as it
/// needs, or is none.
[[nodiscard]] bool descends_by_blocks(const Scene& scene);

[[nodiscard]] std::unique_ptr<Solver> make_solver(const Scene& scene);

} // namespace abut
