#pragma once
// Terms as a solver sees them that moves one block of unknowns at a time: of each block the gradient of all its terms,
// and their Hessian by this block alone.
//
// Blocks of one colour share no lasting term and move together. They come in groups of four, one per lane, so that
// kernels treat four blocks at once; a chunk of groups is one call.

#include <cstddef>
#include <vector>

namespace abut {

/// The blocks that move, by colour, in groups.
struct BlockGroups {
    static constexpr int width = 4;

    std::vector<int> blocks{};                 ///< group after group; -1 in idle lanes
    std::vector<std::size_t> colour_starts{0}; ///< first group of each colour, and their number at the end

    [[nodiscard]] std::size_t num_groups() const { return blocks.size() / width; }
    [[nodiscard]] std::size_t num_colours() const { return colour_starts.size() - 1; }

    /// Of each block of the layout, its place in `blocks`; -1 where it does not move.
    [[nodiscard]] std::vector<int> places(int num_blocks) const
    {
        std::vector<int> place(num_blocks, -1);
        for (std::size_t k = 0; k < blocks.size(); ++k)
            if (blocks[k] >= 0)
                place[blocks[k]] = static_cast<int>(k);
        return place;
    }
    /// Of each place, its colour.
    [[nodiscard]] std::vector<int> colours() const
    {
        std::vector<int> colour(blocks.size());
        for (std::size_t c = 0; c < num_colours(); ++c)
            for (std::size_t k = colour_starts[c] * width; k < colour_starts[c + 1] * width; ++k)
                colour[k] = static_cast<int>(c);
        return colour;
    }
};

/// What is summed of a group: g_x, g_y, g_z, H_xx, H_xy, H_xz, H_yy, H_yz, H_zz, each as `width` numbers side by side.
inline constexpr int num_block_sums = 9;

class BlockTerms {
public:
    virtual ~BlockTerms() = default;

    /// Adds to the sums of the groups [first, last), which begin at `sums`. `points` has four numbers per vertex: its
    /// position, and how far it is from where it was when these terms were made. Hessians are positive semidefinite.
    /// Calls of other groups may run in parallel.
    virtual void add(const double* points, std::size_t first, std::size_t last, double* sums) const = 0;
};

} // namespace abut
