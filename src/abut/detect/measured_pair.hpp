#pragma once
// The distance of a pair of elements and the features it is between: what detection asks of every candidate.
//
// Most candidates are farther apart than the limit, and for most of these a cheap test is enough: a plane across the
// line between the centres of their elements separates them. Pairs that this test leaves out are called far. Its margin
// is larger than the rounding of the test and of the distances: no far pair has a computed distance below the limit.

#include "abut/detect/candidates.hpp"
#include "abut/geometry/edge_edge.hpp"
#include "abut/geometry/point_triangle.hpp"

#include <limits>

namespace abut {

struct MeasuredPair {
    double squared_distance; ///< [m²]; infinite for a far pair
    std::uint8_t feature;    ///< PointEdgeFeature, EdgeEdgeFeature or PointTriangleFeature; else 0
};

inline constexpr MeasuredPair far_pair{std::numeric_limits<double>::infinity(), 0};
inline constexpr double far_margin = 1 + 1e-9;

template <int Dim>
MeasuredPair measure_edge_vertex(const CollisionMesh& mesh, const ConstPositions& X, int e, int v)
{
    const Vec<Dim> p = point<Dim>(X, v), e0 = point<Dim>(X, mesh.edges()(e, 0)), e1 = point<Dim>(X, mesh.edges()(e, 1));
    const PointEdgeFeature feature = point_edge_feature<Dim>(p, e0, e1);
    return {
        point_edge_squared_distance<Dim>(p, e0, e1, feature, Order::value).value, static_cast<std::uint8_t>(feature)};
}

inline MeasuredPair
measure_edge_edge(const CollisionMesh& mesh, const ConstPositions& X, int a, int b, double squared_limit)
{
    const auto end = [&](int e, int k) { return Vec3(point<3>(X, mesh.edges()(e, k))); };
    const Vec3 a0 = end(a, 0), a1 = end(a, 1), b0 = end(b, 0), b1 = end(b, 1);
    const Vec3 between = a0 + a1 - b0 - b1; // twice the line between the centres
    const double gap =
        between.squaredNorm() - std::abs(between.dot(a1 - a0)) - std::abs(between.dot(b1 - b0)); // times 2 |between|
    if (gap > 0 && gap * gap > far_margin * 4 * squared_limit * between.squaredNorm())
        return far_pair;
    const EdgeEdgeFeature feature = edge_edge_feature(a0, a1, b0, b1);
    return {edge_edge_squared_distance(a0, a1, b0, b1, feature), static_cast<std::uint8_t>(feature)};
}

inline MeasuredPair
measure_face_vertex(const CollisionMesh& mesh, const ConstPositions& X, int f, int v, double squared_limit)
{
    const auto corner = [&](int k) { return Vec3(point<3>(X, mesh.faces()(f, k))); };
    const Vec3 p = point<3>(X, v), t0 = corner(0), t1 = corner(1), t2 = corner(2);
    const Vec3 between = 3 * p - t0 - t1 - t2; // three times the line between the centres
    const double gap = std::min({between.dot(p - t0), between.dot(p - t1), between.dot(p - t2)});
    if (gap > 0 && gap * gap > far_margin * squared_limit * between.squaredNorm())
        return far_pair;
    const PointTriangleFeature feature = point_triangle_feature(p, t0, t1, t2);
    return {
        point_triangle_squared_distance(p, t0, t1, t2, feature, Order::value).value,
        static_cast<std::uint8_t>(feature)};
}

/// The distance of elements i and j, in the order of the kind's name; perhaps far where it is not below the limit.
template <int Dim, PairKind kind>
MeasuredPair
measure_pair(KindConstant<kind>, const CollisionMesh& mesh, const ConstPositions& X, int i, int j, double squared_limit)
{
    if constexpr (kind == PairKind::vertex_vertex)
        return {(X.row(i) - X.row(j)).squaredNorm(), 0};
    else if constexpr (kind == PairKind::edge_vertex)
        return measure_edge_vertex<Dim>(mesh, X, i, j);
    else if constexpr (kind == PairKind::edge_edge)
        return measure_edge_edge(mesh, X, i, j, squared_limit);
    else
        return measure_face_vertex(mesh, X, i, j, squared_limit);
}

} // namespace abut
