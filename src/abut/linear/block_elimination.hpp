#pragma once
// What a factorisation of blocks in a given order does to their graph, found without doing it: who depends on whom, how
// many blocks the factor has, and how much work it is. And orders that are mended instead of found anew.

#include "abut/linear/block_matrix.hpp"

namespace abut {

/// Which free blocks have a block together, numbered from 0 by rising number: neighbours of each, without itself.
struct BlockGraph {
    std::vector<std::int64_t> starts{0};
    std::vector<int> neighbours;
    [[nodiscard]] int size() const { return static_cast<int>(starts.size()) - 1; }
    [[nodiscard]] std::span<const int> of(int node) const
    {
        return {neighbours.data() + starts[node], neighbours.data() + starts[node + 1]};
    }
};

[[nodiscard]] BlockGraph graph_of_free_blocks(const BlockPattern& pattern, const std::vector<std::uint8_t>& is_fixed);

/// The tree of elimination (Liu 1990): for each place in the order, the first later place that its column of the factor
/// reaches, −1 where there is none.
[[nodiscard]] std::vector<int> elimination_tree(const BlockGraph& graph, std::span<const int> order);

struct FactorCounts {
    double entries = 0;         ///< blocks of the factor, the diagonal included
    double multiplications = 0; ///< of blocks
};
[[nodiscard]] FactorCounts count_factor(const BlockGraph& graph, std::span<const int> order);

/// An order for `graph`, which has edges beyond those that `order`, with its tree, was found for. In a good order,
/// neighbours are each other's ancestors in the tree. Where a new edge breaks that, the end with fewer such edges stays
/// and the other moves up to where both branches meet; all others keep their places. `order` itself, where that fills
/// in less.
struct MendedOrder {
    std::vector<int> order;
    FactorCounts counts;
};
[[nodiscard]] MendedOrder mended_order(const BlockGraph& graph, std::span<const int> order, std::span<const int> tree);

} // namespace abut
