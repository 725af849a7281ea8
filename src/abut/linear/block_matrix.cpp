#include "abut/linear/block_matrix.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/linear/assembly.hpp"

#include <limits>

namespace abut {

BlockPattern::BlockPattern(int num_rows, int dim, const Stencils& stencils)
    : BlockPattern(*HessianAssembly(num_rows, dim, stencils).pattern())
{}

BlockPattern::BlockPattern(int dim, std::vector<std::int64_t> row_starts, std::vector<int> columns)
    : dim_(dim), row_starts_(std::move(row_starts)), columns_(std::move(columns))
{
    if (dim != 2 && dim != 3)
        reject("dim: {} is neither 2 nor 3", dim);
    if (row_starts_.empty() || row_starts_.front() != 0 || row_starts_.back() != num_blocks())
        reject("row_starts: they must begin at 0 and end at the number of columns, {}", num_blocks());
    for (int row = 0; row < num_rows(); ++row)
        if (row_starts_[row] > row_starts_[row + 1])
            reject(
                "row_starts: row {} begins at {}, behind the next at {}", row, row_starts_[row], row_starts_[row + 1]);
    link_mirrored();
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

SymmetricBlockMatrix::SymmetricBlockMatrix(std::shared_ptr<const BlockPattern> pattern) : pattern_(std::move(pattern))
{
    values_.resize(existing_pattern().num_blocks() * block_size());
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

/// Writes the scalar columns that `starts` delimits; the row indices only where `inner` is given.
template <int Dim>
void fill(const SymmetricBlockMatrix& A, const int* starts, int* inner, double* values)
{
    const BlockPattern& pattern = *A.pattern();
    parallel_for(pattern.num_rows(), rows_per_task, [&](std::size_t column_index) {
        const int column = static_cast<int>(column_index);
        const std::int64_t first = starts[column_index * Dim];
        const std::int64_t height = starts[column_index * Dim + 1] - first;
        std::int64_t at = first;
        const auto write = [&](int row, const double* block, int along_row, int along_column) {
            for (int b = 0; b < Dim; ++b)
                for (int a = 0; a < Dim; ++a) {
                    values[at + b * height + a] = block[a * along_row + b * along_column];
                    if (inner != nullptr)
                        inner[at + b * height + a] = row * Dim + a;
                }
            at += Dim;
        };
        for (const BlockPattern::Mirrored& above : pattern.mirrored(column))
            write(above.column, A.block(above.slot), 1, Dim);
        std::int64_t slot = pattern.row_start(column);
        for (const int row : pattern.columns(column)) // stored as (column, row), hence transposed
            write(row, A.block(slot++), Dim, 1);
    });
}

template <int Dim>
Eigen::SparseMatrix<double> convert(const SymmetricBlockMatrix& A)
{
    const BlockPattern& pattern = *A.pattern();
    Eigen::SparseMatrix<double> matrix(A.num_dof(), A.num_dof());
    matrix.resizeNonZeros(pattern.num_scalars());
    int* starts = matrix.outerIndexPtr();
    for (int column = 0; column < pattern.num_rows(); ++column) {
        const auto height = static_cast<int>(Dim * (pattern.mirrored(column).size() + pattern.columns(column).size()));
        for (int b = 0; b < Dim; ++b)
            starts[column * Dim + b + 1] = starts[column * Dim + b] + height;
    }
    fill<Dim>(A, starts, matrix.innerIndexPtr(), matrix.valuePtr());
    return matrix;
}

} // namespace

Eigen::VectorXd SymmetricBlockMatrix::operator*(const Eigen::VectorXd& x) const
{
    const int dim = existing_pattern().dim();
    if (x.size() != num_dof())
        reject("x: {} numbers, but the matrix has {} columns", x.size(), num_dof());
    return dim == 2 ? multiply<2>(*this, x) : multiply<3>(*this, x);
}

Eigen::SparseMatrix<double> SymmetricBlockMatrix::to_sparse() const
{
    return existing_pattern().dim() == 2 ? convert<2>(*this) : convert<3>(*this);
}

void SymmetricBlockMatrix::to_sparse(Eigen::SparseMatrix<double>& matrix) const
{
    const BlockPattern& pattern = existing_pattern();
    if (matrix.cols() != num_dof() || matrix.nonZeros() != pattern.num_scalars())
        reject("matrix: it was not made for this pattern; make it with to_sparse()");
    if (pattern.dim() == 2)
        fill<2>(*this, matrix.outerIndexPtr(), nullptr, matrix.valuePtr());
    else
        fill<3>(*this, matrix.outerIndexPtr(), nullptr, matrix.valuePtr());
}

} // namespace abut
