#pragma once
// How the unknowns of a problem are cut into blocks of one to three numbers. Positions of vertices come first, one
// block per vertex; behind them come blocks that are no vertices, for instance the twist of a rod's edge as a block of
// one. Stencils, patterns and matrices count in blocks, vectors hold their numbers one behind the other.

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"

#include <cstdint>
#include <vector>

namespace abut {

class BlockLayout {
public:
    BlockLayout() : BlockLayout(0, 3) {}

    /// Vertices in `dim` dimensions, 1 to 3.
    BlockLayout(int num_vertices, int dim)
    {
        if (num_vertices < 0)
            reject("num_vertices: {} is negative", num_vertices);
        if (dim < 1 || dim > 3)
            reject("dim: {} is not 1, 2 or 3", dim);
        add_run(num_vertices, dim);
    }

    /// `count` more blocks of `size` numbers, 1 to 3. Returns the first of them.
    int append(int count, int size)
    {
        if (count < 0)
            reject("count: {} is negative", count);
        if (size < 1 || size > 3)
            reject("size: {} is not 1, 2 or 3", size);
        const int first = num_blocks_;
        if (count > 0)
            add_run(count, size);
        return first;
    }

    [[nodiscard]] int num_vertices() const { return runs_.size() > 1 ? runs_[1].first_block : num_blocks_; }
    [[nodiscard]] int dim() const { return runs_.front().size; }
    [[nodiscard]] int num_blocks() const { return num_blocks_; }
    [[nodiscard]] std::int64_t num_unknowns() const { return num_unknowns_; }

    /// The size of all blocks, or 0 where they differ. Loops over blocks of one size are compiled for it.
    [[nodiscard]] int uniform_size() const { return is_uniform_ ? dim() : 0; }

    /// Numbers of a block.
    [[nodiscard]] int size(int block) const { return run_of(block).size; }
    /// Where a block's numbers begin.
    [[nodiscard]] std::int64_t offset(int block) const
    {
        const Run& run = run_of(block);
        return run.first_unknown + std::int64_t(block - run.first_block) * run.size;
    }

    bool operator==(const BlockLayout&) const = default;

private:
    /// Blocks of one size, up to the next run.
    struct Run {
        int first_block, size;
        std::int64_t first_unknown;
        bool operator==(const Run&) const = default;
    };

    void add_run(int count, int size)
    {
        runs_.push_back({num_blocks_, size, num_unknowns_});
        is_uniform_ = is_uniform_ && size == dim();
        num_blocks_ += count;
        num_unknowns_ += std::int64_t(count) * size;
    }

    [[nodiscard]] const Run& run_of(int block) const
    {
        ABUT_ASSERT(block >= 0 && block < num_blocks_);
        std::size_t k = runs_.size() - 1; // there are one or two, seldom more
        while (runs_[k].first_block > block)
            --k;
        return runs_[k];
    }

    std::vector<Run> runs_;
    int num_blocks_ = 0;
    std::int64_t num_unknowns_ = 0;
    bool is_uniform_ = true;
};

} // namespace abut
