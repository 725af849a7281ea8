// Multilevel additive Schwarz after Wu, Wang and Wang, "A GPU-based multilevel additive Schwarz preconditioner for
// cloth and deformable body simulation", 2022, which GIPC uses. Rows form aggregates of at most sixteen, by the graph
// of what lasts. On the next level each aggregate is a node that moves and turns as a rigid body, with six unknowns,
// and the matrix is Pᵀ A P, where P moves rows along with their aggregate. Aggregates of at most eight nodes follow the
// graph of that matrix, so that contacts join them as they come. And so on, until few unknowns are left, for which the
// matrix is factorised. With B_l the inverses of the aggregates' own parts of level l, and of the whole of the last,
//
//     z = Σ_l P_1 ... P_l B_l P_lᵀ ... P_1ᵀ r.
//
// Deviations: aggregates come from a graph instead of a space-filling curve; they turn, where the authors' only move,
// since a stiff body resists neither; the last level is solved as a whole, since added levels of aggregates do not know
// of each other (docs/linear.md); inverses are kept in single precision.

#include "abut/linear/iterative/dense_aggregate.hpp"
#include "abut/linear/iterative/preconditioner.hpp"

#include "abut/base/parallel.hpp"
#include "abut/linear/direct_solver.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <atomic>
#include <deque>

namespace abut {

namespace {

using Mat3 = Eigen::Matrix3d;
using BlockOf = Eigen::Map<const Mat3>;

/// A group of rows as a rigid body: where it is, how heavy, and how hard to turn.
struct Node {
    Vec3 center = Vec3::Zero();
    double mass = 0;             // number of rows that are places
    Mat3 inertia = Mat3::Zero(); // about the center
    Mat3 axes = Mat3::Zero();    // turns [1/m] of the node's three numbers, along axes about which it can turn
    Mat3 numbers = Mat3::Zero(); // and back
};

/// The node of several, which turns about the axes that its parts leave it.
template <typename GetPart>
Node joined(int count, GetPart&& part)
{
    Node all;
    for (int k = 0; k < count; ++k) {
        all.mass += part(k).mass;
        all.center += part(k).mass * part(k).center;
    }
    if (all.mass == 0)
        return all;
    all.center /= all.mass;
    for (int k = 0; k < count; ++k) {
        const Vec3 d = part(k).center - all.center;
        all.inertia += part(k).inertia + part(k).mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
    }
    const Eigen::SelfAdjointEigenSolver<Mat3> principal(all.inertia);
    const double largest = principal.eigenvalues()[2];
    constexpr double least_share = 1e-6; // rows on a line do not turn about it
    for (int a = 0; a < 3; ++a)
        if (const double own = principal.eigenvalues()[a]; own > least_share * largest && own > 0) {
            const double scale = std::sqrt(all.mass / own); // so that moving and turning weigh alike
            all.axes.col(a) = scale * principal.eigenvectors().col(a);
            all.numbers.row(a) = principal.eigenvectors().col(a).transpose() / scale;
        }
    return all;
}

/// One level: nodes with 3 (the rows of the system) or 6 unknowns, and their aggregates, which the last has none of.
struct Level {
    int width = 6;
    // The matrix, of levels above the first
    std::vector<std::int64_t> starts{0};
    std::vector<int> columns;
    Buffer<double> values; // 36 per block, column by column
    std::vector<Node> nodes;
    // Aggregates
    std::vector<int> member_starts{0}, members; // the nodes of each
    std::vector<int> aggregate_of;              // of each node
    std::vector<std::int64_t> targets; // of each block of this level's matrix: the block of the next that it goes to
    // How a node follows its aggregate, which moves by t and turns by w: it moves by t + lever w, and turns by turn w
    Buffer<float> levers, turns; // nine each, column by column; turns of levels above the first
    std::vector<float> follows;  // 1, or 0 for rows that are angles
    Buffer<float> inverses;      // of the aggregates, one behind the other
    std::vector<std::size_t> inverse_starts;
    std::vector<double> r, z; // of levels above the first

    [[nodiscard]] int num_aggregates() const { return static_cast<int>(member_starts.size()) - 1; }
    [[nodiscard]] std::size_t num_nodes() const { return aggregate_of.size(); }
    /// Of an aggregate's inverse.
    [[nodiscard]] int size_of(std::size_t k) const
    {
        return dense_aggregate::filled_up(width * (member_starts[k + 1] - member_starts[k]));
    }
    [[nodiscard]] std::span<const int> members_of(std::size_t k) const
    {
        return {members.data() + member_starts[k], members.data() + member_starts[k + 1]};
    }
    [[nodiscard]] Mat3 lever(int node) const
    {
        return Eigen::Map<const Eigen::Matrix3f>(levers.data() + 9 * std::size_t(node)).cast<double>();
    }
    [[nodiscard]] Mat3 turn(int node) const
    {
        return Eigen::Map<const Eigen::Matrix3f>(turns.data() + 9 * std::size_t(node)).cast<double>();
    }
};

constexpr std::size_t aggregates_per_task = 32;
constexpr int nodes_per_aggregate = dense_aggregate::largest / 6;

/// Levels end where so many unknowns are left: from the third on they are a small part of the system anyway.
[[nodiscard]] bool is_small(std::size_t level, std::size_t num_nodes)
{
    return 6 * num_nodes <= (level == 1 ? 1000 : 12000);
}

/// A level's matrix as a system for the direct method, with a row each for how a node moves and how it turns.
class LastLevel {
public:
    void begin_step() { direct_->begin_step(); }

    void link(const Level& level)
    {
        std::vector<std::int64_t> starts{0};
        std::vector<int> columns;
        sources_.clear();
        const int nodes = static_cast<int>(level.starts.size()) - 1;
        for (int row = 0; row < 2 * nodes; ++row) {
            for (std::int64_t slot = level.starts[row / 2]; slot < level.starts[row / 2 + 1]; ++slot)
                for (int side = 0; side < 2; ++side)
                    if (const int column = 2 * level.columns[slot] + side; column >= row) {
                        columns.push_back(column);
                        sources_.push_back(36 * slot + 18 * side + 3 * (row % 2));
                    }
            starts.push_back(static_cast<std::int64_t>(columns.size()));
        }
        pattern_ = std::make_shared<BlockPattern>(BlockLayout(2 * nodes, 3), std::move(starts), std::move(columns));
        matrix_ = SymmetricBlockMatrix(pattern_);
        none_fixed_.assign(2 * nodes, 0);
        right_.resize(6 * nodes);
    }

    [[nodiscard]] bool factorize(const Level& level)
    {
        for (std::size_t k = 0; k < sources_.size(); ++k)
            for (int b = 0; b < 3; ++b)
                std::copy_n(
                    level.values.data() + sources_[k] + 6 * b, 3, matrix_.block(static_cast<std::int64_t>(k)) + 3 * b);
        return direct_->prepare({.blocks = matrix_, .is_fixed = none_fixed_, .lasting = pattern_});
    }

    [[nodiscard]] double* right() { return right_.data(); }
    [[nodiscard]] const double* solve()
    {
        (void)direct_->solve(right_, 0, left_);
        return left_.data();
    }
    [[nodiscard]] double pattern_seconds() const { return direct_->pattern_seconds(); }

private:
    std::unique_ptr<DirectSolver> direct_ = DirectSolver::create();
    std::shared_ptr<const BlockPattern> pattern_;
    SymmetricBlockMatrix matrix_;
    std::vector<std::int64_t> sources_; // of each block: its place among the level's values
    std::vector<std::uint8_t> none_fixed_;
    Eigen::VectorXd right_, left_;
};

class Schwarz final : public Preconditioner {
public:
    void begin_step() override { last_.begin_step(); }

    void link(const FreeBlocks& blocks, const RowOrder& order) override
    {
        fine_ = &blocks.matrix();
        if (revision_ != blocks.revision())
            build(order);
        revision_ = blocks.revision();
    }

    bool prepare(const FreeBlocks& blocks) override
    {
        if (fine_->size() == 0)
            return true;
        for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
            place_nodes(l, blocks);
            coarsen(l + 1);
            if (!invert(l))
                return false;
        }
        return last_.factorize(levels_.back());
    }

    void apply(const double* r, double* z) override
    {
        if (fine_->size() == 0)
            return;
        const std::size_t last = levels_.size() - 1;
        for (std::size_t l = 0; l < last; ++l)
            restrict_to(
                levels_[l], l == 0 ? r : levels_[l].r.data(), l + 1 == last ? last_.right() : levels_[l + 1].r.data());
        const double* above = last_.solve();
        for (std::size_t l = last; l-- > 0;) {
            solve(levels_[l], l == 0 ? r : levels_[l].r.data(), above, l == 0 ? z : levels_[l].z.data());
            above = levels_[l].z.data();
        }
    }

    double pattern_seconds() const override { return last_.pattern_seconds(); }

private:
    [[nodiscard]] const std::vector<std::int64_t>& starts(std::size_t l) const
    {
        return l == 0 ? fine_->starts : levels_[l].starts;
    }
    [[nodiscard]] const std::vector<int>& columns(std::size_t l) const
    {
        return l == 0 ? fine_->columns : levels_[l].columns;
    }
    [[nodiscard]] const double* values(std::size_t l) const
    {
        return l == 0 ? fine_->values.data() : levels_[l].values.data();
    }

    void build(const RowOrder& order)
    {
        levels_.clear();
        if (fine_->size() == 0)
            return;
        Level& first = levels_.emplace_back();
        first.width = 3;
        first.aggregate_of.resize(fine_->size());
        for (std::size_t k = 0; k + 1 < order.aggregate_starts.size(); ++k)
            for (int row = order.aggregate_starts[k]; row < order.aggregate_starts[k + 1]; ++row)
                first.aggregate_of[row] = static_cast<int>(k);
        list_members(first);
        for (;;) {
            Level next;
            link_above(levels_.size() - 1, next);
            const bool is_last = is_small(levels_.size(), next.starts.size() - 1);
            if (!is_last) {
                next.aggregate_of = greedy_aggregates(next.starts, next.columns, nodes_per_aggregate);
                list_members(next);
            }
            // Bodies apart from each other may leave nothing to join.
            if (is_last || next.num_aggregates() == static_cast<int>(next.num_nodes())) {
                last_.link(next);
                levels_.push_back(std::move(next));
                return;
            }
            next.r.resize(6 * next.num_nodes());
            next.z.resize(6 * next.num_nodes());
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
        level.inverse_starts.assign(1, 0);
        for (int k = 0; k < count; ++k)
            level.inverse_starts.push_back(level.inverse_starts.back() + level.size_of(k) * level.size_of(k));
        level.inverses.resize(level.inverse_starts.back());
    }

    /// The structure of the matrix above level l, into `next`, and where blocks of level l go.
    void link_above(std::size_t l, Level& next)
    {
        Level& level = levels_[l];
        level.targets.resize(columns(l).size());
        std::vector<std::int64_t> at(level.num_aggregates(), -1);
        std::vector<int> found;
        for (int k = 0; k < level.num_aggregates(); ++k) {
            found.clear();
            const auto for_each_block = [&](auto&& visit) {
                for (const int row : level.members_of(k))
                    for (std::int64_t slot = starts(l)[row]; slot < starts(l)[row + 1]; ++slot)
                        visit(slot, level.aggregate_of[columns(l)[slot]]);
            };
            for_each_block([&](std::int64_t, int column) {
                if (at[column] < 0) {
                    at[column] = 0;
                    found.push_back(column);
                }
            });
            std::sort(found.begin(), found.end());
            for (const int column : found) {
                at[column] = static_cast<std::int64_t>(next.columns.size());
                next.columns.push_back(column);
            }
            for_each_block([&](std::int64_t slot, int column) { level.targets[slot] = at[column]; });
            for (const int column : found)
                at[column] = -1;
            next.starts.push_back(static_cast<std::int64_t>(next.columns.size()));
        }
        next.values.resize(36 * next.columns.size());
    }

    /// Where the nodes of level l + 1 are, and how those of level l follow them.
    void place_nodes(std::size_t l, const FreeBlocks& blocks)
    {
        Level &level = levels_[l], &above = levels_[l + 1];
        above.nodes.resize(level.num_aggregates());
        level.levers.resize(9 * level.num_nodes());
        if (l == 0)
            level.follows.resize(level.num_nodes());
        else
            level.turns.resize(9 * level.num_nodes());
        const auto node_of = [&](int row) {
            if (l > 0)
                return level.nodes[row];
            Node node;
            if (blocks.is_place(row)) {
                node.mass = 1;
                if (!blocks.positions().empty())
                    node.center = Eigen::Map<const Vec3>(blocks.positions().data() + 3 * std::size_t(row));
            }
            return node;
        };
        parallel_for(level.num_aggregates(), aggregates_per_task, [&](std::size_t k) {
            const std::span<const int> members = level.members_of(k);
            const Node all = joined(static_cast<int>(members.size()), [&](int m) { return node_of(members[m]); });
            above.nodes[k] = all;
            for (const int row : members) {
                const Node own = node_of(row);
                const Vec3 d = own.center - all.center;
                Mat3 lever;
                for (int a = 0; a < 3; ++a)
                    lever.col(a) = all.axes.col(a).cross(d);
                const bool follows = own.mass > 0;
                Eigen::Map<Eigen::Matrix3f>(level.levers.data() + 9 * std::size_t(row)) =
                    (follows ? lever : Mat3::Zero().eval()).cast<float>();
                if (l == 0)
                    level.follows[row] = follows ? 1 : 0;
                else
                    Eigen::Map<Eigen::Matrix3f>(level.turns.data() + 9 * std::size_t(row)) =
                        (own.numbers * all.axes).cast<float>();
            }
        });
    }

    /// The values of level l's matrix, from the one below.
    void coarsen(std::size_t l)
    {
        const Level& below = levels_[l - 1];
        Level& level = levels_[l];
        parallel_for(below.num_aggregates(), aggregates_per_task, [&](std::size_t k) {
            std::fill_n(level.values.data() + 36 * level.starts[k], 36 * (level.starts[k + 1] - level.starts[k]), 0.0);
            for (const int row : below.members_of(k)) {
                if (l == 1)
                    add_row(below, row, level.values.data());
                else
                    add_row_of_nodes(below, row, level.values.data());
            }
            // Rows on a line, and angles alone, leave numbers that move nothing.
            for (std::int64_t slot = level.starts[k]; slot < level.starts[k + 1]; ++slot)
                if (level.columns[slot] == static_cast<int>(k))
                    for (int a = 0; a < 6; ++a)
                        if (double& own = level.values[36 * slot + 7 * a]; own == 0)
                            own = 1;
        });
    }

    void add_row(const Level& below, int row, double* coarse) const
    {
        if (below.follows[row] == 0)
            return;
        const Mat3 left = below.lever(row);
        for (std::int64_t slot = fine_->starts[row]; slot < fine_->starts[row + 1]; ++slot) {
            const int column = fine_->columns[slot];
            if (below.follows[column] == 0)
                continue;
            Eigen::Map<Eigen::Matrix<double, 6, 6>> to(coarse + 36 * below.targets[slot]);
            const Mat3 A = BlockOf(fine_->block(slot));
            const Mat3 turned = A * below.lever(column);
            to.topLeftCorner<3, 3>() += A;
            to.topRightCorner<3, 3>() += turned;
            to.bottomLeftCorner<3, 3>() += left.transpose() * A;
            to.bottomRightCorner<3, 3>() += left.transpose() * turned;
        }
    }

    static void add_row_of_nodes(const Level& below, int row, double* coarse)
    {
        const Mat3 lever = below.lever(row), turn = below.turn(row);
        for (std::int64_t slot = below.starts[row]; slot < below.starts[row + 1]; ++slot) {
            const int column = below.columns[slot];
            const Mat3 column_lever = below.lever(column), column_turn = below.turn(column);
            const Eigen::Map<const Eigen::Matrix<double, 6, 6>> A(below.values.data() + 36 * slot);
            Eigen::Map<Eigen::Matrix<double, 6, 6>> to(coarse + 36 * below.targets[slot]);
            const Mat3 a = A.topLeftCorner<3, 3>(), c = A.bottomLeftCorner<3, 3>();
            const Mat3 moved = a * column_lever + A.topRightCorner<3, 3>() * column_turn;
            const Mat3 turned = c * column_lever + A.bottomRightCorner<3, 3>() * column_turn;
            to.topLeftCorner<3, 3>() += a;
            to.topRightCorner<3, 3>() += moved;
            to.bottomLeftCorner<3, 3>() += lever.transpose() * a + turn.transpose() * c;
            to.bottomRightCorner<3, 3>() += lever.transpose() * moved + turn.transpose() * turned;
        }
    }

    bool invert(std::size_t l)
    {
        Level& level = levels_[l];
        const int width = level.width;
        std::atomic<bool> is_good = true;
        parallel_ranges(level.num_aggregates(), aggregates_per_task, [&](std::size_t begin, std::size_t end) {
            std::vector<double> dense(dense_aggregate::largest * dense_aggregate::largest);
            for (std::size_t k = begin; k < end; ++k) {
                const int size = level.size_of(k);
                std::fill(dense.begin(), dense.end(), 0.0);
                for (int i = 0; i < size; ++i)
                    dense[i * size + i] = 1;
                const std::span<const int> members = level.members_of(k);
                for (std::size_t m = 0; m < members.size(); ++m)
                    for (std::int64_t slot = starts(l)[members[m]]; slot < starts(l)[members[m] + 1]; ++slot) {
                        const int column = columns(l)[slot];
                        if (level.aggregate_of[column] != static_cast<int>(k))
                            continue;
                        // Members rise.
                        const auto n = std::lower_bound(members.begin(), members.end(), column) - members.begin();
                        const double* from = values(l) + width * width * slot;
                        for (int b = 0; b < width; ++b)
                            for (int a = 0; a < width; ++a)
                                dense[(width * n + b) * size + width * m + a] = from[width * b + a];
                    }
                if (!dense_aggregate::with_size(
                        size, [&]<int n>() { return dense_aggregate::invert<n>(dense.data()); }))
                    is_good = false;
                float* to = level.inverses.data() + level.inverse_starts[k];
                for (int j = 0; j < size; ++j)
                    for (int i = 0; i < size; ++i)
                        to[j * size + i] = static_cast<float>(dense[std::min(i, j) * size + std::max(i, j)]);
            }
        });
        return is_good;
    }

    static void restrict_to(const Level& level, const double* r, double* coarse)
    {
        parallel_for(level.num_aggregates(), 8 * aggregates_per_task, [&](std::size_t k) {
            double sum[6] = {};
            for (const int row : level.members_of(k)) {
                const double* from = r + std::int64_t(level.width) * row;
                const float* lever = level.levers.data() + 9 * std::size_t(row);
                const double follows = level.width == 3 ? level.follows[row] : 1;
                for (int a = 0; a < 3; ++a) {
                    sum[a] += follows * from[a];
                    sum[3 + a] += lever[3 * a] * from[0] + lever[3 * a + 1] * from[1] + lever[3 * a + 2] * from[2];
                }
                if (level.width == 6) {
                    const float* turn = level.turns.data() + 9 * std::size_t(row);
                    for (int a = 0; a < 3; ++a)
                        sum[3 + a] += turn[3 * a] * from[3] + turn[3 * a + 1] * from[4] + turn[3 * a + 2] * from[5];
                }
            }
            std::copy_n(sum, 6, coarse + 6 * k);
        });
    }

    /// z = B r, and what the level above found.
    static void solve(const Level& level, const double* r, const double* above, double* z)
    {
        const int width = level.width;
        parallel_for(level.num_aggregates(), aggregates_per_task, [&](std::size_t k) {
            float from[dense_aggregate::largest] = {}, to[dense_aggregate::largest];
            const std::span<const int> members = level.members_of(k);
            for (std::size_t m = 0; m < members.size(); ++m)
                for (int a = 0; a < width; ++a)
                    from[width * m + a] = static_cast<float>(r[std::int64_t(width) * members[m] + a]);
            const float* inverse = level.inverses.data() + level.inverse_starts[k];
            dense_aggregate::with_size(
                level.size_of(k), [&]<int n>() { dense_aggregate::apply<n>(inverse, from, to); });
            for (std::size_t m = 0; m < members.size(); ++m) {
                double* own = z + std::int64_t(width) * members[m];
                for (int a = 0; a < width; ++a)
                    own[a] = to[width * m + a];
                if (above == nullptr)
                    continue;
                const double *t = above + 6 * k, *w = t + 3;
                const float* lever = level.levers.data() + 9 * std::size_t(members[m]);
                const double follows = width == 3 ? level.follows[members[m]] : 1;
                for (int a = 0; a < 3; ++a)
                    own[a] += follows * t[a] + (lever[a] * w[0] + lever[3 + a] * w[1] + lever[6 + a] * w[2]);
                if (width == 6) {
                    const float* turn = level.turns.data() + 9 * std::size_t(members[m]);
                    for (int a = 0; a < 3; ++a)
                        own[3 + a] += turn[a] * w[0] + turn[3 + a] * w[1] + turn[6 + a] * w[2];
                }
            }
        });
    }

    const BlockRows* fine_ = nullptr;
    int revision_ = -1;
    std::deque<Level> levels_; // the last has no aggregates
    LastLevel last_;
};

} // namespace

std::unique_ptr<Preconditioner> make_schwarz() { return std::make_unique<Schwarz>(); }

} // namespace abut
