#pragma once
// Candidates of one of several ranks (base/ranks.hpp).

#include "abut/detect/candidates.hpp"

namespace abut {

/// As Candidates::build(), of which each rank finds the pairs of its share of the elements: those of all ranks together
/// are all, each once.
[[nodiscard]] Candidates own_candidates(const CollisionMesh& mesh, const ConstPositions& X, double inflation);

} // namespace abut
