#pragma once
// The corners of terms that the blocks of a group have, in rounds: in each round every lane has one corner of one term.

#include "abut/linear/stencils.hpp"
#include "abut/solver/block_terms.hpp"

#include <algorithm>

namespace abut {

struct BlockRounds {
    struct Corner {
        int term = -1;  ///< -1 in idle lanes
        int corner = 0; ///< of its stencil, the block itself
    };
    std::vector<std::size_t> starts; ///< first round of each group, and their number at the end
    std::vector<Corner> corners;     ///< round after round, BlockGroups::width of them each

    BlockRounds(const Stencils& stencils, const BlockGroups& groups)
    {
        constexpr int width = BlockGroups::width;
        int num_blocks = static_cast<int>(stencils.vertex_bound());
        for (const int block : groups.blocks)
            num_blocks = std::max(num_blocks, block + 1);
        const std::vector<int> place_of = groups.places(num_blocks);
        std::vector<int> counts(groups.blocks.size(), 0);
        for (std::size_t term = 0; term < stencils.size(); ++term)
            for (const int block : stencils[term])
                if (place_of[block] >= 0)
                    ++counts[place_of[block]];
        starts.assign(groups.num_groups() + 1, 0);
        for (std::size_t group = 0; group < groups.num_groups(); ++group) {
            const int* own = counts.data() + group * width;
            starts[group + 1] = starts[group] + *std::max_element(own, own + width);
        }
        corners.resize(starts.back() * width);
        std::fill(counts.begin(), counts.end(), 0);
        for (std::size_t term = 0; term < stencils.size(); ++term) {
            const std::span<const int> stencil = stencils[term];
            for (std::size_t i = 0; i < stencil.size(); ++i)
                if (const int place = place_of[stencil[i]]; place >= 0) {
                    const std::size_t round = starts[place / width] + counts[place]++;
                    corners[round * width + place % width] = {static_cast<int>(term), static_cast<int>(i)};
                }
        }
    }

    [[nodiscard]] std::size_t num_rounds() const { return starts.back(); }

    /// The corner that a lane of a round works on: its own, or in idle lanes that of another, to be taken 0 times.
    [[nodiscard]] Corner at(std::size_t round, int lane) const
    {
        const Corner* own = corners.data() + round * BlockGroups::width;
        if (own[lane].term >= 0)
            return own[lane];
        return *std::find_if(own, own + BlockGroups::width, [](const Corner& corner) { return corner.term >= 0; });
    }
    [[nodiscard]] bool is_idle(std::size_t round, int lane) const
    {
        return corners[round * BlockGroups::width + lane].term < 0;
    }
};

/// The corners of terms that blocks have, one behind the other, by group and in it by term: for terms of which some
/// blocks have many and most have none.
struct BlockCorners {
    struct Corner {
        int term, corner; ///< of its stencil, the block itself
        int place;        ///< of the block, among all
        int count;        ///< blocks of the term that have the same colour
    };
    std::vector<std::size_t> starts; ///< first corner of each group, and their number at the end
    std::vector<Corner> corners;

    BlockCorners(const Stencils& stencils, const BlockGroups& groups)
    {
        int num_blocks = static_cast<int>(stencils.vertex_bound());
        for (const int block : groups.blocks)
            num_blocks = std::max(num_blocks, block + 1);
        const std::vector<int> place_of = groups.places(num_blocks), colour_of = groups.colours();
        starts.assign(groups.num_groups() + 1, 0);
        for (std::size_t term = 0; term < stencils.size(); ++term)
            for (const int block : stencils[term])
                if (place_of[block] >= 0)
                    ++starts[place_of[block] / BlockGroups::width + 1];
        for (std::size_t group = 0; group < groups.num_groups(); ++group)
            starts[group + 1] += starts[group];
        corners.resize(starts.back());
        std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
        for (std::size_t term = 0; term < stencils.size(); ++term) {
            const std::span<const int> stencil = stencils[term];
            for (std::size_t i = 0; i < stencil.size(); ++i) {
                const int place = place_of[stencil[i]];
                if (place < 0)
                    continue;
                const auto shares_colour = [&](int other) {
                    return place_of[other] >= 0 && colour_of[place_of[other]] == colour_of[place];
                };
                corners[next[place / BlockGroups::width]++] = {
                    static_cast<int>(term), static_cast<int>(i), place,
                    static_cast<int>(std::count_if(stencil.begin(), stencil.end(), shares_colour))};
            }
        }
    }
};

} // namespace abut
