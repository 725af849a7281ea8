#pragma once
// Lengths, areas and volumes with their derivatives.
//
// Where a measure is zero it has no gradient; zero is returned for the derivatives there, so that nothing becomes NaN.

#include "abut/math/local_term.hpp"

namespace abut {

/// The cross product as a matrix: cross_matrix(a) b = a x b.
inline Mat<3, 3> cross_matrix(const Vec3& a)
{
    Mat<3, 3> A;
    A << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return A;
}

/// z component of the cross product of two vectors in the plane.
inline double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// |e1 - e0| [m].
template <int Dim>
LocalTerm<2, Dim> edge_length(const Vec<Dim>& e0, const Vec<Dim>& e1, Order order)
{
    LocalTerm<2, Dim> length;
    length.set_zero(order);
    const Vec<Dim> e = e1 - e0;
    length.value = e.norm();
    if (length.value == 0 || order == Order::value)
        return length;
    const Vec<Dim> t = e / length.value;
    length.gradient << -t, t;
    if (order >= Order::hessian) {
        const Mat<Dim, Dim> K = (Mat<Dim, Dim>::Identity() - t * t.transpose()) / length.value;
        length.hessian << K, -K, -K, K;
    }
    return length;
}

/// Area of the triangle t0 t1 t2 [m²].
[[nodiscard]] LocalTerm<3, 3> triangle_area(const Vec3& t0, const Vec3& t1, const Vec3& t2, Order order);

/// Signed area of a triangle in the plane [m²], positive when counter-clockwise.
[[nodiscard]] LocalTerm<3, 2> signed_triangle_area(const Vec2& t0, const Vec2& t1, const Vec2& t2, Order order);

/// Signed volume of a tetrahedron [m³], positive when t3 sees t0 t1 t2 clockwise, i.e. (t1-t0) x (t2-t0) . (t3-t0) > 0.
[[nodiscard]] LocalTerm<4, 3>
signed_tet_volume(const Vec3& t0, const Vec3& t1, const Vec3& t2, const Vec3& t3, Order order);

} // namespace abut
