#pragma once
// In which order free blocks become rows: aggregates of neighbours, one behind the other, and aggregates that are near
// each other in the mesh near each other in the order. Found by bisecting the graph of what lasts, again and again.

#include "abut/linear/block_matrix.hpp"

namespace abut {

struct RowOrder {
    std::vector<int> blocks;              ///< the free ones, in the order of their rows
    std::vector<int> aggregate_starts;    ///< rows at which aggregates begin, and the number of rows
    std::vector<std::uint8_t> in_contact; ///< one flag per row: does it have a block that the lasting graph has not?
};

/// At most this many rows are in an aggregate.
inline constexpr int largest_aggregate = 16;

enum class Bisection : std::uint8_t {
    metis,  ///< where Abut is built with it, else greedy
    greedy, ///< aggregates grow along the graph, row by row
};

/// Blocks and aggregates by the graph of this pattern, whose fixed blocks are left out; nothing is in contact.
[[nodiscard]] RowOrder
order_rows(const BlockPattern& lasting, const std::vector<std::uint8_t>& is_fixed, Bisection method = Bisection::metis);

/// Aggregates of at most `most` nodes of a graph, greedily: each grows from the first free node along its neighbours.
/// Returns the aggregate of each node; they are numbered from 0 on.
[[nodiscard]] std::vector<int>
greedy_aggregates(std::span<const std::int64_t> starts, std::span<const int> columns, int most);

} // namespace abut
