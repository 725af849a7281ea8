#pragma once
// The matrix that iterative methods see: the free blocks of a LinearSystem, both triangles, row by row, in an order of
// their own. Blocks of one or two numbers are padded to three, with zeros beside the diagonal: the added unknowns stay
// 0, and every loop is compiled for 3 x 3 blocks alone, whatever the layout.

#include "abut/base/buffer.hpp"
#include "abut/linear/linear_solver.hpp"

namespace abut {

/// A square matrix of 3 x 3 blocks, each stored column by column. Symmetric in all that is made here.
struct BlockRows {
    std::vector<std::int64_t> starts{0}; ///< of the rows' blocks, one more than rows
    std::vector<int> columns;            ///< rising in each row
    std::vector<std::int64_t> diagonal;  ///< the slot of each row's diagonal block
    Buffer<double> values;               ///< nine per block, and a few behind the last, for loads of four

    [[nodiscard]] int size() const { return static_cast<int>(starts.size()) - 1; }
    [[nodiscard]] std::int64_t num_blocks() const { return starts.back(); }
    [[nodiscard]] const double* block(std::int64_t slot) const { return values.data() + 9 * slot; }
    [[nodiscard]] double* block(std::int64_t slot) { return values.data() + 9 * slot; }
    void resize_values() { values.resize(static_cast<std::size_t>(9 * num_blocks() + 3)); }
};

/// Vectors of a padded system: three numbers per row, and one behind the last, so that four can be loaded and stored.
[[nodiscard]] inline std::size_t padded_size(int rows) { return 3 * static_cast<std::size_t>(rows) + 1; }

/// Rows per task in loops over a matrix; also the length of the pieces whose sums are added in order.
inline constexpr std::size_t rows_per_piece = 512;

/// The sum in order of numbers that pieces of rows have.
[[nodiscard]] double sum_of_pieces(const std::vector<double>& pieces);
[[nodiscard]] inline std::size_t num_pieces(int rows) { return (rows + rows_per_piece - 1) / rows_per_piece; }

/// xᵀ y, in a fixed order.
[[nodiscard]] double dot(const double* x, const double* y, int rows, std::vector<double>& pieces);

/// Of numbers [begin, end) of two vectors, four side by side.
[[nodiscard]] double dot_of_range(const double* x, const double* y, std::size_t begin, std::size_t end);

/// The free blocks of systems as BlockRows.
class FreeBlocks {
public:
    /// `order`: the free blocks, each once, in the order of the rows. Where pattern, fixed blocks and order are those
    /// of the last call, only values are written.
    void assign(const LinearSystem& system, const std::vector<int>& order);

    [[nodiscard]] const BlockRows& matrix() const { return matrix_; }
    /// The row of each block, −1 if fixed.
    [[nodiscard]] const std::vector<int>& row_of_block() const { return row_of_block_; }
    /// The block of each row.
    [[nodiscard]] const std::vector<int>& blocks() const { return order_; }
    /// Grows with every change of the rows' structure.
    [[nodiscard]] int revision() const { return revision_; }
    /// Where rows are, three numbers each; empty where nobody knows.
    [[nodiscard]] const std::vector<double>& positions() const { return positions_; }
    /// Is the row a place, or an angle?
    [[nodiscard]] bool is_place(int row) const { return order_[row] < pattern_->layout().num_vertices(); }

    void gather(const Eigen::VectorXd& of_all, double* of_rows) const;
    void scatter(const double* of_rows, Eigen::VectorXd& of_all) const;
    /// Sets the added unknowns to 0, which a preconditioner that mixes the numbers of rows need not leave so.
    void clear_padding(double* of_rows) const;

private:
    void link();

    BlockRows matrix_;
    std::shared_ptr<const BlockPattern> pattern_;
    std::vector<int> order_, row_of_block_;
    std::vector<std::int64_t> sources_; // of each block: twice the slot in the pattern, and one where it is transposed
    std::vector<std::int64_t> padding_; // places of added unknowns
    std::vector<double> positions_;
    int revision_ = 0;
};

} // namespace abut
