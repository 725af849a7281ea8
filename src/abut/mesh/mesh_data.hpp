#pragma once
// Plain mesh arrays: what readers and generators return and CollisionMesh is built from. Nothing here is validated.

#include "abut/math/types.hpp"

namespace abut {

struct MeshData {
    Positions vertices; ///< #V x dim, dim 2 or 3
    Edges edges;        ///< edges of curves only: the edges of faces and tets are derived where they are needed
    Faces faces;        ///< triangles, counter-clockwise seen from outside
    Tets tets;          ///< positive volume: (v1-v0) x (v2-v0) . (v3-v0) > 0

    /// The same numbers, in the same order?
    bool operator==(const MeshData& other) const;
};

/// Adds the vertices and elements of `other` behind those of `mesh`. The dimensions must match; a mesh without
/// vertices takes the dimension of the other.
void append(MeshData& mesh, const MeshData& other);

/// The mesh with every vertex x moved to x + offset [m]; the offset has as many entries as a vertex.
[[nodiscard]] MeshData translated(MeshData mesh, const Eigen::Ref<const Eigen::VectorXd>& offset);

/// The mesh with every vertex x moved to linear * x: a rotation, a scale or their product. A map that mirrors also
/// turns faces, tets and 2D edges around, so that outside stays outside and volumes stay positive. Rejects maps whose
/// determinant is zero or not finite.
[[nodiscard]] MeshData transformed(MeshData mesh, const Eigen::Ref<const Eigen::MatrixXd>& linear);

} // namespace abut
