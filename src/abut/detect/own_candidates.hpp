#pragma once
// Parts of the candidates: those of one of several ranks (base/ranks.hpp), and those with planes. Internal.

#include "abut/detect/candidates.hpp"

namespace abut {

/// As Candidates::build(), of which each rank finds the pairs of its share of the elements: those of all ranks together
/// are all, each once.
[[nodiscard]] Candidates own_candidates(const CollisionMesh& mesh, const ConstPositions& X, double inflation);

/// The pairs with planes alone.
[[nodiscard]] Candidates plane_candidates(const CollisionMesh& mesh, const Positions& X, double inflation);

} // namespace abut
