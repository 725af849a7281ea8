#include "abut/linear/block_matrix.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/linear/assembly.hpp"

#include <limits>

namespace abut {

BlockPattern::BlockPattern(const BlockLayout& layout, const Stencils& stencils)
    : BlockPattern(*HessianAssembly(layout, stencils).pattern())
{}

BlockPattern::BlockPattern(const BlockLayout& layout, std::vector<std::int64_t> row_starts, std::vector<int> columns)
    : layout_(layout), row_starts_(std::move(row_starts)), columns_(std::move(columns))
{
    if (static_cast<std::int64_t>(row_starts_.size()) != std::int64_t(layout.num_blocks()) + 1)
        reject("row_starts: {} numbers for {} rows; there must be one more", row_starts_.size(), layout.num_blocks());
    if (row_starts_.empty() || row_starts_.front() != 0 || row_starts_.back() != num_blocks())
        reject("row_starts: they must begin at 0 and end at the number of columns, {}", num_blocks());
    for (int row = 0; row < num_rows(); ++row)
        if (row_starts_[row] > row_starts_[row + 1])
            reject(
                "row_starts: row {} begins at {}, behind the next at {}", row, row_starts_[row], row_starts_[row + 1]);
    link_mirrored();
    count_values();
    if (num_scalars() > std::numeric_limits<int>::max())
        throw LimitReached(fmt::format(
            "pattern: {} entries, more than the {} a sparse matrix can index; use a smaller dhat or fewer vertices",
            num_scalars(), std::numeric_limits<int>::max()));
}

void BlockPattern::link_mirrored()
{
    mirrored_starts_.assign(num_rows() + 1, 0);
    for (int row = 0; row < num_rows(); ++row) {
        int least = row;
        for (const int column : columns(row)) {
            if (column < least || column >= num_rows())
                reject(
                    "columns: row {} has column {}; they must rise from the diagonal to {}", row, column,
                    num_rows() - 1);
            least = column + 1;
            if (column != row)
                ++mirrored_starts_[column + 1];
        }
    }
    for (int row = 0; row < num_rows(); ++row)
        mirrored_starts_[row + 1] += mirrored_starts_[row];
    mirrored_.resize(mirrored_starts_.back());
    std::vector<std::int64_t> next(mirrored_starts_.begin(), mirrored_starts_.end() - 1);
    // Rows rise, so every list of mirrored blocks does too.
    for (int row = 0; row < num_rows(); ++row)
        for (std::int64_t slot = row_starts_[row]; slot < row_starts_[row + 1]; ++slot)
            if (const int column = columns_[slot]; column != row)
                mirrored_[next[column]++] = {row, slot};
}

void BlockPattern::count_values()
{
    if (const std::int64_t size = uniform_size(); size > 0) {
        numbers_per_block_ = size * size;
        num_scalars_ = (num_blocks() + static_cast<std::int64_t>(mirrored_.size())) * numbers_per_block_;
        return;
    }
    value_starts_.assign(num_blocks() + 1, 0);
    for (int row = 0; row < num_rows(); ++row)
        for (std::int64_t slot = row_starts_[row]; slot < row_starts_[row + 1]; ++slot) {
            const std::int64_t numbers = std::int64_t(layout_.size(row)) * layout_.size(columns_[slot]);
            value_starts_[slot + 1] = value_starts_[slot] + numbers;
            num_scalars_ += columns_[slot] == row ? numbers : 2 * numbers;
        }
}

SymmetricBlockMatrix::SymmetricBlockMatrix(std::shared_ptr<const BlockPattern> pattern) : pattern_(std::move(pattern))
{
    values_.resize(existing_pattern().num_values());
}

const BlockPattern& SymmetricBlockMatrix::existing_pattern() const
{
    if (!pattern_)
        reject("matrix: it has no pattern; assemble it first");
    return *pattern_;
}

namespace {

constexpr std::size_t rows_per_task = 256;

template <int Dim>
Eigen::VectorXd multiply(const SymmetricBlockMatrix& A, const Eigen::VectorXd& x)
{
    const BlockPattern& pattern = *A.pattern();
    Eigen::VectorXd y(x.size());
    parallel_for(pattern.num_rows(), rows_per_task, [&](std::size_t row_index) {
        const int row = static_cast<int>(row_index);
        Vec<Dim> sum = Vec<Dim>::Zero();
        for (const BlockPattern::Mirrored& below : pattern.mirrored(row))
            sum += Eigen::Map<const Mat<Dim, Dim>>(A.block(below.slot)).transpose() *
                   x.segment<Dim>(Eigen::Index(below.column) * Dim);
        std::int64_t slot = pattern.row_start(row);
        for (const int column : pattern.columns(row))
            sum += Eigen::Map<const Mat<Dim, Dim>>(A.block(slot++)) * x.segment<Dim>(Eigen::Index(column) * Dim);
        y.segment<Dim>(Eigen::Index(row) * Dim) = sum;
    });
    return y;
}

/// The same with blocks of different sizes.
Eigen::VectorXd multiply_mixed(const SymmetricBlockMatrix& A, const Eigen::VectorXd& x)
{
    const BlockPattern& pattern = *A.pattern();
    const BlockLayout& layout = pattern.layout();
    Eigen::VectorXd y(x.size());
    parallel_for(pattern.num_rows(), rows_per_task, [&](std::size_t row_index) {
        const int row = static_cast<int>(row_index), height = layout.size(row);
        auto sum = y.segment(layout.offset(row), height);
        sum.setZero();
        const auto numbers = [&](int column) { return x.segment(layout.offset(column), layout.size(column)); };
        for (const BlockPattern::Mirrored& below : pattern.mirrored(row))
            sum +=
                Eigen::Map<const Eigen::MatrixXd>(A.block(below.slot), layout.size(below.column), height).transpose() *
                numbers(below.column);
        std::int64_t slot = pattern.row_start(row);
        for (const int column : pattern.columns(row))
            sum += Eigen::Map<const Eigen::MatrixXd>(A.block(slot++), height, layout.size(column)) * numbers(column);
    });
    return y;
}

/// Calls one of the functions with the size of all blocks, or the last where they differ.
template <typename Uniform, typename Mixed>
decltype(auto) by_size(const BlockPattern& pattern, Uniform&& uniform, Mixed&& mixed)
{
    switch (pattern.uniform_size()) {
    case 1:
        return uniform.template operator()<1>();
    case 2:
        return uniform.template operator()<2>();
    case 3:
        return uniform.template operator()<3>();
    default:
        return mixed();
    }
}

/// Writes the scalar columns that `starts` delimits; the row indices only where `inner` is given. Blocks are of
/// Size x Size, or of any size where that is 0.
template <int Size>
void fill(const SymmetricBlockMatrix& A, const int* starts, int* inner, double* values)
{
    const BlockPattern& pattern = *A.pattern();
    const BlockLayout& layout = pattern.layout();
    const auto size_of = [&](int block) { return Size > 0 ? Size : layout.size(block); };
    parallel_for(pattern.num_rows(), rows_per_task, [&](std::size_t column_index) {
        const int column = static_cast<int>(column_index), width = size_of(column);
        const std::int64_t first_column = Size > 0 ? std::int64_t(column) * Size : layout.offset(column);
        const std::int64_t first = starts[first_column], height = starts[first_column + 1] - first;
        std::int64_t at = first;
        const auto write = [&](int row, const double* block, int along_row, int along_column) {
            const int rows = size_of(row);
            const auto first_row = static_cast<int>(Size > 0 ? std::int64_t(row) * Size : layout.offset(row));
            for (int b = 0; b < width; ++b)
                for (int a = 0; a < rows; ++a) {
                    values[at + b * height + a] = block[a * along_row + b * along_column];
                    if (inner != nullptr)
                        inner[at + b * height + a] = first_row + a;
                }
            at += rows;
        };
        for (const BlockPattern::Mirrored& above : pattern.mirrored(column))
            write(above.column, A.block(above.slot), 1, size_of(above.column));
        std::int64_t slot = pattern.row_start(column);
        for (const int row : pattern.columns(column)) // stored as (column, row), hence transposed
            write(row, A.block(slot++), width, 1);
    });
}

void fill(const SymmetricBlockMatrix& A, const int* starts, int* inner, double* values)
{
    by_size(
        *A.pattern(), [&]<int Size> { fill<Size>(A, starts, inner, values); },
        [&] { fill<0>(A, starts, inner, values); });
}

} // namespace

Eigen::VectorXd SymmetricBlockMatrix::operator*(const Eigen::VectorXd& x) const
{
    const BlockPattern& pattern = existing_pattern();
    if (x.size() != num_unknowns())
        reject("x: {} numbers, but the matrix has {} columns", x.size(), num_unknowns());
    return by_size(
        pattern, [&]<int Size> { return multiply<Size>(*this, x); }, [&] { return multiply_mixed(*this, x); });
}

Eigen::SparseMatrix<double> SymmetricBlockMatrix::to_sparse() const
{
    const BlockPattern& pattern = existing_pattern();
    const BlockLayout& layout = pattern.layout();
    Eigen::SparseMatrix<double> matrix(num_unknowns(), num_unknowns());
    matrix.resizeNonZeros(pattern.num_scalars());
    int* starts = matrix.outerIndexPtr();
    const int uniform = layout.uniform_size();
    for (int column = 0; column < pattern.num_rows(); ++column) {
        int height = static_cast<int>(uniform * (pattern.mirrored(column).size() + pattern.columns(column).size()));
        if (uniform == 0) {
            for (const BlockPattern::Mirrored& above : pattern.mirrored(column))
                height += layout.size(above.column);
            for (const int row : pattern.columns(column))
                height += layout.size(row);
        }
        for (std::int64_t b = layout.offset(column); b < layout.offset(column) + layout.size(column); ++b)
            starts[b + 1] = starts[b] + height;
    }
    fill(*this, starts, matrix.innerIndexPtr(), matrix.valuePtr());
    return matrix;
}

void SymmetricBlockMatrix::to_sparse(Eigen::SparseMatrix<double>& matrix) const
{
    const BlockPattern& pattern = existing_pattern();
    if (matrix.cols() != num_unknowns() || matrix.nonZeros() != pattern.num_scalars())
        reject("matrix: it was not made for this pattern; make it with to_sparse()");
    fill(*this, matrix.outerIndexPtr(), nullptr, matrix.valuePtr());
}

} // namespace abut
