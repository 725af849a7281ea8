#pragma once
// Closest points of the terms of a collision set, kind by kind: a ClosestPair of the term's stencil, with its features
// as they were when the set was built.
//
// Where offsets are subtracted from distances, closest points that have left their features since are those of the
// nearest features instead: a line may be nearer than the offset where its edge is not.

#include "abut/contact/normal_collisions.hpp"
#include "abut/geometry/point_triangle.hpp"

namespace abut {

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

/// M of a kind's ClosestPair: along how many directions its closest points may slide.
constexpr int num_coordinates(int dim, PairKind kind)
{
    return kind == PairKind::plane_vertex ? dim - 1 : stencil_size(kind) == 4 ? 2 : stencil_size(kind) - 2;
}

/// The closest points of a pair by its kind; `feature` is that of an edge-edge pair, `plane` of a plane-vertex pair.
template <int Dim, PairKind kind, int N>
auto closest_of(KindConstant<kind>, const Mat<Dim, N>& x, EdgeEdgeFeature feature, const Plane* plane)
{
    static_assert(exists_in(Dim, kind));
    if constexpr (kind == PairKind::vertex_vertex)
        return vertex_vertex_closest<Dim>(x);
    else if constexpr (kind == PairKind::edge_vertex)
        return edge_vertex_closest<Dim>(x);
    else if constexpr (kind == PairKind::edge_edge)
        return edge_edge_closest(x, feature);
    else if constexpr (kind == PairKind::face_vertex)
        return face_vertex_closest(x);
    else {
        ABUT_ASSERT(plane != nullptr);
        return plane_vertex_closest<Dim>(x, *plane);
    }
}

/// The closest points of the edge itself, not of its line.
template <int Dim>
ClosestPair<3, 1, Dim> nearest_on_edge(const Mat<Dim, 3>& x)
{
    switch (point_edge_feature<Dim>(x.col(0), x.col(1), x.col(2))) {
    case PointEdgeFeature::e0:
        return widened<1>(closest_pair<3, Dim>(x.col(0) - x.col(1), Vec<3>(1, -1, 0)));
    case PointEdgeFeature::e1:
        return widened<1>(closest_pair<3, Dim>(x.col(0) - x.col(2), Vec<3>(1, 0, -1)));
    case PointEdgeFeature::edge:
        break;
    }
    return edge_vertex_closest<Dim>(x);
}

/// The closest points of the triangle itself, not of its plane.
inline ClosestPair<4, 2, 3> nearest_on_triangle(const Mat<3, 4>& x)
{
    const PointTriangleFeature feature = point_triangle_feature(x.col(0), x.col(1), x.col(2), x.col(3));
    const auto weights = [](int k) { return Vec<4>(Vec<4>::Unit(0) - Vec<4>::Unit(1 + k)); };
    if (feature == PointTriangleFeature::face)
        return face_vertex_closest(x);
    const int k = static_cast<int>(feature) % 3, next = (k + 1) % 3;
    const Vec3 to = x.col(0) - x.col(1 + k);
    if (feature <= PointTriangleFeature::t2)
        return widened<2>(closest_pair<4, 3>(to, weights(k)));
    return widened<2>(
        closest_pair<4, 3>(to, Vec3(x.col(1 + k) - x.col(1 + next)), weights(k), Vec<4>(weights(next) - weights(k))));
}

/// The feature, or the nearest one where its closest points are beyond the ends of the edges.
inline EdgeEdgeFeature feature_within(const Mat<3, 4>& x, EdgeEdgeFeature feature)
{
    const Vec2 u = edge_edge_closest(x, feature).u;
    const bool is_within = u.minCoeff() >= 0 && u.maxCoeff() <= 1;
    return is_within ? feature : edge_edge_feature(x.col(0), x.col(1), x.col(2), x.col(3));
}

/// The closest points of term k of a list.
template <int Dim, PairKind kind, typename List>
auto closest_of(
    KindConstant<kind> of, const List& list, std::size_t k, const CollisionMesh& mesh, const ConstPositions& X)
{
    const Plane* plane = kind == PairKind::plane_vertex ? &mesh.planes()[list.elements[k][0]] : nullptr;
    const auto x = stencil_points<stencil_size(kind), Dim>(X, list.vertices[k]);
    const bool has_offset = list.offset(k) > 0;
    if constexpr (kind == PairKind::edge_vertex) {
        if (has_offset)
            return nearest_on_edge<Dim>(x);
    } else if constexpr (kind == PairKind::face_vertex) {
        if (has_offset)
            return nearest_on_triangle(x);
    }
    EdgeEdgeFeature feature = EdgeEdgeFeature::a_b;
    if constexpr (kind == PairKind::edge_edge)
        feature = has_offset ? feature_within(x, list.features[k]) : list.features[k];
    return closest_of<Dim>(of, x, feature, plane);
}

/// Calls visit(closest) with the closest points of a pair whose kind is known only when it runs, and whose stencil is
/// x(0), x(1), ...
template <int Dim, typename Points, typename Visit>
void visit_closest(PairKind kind, EdgeEdgeFeature feature, const Points& x, const Plane* plane, Visit&& visit)
{
    for_each_kind([&](auto constant) {
        if constexpr (exists_in(Dim, constant))
            if (kind == constant) {
                Mat<Dim, stencil_size(constant)> points;
                for (int i = 0; i < points.cols(); ++i)
                    points.col(i) = x(i);
                visit(closest_of<Dim>(constant, points, feature, plane));
            }
    });
}

} // namespace abut
