#include "abut/geometry/point_triangle.hpp"

#include "abut/base/assert.hpp"

namespace abut {

namespace {

/// Triangles with a smaller squared sine at t0 take the careful path: the error of their normal, eps / sin, no longer
/// vanishes beside the decisions it makes. Pinned by PointTriangle.SliversFindTheClosestFeature.
constexpr double sliver_sine_squared = 1e-10;

PointTriangleFeature vertex_feature(int k) { return static_cast<PointTriangleFeature>(k % 3); }
PointTriangleFeature edge_feature(int k)
{
    ABUT_ASSERT(k >= 0 && k < 3);
    return static_cast<PointTriangleFeature>(3 + k);
}

/// For slivers: compares the closest point of every feature, so that a wrong normal costs no more than rounding.
PointTriangleFeature closest_by_comparison(const Vec3& p, const std::array<Vec3, 3>& t)
{
    PointTriangleFeature best = PointTriangleFeature::t0;
    double best_squared_distance = std::numeric_limits<double>::infinity();
    const auto consider = [&](PointTriangleFeature feature, double squared_distance) {
        if (squared_distance < best_squared_distance) {
            best = feature;
            best_squared_distance = squared_distance;
        }
    };
    const auto plane = point_plane_closest(p, t[0], t[1], t[2]);
    const bool spans_plane = plane.R_inverse(1, 1) > 0;
    if (spans_plane && plane.u.minCoeff() > 0 && plane.u.sum() < 1) {
        const Vec3 on_triangle = t[0] + plane.u[0] * (t[1] - t[0]) + plane.u[1] * (t[2] - t[0]);
        consider(PointTriangleFeature::face, (p - on_triangle).squaredNorm());
    }
    for (int k = 0; k < 3; ++k) {
        const Vec3 &a = t[k], &b = t[(k + 1) % 3];
        const PointEdgeFeature part = point_edge_feature<3>(p, a, b);
        const double squared_distance = point_edge_squared_distance<3>(p, a, b, part, Order::value).value;
        consider(
            part == PointEdgeFeature::edge ? edge_feature(k) : vertex_feature(part == PointEdgeFeature::e0 ? k : k + 1),
            squared_distance);
    }
    return best;
}

} // namespace

PointTriangleFeature point_triangle_feature(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2)
{
    const std::array<Vec3, 3> t{t0, t1, t2};
    const std::array<Vec3, 3> edge{t1 - t0, t2 - t1, t0 - t2};
    const Vec3 n = edge[2].cross(edge[0]);
    if (n.squaredNorm() <= sliver_sine_squared * edge[0].squaredNorm() * edge[2].squaredNorm())
        return closest_by_comparison(p, t);

    // Beyond edge k, with the foot point strictly between its ends: the edge is closest. Each end is tested with the
    // difference from p to that end, which two edges share: measured from the other end, p near the tip of a needle
    // would round to lie in none of the regions outside the triangle.
    const std::array<Vec3, 3> from{p - t0, p - t1, p - t2};
    std::array<bool, 3> before_start{}, beyond_end{};
    for (int k = 0; k < 3; ++k) {
        before_start[k] = edge[k].dot(from[k]) <= 0;
        beyond_end[k] = edge[k].dot(from[(k + 1) % 3]) >= 0;
        if (!before_start[k] && !beyond_end[k] && edge[k].cross(n).dot(from[k]) >= 0)
            return edge_feature(k);
    }
    // Before one edge's start and beyond the end of the edge that arrives there: the vertex is closest.
    for (int k = 0; k < 3; ++k)
        if (before_start[k] && beyond_end[(k + 2) % 3])
            return vertex_feature(k);
    return PointTriangleFeature::face;
}

LocalTerm<4, 3> point_triangle_squared_distance(
    const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2, PointTriangleFeature feature, Order order)
{
    using F = PointTriangleFeature;
    switch (feature) {
    case F::t0:
        return scatter<4, 2, 3>(point_point_squared_distance<3>(p, t0, order), {0, 1}, order);
    case F::t1:
        return scatter<4, 2, 3>(point_point_squared_distance<3>(p, t1, order), {0, 2}, order);
    case F::t2:
        return scatter<4, 2, 3>(point_point_squared_distance<3>(p, t2, order), {0, 3}, order);
    case F::e0:
        return scatter<4, 3, 3>(point_line_squared_distance<3>(p, t0, t1, order), {0, 1, 2}, order);
    case F::e1:
        return scatter<4, 3, 3>(point_line_squared_distance<3>(p, t1, t2, order), {0, 2, 3}, order);
    case F::e2:
        return scatter<4, 3, 3>(point_line_squared_distance<3>(p, t2, t0, order), {0, 3, 1}, order);
    case F::face:
        break;
    }
    return point_plane_squared_distance(p, t0, t1, t2, order);
}

Vec3 point_triangle_coordinates(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2)
{
    const std::array<Vec3, 3> t{t0, t1, t2};
    const PointTriangleFeature feature = point_triangle_feature(p, t0, t1, t2);
    if (feature <= PointTriangleFeature::t2)
        return Vec3::Unit(static_cast<int>(feature));
    const auto on_edge = [&](int k) {
        const int next = (k + 1) % 3;
        Vec3 coordinates = Vec3::Zero();
        coordinates[next] = point_edge_coordinate<3>(p, t[k], t[next]);
        coordinates[k] = 1 - coordinates[next];
        return coordinates;
    };
    if (feature <= PointTriangleFeature::e2)
        return on_edge(static_cast<int>(feature) - 3);
    const Vec2 u = point_plane_closest(p, t0, t1, t2).u;
    const Vec3 coordinates(1 - u[0] - u[1], u[0], u[1]);
    // Rounding may leave the triangle across the edge opposite to a vertex: by an ulp in space, but by any amount in
    // the coordinate of a needle's short side.
    for (int k = 0; k < 3; ++k)
        if (coordinates[k] < 0)
            return on_edge((k + 1) % 3);
    return coordinates;
}

} // namespace abut
