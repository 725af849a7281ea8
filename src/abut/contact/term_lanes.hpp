#pragma once
// Closest points of a few terms of one kind at once, one term per lane: what term_geometry.hpp computes one by one, by
// the same formulas (geometry/closest_pair.hpp), as far as value and gradient of a law of the distance need it.
//
// In space, without offsets. Layout and size depend on the instruction set, as Lanes do: for source files of the
// library, not for its interfaces.

#include "abut/contact/normal_collisions.hpp"
#include "abut/math/point_lanes.hpp"

namespace abut {

/// A few terms with N vertices each.
template <int N>
struct ClosestLanes {
    PointLanes r; ///< from the second closest point to the first
    Lanes w[N];   ///< weights of the stencil's vertices in r

    [[nodiscard]] Lanes squared_distance() const { return dot(r, r); }
};

/// The vertices of terms k, k + 1, ... of a list, corner by corner; after the last term it is repeated.
template <int N>
struct TermVertices {
    int of_corner[N][num_lanes];

    TermVertices(const CollisionTerms<N>& list, std::size_t k, int count)
    {
        for (int lane = 0; lane < num_lanes; ++lane) {
            const std::array<int, N>& vertices = list.vertices[k + static_cast<std::size_t>(std::min(lane, count - 1))];
            for (int i = 0; i < N; ++i)
                of_corner[i][lane] = vertices[i];
        }
    }
};

namespace detail {

/// The shortest vector r0 + u0 t0 + u1 t1: Gram-Schmidt with a second pass, as closest_pair() does. A direction that
/// is zero or parallel to the first is dropped.
struct ShortestVector {
    PointLanes r;
    Lanes u0, u1;

    ShortestVector(const PointLanes& r0, const PointLanes& t0, const PointLanes& t1)
    {
        const Lanes length0 = sqrt(dot(t0, t0));
        const Lanes inverse0 = length0 > 0 ? 1 / length0 : Lanes{};
        const PointLanes q0 = inverse0 * t0;
        Lanes shear = dot(q0, t1);
        PointLanes rest = t1 - shear * q0;
        const Lanes correction = dot(q0, rest);
        shear += correction;
        rest = rest - correction * q0;
        const Lanes squared = dot(rest, rest);
        const Lanes inverse1 = squared > parallel_sine_squared / 2 * dot(t1, t1) ? 1 / sqrt(squared) : Lanes{};
        const PointLanes q1 = inverse1 * rest;
        const Lanes along0 = dot(q0, r0);
        r = r0 - along0 * q0;
        const Lanes along1 = dot(q1, r);
        r = r - along1 * q1;
        u1 = -along1 * inverse1;
        u0 = -(along0 + shear * u1) * inverse0;
    }
};

} // namespace detail

inline ClosestLanes<2> vertex_vertex_lanes(const PointLanes* x) { return {x[0] - x[1], {broadcast(1), broadcast(-1)}}; }

inline ClosestLanes<3> edge_vertex_lanes(const PointLanes* x)
{
    const PointLanes r0 = x[0] - x[1], t = x[1] - x[2];
    const Lanes length = sqrt(dot(t, t));
    const Lanes inverse = length > 0 ? 1 / length : Lanes{};
    const PointLanes q = inverse * t;
    const Lanes along = dot(q, r0), u = -along * inverse;
    return {r0 - along * q, {broadcast(1), u - 1, -u}};
}

inline ClosestLanes<4> face_vertex_lanes(const PointLanes* x)
{
    const detail::ShortestVector shortest(x[0] - x[1], x[1] - x[2], x[1] - x[3]);
    return {shortest.r, {broadcast(1), shortest.u0 + shortest.u1 - 1, -shortest.u0, -shortest.u1}};
}

/// Edges by their features, of which `first` is that of lane 0; after the last lane it is repeated. Where a feature has
/// an end instead of a whole edge, the edge's direction is zero and its coordinate dropped.
inline ClosestLanes<4> edge_edge_lanes(const PointLanes* x, const EdgeEdgeFeature* first, int count)
{
    bool are_lines = true;
    for (int lane = 0; lane < count; ++lane)
        are_lines = are_lines && first[lane] == EdgeEdgeFeature::a_b;
    if (are_lines) {
        const detail::ShortestVector shortest(x[0] - x[2], x[1] - x[0], x[2] - x[3]);
        return {shortest.r, {1 - shortest.u0, shortest.u0, shortest.u1 - 1, -shortest.u1}};
    }
    Lanes a_end{}, b_end{};
    for (int lane = 0; lane < num_lanes; ++lane) {
        const auto [a, b] = ends_of(first[std::min(lane, count - 1)]);
        a_end[lane] = a;
        b_end[lane] = b;
    }
    const LaneMask from_a1 = a_end == 1, from_b1 = b_end == 1;
    const LaneMask is_a_whole = a_end == whole_edge, is_b_whole = b_end == whole_edge;
    const PointLanes none{};
    const detail::ShortestVector shortest(
        choose(from_a1, x[1], x[0]) - choose(from_b1, x[3], x[2]), choose(is_a_whole, x[1] - x[0], none),
        choose(is_b_whole, x[2] - x[3], none));
    const Lanes a1 = from_a1 ? broadcast(1) : shortest.u0, b1 = from_b1 ? broadcast(1) : shortest.u1;
    return {shortest.r, {1 - a1, a1, b1 - 1, -b1}};
}

/// The mollifier of edges by their angle and what its gradient is made of: with c = |u x v|² of the edges u and v,
/// m = (2 − c / ε) c / ε for c < ε, and 1 beyond (geometry/edge_edge_mollifier.hpp).
struct MollifierLanes {
    Lanes m, m_c;          ///< value, and derivative by c
    bool is_one;           ///< in all lanes
    PointLanes c_a1, c_b1; ///< gradients of c by a1 and b1: those by a0 and b0 are the opposite

    MollifierLanes(const PointLanes* x, Lanes eps_x, bool has_gradient = true)
    {
        const PointLanes u = x[1] - x[0], v = x[3] - x[2], n = cross(u, v);
        const Lanes c = dot(n, n);
        const LaneMask is_fading = c < eps_x; // just where c / ε is below 1
        m = broadcast(1);
        m_c = Lanes{};
        is_one = bits_of(is_fading) == 0;
        if (is_one) // of most pairs; nobody asks for its gradient then
            return;
        const Lanes z = c / eps_x;
        m = is_fading ? (2 - z) * z : m;
        if (!has_gradient)
            return;
        m_c = is_fading ? 2 * (1 - z) / eps_x : m_c;
        c_a1 = broadcast(2) * cross(v, n);
        c_b1 = broadcast(2) * cross(n, u);
    }
    MollifierLanes() = default;
};

/// Closest points of terms k, k + 1, ... of a list, whose vertices are at x.
template <PairKind kind, typename List>
auto closest_lanes(KindConstant<kind>, const List& list, const PointLanes* x, std::size_t k, int count)
{
    if constexpr (kind == PairKind::vertex_vertex)
        return vertex_vertex_lanes(x);
    else if constexpr (kind == PairKind::edge_vertex)
        return edge_vertex_lanes(x);
    else if constexpr (kind == PairKind::edge_edge)
        return edge_edge_lanes(x, list.features.data() + k, count);
    else
        return face_vertex_lanes(x);
}

} // namespace abut
