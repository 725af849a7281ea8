#include "abut/linear/iterative/block_rows.hpp"

#include "abut/base/parallel.hpp"

#include <algorithm>

namespace abut {

double sum_of_pieces(const std::vector<double>& pieces)
{
    double sum = 0;
    for (const double piece : pieces)
        sum += piece;
    return sum;
}

double dot_of_range(const double* x, const double* y, std::size_t begin, std::size_t end)
{
    double sums[4] = {};
    std::size_t k = begin;
    for (; k + 4 <= end; k += 4)
        for (int lane = 0; lane < 4; ++lane)
            sums[lane] += x[k + lane] * y[k + lane];
    for (; k < end; ++k)
        sums[0] += x[k] * y[k];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

double dot(const double* x, const double* y, int rows, std::vector<double>& pieces)
{
    pieces.assign(num_pieces(rows), 0);
    parallel_ranges(rows, rows_per_piece, [&](std::size_t begin, std::size_t end) {
        pieces[begin / rows_per_piece] = dot_of_range(x, y, 3 * begin, 3 * end);
    });
    return sum_of_pieces(pieces);
}

void FreeBlocks::link()
{
    const BlockPattern& pattern = *pattern_;
    const auto rows = order_.size();
    row_of_block_.assign(pattern.num_rows(), -1);
    for (std::size_t row = 0; row < rows; ++row)
        row_of_block_[order_[row]] = static_cast<int>(row);
    // Every row has a diagonal, also where no term has touched it.
    matrix_.starts.assign(rows + 1, 0);
    const auto for_each = [&](int block, auto&& visit) {
        bool has_diagonal = false;
        for (const BlockPattern::Mirrored& below : pattern.mirrored(block))
            if (const int column = row_of_block_[below.column]; column >= 0)
                visit(column, 2 * below.slot + 1);
        std::int64_t slot = pattern.row_start(block);
        for (const int other : pattern.columns(block)) {
            if (const int column = row_of_block_[other]; column >= 0)
                visit(column, 2 * slot);
            has_diagonal |= other == block;
            ++slot;
        }
        if (!has_diagonal)
            visit(row_of_block_[block], std::int64_t{-1});
    };
    parallel_for(rows, rows_per_piece, [&](std::size_t row) {
        std::int64_t count = 0;
        for_each(order_[row], [&](int, std::int64_t) { ++count; });
        matrix_.starts[row + 1] = count;
    });
    for (std::size_t row = 0; row < rows; ++row)
        matrix_.starts[row + 1] += matrix_.starts[row];
    matrix_.columns.resize(matrix_.num_blocks());
    matrix_.diagonal.resize(rows);
    sources_.resize(matrix_.num_blocks());
    parallel_ranges(rows, rows_per_piece, [&](std::size_t begin, std::size_t end) {
        std::vector<std::pair<int, std::int64_t>> entries;
        for (std::size_t row = begin; row < end; ++row) {
            entries.clear();
            for_each(order_[row], [&](int column, std::int64_t source) { entries.emplace_back(column, source); });
            std::sort(entries.begin(), entries.end());
            std::int64_t slot = matrix_.starts[row];
            for (const auto& [column, source] : entries) {
                matrix_.columns[slot] = column;
                sources_[slot] = source;
                if (column == static_cast<int>(row))
                    matrix_.diagonal[row] = slot;
                ++slot;
            }
        }
    });
    padding_.clear();
    for (std::size_t row = 0; row < rows; ++row)
        for (int a = pattern.layout().size(order_[row]); a < 3; ++a)
            padding_.push_back(3 * static_cast<std::int64_t>(row) + a);
    matrix_.resize_values();
    std::fill_n(matrix_.block(matrix_.num_blocks()), 3, 0.0);
}

void FreeBlocks::assign(const LinearSystem& system, const std::vector<int>& order)
{
    if (system.blocks.pattern() != pattern_ || order != order_) {
        pattern_ = system.blocks.pattern();
        order_ = order;
        link();
        ++revision_;
    }
    positions_.assign(system.positions != nullptr ? padded_size(matrix_.size()) : 0, 0);
    if (system.positions != nullptr)
        gather(*system.positions, positions_.data());
    const BlockLayout& layout = pattern_->layout();
    parallel_ranges(order_.size(), rows_per_piece, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            const int height = layout.size(order_[row]);
            for (std::int64_t slot = matrix_.starts[row]; slot < matrix_.starts[row + 1]; ++slot) {
                double* to = matrix_.block(slot);
                const int width = layout.size(order_[matrix_.columns[slot]]);
                if (const std::int64_t source = sources_[slot]; source < 0 || height < 3 || width < 3)
                    std::fill_n(to, 9, 0.0);
                if (const std::int64_t source = sources_[slot]; source >= 0) {
                    const double* from = system.blocks.block(source / 2);
                    const bool is_transposed = source % 2 != 0;
                    for (int b = 0; b < width; ++b)
                        for (int a = 0; a < height; ++a)
                            to[3 * b + a] = is_transposed ? from[a * width + b] : from[b * height + a];
                }
            }
            double* diagonal = matrix_.block(matrix_.diagonal[row]);
            for (int a = 0; a < 3; ++a)
                diagonal[4 * a] = a < height ? diagonal[4 * a] + system.shift : diagonal[0] > 0 ? diagonal[0] : 1;
        }
    });
}

void FreeBlocks::gather(const Eigen::VectorXd& of_all, double* of_rows) const
{
    const BlockLayout& layout = pattern_->layout();
    for (std::size_t row = 0; row < order_.size(); ++row) {
        const std::int64_t first = layout.offset(order_[row]);
        const int size = layout.size(order_[row]);
        for (int a = 0; a < 3; ++a)
            of_rows[3 * row + a] = a < size ? of_all[first + a] : 0;
    }
}

void FreeBlocks::clear_padding(double* of_rows) const
{
    for (const std::int64_t place : padding_)
        of_rows[place] = 0;
}

void FreeBlocks::scatter(const double* of_rows, Eigen::VectorXd& of_all) const
{
    const BlockLayout& layout = pattern_->layout();
    of_all.setZero(layout.num_unknowns());
    for (std::size_t row = 0; row < order_.size(); ++row) {
        const std::int64_t first = layout.offset(order_[row]);
        for (int a = 0; a < layout.size(order_[row]); ++a)
            of_all[first + a] = of_rows[3 * row + a];
    }
}

} // namespace abut
