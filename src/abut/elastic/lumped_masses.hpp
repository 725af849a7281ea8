#pragma once
// Masses of vertices: each element gives every one of its corners the same share.

#include "abut/math/types.hpp"

namespace abut {

/// Mass of each vertex [kg], of tetrahedra with `density` [kg/m³], > 0. Vertices of none have zero.
[[nodiscard]] Eigen::VectorXd lumped_masses(const ConstPositions& vertices, const Tets& tets, double density);

/// Mass of each vertex [kg], of triangles in the plane or in space with `density` [kg/m³] and `thickness` [m], > 0.
[[nodiscard]] Eigen::VectorXd
lumped_masses(const ConstPositions& vertices, const Faces& faces, double density, double thickness);

} // namespace abut
