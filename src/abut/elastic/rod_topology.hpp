#pragma once
// Which edges of a mesh follow each other as rods: open chains, closed loops, and parts that branch.

#include "abut/math/types.hpp"

#include <array>
#include <vector>

namespace abut {

/// Edges in the order in which a rod runs through them.
struct RodChain {
    std::vector<int> edges;
    bool is_closed = false; ///< does the last edge lead to the first?
};

/// Two edges that meet: from vertices[0] by vertices[1] to vertices[2].
struct RodJoint {
    std::array<int, 2> edges;
    std::array<int, 3> vertices;
};

struct RodTopology {
    /// Each edge in the direction of its rod: that of the lowest edge of its chain. In parts that branch as they were.
    Edges directed;
    std::vector<RodChain> chains;   ///< of parts that do not branch, by their lowest edges
    std::vector<RodJoint> joints;   ///< of these, chain by chain; that which closes a loop is its last
    std::vector<bool> is_branched;  ///< of edges: is there a vertex of three edges or more in their part?
    std::vector<RodJoint> corners;  ///< of parts that branch: every two edges that meet, by vertices
    std::vector<int> branch_points; ///< vertices of three edges or more
};

/// Rejects edges out of range, from a vertex to itself, and given twice.
[[nodiscard]] RodTopology rod_topology(const Edges& edges, int num_vertices);

} // namespace abut
