#pragma once
// Distances and closest features of a few pairs at once, one pair per lane: what measured_pair.hpp and the functions of
// geometry/ compute one by one, by the same formulas and in the same order, so that both find the same features. Lanes
// whose elements are degenerate or nearly parallel are left to those functions: they are marked as careful.
//
// In space. Layout and size depend on the instruction set, as Lanes do: for source files of the library, not for its
// interfaces.

#include "abut/detect/measured_pair.hpp"
#include "abut/math/point_lanes.hpp"

namespace abut::measure_lanes {

using Mask = decltype(Lanes{} < Lanes{});

/// In Eigen's order, so that both round alike.
inline Lanes inner(const PointLanes& a, const PointLanes& b) { return a.x * b.x + (a.y * b.y + a.z * b.z); }
inline Lanes squared_norm(const PointLanes& a) { return inner(a, a); }
inline Lanes absolute(Lanes x) { return x < 0 ? -x : x; }

/// What is measured of each lane; of careful ones nothing.
struct Measured {
    Lanes squared_distance;
    Lanes feature; ///< its number
    Mask is_careful;
};

/// The squared length of the shortest vector r0 + u0 t0 + u1 t1, as closest_pair() finds it; directions of length zero
/// are dropped, and so are parallel ones.
inline Lanes shortest_squared(const PointLanes& r0, const PointLanes& t0, const PointLanes& t1)
{
    const Lanes length0 = sqrt(squared_norm(t0));
    const Lanes inverse0 = length0 > 0 ? 1 / length0 : Lanes{};
    const PointLanes q0 = inverse0 * t0;
    PointLanes rest = t1 - inner(q0, t1) * q0;
    rest = rest - inner(q0, rest) * q0;
    const Lanes length1 = sqrt(squared_norm(rest));
    const Lanes inverse1 = length1 * length1 > parallel_sine_squared / 2 * squared_norm(t1) ? 1 / length1 : Lanes{};
    const PointLanes q1 = inverse1 * rest;
    PointLanes r = r0 - inner(q0, r0) * q0;
    r = r - inner(q1, r) * q1;
    return squared_norm(r);
}

inline PointLanes where(const Mask& mask, const PointLanes& a) { return choose(mask, a, PointLanes{}); }

/// Lanes of two edges, a0, a1, b0, b1, that measure_edge_edge() calls far.
inline Mask far_edges(const PointLanes (&x)[4], Lanes squared_limit)
{
    const PointLanes between = x[0] + x[1] - x[2] - x[3];
    const Lanes squared = squared_norm(between);
    const Lanes gap = squared - absolute(inner(between, x[1] - x[0])) - absolute(inner(between, x[3] - x[2]));
    return (gap > 0) & (gap * gap > far_margin * 4 * squared_limit * squared);
}

/// edge_edge_feature() and edge_edge_squared_distance().
inline Measured measure_edges(const PointLanes (&x)[4])
{
    using F = EdgeEdgeFeature;
    const auto number = [](F feature) { return broadcast(static_cast<double>(feature)); };
    const PointLanes &a0 = x[0], &a1 = x[1], &b0 = x[2], &b1 = x[3];
    const PointLanes u = a1 - a0, v = b1 - b0, w = a0 - b0;
    const Lanes uu = squared_norm(u), vv = squared_norm(v);
    const PointLanes n = cross(u, v);
    const Lanes nn = squared_norm(n);
    Measured measured;
    measured.is_careful = (uu == 0) | (vv == 0) | (nn < parallel_sine_squared * uu * vv);

    const Lanes uv = inner(u, v), uw = inner(u, w), vw = inner(v, w);
    const Lanes s = inner(n, cross(v, w));
    const Mask before_a = s <= 0, beyond_a = s >= nn, beside_a = before_a | beyond_a;
    const Lanes t = before_a ? vw : beyond_a ? vw + uv : inner(n, cross(u, w));
    const Lanes t_end = beside_a ? vv : nn;
    const Mask before_b = t <= 0, beyond_b = t >= t_end, beside_b = before_b | beyond_b;
    // Beside b, where a comes closest to that end
    const Lanes along_a = before_b ? -uw : uv - uw;
    const Mask at_a0 = beside_b ? along_a <= 0 : before_a;
    const Mask at_a1 = beside_b ? along_a >= uu : beyond_a; // a0 comes first
    const Mask at_b0 = before_b, at_b1 = beside_b & ~before_b;
    const Mask at_end_of_a = at_a0 | at_a1;
    const Lanes of_b0 = at_a0 ? number(F::a0_b0) : at_a1 ? number(F::a1_b0) : number(F::a_b0);
    const Lanes of_b1 = at_a0 ? number(F::a0_b1) : at_a1 ? number(F::a1_b1) : number(F::a_b1);
    const Lanes of_b = at_a0 ? number(F::a0_b) : at_a1 ? number(F::a1_b) : number(F::a_b);
    measured.feature = at_b0 ? of_b0 : at_b1 ? of_b1 : of_b;
    const PointLanes from = choose(at_a1 & ~at_a0, a1, a0), to = choose(at_b1, b1, b0);
    measured.squared_distance = shortest_squared(from - to, where(~at_end_of_a, u), where(~beside_b, b0 - b1));
    return measured;
}

/// Lanes of a vertex and a face, p, t0, t1, t2, that measure_face_vertex() calls far.
inline Mask far_face(const PointLanes (&x)[4], Lanes squared_limit)
{
    const PointLanes between = broadcast(3) * x[0] - x[1] - x[2] - x[3];
    const auto smaller = [](Lanes a, Lanes b) { return b < a ? b : a; };
    const Lanes gap =
        smaller(smaller(inner(between, x[0] - x[1]), inner(between, x[0] - x[2])), inner(between, x[0] - x[3]));
    return (gap > 0) & (gap * gap > far_margin * squared_limit * squared_norm(between));
}

/// point_triangle_feature() and point_triangle_squared_distance().
inline Measured measure_face(const PointLanes (&x)[4])
{
    constexpr double sliver_sine_squared = 1e-10; // as in point_triangle_feature()
    const PointLanes& p = x[0];
    const PointLanes edge[3]{x[2] - x[1], x[3] - x[2], x[1] - x[3]};
    const PointLanes from[3]{p - x[1], p - x[2], p - x[3]};
    const PointLanes n = cross(edge[2], edge[0]);
    Measured measured;
    measured.is_careful = squared_norm(n) <= sliver_sine_squared * squared_norm(edge[0]) * squared_norm(edge[2]);

    Mask before[3], beyond[3], beside[3];
    for (int k = 0; k < 3; ++k) {
        before[k] = inner(edge[k], from[k]) <= 0;
        beyond[k] = inner(edge[k], from[(k + 1) % 3]) >= 0;
        beside[k] = ~before[k] & ~beyond[k] & (inner(cross(edge[k], n), from[k]) >= 0);
    }
    // The first that holds: edges, then vertices, then the face
    Lanes feature = broadcast(6);
    PointLanes r0 = from[0], t0 = x[1] - x[2], t1 = x[1] - x[3];
    for (int k = 2; k >= 0; --k) {
        const Mask at_vertex = before[k] & beyond[(k + 2) % 3];
        feature = at_vertex ? broadcast(k) : feature;
        r0 = choose(at_vertex, from[k], r0);
        t0 = where(~at_vertex, t0);
        t1 = where(~at_vertex, t1);
    }
    for (int k = 2; k >= 0; --k) {
        feature = beside[k] ? broadcast(3 + k) : feature;
        r0 = choose(beside[k], from[k], r0);
        t0 = choose(beside[k], x[1 + k] - x[1 + (k + 1) % 3], t0);
        t1 = where(~beside[k], t1);
    }
    measured.feature = feature;
    measured.squared_distance = shortest_squared(r0, t0, t1);
    return measured;
}

/// The points of a few pairs, corner by corner: of two edges, or of a vertex and a face.
template <PairKind kind>
void load(const CollisionMesh& mesh, const ConstPositions& X, const IndexPair* const* pairs, PointLanes (&x)[4])
{
    int corners[4][num_lanes];
    for (int lane = 0; lane < num_lanes; ++lane) {
        const auto [i, j] = *pairs[lane];
        if constexpr (kind == PairKind::edge_edge) {
            const int* a = mesh.edges().data() + 2 * std::size_t(i);
            const int* b = mesh.edges().data() + 2 * std::size_t(j);
            corners[0][lane] = a[0], corners[1][lane] = a[1], corners[2][lane] = b[0], corners[3][lane] = b[1];
        } else {
            const int* f = mesh.faces().data() + 3 * std::size_t(i);
            corners[0][lane] = j, corners[1][lane] = f[0], corners[2][lane] = f[1], corners[3][lane] = f[2];
        }
    }
    for (int k = 0; k < 4; ++k)
        x[k] = load_points(X.data(), X.outerStride(), corners[k]);
}

template <PairKind kind>
MeasuredPair measure_alone(const CollisionMesh& mesh, const ConstPositions& X, const IndexPair& pair)
{
    constexpr double no_limit = std::numeric_limits<double>::infinity();
    if constexpr (kind == PairKind::edge_edge)
        return measure_edge_edge(mesh, X, pair[0], pair[1], no_limit);
    else
        return measure_face_vertex(mesh, X, pair[0], pair[1], no_limit);
}

/// Calls found(pair, measured) for these pairs, in order, but for those that are far by limit_of(pair), a squared
/// distance.
/// Far ones are left out first, so that all lanes have something to measure. `near` has room for all of them.
template <PairKind kind, typename LimitOf, typename Found>
void measure(
    const CollisionMesh& mesh, const ConstPositions& X, std::span<const IndexPair* const> pairs,
    std::span<const IndexPair*> near, LimitOf&& limit_of, Found&& found)
{
    constexpr auto lanes = static_cast<std::size_t>(num_lanes);
    const auto for_each_few = [&](std::span<const IndexPair* const> all, auto&& visit) {
        for (std::size_t k = 0; k < all.size(); k += lanes) {
            const std::size_t count = std::min(lanes, all.size() - k);
            const IndexPair* few[num_lanes];
            for (std::size_t lane = 0; lane < lanes; ++lane)
                few[lane] = all[k + std::min(lane, count - 1)];
            PointLanes x[4];
            load<kind>(mesh, X, few, x);
            visit(few, count, x);
        }
    };
    std::size_t num_near = 0;
    for_each_few(pairs, [&](const IndexPair* const* few, std::size_t count, const PointLanes(&x)[4]) {
        Lanes squared_limit;
        for (int lane = 0; lane < num_lanes; ++lane)
            squared_limit[lane] = limit_of(*few[lane]);
        Mask is_far;
        if constexpr (kind == PairKind::edge_edge)
            is_far = far_edges(x, squared_limit);
        else
            is_far = far_face(x, squared_limit);
        for (std::size_t lane = 0; lane < count; ++lane) {
            near[num_near] = few[lane];
            num_near += is_far[lane] == 0 ? 1 : 0;
        }
    });
    for_each_few(near.first(num_near), [&](const IndexPair* const* few, std::size_t count, const PointLanes(&x)[4]) {
        Measured measured;
        if constexpr (kind == PairKind::edge_edge)
            measured = measure_edges(x);
        else
            measured = measure_face(x);
        for (std::size_t lane = 0; lane < count; ++lane)
            if (measured.is_careful[lane] != 0)
                found(*few[lane], measure_alone<kind>(mesh, X, *few[lane]));
            else
                found(
                    *few[lane], MeasuredPair{
                                    measured.squared_distance[lane],
                                    static_cast<std::uint8_t>(static_cast<int>(measured.feature[lane]))});
    });
}

} // namespace abut::measure_lanes
