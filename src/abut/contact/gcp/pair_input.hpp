#pragma once
// A pair as its energy sees it.

#include "abut/contact/gcp/direction_test.hpp"
#include "abut/detect/pair_kinds.hpp"
#include "abut/mesh/plane.hpp"

#include <span>

namespace abut::gcp {

/// Where an element of a pair is in its stencil, whose order is that of NormalCollisions: vertex, then edge or face.
struct SideOfPair {
    int first, count; ///< numbers of its vertices
    double away;      ///< 1 if r, from the second closest point in this order to the first, leads away from it; else -1

    [[nodiscard]] bool has(int number) const { return number >= first && number < first + count; }
    /// What its vectors start from.
    [[nodiscard]] Origin origin() const { return {first, count == 2 ? first + 1 : -1}; }
};

/// The sides by the order of the kind's name.
inline const SideOfPair& side_of(PairKind kind, int side)
{
    static constexpr SideOfPair sides[][2] = {
        {{0, 1, -1}, {1, 1, 1}}, // none
        {{0, 1, -1}, {1, 1, 1}}, // vertex-vertex
        {{1, 2, 1}, {0, 1, -1}}, // edge-vertex
        {{0, 2, -1}, {2, 2, 1}}, // edge-edge
        {{1, 3, 1}, {0, 1, -1}}, // face-vertex
        {{0, 0, 1}, {0, 1, -1}}, // plane-vertex
    };
    return sides[static_cast<int>(kind)][side];
}

/// How many vertices the element has that r leads to.
inline int num_first(PairKind kind) { return kind == PairKind::edge_edge ? 2 : 1; }

/// What the factors of a pair are computed with.
struct PairInput {
    PairKind kind;
    double dhat, scale;                 ///< extent; stiffness times weight
    const Plane* plane;                 ///< of a plane-vertex pair
    std::span<const Test> tests;        ///< by side
    std::span<const int> rings[2] = {}; ///< toolkit: the neighbours of a vertex on each side, by numbers in the stencil
};

} // namespace abut::gcp
