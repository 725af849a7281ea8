#pragma once
// The angle between two triangles that share an edge, for bending. Stencil: e0, e1 (the shared edge), a, b (the
// opposite vertices), for the triangles e0 e1 a and e1 e0 b.
//
// Notation: for each triangle, w are the signed weights of its opposite vertex's foot point on the edge, h its height
// over the edge, m its unit normal. Then
//
//   grad theta = −Σ w ⊗ m / h
//
// (each vertex rotates its triangle about the edge at the rate 1 / h). The Hessian differentiates w, a point-line
// coordinate (closest_pair.hpp), and m / h = |e| n / |n|². Compare Tamstorf and Grinspun, "Discrete bending forces and
// their Jacobians", 2013, who arrange the same terms by corner angles.

#include "abut/math/local_term.hpp"

namespace abut {

/// Angle in (-pi, pi] by which the two triangles depart from lying flat: 0 when flat, positive when the fold is convex
/// towards the normals (a box has pi/2 at its edges with outward normals). Derivatives are zero where one of the
/// triangles has no area, and the angle jumps from pi to -pi where they fold onto each other.
[[nodiscard]] LocalTerm<4, 3> dihedral_angle(const Vec3& e0, const Vec3& e1, const Vec3& a, const Vec3& b, Order order);

} // namespace abut
