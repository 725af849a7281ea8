#pragma once
// Offsets for bodies that are thicker than their elements are long.
//
// Two places of a rope of thickness D that are s apart along it have a distance of D sin(s / D) where the rope is bent
// as sharply as its thickness lets it, around a circle of diameter D. So no pair that is near along the shape at rest
// may be asked for more than that, until s is a half circle. Nor for more than it has at rest, less the range in which
// contact presses: then nothing presses at rest, and such pairs keep the gap they had. Surfaces are sheared and pressed
// together within themselves, as curves are not: of them half of the gap at rest is asked for, or they would lock.

#include "abut/mesh/collision_mesh.hpp"

namespace abut {

struct RestGapsOptions {
    double dmin = 0; ///< distance that the offset surfaces keep [m], >= 0
    double dhat;     ///< beyond dmin, where contact begins to press [m], > 0
    /// Of each vertex: the solid that it is on the surface of, −1 for none. Vertices of one solid are near each other
    /// through it, whatever the way along its surface.
    std::vector<int> solids{};
};

struct RestGaps {
    ContactOffsets offsets;
    /// For each body of the mesh's body_ids: pairs of its elements that are nearer at rest than their thickness.
    std::vector<std::int64_t> num_pairs;
};

/// Offsets by the radius of each vertex [m], with those of vertices that are near along the rest shape.
[[nodiscard]] RestGaps
find_rest_gaps(const CollisionMesh& mesh, std::vector<double> radii, const RestGapsOptions& options);

} // namespace abut
