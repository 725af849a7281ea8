#pragma once
// Which contacts are in blocks, for a few pairs at once, one pair per lane. Of faces only what is out of the blocks of
// their parts by twice the tolerance of OffsetBlocks, far more than rounding, is left out; the rest is for OffsetBlocks
// to decide.
//
// Layout and size depend on the instruction set, as Lanes do: for source files of the library, not for its interfaces.

#include "abut/contact/blocks/offset_blocks.hpp"
#include "abut/detect/measure_lanes.hpp"

#include <array>

namespace abut {

/// A bit more than there are parts: the face, without a look at the others.
inline constexpr unsigned surely_in_face = 1u << 7;

/// Of each pair of a face and a vertex: bit k for the part of the face that is feature k, or surely_in_face.
inline std::array<unsigned, num_lanes>
face_parts(const CollisionMesh& mesh, const ConstPositions& X, const std::array<IndexPair, num_lanes>& pairs)
{
    using namespace measure_lanes;
    const IndexPair* few[num_lanes];
    for (int lane = 0; lane < num_lanes; ++lane)
        few[lane] = &pairs[lane];
    PointLanes x[4];
    load<PairKind::face_vertex>(mesh, X, few, x);
    const PointLanes edge[3]{x[2] - x[1], x[3] - x[2], x[1] - x[3]};
    const PointLanes from[3]{x[0] - x[1], x[0] - x[2], x[0] - x[3]};
    const PointLanes n = cross(edge[0], edge[1]);
    Lanes length[3], distance[3]; // squared
    for (int k = 0; k < 3; ++k) {
        length[k] = squared_norm(edge[k]);
        distance[k] = squared_norm(from[k]);
    }
    // Clearly above 0, of a product of vectors with these squared lengths? Not of what is no number.
    const auto is_above = [](Lanes product, Lanes a, Lanes b) {
        constexpr double slack = 2 * block_tie;
        return (product > 0) & (product * product > slack * slack * a * b);
    };
    Mask is_clear = n.x == n.x, may_be[7];
    may_be[6] = is_clear;
    for (int k = 0; k < 3; ++k) {
        const int next = (k + 1) % 3, last = (k + 2) % 3;
        const PointLanes out = cross(edge[k], n);
        const Lanes product = inner(out, from[k]), size = squared_norm(out) * distance[k];
        is_clear &= (product < 0) & (product * product > block_clearly_inside * block_clearly_inside * size);
        may_be[6] &= ~is_above(product, squared_norm(out), distance[k]);

        const Lanes from_start = inner(from[k], edge[k]);
        may_be[k] = ~is_above(from_start, distance[k], length[k]) &
                    ~is_above(-inner(from[k], edge[last]), distance[k], length[last]);
        // The direction into the face, times the squared length of the edge; either end may be the edge's first.
        const PointLanes to_opposite = -edge[last];
        const PointLanes into_face = length[k] * to_opposite - inner(edge[k], to_opposite) * edge[k];
        may_be[3 + k] = ~is_above(-from_start, distance[k], length[k]) &
                        ~is_above(inner(edge[k], from[next]), distance[next], length[k]) &
                        ~is_above(
                            inner(from[k], into_face), distance[k] + distance[next],
                            length[k] * length[k] * (length[last] + length[next]));
    }
    const unsigned clear = bits_of(is_clear);
    std::uint32_t of_lanes = 0; // a byte for each lane
    for (int k = 0; k < 7; ++k)
        of_lanes |= (bits_of(may_be[k]) * 0x00204081u & 0x01010101u) << k;
    std::array<unsigned, num_lanes> parts;
    for (int lane = 0; lane < num_lanes; ++lane)
        parts[lane] = (clear >> lane & 1) != 0 ? surely_in_face : of_lanes >> 8 * lane & 0xff;
    return parts;
}

/// Which of a few pairs of edges, at features with an end, touch: as OffsetBlocks::edges_touch() tells, by the same
/// formulas. Bit k for pair k.
inline unsigned edges_touch(
    const CollisionMesh& mesh, const ConstPositions& X, const OffsetBlocks<3>& blocks,
    const std::array<IndexPair, num_lanes>& pairs, const std::array<EdgeEdgeFeature, num_lanes>& features)
{
    using namespace measure_lanes;
    const Edges& edges = mesh.edges();
    // The end, and what is across from it: another end, or an edge on whose line its foot point is.
    int end[num_lanes], first[num_lanes], second[num_lanes];
    for (int lane = 0; lane < num_lanes; ++lane) {
        const auto [a, b] = pairs[lane];
        const auto [end_of_a, end_of_b] = ends_of(features[lane]);
        const int own = end_of_a == whole_edge ? b : a, other = end_of_a == whole_edge ? a : b;
        const int own_end = end_of_a == whole_edge ? end_of_b : end_of_a;
        const int other_end = end_of_a == whole_edge ? whole_edge : end_of_b;
        end[lane] = edges(own, own_end);
        first[lane] = edges(other, other_end == whole_edge ? 0 : other_end);
        second[lane] = other_end == whole_edge ? edges(other, 1) : first[lane];
    }
    const PointLanes v = load_points(X.data(), X.outerStride(), end),
                     e0 = load_points(X.data(), X.outerStride(), first);
    const PointLanes along = load_points(X.data(), X.outerStride(), second) - e0;
    const Lanes squared_length = squared_norm(along);
    const Lanes place = squared_length > 0 ? inner(along, v - e0) / squared_length : Lanes{};
    const PointLanes outward = e0 + place * along - v;
    const Lanes size = squared_norm(outward) + squared_length;
    std::span<const int> around[num_lanes];
    std::size_t most = 0;
    for (int lane = 0; lane < num_lanes; ++lane) {
        around[lane] = mesh.vertex_edges(end[lane]);
        most = std::max(most, around[lane].size());
    }
    unsigned touching = (1u << num_lanes) - 1;
    for (std::size_t k = 0; k < most && touching != 0; ++k) {
        int neighbour[num_lanes];
        for (int lane = 0; lane < num_lanes; ++lane) { // the last again for those that have fewer
            const int e = around[lane][std::min(k, around[lane].size() - 1)];
            neighbour[lane] = edges(e, 0) == end[lane] ? edges(e, 1) : edges(e, 0);
        }
        const PointLanes to = load_points(X.data(), X.outerStride(), neighbour) - v;
        const Lanes product = inner(outward, to);
        touching &= ~bits_of((product > 0) & ~(product * product <= block_tie * block_tie * size * squared_norm(to)));
    }
    for (int lane = 0; lane < num_lanes; ++lane)
        if ((touching >> lane & 1) != 0 && first[lane] == second[lane] &&
            !blocks.vertex_contains(first[lane], point<3>(X, end[lane])))
            touching &= ~(1u << lane);
    return touching;
}

} // namespace abut
