#pragma once
// Sums of local terms as one gradient and one block-sparse Hessian. Every entry adds its terms in the order of the
// stencils, so the result has the same bits for any number of threads.

#include "abut/linear/block_matrix.hpp"

namespace abut {

/// How many numbers the terms' gradients have together: for each entry of the stencils those of its block.
[[nodiscard]] std::int64_t num_gradient_numbers(const Stencils& stencils, const BlockLayout& layout);
/// How many numbers the terms' Hessians have together: a term's block (i, j) has size(i) x size(j).
[[nodiscard]] std::int64_t num_hessian_numbers(const Stencils& stencils, const BlockLayout& layout);

/// gradient += the local gradients of the terms, each at its blocks. `local` holds them one behind the other. Throws
/// InvalidInput where sizes and blocks do not fit each other, as all here do.
void add_local_gradients(
    const Stencils& stencils, const BlockLayout& layout, std::span<const double> local,
    Eigen::Ref<Eigen::VectorXd> gradient);

/// The same where all blocks are vertices, with dim numbers each.
void add_local_gradients(
    const Stencils& stencils, int dim, std::span<const double> local, Eigen::Ref<Eigen::VectorXd> gradient);

/// Where the blocks of each local Hessian go. Made once for a set of stencils, used for every evaluation of its terms.
class HessianAssembly {
public:
    /// With the pattern of the stencils themselves.
    HessianAssembly(const BlockLayout& layout, const Stencils& stencils);
    HessianAssembly(int num_vertices, int dim, const Stencils& stencils)
        : HessianAssembly(BlockLayout(num_vertices, dim), stencils)
    {}

    /// Into a wider pattern, for instance that of all candidates: it stays while the active terms change, and with it a
    /// factorisation's symbolic part. Throws InvalidInput where it lacks a block.
    HessianAssembly(std::shared_ptr<const BlockPattern> pattern, const Stencils& stencils);

    [[nodiscard]] const std::shared_ptr<const BlockPattern>& pattern() const { return pattern_; }

    /// Numbers that the terms bring, in `local` of assemble().
    [[nodiscard]] std::int64_t num_local_numbers() const { return num_local_numbers_; }

    /// matrix = the sum of the local Hessians, given by their blocks in the order of Stencils::block_offset; each block
    /// column by column, as Eigen stores small matrices.
    void assemble(std::span<const double> local, SymmetricBlockMatrix& matrix) const;

private:
    void sum_mixed(const double* local, std::int64_t slot, int height, int width, double* block) const;

    std::shared_ptr<const BlockPattern> pattern_;
    std::int64_t num_local_blocks_ = 0, num_local_numbers_ = 0;
    std::vector<std::int64_t> local_starts_; // of each local block; empty where all blocks have one size
    // Contributions in the order of the pattern's slots, each slot's in the order of the terms. A contribution is the
    // number of its local block, times two, plus one if the block has to be transposed.
    std::vector<std::int64_t> slot_starts_;
    std::unique_ptr<std::uint32_t[]> contributions_;
};

} // namespace abut
