#pragma once
// Colours of blocks: two that share a stored block of a pattern have different ones.

#include "abut/linear/block_matrix.hpp"

namespace abut {

/// The colour of each block, from 0 on. As many colours as greedy choice in index order needs, then evened out: each
/// block goes to the colour that has the fewest of those that its neighbours leave. Depends on the pattern alone.
[[nodiscard]] std::vector<int> colour_blocks(const BlockPattern& pattern);

} // namespace abut
