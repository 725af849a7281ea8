#pragma once
// Which elements of a mesh intersect, by exact predicates: an independent proof that a state is sound. Touching and
// coplanar overlap count; elements that share a vertex are not compared. A vertex strictly behind a plane of the mesh
// counts, one on it does not.

#include "abut/detect/candidates.hpp"

namespace abut {

/// Pairs that are tested: in space edges against faces, which finds every crossing of surfaces; in the plane edges
/// against edges. Loose edges are also tested against each other, and loose vertices against everything. Planes are
/// tested against all vertices, whatever the filter says.
enum class IntersectionKind : std::uint8_t {
    edge_face,
    edge_edge,
    face_vertex,
    edge_vertex,
    vertex_vertex,
    plane_vertex
};

struct Intersection {
    IntersectionKind kind;
    IndexPair pair; ///< elements in the order of the kind's name
    Vec3 location;  ///< a point where they meet, rounded, or the vertex behind a plane; z is 0 in the plane [m]
};

/// All intersections at positions X, sorted by kind and pair. Ends in LimitReached beyond `max_count`.
[[nodiscard]] std::vector<Intersection>
find_intersections(const CollisionMesh& mesh, const ConstPositions& X, std::int64_t max_count = 10'000'000);

/// Is there any?
[[nodiscard]] bool has_intersections(const CollisionMesh& mesh, const ConstPositions& X);

} // namespace abut
