#pragma once
// Scenes for OGC, and a slow reference for its blocks: the formulas of "Offset Geometric Contact" (Chen et al. 2025) as
// printed, without care for rounding.

#include "abut/geometry/edge_edge.hpp"
#include "abut/geometry/point_triangle.hpp"
#include "abut/mesh/collision_mesh.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "support/random_points.hpp"

namespace abut::test {

/// Surfaces with convex, concave, saddle-shaped, flat and open parts, about 1 in size: a bumpy sphere, a crumpled
/// sheet, an open tube, a single triangle.
std::vector<MeshData> bumpy_surfaces(RandomStream& random);

/// An element of a mesh: vertex, edge or face.
struct MeshElement {
    int dimension, index;
    auto operator<=>(const MeshElement&) const = default;
};

std::vector<MeshElement> all_elements(const CollisionMesh& mesh);

std::vector<int> corners_of(const CollisionMesh& mesh, const MeshElement& element);

/// Is a part of b, or a itself?
bool is_part_of(const CollisionMesh& mesh, const MeshElement& a, const MeshElement& b);

double distance_to(const CollisionMesh& mesh, const Positions& X, const MeshElement& a, const Vec3& x);

/// Eq. 8, 9 and 10 without the radius.
bool is_in_block(const CollisionMesh& mesh, const Positions& X, const MeshElement& a, const Vec3& x);

} // namespace abut::test
