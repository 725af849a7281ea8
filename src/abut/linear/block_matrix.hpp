#pragma once
// Symmetric matrices made of dim x dim blocks, one row of blocks a vertex. The blocks on and above the diagonal are
// stored, row by row with rising columns. A pattern is shared by the matrices that use it and never changes.

#include "abut/base/buffer.hpp"
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
    BlockPattern(int num_rows, int dim, const Stencils& stencils);

    /// `row_starts` of size num_rows + 1, `columns` rising in each row, none below the diagonal; `dim` 2 or 3. Throws
    /// InvalidInput where they are not.
    BlockPattern(int dim, std::vector<std::int64_t> row_starts, std::vector<int> columns);

    [[nodiscard]] int num_rows() const { return static_cast<int>(row_starts_.size()) - 1; }
    [[nodiscard]] int dim() const { return dim_; }
    [[nodiscard]] std::int64_t num_blocks() const { return static_cast<std::int64_t>(columns_.size()); }
    [[nodiscard]] std::int64_t row_start(int row) const { return row_starts_[row]; }
    [[nodiscard]] std::span<const int> columns(int row) const
    {
        return {columns_.data() + row_starts_[row], columns_.data() + row_starts_[row + 1]};
    }

    /// Blocks below the diagonal of a row, by rising column: each is a stored block of another row, transposed.
    struct Mirrored {
        int column;
        std::int64_t slot; ///< of the stored block (column, row)
    };
    [[nodiscard]] std::span<const Mirrored> mirrored(int row) const
    {
        return {mirrored_.data() + mirrored_starts_[row], mirrored_.data() + mirrored_starts_[row + 1]};
    }

    /// Entries of the scalar matrix, both triangles.
    [[nodiscard]] std::int64_t num_scalars() const
    {
        return (num_blocks() + static_cast<std::int64_t>(mirrored_.size())) * dim_ * dim_;
    }

private:
    void link_mirrored();

    int dim_;
    std::vector<std::int64_t> row_starts_, mirrored_starts_;
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
    [[nodiscard]] int num_dof() const { return pattern_ ? pattern_->num_rows() * pattern_->dim() : 0; }

    /// The dim x dim entries of a stored block, column by column as Eigen has them.
    [[nodiscard]] double* block(std::int64_t slot) { return values_.data() + slot * block_size(); }
    [[nodiscard]] const double* block(std::int64_t slot) const { return values_.data() + slot * block_size(); }

    /// A x.
    [[nodiscard]] Eigen::VectorXd operator*(const Eigen::VectorXd& x) const;

    /// As a scalar matrix with both triangles. Nothing is sorted: the blocks are in order already.
    [[nodiscard]] Eigen::SparseMatrix<double> to_sparse() const;

    /// The same into a matrix that `to_sparse` made for this pattern: its indices are kept, its values replaced.
    void to_sparse(Eigen::SparseMatrix<double>& matrix) const;

private:
    [[nodiscard]] const BlockPattern& existing_pattern() const;
    [[nodiscard]] std::int64_t block_size() const { return std::int64_t(pattern_->dim()) * pattern_->dim(); }

    std::shared_ptr<const BlockPattern> pattern_;
    Buffer<double> values_;
};

} // namespace abut
