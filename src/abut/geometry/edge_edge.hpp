#pragma once
// Distance between two edges or lines in three dimensions. Stencil: a0, a1, b0, b1.

#include "abut/geometry/point_edge.hpp"

#include <array>

namespace abut {

/// The parts of the two edges that are closest to each other: an end or the whole of a, with an end or the whole of b.
/// The order is that of the reference toolkit.
enum class EdgeEdgeFeature : std::uint8_t { a0_b0, a0_b1, a1_b0, a1_b1, a_b0, a_b1, a0_b, a1_b, a_b };

/// The ends of a and of b that a feature is at: 0, 1, or whole_edge.
inline constexpr int whole_edge = 2;
[[nodiscard]] constexpr std::array<int, 2> ends_of(EdgeEdgeFeature feature)
{
    constexpr std::array<std::array<int, 2>, 9> ends{
        {{0, 0},
         {0, 1},
         {1, 0},
         {1, 1},
         {whole_edge, 0},
         {whole_edge, 1},
         {0, whole_edge},
         {1, whole_edge},
         {whole_edge, whole_edge}}};
    return ends[static_cast<std::size_t>(feature)];
}

/// Which parts of the edges a0a1 and b0b1 are closest. Never `a_b` for parallel edges (parallel_sine_squared) or edges
/// of length zero, whose closest points can always be chosen with an end among them.
[[nodiscard]] EdgeEdgeFeature edge_edge_feature(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1);

/// The feature of an end of b (0 or 1) with the given part of a.
[[nodiscard]] EdgeEdgeFeature end_of_b(int end, PointEdgeFeature part_of_a);

/// Closest points of the lines through a0, a1 and b0, b1; u are their coordinates, 0 at the first end and 1 at the
/// second.
[[gnu::always_inline]] inline ClosestPair<4, 2, 3>
line_line_closest(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1)
{
    Mat<4, 2> dw;
    dw << -1, 0, 1, 0, 0, 1, 0, -1;
    return closest_pair<4, 3>(a0 - b0, a1 - a0, b0 - b1, Vec<4>(1, 0, -1, 0), dw);
}

/// Squared distance of the lines through a0, a1 and b0, b1.
inline LocalTerm<4, 3>
line_line_squared_distance(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, Order order)
{
    return line_line_closest(a0, a1, b0, b1).squared_distance(order);
}

/// Closest points of the given features of the edges, a whole edge standing for its line. Coordinates that the feature
/// does not have are dropped; where only b is whole, its coordinate comes first.
[[nodiscard]] ClosestPair<4, 2, 3>
edge_edge_closest(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, EdgeEdgeFeature feature);

/// Squared distance of the given features of the edges, without derivatives.
[[nodiscard]] double
edge_edge_squared_distance(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, EdgeEdgeFeature feature);

/// The same with derivatives.
inline LocalTerm<4, 3> edge_edge_squared_distance(
    const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, EdgeEdgeFeature feature, Order order)
{
    return edge_edge_closest(a0, a1, b0, b1, feature).squared_distance(order);
}

/// Squared distance of the edges a0a1 and b0b1.
inline LocalTerm<4, 3>
edge_edge_squared_distance(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, Order order)
{
    return edge_edge_squared_distance(a0, a1, b0, b1, edge_edge_feature(a0, a1, b0, b1), order);
}

/// Coordinates in [0, 1] of the closest points on the edges a0a1 and b0b1.
[[nodiscard]] Vec2 edge_edge_coordinates(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1);

} // namespace abut
