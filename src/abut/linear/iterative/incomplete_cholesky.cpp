#include "abut/linear/iterative/preconditioner.hpp"

#include "abut/base/parallel.hpp"
#include "abut/linear/iterative/small_blocks.hpp"
#include "abut/linear/iterative/triple.hpp"

#include <algorithm>
#include <atomic>

namespace abut {

namespace {

/// A ≈ (I + V) D (I + V)ᵀ by blocks, where V has blocks only where A has: row by row,
///
///     W_ij = A_ij − Σ_k<j W_ik V_jkᵀ,   V_ij = W_ij D_j⁻¹,   D_i = A_ii − Σ_k<i V_ik W_ikᵀ.
///
/// Rows are cut into parts, of which each is factorised as if there were no others: so parts are independent of each
/// other, in the factorisation and in every application. What is left out may make some D_i indefinite though A is
/// not; then all of the diagonal is taken as larger (Manteuffel 1980) and it begins anew.
class IncompleteCholesky final : public Preconditioner {
public:
    void link(const FreeBlocks& blocks, const RowOrder& order) override
    {
        if (revision_ != blocks.revision())
            link_parts(blocks.matrix(), order);
        revision_ = blocks.revision();
    }

    bool prepare(const FreeBlocks& blocks) override
    {
        const BlockRows& A = blocks.matrix();
        inverse_.resize(9 * std::size_t(A.size()) + 3);
        for (double share : {0.0, 1e-3, 1e-2, 1e-1, 1.0, 10.0})
            if (factorize(A, 1 + share)) {
                turn_round();
                return true;
            }
        return false;
    }

    void apply(const double* r, double* z) override
    {
        parallel_for(part_starts_.size() - 1, 1, [&](std::size_t part) {
            const int begin = part_starts_[part], end = part_starts_[part + 1];
            double* y = y_.data();
            for (int at = begin; at < end; ++at) { // (I + V) y = r
                Triple sum = load_triple(r + 3 * std::int64_t(row_at_[at]));
                const float* V = V_.data() + 9 * starts_[at];
                for (std::int64_t slot = starts_[at]; slot < starts_[at + 1]; ++slot, V += 9)
                    sum -= block_times(V, y + 3 * std::int64_t(columns_[slot]));
                store_triple(sum, y + 3 * std::int64_t(at));
            }
            for (int at = end - 1; at >= begin; --at) { // z = D⁻¹ y − Vᵀ z
                double* own = y + 3 * std::int64_t(at);
                Triple sum = block_times(inverse_.data() + 9 * std::int64_t(at), own);
                const float* U = U_.data() + 9 * upper_starts_[at];
                for (std::int64_t k = upper_starts_[at]; k < upper_starts_[at + 1]; ++k, U += 9)
                    sum -= block_times(U, y + 3 * std::int64_t(upper_columns_[k]));
                store_triple(sum, own);
                store_triple(sum, z + 3 * std::int64_t(row_at_[at]));
            }
        });
    }

private:
    /// The rows of a part, each with its neighbours as near as a walk over the graph leaves them (Cuthill and McKee
    /// 1969): in such an order little of the factor is left out.
    void walk(const BlockRows& A, int begin, int end)
    {
        for (int seed = begin; seed < end; ++seed) {
            if (place_[seed] >= 0)
                continue;
            std::size_t next = row_at_.size();
            place_[seed] = static_cast<int>(row_at_.size());
            row_at_.push_back(seed);
            for (; next < row_at_.size(); ++next)
                for (std::int64_t slot = A.starts[row_at_[next]]; slot < A.starts[row_at_[next] + 1]; ++slot)
                    if (const int other = A.columns[slot]; other >= begin && other < end && place_[other] < 0) {
                        place_[other] = static_cast<int>(row_at_.size());
                        row_at_.push_back(other);
                    }
        }
        ABUT_ASSERT(static_cast<int>(row_at_.size()) == end);
    }

    void link_parts(const BlockRows& A, const RowOrder& order)
    {
        constexpr int rows_per_part = 2048, most_parts = 32;
        const int parts = std::clamp(A.size() / rows_per_part, 1, most_parts);
        part_starts_.assign(1, 0);
        for (int k = 1; k < parts; ++k) { // between aggregates
            const int at = static_cast<int>(std::int64_t(A.size()) * k / parts);
            part_starts_.push_back(*std::lower_bound(order.aggregate_starts.begin(), order.aggregate_starts.end(), at));
        }
        part_starts_.push_back(A.size());
        row_at_.clear();
        place_.assign(A.size(), -1);
        for (std::size_t part = 0; part + 1 < part_starts_.size(); ++part)
            walk(A, part_starts_[part], part_starts_[part + 1]);
        y_.assign(padded_size(A.size()), 0);

        starts_.assign(1, 0);
        columns_.clear();
        sources_.clear();
        std::vector<std::int64_t> counts(A.size() + 1, 0);
        std::vector<std::pair<int, std::int64_t>> entries;
        for (std::size_t part = 0; part + 1 < part_starts_.size(); ++part)
            for (int at = part_starts_[part]; at < part_starts_[part + 1]; ++at) {
                entries.clear();
                for (std::int64_t slot = A.starts[row_at_[at]]; slot < A.starts[row_at_[at] + 1]; ++slot)
                    if (const int column = place_[A.columns[slot]]; column >= part_starts_[part] && column < at)
                        entries.emplace_back(column, slot);
                std::sort(entries.begin(), entries.end());
                for (const auto& [column, slot] : entries) {
                    columns_.push_back(column);
                    sources_.push_back(slot);
                    ++counts[column + 1];
                }
                starts_.push_back(static_cast<std::int64_t>(columns_.size()));
            }
        for (int at = 0; at < A.size(); ++at)
            counts[at + 1] += counts[at];
        upper_starts_ = counts;
        upper_slots_.resize(columns_.size());
        upper_columns_.resize(columns_.size());
        for (int at = 0; at < A.size(); ++at)
            for (std::int64_t slot = starts_[at]; slot < starts_[at + 1]; ++slot) {
                const std::int64_t to = counts[columns_[slot]]++;
                upper_slots_[to] = slot;
                upper_columns_[to] = at;
            }
        V_.resize(9 * columns_.size() + 3);
        U_.resize(9 * columns_.size() + 3);
    }

    /// U = Vᵀ, by rows.
    void turn_round()
    {
        parallel_for(upper_slots_.size(), 16 * rows_per_piece, [&](std::size_t k) {
            for (int b = 0; b < 3; ++b)
                for (int a = 0; a < 3; ++a)
                    U_[9 * k + 3 * b + a] = V_[9 * upper_slots_[k] + 3 * a + b];
        });
        for (std::size_t k = 0; k < 3; ++k) // loaded, never used
            V_[9 * columns_.size() + k] = U_[9 * columns_.size() + k] = 0;
    }

    bool factorize(const BlockRows& A, double diagonal_factor)
    {
        std::atomic<bool> is_good = true;
        parallel_for(part_starts_.size() - 1, 1, [&](std::size_t part) {
            std::vector<double> W; // of one row
            // Where a column's block is in the row, or −1
            std::vector<int> at(part_starts_[part + 1] - part_starts_[part], -1);
            for (int row = part_starts_[part]; row < part_starts_[part + 1] && is_good; ++row)
                if (!factorize_row(A, row, part_starts_[part], diagonal_factor, W, at))
                    is_good = false;
        });
        return is_good;
    }

    bool factorize_row(
        const BlockRows& A, int row, int first, double diagonal_factor, std::vector<double>& W, std::vector<int>& at)
    {
        const std::int64_t begin = starts_[row], end = starts_[row + 1];
        W.resize(9 * (end - begin));
        double D[9];
        std::copy_n(A.block(A.diagonal[row_at_[row]]), 9, D);
        for (int a = 0; a < 3; ++a)
            D[4 * a] *= diagonal_factor;
        for (std::int64_t slot = begin; slot < end; ++slot) {
            std::copy_n(A.block(sources_[slot]), 9, W.data() + 9 * (slot - begin));
            at[columns_[slot] - first] = static_cast<int>(slot - begin);
        }
        for (std::int64_t slot = begin; slot < end; ++slot) {
            const int column = columns_[slot];
            double* own = W.data() + 9 * (slot - begin);
            for (std::int64_t k = starts_[column]; k < starts_[column + 1]; ++k)
                if (const int other = at[columns_[k] - first]; other >= 0) {
                    double V[9];
                    std::copy_n(V_.data() + 9 * k, 9, V);
                    subtract_times_transposed(W.data() + 9 * other, V, own);
                }
            double V[9];
            multiply_blocks(own, inverse_.data() + 9 * std::int64_t(column), V);
            for (int k = 0; k < 9; ++k)
                V_[9 * slot + k] = static_cast<float>(V[k]);
            subtract_times_transposed(V, own, D);
        }
        for (std::int64_t slot = begin; slot < end; ++slot)
            at[columns_[slot] - first] = -1;
        return invert(D, inverse_.data() + 9 * std::int64_t(row));
    }

    int revision_ = -1;
    std::vector<int> part_starts_;
    std::vector<int> row_at_, place_;            // rows in the order of elimination, and the place of each
    std::vector<std::int64_t> starts_, sources_; // of places; where A has the block
    std::vector<int> columns_;
    std::vector<std::int64_t> upper_starts_, upper_slots_; // the same blocks by columns
    std::vector<int> upper_columns_;
    Buffer<float> V_, U_;
    Buffer<double> inverse_; // D⁻¹
    std::vector<double> y_;  // in the order of elimination
};

} // namespace

std::unique_ptr<Preconditioner> make_incomplete_cholesky() { return std::make_unique<IncompleteCholesky>(); }

} // namespace abut
