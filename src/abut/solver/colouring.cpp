#include "abut/solver/colouring.hpp"

#include <algorithm>

namespace abut {

namespace {

template <typename Visit>
void for_each_neighbour(const BlockPattern& pattern, int block, Visit&& visit)
{
    for (const BlockPattern::Mirrored& mirrored : pattern.mirrored(block))
        visit(mirrored.column);
    for (const int column : pattern.columns(block))
        if (column != block)
            visit(column);
}

} // namespace

std::vector<int> colour_blocks(const BlockPattern& pattern)
{
    const int n = pattern.num_rows();
    std::vector<int> colours(n, -1), taken_by; // the latter: of each colour, the last block that may not have it
    std::vector<int> sizes;
    const auto mark = [&](int block) {
        for_each_neighbour(pattern, block, [&](int other) {
            if (colours[other] >= 0)
                taken_by[colours[other]] = block;
        });
    };
    for (int block = 0; block < n; ++block) {
        mark(block);
        const auto free = std::find_if(taken_by.begin(), taken_by.end(), [&](int last) { return last != block; });
        colours[block] = static_cast<int>(free - taken_by.begin());
        if (free == taken_by.end()) {
            taken_by.push_back(-1);
            sizes.push_back(0);
        }
        ++sizes[colours[block]];
    }
    std::fill(taken_by.begin(), taken_by.end(), -1);
    for (int block = 0; block < n; ++block) {
        mark(block);
        int best = colours[block];
        for (std::size_t c = 0; c < sizes.size(); ++c)
            if (taken_by[c] != block && sizes[c] + 1 < sizes[best])
                best = static_cast<int>(c);
        --sizes[colours[block]];
        ++sizes[best];
        colours[block] = best;
    }
    return colours;
}

} // namespace abut
