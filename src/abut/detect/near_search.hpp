#pragma once
// Near pairs straight from the trees. Internal: for those who have no use for candidates.

#include "abut/detect/detection.hpp"

namespace abut {

/// What find_near_pairs() finds among the candidates of Candidates::build() with this inflation. These are measured
/// where the trees find them, and only near ones are kept and put in order.
[[nodiscard]] NearPairs
search_near_pairs(const CollisionMesh& mesh, const ConstPositions& X, double inflation, double range);

} // namespace abut
