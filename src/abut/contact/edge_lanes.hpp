#pragma once
// Which of a few pairs of edges are nearly parallel, one pair per lane: as the threshold of the mollifier
// (geometry/edge_edge_mollifier.hpp) has it, but for pairs so near to it that rounding decides.
//
// Layout and size depend on the instruction set, as Lanes do: for source files of the library, not for its interfaces.

#include "abut/detect/candidates.hpp"
#include "abut/detect/measure_lanes.hpp"

namespace abut {

/// Bit k for pair k of those with these numbers if its edges surely have |u x v|² >= eps_x.
inline unsigned surely_crossing(
    const CollisionMesh& mesh, const ConstPositions& X, const IndexPair* pairs,
    const std::array<std::uint32_t, num_lanes>& numbers)
{
    constexpr double rounding = 1e-9; // far more than that of either side
    int ends[4][num_lanes];
    for (int lane = 0; lane < num_lanes; ++lane) {
        const auto [a, b] = pairs[numbers[lane]];
        const int* first = mesh.edges().data() + 2 * std::size_t(a);
        const int* second = mesh.edges().data() + 2 * std::size_t(b);
        ends[0][lane] = first[0], ends[1][lane] = first[1], ends[2][lane] = second[0], ends[3][lane] = second[1];
    }
    const auto along = [&](const double* points, std::ptrdiff_t stride, int k) {
        return load_points(points, stride, ends[2 * k + 1]) - load_points(points, stride, ends[2 * k]);
    };
    const auto& rest = mesh.rest_positions();
    const PointLanes u = along(X.data(), X.outerStride(), 0), v = along(X.data(), X.outerStride(), 1), n = cross(u, v);
    const PointLanes rest_u = along(rest.data(), rest.outerStride(), 0);
    const PointLanes rest_v = along(rest.data(), rest.outerStride(), 1);
    const Lanes nn = dot(n, n), eps_x = 1e-3 * dot(rest_u, rest_u) * dot(rest_v, rest_v);
    // The cross product is off by some ulps of |u| |v|.
    return bits_of((nn > (1 + rounding) * eps_x) & (nn > 1e-12 * dot(u, u) * dot(v, v)));
}

} // namespace abut
