// Multilevel additive Schwarz after Wu, Wang and Wang, "A GPU-based multilevel additive Schwarz preconditioner for
// cloth and deformable body simulation", 2022, which GIPC uses. Rows form aggregates of at most sixteen, by the graph
// of what lasts. The next level has a row for each aggregate, and the matrix Cᵀ A C where C copies a value to all of an
// aggregate's rows; its aggregates follow the graph of that matrix, so that contacts join them as they come. And so on,
// until one aggregate is left. With B_l the inverses of the aggregates' own parts of level l,
//
//     z = Σ_l C_1 ... C_l B_l C_lᵀ ... C_1ᵀ r.
//
// Deviations: aggregates come from a graph instead of a space-filling curve, and inverses are kept in single precision.

#include "abut/linear/iterative/dense_aggregate.hpp"
#include "abut/linear/iterative/preconditioner.hpp"

#include "abut/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <deque>

namespace abut {

namespace {

struct Level {
    BlockRows coarse;                        // the matrix, of levels above the first
    std::vector<int> member_starts, members; // the rows of each aggregate
    std::vector<int> aggregate_of;           // of each row
    std::vector<std::int64_t> targets; // of each block of this level's matrix: the block of the next that it goes to
    Buffer<float> inverses;
    std::vector<double> r, z; // of levels above the first

    [[nodiscard]] int num_aggregates() const { return static_cast<int>(member_starts.size()) - 1; }
};

constexpr std::size_t aggregates_per_task = 32;

class Schwarz final : public Preconditioner {
public:
    bool prepare(const FreeBlocks& blocks, const RowOrder& order) override
    {
        fine_ = &blocks.matrix();
        if (revision_ != blocks.revision()) {
            revision_ = blocks.revision();
            build(order);
        }
        for (std::size_t l = 0; l < levels_.size(); ++l) {
            if (l > 0)
                coarsen(l);
            if (!invert(l))
                return false;
        }
        return true;
    }

    void apply(const double* r, double* z) override
    {
        for (std::size_t l = 0; l + 1 < levels_.size(); ++l)
            restrict_to(levels_[l], l == 0 ? r : levels_[l].r.data(), levels_[l + 1].r.data());
        for (std::size_t l = levels_.size(); l-- > 0;) {
            const double* from = l == 0 ? r : levels_[l].r.data();
            double* to = l == 0 ? z : levels_[l].z.data();
            solve(levels_[l], from, l + 1 < levels_.size() ? levels_[l + 1].z.data() : nullptr, to);
        }
    }

    double num_multiplications() const override
    {
        double sum = 0;
        for (const Level& level : levels_) // in single precision, which is half of it
            sum += 0.5 * DenseAggregate::size * DenseAggregate::size * level.num_aggregates();
        return sum;
    }

private:
    [[nodiscard]] const BlockRows& matrix(std::size_t l) const { return l == 0 ? *fine_ : levels_[l].coarse; }

    void build(const RowOrder& order)
    {
        levels_.clear();
        if (fine_->size() == 0)
            return;
        Level& first = levels_.emplace_back();
        first.aggregate_of.resize(fine_->size());
        for (std::size_t k = 0; k + 1 < order.aggregate_starts.size(); ++k)
            for (int row = order.aggregate_starts[k]; row < order.aggregate_starts[k + 1]; ++row)
                first.aggregate_of[row] = static_cast<int>(k);
        list_members(first);
        while (levels_.back().num_aggregates() > 1) {
            const std::size_t l = levels_.size();
            Level next;
            link(l - 1, next);
            next.aggregate_of = greedy_aggregates(next.coarse.starts, next.coarse.columns, largest_aggregate);
            list_members(next);
            if (next.num_aggregates() == next.coarse.size() && next.coarse.size() > 1) {
                // Bodies apart from each other: nothing is left to join.
                next.r.resize(padded_size(next.coarse.size()));
                next.z.resize(padded_size(next.coarse.size()));
                levels_.push_back(std::move(next));
                return;
            }
            next.r.resize(padded_size(next.coarse.size()));
            next.z.resize(padded_size(next.coarse.size()));
            levels_.push_back(std::move(next));
        }
    }

    static void list_members(Level& level)
    {
        const int count = level.aggregate_of.empty()
                              ? 0
                              : *std::max_element(level.aggregate_of.begin(), level.aggregate_of.end()) + 1;
        level.member_starts.assign(count + 1, 0);
        for (const int aggregate : level.aggregate_of)
            ++level.member_starts[aggregate + 1];
        for (int k = 0; k < count; ++k)
            level.member_starts[k + 1] += level.member_starts[k];
        level.members.resize(level.aggregate_of.size());
        std::vector<int> next(level.member_starts.begin(), level.member_starts.end() - 1);
        for (std::size_t row = 0; row < level.aggregate_of.size(); ++row)
            level.members[next[level.aggregate_of[row]]++] = static_cast<int>(row);
    }

    /// The structure of the matrix above level l, into `next`, and where blocks of level l go.
    void link(std::size_t l, Level& next)
    {
        Level& level = levels_[l];
        const BlockRows& A = matrix(l);
        level.targets.resize(A.num_blocks());
        BlockRows& C = next.coarse;
        std::vector<std::int64_t> at(level.num_aggregates(), -1);
        std::vector<int> columns;
        for (int k = 0; k < level.num_aggregates(); ++k) {
            columns.clear();
            const auto for_each_block = [&](auto&& visit) {
                for (int m = level.member_starts[k]; m < level.member_starts[k + 1]; ++m)
                    for (std::int64_t slot = A.starts[level.members[m]]; slot < A.starts[level.members[m] + 1]; ++slot)
                        visit(slot, level.aggregate_of[A.columns[slot]]);
            };
            for_each_block([&](std::int64_t, int column) {
                if (at[column] < 0) {
                    at[column] = 0;
                    columns.push_back(column);
                }
            });
            std::sort(columns.begin(), columns.end());
            for (const int column : columns) {
                if (column == k)
                    C.diagonal.push_back(static_cast<std::int64_t>(C.columns.size()));
                at[column] = static_cast<std::int64_t>(C.columns.size());
                C.columns.push_back(column);
            }
            for_each_block([&](std::int64_t slot, int column) { level.targets[slot] = at[column]; });
            for (const int column : columns)
                at[column] = -1;
            C.starts.push_back(static_cast<std::int64_t>(C.columns.size()));
        }
        C.resize_values();
    }

    /// The values of level l's matrix, from the one below.
    void coarsen(std::size_t l)
    {
        const Level& below = levels_[l - 1];
        const BlockRows& A = matrix(l - 1);
        BlockRows& C = levels_[l].coarse;
        parallel_for(below.num_aggregates(), aggregates_per_task, [&](std::size_t k) {
            std::fill_n(C.block(C.starts[k]), 9 * (C.starts[k + 1] - C.starts[k]), 0.0);
            for (int m = below.member_starts[k]; m < below.member_starts[k + 1]; ++m) {
                const int row = below.members[m];
                for (std::int64_t slot = A.starts[row]; slot < A.starts[row + 1]; ++slot) {
                    const double* from = A.block(slot);
                    double* to = C.block(below.targets[slot]);
                    for (int i = 0; i < 9; ++i)
                        to[i] += from[i];
                }
            }
        });
    }

    bool invert(std::size_t l)
    {
        Level& level = levels_[l];
        const BlockRows& A = matrix(l);
        constexpr int size = DenseAggregate::size;
        level.inverses.resize(std::size_t(level.num_aggregates()) * size * size);
        std::atomic<bool> is_good = true;
        parallel_ranges(level.num_aggregates(), aggregates_per_task, [&](std::size_t begin, std::size_t end) {
            std::vector<double> dense(size * size);
            for (std::size_t k = begin; k < end; ++k) {
                std::fill(dense.begin(), dense.end(), 0.0);
                for (int i = 0; i < size; ++i)
                    dense[i * size + i] = 1;
                const int first = level.member_starts[k], last = level.member_starts[k + 1];
                for (int m = first; m < last; ++m) {
                    const int row = level.members[m];
                    for (std::int64_t slot = A.starts[row]; slot < A.starts[row + 1]; ++slot) {
                        const int column = A.columns[slot];
                        if (level.aggregate_of[column] != static_cast<int>(k))
                            continue;
                        // Members rise.
                        const auto at =
                            std::lower_bound(level.members.begin() + first, level.members.begin() + last, column);
                        const auto n = static_cast<int>(at - level.members.begin()) - first;
                        for (int b = 0; b < 3; ++b)
                            for (int a = 0; a < 3; ++a)
                                dense[(3 * n + b) * size + 3 * (m - first) + a] = A.block(slot)[3 * b + a];
                    }
                }
                if (!DenseAggregate::invert(dense.data()))
                    is_good = false;
                float* to = level.inverses.data() + k * size * size;
                for (int i = 0; i < size * size; ++i)
                    to[i] = static_cast<float>(dense[i]);
            }
        });
        return is_good;
    }

    static void restrict_to(const Level& level, const double* r, double* coarse)
    {
        parallel_for(level.num_aggregates(), 8 * aggregates_per_task, [&](std::size_t k) {
            double sum[3] = {};
            for (int m = level.member_starts[k]; m < level.member_starts[k + 1]; ++m)
                for (int a = 0; a < 3; ++a)
                    sum[a] += r[3 * std::int64_t(level.members[m]) + a];
            std::copy_n(sum, 3, coarse + 3 * k);
        });
    }

    /// z = B r, and what the level above found.
    static void solve(const Level& level, const double* r, const double* above, double* z)
    {
        constexpr int size = DenseAggregate::size;
        parallel_for(level.num_aggregates(), aggregates_per_task, [&](std::size_t k) {
            float from[size] = {}, to[size];
            const int first = level.member_starts[k], last = level.member_starts[k + 1];
            for (int m = first; m < last; ++m)
                for (int a = 0; a < 3; ++a)
                    from[3 * (m - first) + a] = static_cast<float>(r[3 * std::int64_t(level.members[m]) + a]);
            DenseAggregate::apply(level.inverses.data() + k * size * size, from, to);
            for (int m = first; m < last; ++m)
                for (int a = 0; a < 3; ++a)
                    z[3 * std::int64_t(level.members[m]) + a] =
                        to[3 * (m - first) + a] + (above != nullptr ? above[3 * k + a] : 0);
        });
    }

    const BlockRows* fine_ = nullptr;
    int revision_ = -1;
    std::deque<Level> levels_;
};

} // namespace

std::unique_ptr<Preconditioner> make_schwarz() { return std::make_unique<Schwarz>(); }

} // namespace abut
