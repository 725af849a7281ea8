#pragma once
// The blocks of OGC's offset geometry: which element of a mesh a point is in contact with, of those that meet at its
// closest point. "Offset Geometric Contact" (Chen et al. 2025), sections 3.2 and 3.5.
//
//   U_v   around a vertex:   (x - v).(w - v) <= 0 for all its neighbours w                                (eq. 8, 15)
//   U_e   around an edge:    its foot point is between the edge's ends, and (x - p).(o - p) <= 0 for the opposite
//                            vertices o of its faces, with p the foot point of o on the edge               (eq. 9)
//   U_t   around a face:     its foot point is inside the face                                            (eq. 10)
//
// A point is in the block of an element where that element is closest to it among those that share a corner with it.
// So the direction from the element to the point is a normal of the surface, and the blocks around a corner fill its
// neighbourhood without overlap, but for the inner side of concave edges, where a point has a layer of contact with
// each of the faces. The radius is no part of this: who asks knows the distance. In the plane edges take the place of
// faces. For edges against edges the wireframe is offset, in which edges have no faces and blocks of vertices are the
// same.
//
// Deviations, for points on the border of two blocks, where rounding could put them into both or neither:
//  - tests allow for rounding (`tie`), so that every point near the surface is in some block;
//  - a point goes to the vertex rather than to an edge of it, and to the edge rather than to a face of it. Whether it
//    is in the block of a vertex or an edge is computed in one way whichever face asks, so that it is never in the
//    blocks of two elements of which one is part of the other.

#include "abut/geometry/edge_edge.hpp"
#include "abut/geometry/point_triangle.hpp"
#include "abut/mesh/collision_mesh.hpp"

#include <optional>

namespace abut {

/// Cosines below this are 0: far above the rounding of a product of differences (4 eps), far below every angle that
/// matters. Pinned by OffsetBlocks.PointsOnTheBordersOfBlocksAreInOneBlock.
inline constexpr double block_tie = 1e-12;

/// From this cosine on a point is inside an edge of a face without further tests: far above `block_tie`, also where
/// faces are slivers, and rarely not reached.
inline constexpr double block_clearly_inside = 1e-6;

/// A bit for each part of a face, by the number of its feature.
inline constexpr unsigned all_face_parts = (1u << 7) - 1;

/// The blocks of a mesh at positions X, both of which must outlive it.
template <int Dim>
class OffsetBlocks {
public:
    OffsetBlocks(const CollisionMesh& mesh, const ConstPositions& X) : mesh_(mesh), X_(X) {}

    /// Is x in the block of the vertex? `size` is the length [m] of the numbers that x was computed from, whose
    /// rounding it carries; 0 for a vertex.
    [[nodiscard]] bool vertex_contains(int vertex, const Vec<Dim>& x, double size = 0) const;

    /// Is x in the block of the edge, the faces at it considered?
    [[nodiscard]] bool edge_contains(int edge, const Vec<Dim>& x) const;

    /// The part of the edge in whose block x is; none where other edges at its ends are closer. For edges that take
    /// the place of faces: those in the plane and those without faces.
    [[nodiscard]] std::optional<PointEdgeFeature> at_edge(int edge, const Vec<Dim>& x) const;

    /// The part of the face in whose block x is; none where other elements at its corners and edges are closer. Looks
    /// at these parts only: the others must be known not to be the one.
    [[nodiscard]] std::optional<PointTriangleFeature>
    at_face(int face, const Vec<Dim>& x, unsigned parts = all_face_parts) const requires(Dim == 3);

    /// Is each of the two edges' closest points, at these closest features, in a block of the other edge in the
    /// wireframe (eq. 17)? True for interiors; at an end the other edges there must not be closer.
    [[nodiscard]] bool edges_touch(int a, int b, EdgeEdgeFeature feature) const requires(Dim == 3);

private:
    [[nodiscard]] auto at(int vertex) const { return point<Dim>(X_, vertex); }

    const CollisionMesh& mesh_;
    const ConstPositions& X_;
};

} // namespace abut
