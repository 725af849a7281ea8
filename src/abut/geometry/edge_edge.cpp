#include "abut/geometry/edge_edge.hpp"

namespace abut {

namespace {
using F = EdgeEdgeFeature;
}

EdgeEdgeFeature end_of_b(int end, PointEdgeFeature part)
{
    switch (part) {
    case PointEdgeFeature::e0:
        return end == 0 ? F::a0_b0 : F::a0_b1;
    case PointEdgeFeature::e1:
        return end == 0 ? F::a1_b0 : F::a1_b1;
    case PointEdgeFeature::edge:
        break;
    }
    return end == 0 ? F::a_b0 : F::a_b1;
}

namespace {

/// The feature of an end of a (0 or 1) with the given part of b.
F end_of_a(int end, PointEdgeFeature part)
{
    switch (part) {
    case PointEdgeFeature::e0:
        return end == 0 ? F::a0_b0 : F::a1_b0;
    case PointEdgeFeature::e1:
        return end == 0 ? F::a0_b1 : F::a1_b1;
    case PointEdgeFeature::edge:
        break;
    }
    return end == 0 ? F::a0_b : F::a1_b;
}

/// Parallel edges: some end is among the closest points. Of several ends at the same distance the first in a fixed
/// order wins, whatever rounding says: b0, b1, then the end of a that lies nearer to b0.
F closest_of_parallel(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1)
{
    const double reach = (a0 - b0).norm() + (a1 - a0).norm() + (b1 - b0).norm();
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * reach; // of a difference of two points
    F best = F::a0_b0;
    double best_squared_distance = std::numeric_limits<double>::infinity();
    const auto consider = [&](const Vec3& p, const Vec3& e0, const Vec3& e1, auto feature_of, int end) {
        const PointEdgeFeature part = point_edge_feature<3>(p, e0, e1);
        const double squared_distance = point_edge_squared_distance<3>(p, e0, e1, part, Order::value).value;
        const double tie = rounding * (2 * std::sqrt(squared_distance) + rounding);
        if (squared_distance + tie < best_squared_distance) {
            best_squared_distance = squared_distance;
            best = feature_of(end, part);
        }
    };
    consider(b0, a0, a1, end_of_b, 0);
    consider(b1, a0, a1, end_of_b, 1);
    const int nearer = (b0 - a1).squaredNorm() < (b0 - a0).squaredNorm() ? 1 : 0;
    consider(nearer == 0 ? a0 : a1, b0, b1, end_of_a, nearer);
    consider(nearer == 0 ? a1 : a0, b0, b1, end_of_a, 1 - nearer);
    return best;
}

} // namespace

EdgeEdgeFeature edge_edge_feature(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1)
{
    // The lines are a0 + s u and b0 + t v; w = a0 - b0.
    const Vec3 u = a1 - a0, v = b1 - b0, w = a0 - b0;
    const double uu = u.squaredNorm(), vv = v.squaredNorm();
    if (uu == 0)
        return end_of_a(0, point_edge_feature<3>(a0, b0, b1));
    if (vv == 0)
        return end_of_b(0, point_edge_feature<3>(b0, a0, a1));
    const Vec3 n = u.cross(v);
    const double nn = n.squaredNorm();
    if (nn < parallel_sine_squared * uu * vv)
        return closest_of_parallel(a0, a1, b0, b1);

    // On the lines, s = s_numerator / nn and t = t_numerator / nn. Written as cross products, and for lines much closer
    // than the edges are long, these lose eps / sin where the usual dot products lose eps / sin². (Across a gap g the
    // coordinates themselves are conditioned like eps g / (|u| sin²); the distance does not feel it.)
    const double uv = u.dot(v), uw = u.dot(w), vw = v.dot(w);
    const double s_numerator = n.dot(v.cross(w));

    // Clamp s, see where b comes closest, and if that is an end of b, where a comes closest to it.
    F feature = F::a_b;
    double t_numerator, t_denominator;
    if (s_numerator <= 0) {
        feature = F::a0_b;
        t_numerator = vw;
        t_denominator = vv;
    } else if (s_numerator >= nn) {
        feature = F::a1_b;
        t_numerator = vw + uv;
        t_denominator = vv;
    } else {
        t_numerator = n.dot(u.cross(w));
        t_denominator = nn;
    }
    const auto part_of_a = [&](double s_times_uu) {
        return s_times_uu <= 0    ? PointEdgeFeature::e0
               : s_times_uu >= uu ? PointEdgeFeature::e1
                                  : PointEdgeFeature::edge;
    };
    if (t_numerator <= 0)
        return end_of_b(0, part_of_a(-uw));
    if (t_numerator >= t_denominator)
        return end_of_b(1, part_of_a(uv - uw));
    return feature;
}

ClosestPair<4, 2, 3>
edge_edge_closest(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, EdgeEdgeFeature feature)
{
    using W = Vec<4>;
    switch (feature) {
    case F::a0_b0:
        return widened<2>(closest_pair<4, 3>(a0 - b0, W(1, 0, -1, 0)));
    case F::a0_b1:
        return widened<2>(closest_pair<4, 3>(a0 - b1, W(1, 0, 0, -1)));
    case F::a1_b0:
        return widened<2>(closest_pair<4, 3>(a1 - b0, W(0, 1, -1, 0)));
    case F::a1_b1:
        return widened<2>(closest_pair<4, 3>(a1 - b1, W(0, 1, 0, -1)));
    case F::a_b0:
        return widened<2>(closest_pair<4, 3>(a0 - b0, a1 - a0, W(1, 0, -1, 0), W(-1, 1, 0, 0)));
    case F::a_b1:
        return widened<2>(closest_pair<4, 3>(a0 - b1, a1 - a0, W(1, 0, 0, -1), W(-1, 1, 0, 0)));
    case F::a0_b:
        return widened<2>(closest_pair<4, 3>(a0 - b0, b0 - b1, W(1, 0, -1, 0), W(0, 0, 1, -1)));
    case F::a1_b:
        return widened<2>(closest_pair<4, 3>(a1 - b0, b0 - b1, W(0, 1, -1, 0), W(0, 0, 1, -1)));
    case F::a_b:
        break;
    }
    return line_line_closest(a0, a1, b0, b1);
}

double
edge_edge_squared_distance(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, EdgeEdgeFeature feature)
{
    switch (feature) {
    case F::a0_b0:
        return (a0 - b0).squaredNorm();
    case F::a0_b1:
        return (a0 - b1).squaredNorm();
    case F::a1_b0:
        return (a1 - b0).squaredNorm();
    case F::a1_b1:
        return (a1 - b1).squaredNorm();
    case F::a_b0:
        return point_line_closest<3>(b0, a0, a1).squared_distance();
    case F::a_b1:
        return point_line_closest<3>(b1, a0, a1).squared_distance();
    case F::a0_b:
        return point_line_closest<3>(a0, b0, b1).squared_distance();
    case F::a1_b:
        return point_line_closest<3>(a1, b0, b1).squared_distance();
    case F::a_b:
        break;
    }
    return line_line_closest(a0, a1, b0, b1).squared_distance();
}

Vec2 edge_edge_coordinates(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1)
{
    const auto on_a = [&](const Vec3& p) { return point_edge_coordinate<3>(p, a0, a1); };
    const auto on_b = [&](const Vec3& p) { return point_edge_coordinate<3>(p, b0, b1); };
    switch (edge_edge_feature(a0, a1, b0, b1)) {
    case F::a0_b0:
        return {0, 0};
    case F::a0_b1:
        return {0, 1};
    case F::a1_b0:
        return {1, 0};
    case F::a1_b1:
        return {1, 1};
    case F::a_b0:
        return {on_a(b0), 0};
    case F::a_b1:
        return {on_a(b1), 1};
    case F::a0_b:
        return {0, on_b(a0)};
    case F::a1_b:
        return {1, on_b(a1)};
    case F::a_b:
        break;
    }
    const Vec2 u = line_line_closest(a0, a1, b0, b1).u;
    if (u.minCoeff() >= 0 && u.maxCoeff() <= 1)
        return u;
    // Rounding may put the points outside the edges, far outside for nearly parallel ones. Back onto b, then the
    // closest points in turn.
    const double s = on_a(b0 + std::clamp(u[1], 0.0, 1.0) * (b1 - b0));
    return {s, on_b(a0 + s * (a1 - a0))};
}

} // namespace abut
