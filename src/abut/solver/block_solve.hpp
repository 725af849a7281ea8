#pragma once
// The steps of a group of blocks from their sums: d = -H⁻¹ g.

#include "abut/linear/block_layout.hpp"
#include "abut/solver/block_terms.hpp"

namespace abut {

/// `sums` are those of one group, `blocks` its four blocks, negative where there is none. Where H is not positive
/// definite, directions along which it bends down or not at all are left out, or taken with the size of their bend.
void solve_blocks(const int* blocks, const BlockLayout& layout, double* sums, double (&step)[3][BlockGroups::width]);

} // namespace abut
