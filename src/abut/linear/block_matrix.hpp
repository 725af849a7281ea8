#pragma once
// Symmetric matrices made of small blocks, one row and column of blocks per block of unknowns: as a rule a vertex, with
// blocks of dim x dim. The blocks on and above the diagonal are stored, row by row with rising columns. A pattern is
// shared by the matrices that use it and never changes.

#include "abut/base/buffer.hpp"
#include "abut/linear/block_layout.hpp"
#include "abut/linear/stencils.hpp"
#include "abut/math/types.hpp"

#include <Eigen/SparseCore>

#include <memory>

namespace abut {

/// Where the blocks of a symmetric matrix are.
class BlockPattern {
public:
    /// The blocks that the terms of the stencils touch. Throws LimitReached where a scalar matrix of this pattern would
    /// need more than 2^31 - 1 entries, the most that Eigen and scipy index with int.
    BlockPattern(const BlockLayout& layout, const Stencils& stencils);
    BlockPattern(int num_vertices, int dim, const Stencils& stencils)
        : BlockPattern(BlockLayout(num_vertices, dim), stencils)
    {}

    /// `row_starts` of size num_blocks + 1, `columns` rising in each row, none below the diagonal. Throws InvalidInput
    /// where they are not.
    BlockPattern(const BlockLayout& layout, std::vector<std::int64_t> row_starts, std::vector<int> columns);

    [[nodiscard]] const BlockLayout& layout() const { return layout_; }
    [[nodiscard]] int num_rows() const { return static_cast<int>(row_starts_.size()) - 1; }
    /// The size of all blocks, or 0 where they differ.
    [[nodiscard]] int uniform_size() const { return layout_.uniform_size(); }
    [[nodiscard]] std::int64_t num_blocks() const { return static_cast<std::int64_t>(columns_.size()); }
    [[nodiscard]] std::int64_t row_start(int row) const { return row_starts_[row]; }
    [[nodiscard]] std::span<const int> columns(int row) const
    {
        ABUT_ASSERT(row >= 0 && row < num_rows());
        return {columns_.data() + row_starts_[row], columns_.data() + row_starts_[row + 1]};
    }

    /// Blocks below the diagonal of a row, by rising column: each is a stored block of another row, transposed.
    struct Mirrored {
        int column;
        std::int64_t slot; ///< of the stored block (column, row)
    };
    [[nodiscard]] std::span<const Mirrored> mirrored(int row) const
    {
        ABUT_ASSERT(row >= 0 && row < num_rows());
        return {mirrored_.data() + mirrored_starts_[row], mirrored_.data() + mirrored_starts_[row + 1]};
    }

    /// Where the numbers of a stored block begin, among those of all.
    [[nodiscard]] std::int64_t value_start(std::int64_t slot) const
    {
        ABUT_ASSERT(slot >= 0 && slot <= num_blocks());
        return value_starts_.empty() ? slot * numbers_per_block_ : value_starts_[slot];
    }
    /// Numbers of all stored blocks.
    [[nodiscard]] std::int64_t num_values() const { return value_start(num_blocks()); }
    /// Entries of the scalar matrix, both triangles.
    [[nodiscard]] std::int64_t num_scalars() const { return num_scalars_; }

private:
    void link_mirrored();
    void count_values();

    BlockLayout layout_;
    std::vector<std::int64_t> row_starts_, mirrored_starts_;
    std::vector<std::int64_t> value_starts_; // empty where all blocks have one size
    std::int64_t numbers_per_block_ = 0;     // 0 where they differ
    std::int64_t num_scalars_ = 0;
    std::vector<int> columns_;
    std::vector<Mirrored> mirrored_;
};

class SymmetricBlockMatrix {
public:
    /// Without a pattern: all that can be done with it is to assign another. Products and conversions throw
    /// InvalidInput.
    SymmetricBlockMatrix() = default;
    /// Its values are not defined before they are set.
    explicit SymmetricBlockMatrix(std::shared_ptr<const BlockPattern> pattern);

    [[nodiscard]] const std::shared_ptr<const BlockPattern>& pattern() const { return pattern_; }
    [[nodiscard]] std::int64_t num_unknowns() const { return pattern_ ? pattern_->layout().num_unknowns() : 0; }

    /// The entries of a stored block, column by column as Eigen has them.
    [[nodiscard]] double* block(std::int64_t slot) { return values_.data() + pattern_->value_start(slot); }
    [[nodiscard]] const double* block(std::int64_t slot) const { return values_.data() + pattern_->value_start(slot); }

    /// Calls visit(entry) for each entry of the scalar diagonal that is stored.
    template <typename Visit>
    void for_each_diagonal(Visit&& visit) const
    {
        for (int row = 0; row < pattern_->num_rows(); ++row) {
            const auto columns = pattern_->columns(row);
            if (columns.empty() || columns.front() != row)
                continue;
            const int size = pattern_->layout().size(row);
            for (int a = 0; a < size; ++a)
                visit(block(pattern_->row_start(row))[a * size + a]);
        }
    }

    /// A x.
    [[nodiscard]] Eigen::VectorXd operator*(const Eigen::VectorXd& x) const;

    /// As a scalar matrix with both triangles. Nothing is sorted: the blocks are in order already.
    [[nodiscard]] Eigen::SparseMatrix<double> to_sparse() const;

    /// The same into a matrix that `to_sparse` made for this pattern: its indices are kept, its values replaced.
    void to_sparse(Eigen::SparseMatrix<double>& matrix) const;

private:
    [[nodiscard]] const BlockPattern& existing_pattern() const;

    std::shared_ptr<const BlockPattern> pattern_;
    Buffer<double> values_;
};

} // namespace abut
