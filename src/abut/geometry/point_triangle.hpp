#pragma once
// Distance between a point and a triangle or its plane, in three dimensions. Stencil: p, t0, t1, t2. Edge k of the
// triangle joins t_k to t_{k+1}.

#include "abut/geometry/point_edge.hpp"

namespace abut {

/// The part of the triangle that is closest to the point. The order is that of the reference toolkit.
enum class PointTriangleFeature : std::uint8_t { t0, t1, t2, e0, e1, e2, face };

/// Which part of the triangle is closest to p. Slivers and triangles without area are allowed: where their interior
/// cannot be told from the edges, the answer is the closest of the edges.
[[nodiscard]] PointTriangleFeature
point_triangle_feature(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2);

/// Closest points of p and the plane through t0, t1, t2; u are the barycentric coordinates of t1 and t2.
[[gnu::always_inline]] inline ClosestPair<4, 2, 3>
point_plane_closest(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2)
{
    Mat<4, 2> dw;
    dw << 0, 0, 1, 1, -1, 0, 0, -1;
    return closest_pair<4, 3>(p - t0, t0 - t1, t0 - t2, Vec<4>(1, -1, 0, 0), dw);
}

/// Squared distance from p to the plane through t0, t1, t2; to their line or point where they span no plane.
inline LocalTerm<4, 3>
point_plane_squared_distance(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2, Order order)
{
    return point_plane_closest(p, t0, t1, t2).squared_distance(order);
}

/// Squared distance from p to the fixed plane through `origin` with the given unit normal, as a function of p.
inline LocalTerm<1, 3>
point_plane_squared_distance(const Vec3& p, const Vec3& origin, const Vec3& unit_normal, Order order)
{
    LocalTerm<1, 3> D;
    const double d = unit_normal.dot(p - origin);
    D.value = d * d;
    if (order >= Order::gradient)
        D.gradient = 2 * d * unit_normal;
    if (order >= Order::hessian)
        D.hessian = 2 * unit_normal * unit_normal.transpose();
    return D;
}

/// Squared distance from p to the given feature of the triangle: `face` stands for its plane, an edge for its line.
[[nodiscard]] LocalTerm<4, 3> point_triangle_squared_distance(
    const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2, PointTriangleFeature feature, Order order);

/// Squared distance from p to the triangle.
inline LocalTerm<4, 3>
point_triangle_squared_distance(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2, Order order)
{
    return point_triangle_squared_distance(p, t0, t1, t2, point_triangle_feature(p, t0, t1, t2), order);
}

/// Barycentric coordinates (of t0, t1, t2) of the point of the triangle that is closest to p.
[[nodiscard]] Vec3 point_triangle_coordinates(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2);

} // namespace abut
