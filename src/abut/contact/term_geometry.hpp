#pragma once
// Closest points of the terms of a collision set, kind by kind: a ClosestPair of the term's stencil, with its features
// as they were when the set was built.

#include "abut/contact/normal_collisions.hpp"
#include "abut/geometry/point_triangle.hpp"

namespace abut {

inline Vec3 lifted(const Vec2& x) { return {x.x(), x.y(), 0}; }
inline const Vec3& lifted(const Vec3& x) { return x; }

/// The points of a stencil, as columns.
template <int N, int Dim>
Mat<Dim, N> stencil_points(const ConstPositions& X, const std::array<int, N>& vertices)
{
    Mat<Dim, N> points;
    for (int i = 0; i < N; ++i)
        points.col(i) = point<Dim>(X, vertices[i]);
    return points;
}

/// The stencil's points and where they are closest, for a term of a list of each kind.

template <int Dim>
ClosestPair<2, 0, Dim> vertex_vertex_closest(const Mat<Dim, 2>& x)
{
    return point_point_closest<Dim>(x.col(0), x.col(1));
}

template <int Dim>
ClosestPair<3, 1, Dim> edge_vertex_closest(const Mat<Dim, 3>& x)
{
    return point_line_closest<Dim>(x.col(0), x.col(1), x.col(2));
}

inline ClosestPair<4, 2, 3> edge_edge_closest(const Mat<3, 4>& x, EdgeEdgeFeature feature)
{
    return feature == EdgeEdgeFeature::a_b ? line_line_closest(x.col(0), x.col(1), x.col(2), x.col(3))
                                           : edge_edge_closest(x.col(0), x.col(1), x.col(2), x.col(3), feature);
}

inline ClosestPair<4, 2, 3> face_vertex_closest(const Mat<3, 4>& x)
{
    return point_plane_closest(x.col(0), x.col(1), x.col(2), x.col(3));
}

/// A vertex and a plane that never moves: the stencil is the vertex alone, and its foot point slides freely, so that
/// the distance is linear in the vertex.
template <int Dim>
ClosestPair<1, Dim - 1, Dim> plane_vertex_closest(const Vec<Dim>& x, const Plane& plane)
{
    const Vec<Dim> n = plane.normal.template head<Dim>();
    ClosestPair<1, Dim - 1, Dim> closest;
    closest.r = signed_distance(plane, lifted(x)) * n;
    closest.w[0] = 1;
    closest.u.setZero();
    if constexpr (Dim == 2)
        closest.Q << -n.y(), n.x();
    else {
        closest.Q.col(0) = n.unitOrthogonal();
        closest.Q.col(1) = n.cross(closest.Q.col(0));
    }
    closest.dw_R.setZero(); // the plane's coordinates are no degrees of freedom
    closest.R_inverse.setZero();
    return closest;
}

} // namespace abut
