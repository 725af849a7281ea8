#pragma once
// One look at what is around each element of a mesh: the pairs that are near enough to be contacts, and how far
// everything else is. "Offset Geometric Contact" (Chen et al. 2025), algorithms 1 and 2, as one pass over the pairs
// whose boxes come within the query radius of each other. Pairs that are no contacts are measured on the way and not
// stored, and not even measured where their elements have something nearer already.

#include "abut/contact/ogc/displacement_bounds.hpp"
#include "abut/detect/broad_phase.hpp"

namespace abut {

struct Surroundings {
    NearPairs pairs; ///< closer than the range; the same as find_near_pairs() finds
    ElementDistances distances;
};

struct SurroundingsOptions {
    double range;        ///< pairs closer than this are listed [m], > 0
    double query_radius; ///< r_q: how far elements look for their nearest neighbour [m], >= range
};

/// What is around the elements at X. `trees` must be new, or those of an earlier call for the same mesh, which then are
/// refitted instead of sorted: faster while things have moved little.
[[nodiscard]] Surroundings
look_around(const CollisionMesh& mesh, const Positions& X, const SurroundingsOptions& options, BroadPhaseTrees& trees);

} // namespace abut
