#pragma once
// The angle between two triangles that share an edge, for bending. Stencil: e0, e1 (the shared edge), a, b (the
// opposite vertices), for the triangles e0 e1 a and e1 e0 b.
// Derivatives are those of hinge_frame.hpp.

#include "abut/math/local_term.hpp"

namespace abut {

/// Angle in (-pi, pi] by which the two triangles depart from lying flat: 0 when flat, positive when the fold is convex
/// towards the normals (a box has pi/2 at its edges with outward normals). Derivatives are zero where one of the
/// triangles has no area, and the angle jumps from pi to -pi where they fold onto each other.
[[nodiscard]] LocalTerm<4, 3> dihedral_angle(const Vec3& e0, const Vec3& e1, const Vec3& a, const Vec3& b, Order order);

} // namespace abut
