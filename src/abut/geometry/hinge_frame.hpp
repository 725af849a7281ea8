#pragma once
// Two triangles that share an edge, in the coordinates in which the second derivative of their angle is four small
// blocks. Stencil: e0, e1 (the shared edge), a, b (the opposite vertices), for the triangles e0 e1 a and e1 e0 b.
//
// Notation: t the edge's direction, l its length; for the triangles i = 1, 2: u the foot point of the opposite vertex
// on the edge, h its height, p the unit vector in the triangle's plane from the edge to that vertex, g its unit normal
// with the sign with which theta grows. For a motion dx of the four points let
//
//   r_i = do_i − (1 − u_i) de0 − u_i de1      how the opposite vertex moves away from its foot point,
//   a_i = p_i·r_i / h_i,  b_i = g_i·r_i / h_i,  c_i = t·r_i / h_i,  w = (de1 − de0) / l.
//
// From dg = −p (g·r) / h − t (g·de) / l, dh = p·r and du = t·r / l + h p·de / l² follow
//
//   dtheta  = b_1 + b_2,
//   d²theta = −Σ_i ( 2 a_i b_i + 2 c_i (g_i·w) + (g_i·w)(p_i·w) ).
//
// With y, x the components of w along and across the bisector of the normals, sums and differences over √2 uncouple it:
//
//   d²theta = −2 U P − 2 V Q − (sin theta y² + 2√2 cos(theta/2) y C) − (−sin theta x² + 2√2 sin(theta/2) x D)
//
//   P, Q = (b_1 ± b_2) / √2,   U, V = (a_1 ± a_2) / √2,   C, D = (c_2 ± c_1) / √2.
//
// Each bracket is a 2 x 2 form with a zero on its diagonal, so it has one eigenvalue of each sign. Compare Tamstorf and
// Grinspun, "Discrete bending forces and their Jacobians", 2013, for the Hessian by corner angles, and Wu and Kim, "An
// eigenanalysis of angle-based deformation energies", 2023, for eigenvalues in other coordinates.

#include "abut/math/local_term.hpp"

#include <array>

namespace abut {

struct HingeFrame {
    bool is_degenerate = true; ///< a triangle has no area: then there are no derivatives
    double angle = 0;          ///< theta in (-pi, pi], as in dihedral_angle.hpp
    double length = 0;         ///< l [m]
    Vec3 t;
    std::array<double, 2> u, h;
    std::array<Vec3, 2> p, g;

    HingeFrame(const Vec3& e0, const Vec3& e1, const Vec3& a, const Vec3& b);

    /// The derivative of theta by the four points.
    [[nodiscard]] Vec<12> gradient() const;

    /// A coordinate above is a linear function of dx; these are its coefficients.
    struct Pair {
        Vec<12> first, second;
        double diagonal, coupling; ///< the form: diagonal first² + 2 coupling first second
    };
    /// d²theta as the sum of the four forms (P, U), (Q, V), (y, C), (x, D).
    [[nodiscard]] std::array<Pair, 4> second_derivative() const;

private:
    /// Coefficients of f1·r_1 + f2·r_2 + fe·(de1 − de0).
    [[nodiscard]] Vec<12> coefficients(const Vec3& f1, const Vec3& f2, const Vec3& fe) const;
};

} // namespace abut
