#include "abut/linear/iterative/half_rows.hpp"

#include "abut/base/parallel.hpp"
#include "abut/linear/iterative/triple.hpp"

#include <algorithm>

namespace abut {

void HalfRows::link(const BlockRows& A)
{
    rows_.clear();
    columns_.clear();
    sources_.clear();
    const auto add = [&](std::int64_t slot) {
        columns_.push_back(A.columns[slot]);
        sources_.push_back(slot);
    };
    for (int row = 0; row < A.size(); ++row) {
        const int piece_end = static_cast<int>((row / rows_per_piece + 1) * rows_per_piece);
        const int piece_begin = piece_end - static_cast<int>(rows_per_piece);
        add(A.diagonal[row]);
        for (std::int64_t slot = A.diagonal[row] + 1; slot < A.starts[row + 1]; ++slot) // columns rise
            if (A.columns[slot] < piece_end)
                add(slot);
        const auto pair_end = static_cast<std::int64_t>(columns_.size());
        for (std::int64_t slot = A.starts[row]; slot < A.starts[row + 1]; ++slot)
            if (A.columns[slot] < piece_begin || A.columns[slot] >= piece_end)
                add(slot);
        rows_.push_back({static_cast<std::int64_t>(columns_.size()), pair_end});
    }
    values_.resize(9 * columns_.size() + 3);
    std::fill_n(values_.data() + 9 * columns_.size(), 3, 0.0);
}

void HalfRows::assign(const BlockRows& A)
{
    parallel_ranges(sources_.size(), 8 * rows_per_piece, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
            std::copy_n(A.block(sources_[k]), 9, values_.data() + 9 * k);
    });
}

double HalfRows::multiply(const double* x, double* y) const
{
    std::vector<double> dots((rows_.size() + rows_per_piece - 1) / rows_per_piece, 0.0);
    parallel_ranges(rows_.size(), rows_per_piece, [&](std::size_t begin, std::size_t end) {
        std::fill(y + 3 * begin, y + 3 * end, 0.0);
        std::int64_t slot = begin == 0 ? 0 : rows_[begin - 1].end;
        double dot = 0;
        for (std::size_t row = begin; row < end; ++row) {
            const double* own = x + 3 * row;
            double* to = y + 3 * row;
            const double* block = values_.data() + 9 * slot;
            Triple first = block_times(block, own), second{}, third{};
            const Triple kept = only_triple(own);
            block += 9;
            for (++slot; slot < rows_[row].pair_end; ++slot, block += 9) {
                const std::int64_t at = 3 * std::int64_t(columns_[slot]);
                const Triple a = load_triple(block), b = load_triple(block + 3), c = load_triple(block + 6);
                first += a * x[at];
                second += b * x[at + 1];
                third += c * x[at + 2];
                // The rows below in this piece, to which nobody else writes.
                add_triple(sums_of(a * kept, b * kept, c * kept), y + at);
            }
            for (; slot < rows_[row].end; ++slot, block += 9) {
                const std::int64_t at = 3 * std::int64_t(columns_[slot]);
                first += load_triple(block) * x[at];
                second += load_triple(block + 3) * x[at + 1];
                third += load_triple(block + 6) * x[at + 2];
            }
            add_triple((first + second) + third, to);
            dot += own[0] * to[0] + own[1] * to[1] + own[2] * to[2]; // all blocks above have been here
        }
        dots[begin / rows_per_piece] = dot;
    });
    return sum_of_pieces(dots);
}

} // namespace abut
