#pragma once
// Sums of local terms as one gradient and one block-sparse Hessian. Every entry adds its terms in the order of the
// stencils, so the result has the same bits for any number of threads.

#include "abut/linear/block_matrix.hpp"

namespace abut {

/// gradient[v] += the local gradients of the terms that v belongs to. `local` holds dim numbers for each entry of the
/// stencils. Throws InvalidInput where sizes, vertices and dim (2 or 3) do not fit each other, as all here do.
void add_local_gradients(
    const Stencils& stencils, int dim, std::span<const double> local, Eigen::Ref<Eigen::VectorXd> gradient);

/// Where the blocks of each local Hessian go. Made once for a set of stencils, used for every evaluation of its terms.
class HessianAssembly {
public:
    /// With the pattern of the stencils themselves.
    HessianAssembly(int num_vertices, int dim, const Stencils& stencils);

    /// Into a wider pattern, for instance that of all candidates: it stays while the active terms change, and with it a
    /// factorisation's symbolic part. Throws InvalidInput where it lacks a block.
    HessianAssembly(std::shared_ptr<const BlockPattern> pattern, const Stencils& stencils);

    [[nodiscard]] const std::shared_ptr<const BlockPattern>& pattern() const { return pattern_; }

    /// Blocks that the terms bring; `local` of assemble() has dim² numbers for each.
    [[nodiscard]] std::int64_t num_local_blocks() const { return num_local_blocks_; }

    /// matrix = the sum of the local Hessians, given by their blocks in the order of Stencils::block_offset; each block
    /// column by column, as Eigen stores small matrices.
    void assemble(std::span<const double> local, SymmetricBlockMatrix& matrix) const;

private:
    std::shared_ptr<const BlockPattern> pattern_;
    std::int64_t num_local_blocks_ = 0;
    // Contributions in the order of the pattern's slots, each slot's in the order of the terms. A contribution is the
    // number of its local block, times two, plus one if the block has to be transposed.
    std::vector<std::int64_t> slot_starts_;
    std::unique_ptr<std::uint32_t[]> contributions_;
};

} // namespace abut
