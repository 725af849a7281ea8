#pragma once
// The factor that takes nearly parallel edge pairs smoothly to zero, where the distance of two edges has a kink.
// Li et al., "Incremental potential contact", 2020, eq. 24:
//
//   c = |u x v|²  for edges u, v;   m = (2 − c/eps_x) c/eps_x  if c < eps_x, else 1
//   eps_x = 1e-3 |u|² |v|² of the rest shape
//
// Stencil: a0, a1, b0, b1. m is C1 in c at eps_x and quadratic in the angle at 0.

#include "abut/math/local_term.hpp"

namespace abut {

/// c = |(a1 - a0) x (b1 - b0)|².
[[nodiscard]] LocalTerm<4, 3>
edge_edge_cross_squared_norm(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, Order order);

/// eps_x = 1e-3 |a1 - a0|² |b1 - b0|² of the rest positions, with its derivatives by them.
[[nodiscard]] LocalTerm<4, 3> edge_edge_mollifier_threshold(
    const Vec3& rest_a0, const Vec3& rest_a1, const Vec3& rest_b0, const Vec3& rest_b1, Order order);

/// m for the given threshold. A threshold of zero, from an edge of length zero at rest, gives 1.
[[nodiscard]] LocalTerm<4, 3>
edge_edge_mollifier(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, double eps_x, Order order);

} // namespace abut
