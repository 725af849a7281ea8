#include "abut/linear/direct_solver.hpp"

#include "abut/base/error.hpp"
#include "abut/base/stopwatch.hpp"
#include "abut/linear/cholmod_solver.hpp"

#include <Eigen/SparseCholesky>

namespace abut {

bool DirectSolver::prepare(const LinearSystem& system)
{
    const SymmetricBlockMatrix& A = system.blocks;
    ABUT_ASSERT(static_cast<int>(system.is_fixed.size()) == A.pattern()->num_rows());
    system_.reset();
    const bool is_fixed_alike = system.is_fixed == is_fixed_;
    const bool is_analysis_good = may_keep_ordering_ || is_analysis_fresh_;
    if (A.pattern() != pattern_ || !is_fixed_alike || !is_analysis_good) {
        pattern_ = A.pattern();
        is_fixed_ = system.is_fixed;
        Stopwatch watch;
        number_unknowns();
        if (num_unknowns_ > 0)
            analyze_in_some_order(system, may_keep_ordering_ && is_fixed_alike);
        pattern_seconds_ += watch.lap();
        ++num_analyses_;
    }
    fill_values(A, system.shift);
    may_keep_ordering_ = true;
    if (num_unknowns_ > 0 && !factorize_upper(upper_, num_unknowns_))
        return false;
    prepare_rank_one(system.rank_one);
    system_.emplace(system);
    return true;
}

void DirectSolver::prepare_rank_one(std::span<const RankOne> terms)
{
    const auto count = static_cast<Eigen::Index>(num_unknowns_ > 0 ? terms.size() : 0);
    U_.resize(num_unknowns_, count);
    Z_.resize(num_unknowns_, count);
    if (count == 0)
        return;
    Eigen::VectorXd column;
    for (Eigen::Index k = 0; k < count; ++k) {
        ABUT_ASSERT(terms[k].weight >= 0 && terms[k].direction.size() == pattern_->layout().num_unknowns());
        U_.col(k) = std::sqrt(terms[k].weight) * gather(terms[k].direction);
        solve_unknowns(U_.col(k), column);
        Z_.col(k) = column;
    }
    of_rank_one_terms_.compute(Eigen::MatrixXd::Identity(count, count) + U_.transpose() * Z_);
}

void DirectSolver::order_lasting(std::shared_ptr<const BlockPattern> pattern, const std::vector<std::uint8_t>& is_fixed)
{
    if (lasting_.pattern == pattern && lasting_.is_fixed == is_fixed)
        return;
    lasting_ = {};
    const BlockGraph graph = graph_of_free_blocks(*pattern, is_fixed);
    lasting_.order = find_order(graph);
    ++num_orderings_;
    lasting_.tree = elimination_tree(graph, lasting_.order);
    lasting_.counts = count_factor(graph, lasting_.order);
    lasting_.pattern = std::move(pattern);
    lasting_.is_fixed = is_fixed;
}

namespace {

/// Of unknowns, where those of blocks are known.
FactorCounts of_unknowns(const FactorCounts& of_blocks, const BlockLayout& layout)
{
    const double size = layout.num_blocks() > 0 ? 1.0 * layout.num_unknowns() / layout.num_blocks() : 0;
    return {
        .entries = of_blocks.entries * size * size, .multiplications = of_blocks.multiplications * size * size * size};
}

} // namespace

FactorCounts
DirectSolver::estimated_counts(std::shared_ptr<const BlockPattern> pattern, const std::vector<std::uint8_t>& is_fixed)
{
    const BlockLayout layout = pattern->layout();
    Stopwatch watch;
    order_lasting(std::move(pattern), is_fixed);
    pattern_seconds_ += watch.lap();
    return of_unknowns(lasting_.counts, layout);
}

FactorCounts DirectSolver::estimated_counts(const LinearSystem& system)
{
    const std::shared_ptr<const BlockPattern> pattern = system.blocks.pattern();
    if (system.lasting == nullptr || system.lasting == pattern)
        return estimated_counts(pattern, system.is_fixed);
    Stopwatch watch;
    order_lasting(system.lasting, system.is_fixed);
    const BlockGraph graph = graph_of_free_blocks(*pattern, system.is_fixed);
    const FactorCounts counts = mended_order(graph, lasting_.order, lasting_.tree).counts;
    pattern_seconds_ += watch.lap();
    return of_unknowns(counts, pattern->layout());
}

void DirectSolver::analyze_in_some_order(const LinearSystem& system, bool may_keep_ordering)
{
    // As contacts come, an order may fill in more than one that is found for them.
    constexpr double worse = 1.5;
    const BlockGraph graph = graph_of_free_blocks(*pattern_, is_fixed_);
    if (!may_keep_ordering)
        order_.clear();
    is_analysis_fresh_ = false;
    if (order_.empty() && system.lasting != nullptr) {
        order_lasting(system.lasting, system.is_fixed);
        const MendedOrder mended = mended_order(graph, lasting_.order, lasting_.tree);
        if (mended.counts.entries <= worse * lasting_.counts.entries) {
            is_analysis_fresh_ = true;
            return analyze(upper_, num_unknowns_, unknowns_in(mended.order));
        }
    }
    if (order_.empty() || count_factor(graph, order_).entries > worse * entries_when_ordered_) {
        is_analysis_fresh_ = order_.empty();
        order_ = find_order(graph);
        ++num_orderings_;
        entries_when_ordered_ = count_factor(graph, order_).entries;
    }
    analyze(upper_, num_unknowns_, unknowns_in(order_));
}

std::vector<int> DirectSolver::unknowns_in(const std::vector<int>& order_of_free_blocks) const
{
    ABUT_ASSERT(order_of_free_blocks.size() == free_blocks_.size());
    std::vector<int> unknowns;
    unknowns.reserve(num_unknowns_);
    for (const int k : order_of_free_blocks) {
        const int block = free_blocks_[k];
        for (int a = 0; a < pattern_->layout().size(block); ++a)
            unknowns.push_back(unknown_[block] + a);
    }
    return unknowns;
}

void DirectSolver::number_unknowns()
{
    const BlockLayout& layout = pattern_->layout();
    unknown_.assign(pattern_->num_rows(), -1);
    free_blocks_.clear();
    num_unknowns_ = 0;
    for (int block = 0; block < pattern_->num_rows(); ++block)
        if (is_fixed_[block] == 0) {
            free_blocks_.push_back(block);
            unknown_[block] = num_unknowns_;
            num_unknowns_ += layout.size(block);
        }
    upper_.starts.assign(1, 0);
    upper_.rows.clear();
    for (const int block : free_blocks_)
        for (int b = 0; b < layout.size(block); ++b) {
            for (const BlockPattern::Mirrored& above : pattern_->mirrored(block))
                if (unknown_[above.column] >= 0)
                    for (int a = 0; a < layout.size(above.column); ++a)
                        upper_.rows.push_back(unknown_[above.column] + a);
            for (int a = 0; a <= b; ++a)
                upper_.rows.push_back(unknown_[block] + a);
            upper_.starts.push_back(static_cast<int>(upper_.rows.size()));
        }
    upper_.values.resize(upper_.rows.size());
}

void DirectSolver::fill_values(const SymmetricBlockMatrix& A, double shift)
{
    const BlockLayout& layout = pattern_->layout();
    std::size_t at = 0;
    for (const int block : free_blocks_) {
        // A block without any term has no stored diagonal: its row is zero, and the factorisation says so.
        const auto columns = pattern_->columns(block);
        const bool has_diagonal = !columns.empty() && columns.front() == block;
        const double* diagonal = has_diagonal ? A.block(pattern_->row_start(block)) : nullptr;
        const int size = layout.size(block);
        for (int b = 0; b < size; ++b) {
            for (const BlockPattern::Mirrored& above : pattern_->mirrored(block))
                if (unknown_[above.column] >= 0) {
                    const int height = layout.size(above.column);
                    const double* column = A.block(above.slot) + b * height;
                    for (int a = 0; a < height; ++a)
                        upper_.values[at++] = column[a];
                }
            for (int a = 0; a <= b; ++a)
                upper_.values[at++] = (diagonal != nullptr ? diagonal[b * size + a] : 0) + (a == b ? shift : 0);
        }
    }
    ABUT_ASSERT(at == upper_.values.size());
}

Eigen::VectorXd DirectSolver::gather(const Eigen::VectorXd& of_all) const
{
    const BlockLayout& layout = pattern_->layout();
    Eigen::VectorXd of_free(num_unknowns_);
    for (const int block : free_blocks_)
        of_free.segment(unknown_[block], layout.size(block)) = of_all.segment(layout.offset(block), layout.size(block));
    return of_free;
}

void DirectSolver::scatter(const Eigen::VectorXd& of_free, Eigen::VectorXd& of_all) const
{
    const BlockLayout& layout = pattern_->layout();
    of_all.setZero(layout.num_unknowns());
    for (const int block : free_blocks_)
        of_all.segment(layout.offset(block), layout.size(block)) = of_free.segment(unknown_[block], layout.size(block));
}

LinearReport DirectSolver::solve(const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x)
{
    ABUT_ASSERT(system_.has_value() && b.size() == pattern_->layout().num_unknowns());
    Eigen::VectorXd y(num_unknowns_);
    if (num_unknowns_ > 0)
        solve_unknowns(gather(b), y);
    if (U_.cols() > 0)
        y -= Z_ * of_rank_one_terms_.solve(U_.transpose() * y);
    scatter(y, x);
    LinearReport report{.is_solved = y.allFinite(), .message = name()};
    if (!report.is_solved)
        report.message += ": the solution is not finite";
    else if (tolerance > 0)
        report.relative_residual = relative_residual(*system_, b, x);
    return report;
}

namespace {

class EigenSolver final : public DirectSolver {
public:
    [[nodiscard]] std::string name() const override { return "Eigen LDLT"; }

protected:
    using Matrix = Eigen::SparseMatrix<double>;
    static Eigen::Map<Matrix> view(Upper& A, int n)
    {
        return {n, n, A.starts.back(), A.starts.data(), A.rows.data(), A.values.data()};
    }
    void analyze(Upper& A, int n, const std::vector<int>& order) override
    {
        order_.resize(n);
        for (int place = 0; place < n; ++place)
            order_.indices()[order[place]] = place;
        ldlt_.analyzePattern(ordered(A, n));
    }
    std::vector<int> find_order(const BlockGraph& graph) override
    {
        Matrix pattern(graph.size(), graph.size());
        std::vector<Eigen::Triplet<double>> entries;
        for (int node = 0; node < graph.size(); ++node) {
            entries.emplace_back(node, node, 1);
            for (const int other : graph.of(node))
                entries.emplace_back(node, other, 1);
        }
        pattern.setFromTriplets(entries.begin(), entries.end());
        Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
        Eigen::AMDOrdering<int>()(pattern, order);
        return {order.indices().data(), order.indices().data() + graph.size()};
    }
    bool factorize_upper(Upper& A, int n) override
    {
        ldlt_.factorize(ordered(A, n));
        // LDLᵀ also factorises indefinite matrices, along which Newton's direction need not descend.
        return ldlt_.info() == Eigen::Success && ldlt_.vectorD().minCoeff() > 0;
    }
    void solve_unknowns(const Eigen::VectorXd& b, Eigen::VectorXd& x) override
    {
        const Eigen::VectorXd in_order = order_ * b;
        x = order_.transpose() * ldlt_.solve(in_order);
    }

private:
    Matrix ordered(Upper& A, int n) const
    {
        Matrix result(n, n);
        result.selfadjointView<Eigen::Upper>() = view(A, n).selfadjointView<Eigen::Upper>().twistedBy(order_);
        return result;
    }

    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order_; // from unknowns to their places
    Eigen::SimplicialLDLT<Matrix, Eigen::Upper, Eigen::NaturalOrdering<int>> ldlt_;
};

} // namespace

std::unique_ptr<DirectSolver> DirectSolver::create_eigen() { return std::make_unique<EigenSolver>(); }

std::unique_ptr<DirectSolver> DirectSolver::create()
{
#ifdef ABUT_WITH_CHOLMOD
    return make_cholmod_solver();
#else
    return create_eigen();
#endif
}

} // namespace abut
