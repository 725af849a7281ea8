#include "abut/solver/direct_solver.hpp"

#include "abut/base/error.hpp"

#include <Eigen/SparseCholesky>

#ifdef ABUT_WITH_CHOLMOD
#include <array>
#include <cstdlib>
#include <mutex>

#include <cholmod.h>
#include <dlfcn.h>
#endif

namespace abut {

bool DirectSolver::factorize(const SymmetricBlockMatrix& A, const std::vector<std::uint8_t>& is_fixed)
{
    const bool is_fixed_alike = is_fixed == is_fixed_;
    // An ordering that was found for this very pattern is the one that would be found anew.
    const bool is_ordering_good = may_keep_ordering_ || ordered_pattern_ == A.pattern();
    if (A.pattern() != pattern_ || !is_fixed_alike || !is_ordering_good) {
        pattern_ = A.pattern();
        is_fixed_ = is_fixed;
        number_unknowns();
        fill_values(A);
        if (num_unknowns_ > 0 && analyze(upper_, num_unknowns_, may_keep_ordering_ && is_fixed_alike))
            ordered_pattern_ = pattern_;
        ++num_analyses_;
    } else
        fill_values(A);
    may_keep_ordering_ = true;
    return num_unknowns_ == 0 || factorize_upper(upper_, num_unknowns_);
}

DirectSolver::Upper DirectSolver::free_vertex_graph() const
{
    Upper graph;
    graph.starts.push_back(0);
    for (int v = 0; v < pattern_->num_rows(); ++v) {
        if (unknown_[v] < 0)
            continue;
        for (const BlockPattern::Mirrored& above : pattern_->mirrored(v))
            if (unknown_[above.column] >= 0)
                graph.rows.push_back(unknown_[above.column] / pattern_->dim());
        graph.starts.push_back(static_cast<int>(graph.rows.size()));
    }
    return graph;
}

void DirectSolver::number_unknowns()
{
    const int dim = pattern_->dim();
    unknown_.assign(pattern_->num_rows(), -1);
    num_unknowns_ = 0;
    for (int v = 0; v < pattern_->num_rows(); ++v)
        if (is_fixed_[v] == 0) {
            unknown_[v] = num_unknowns_;
            num_unknowns_ += dim;
        }
    upper_.starts.assign(1, 0);
    upper_.rows.clear();
    for (int v = 0; v < pattern_->num_rows(); ++v) {
        if (unknown_[v] < 0)
            continue;
        for (int b = 0; b < dim; ++b) {
            for (const BlockPattern::Mirrored& above : pattern_->mirrored(v))
                if (unknown_[above.column] >= 0)
                    for (int a = 0; a < dim; ++a)
                        upper_.rows.push_back(unknown_[above.column] + a);
            for (int a = 0; a <= b; ++a)
                upper_.rows.push_back(unknown_[v] + a);
            upper_.starts.push_back(static_cast<int>(upper_.rows.size()));
        }
    }
    upper_.values.resize(upper_.rows.size());
}

void DirectSolver::fill_values(const SymmetricBlockMatrix& A)
{
    const int dim = pattern_->dim();
    std::size_t at = 0;
    for (int v = 0; v < pattern_->num_rows(); ++v) {
        if (unknown_[v] < 0)
            continue;
        // A vertex without any term has no stored diagonal: its row is zero, and the factorisation says so.
        const auto columns = pattern_->columns(v);
        const bool has_diagonal = !columns.empty() && columns.front() == v;
        const double* diagonal = has_diagonal ? A.block(pattern_->row_start(v)) : nullptr;
        for (int b = 0; b < dim; ++b) {
            for (const BlockPattern::Mirrored& above : pattern_->mirrored(v))
                if (unknown_[above.column] >= 0)
                    for (int a = 0; a < dim; ++a)
                        upper_.values[at++] = A.block(above.slot)[b * dim + a];
            for (int a = 0; a <= b; ++a)
                upper_.values[at++] = diagonal != nullptr ? diagonal[b * dim + a] : 0;
        }
    }
}

Eigen::VectorXd DirectSolver::solve(const Eigen::VectorXd& b)
{
    const int dim = pattern_->dim();
    Eigen::VectorXd right(num_unknowns_), left(num_unknowns_);
    for (int v = 0; v < pattern_->num_rows(); ++v)
        if (unknown_[v] >= 0)
            right.segment(unknown_[v], dim) = b.segment(Eigen::Index(v) * dim, dim);
    if (num_unknowns_ > 0)
        solve_unknowns(right, left);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(b.size());
    for (int v = 0; v < pattern_->num_rows(); ++v)
        if (unknown_[v] >= 0)
            x.segment(Eigen::Index(v) * dim, dim) = left.segment(unknown_[v], dim);
    return x;
}

namespace {

class EigenSolver final : public DirectSolver {
public:
    [[nodiscard]] std::string name() const override { return "Eigen LDLT"; }
    [[nodiscard]] double num_factor_entries() const override
    {
        return static_cast<double>(ldlt_.matrixL().nestedExpression().nonZeros());
    }

protected:
    using Matrix = Eigen::SparseMatrix<double>;
    static Eigen::Map<Matrix> view(Upper& A, int n)
    {
        return {n, n, A.starts.back(), A.starts.data(), A.rows.data(), A.values.data()};
    }
    bool analyze(Upper& A, int n, bool /*may_keep_ordering*/) override
    {
        ldlt_.analyzePattern(Matrix(view(A, n)));
        return true;
    }
    bool factorize_upper(Upper& A, int n) override
    {
        ldlt_.factorize(Matrix(view(A, n)));
        // LDLᵀ also factorises indefinite matrices, along which Newton's direction need not descend.
        return ldlt_.info() == Eigen::Success && ldlt_.vectorD().minCoeff() > 0;
    }
    void solve_unknowns(const Eigen::VectorXd& b, Eigen::VectorXd& x) override { x = ldlt_.solve(b); }

private:
    Eigen::SimplicialLDLT<Matrix, Eigen::Upper> ldlt_;
};

#ifdef ABUT_WITH_CHOLMOD

/// OpenBLAS starts as many threads as there are cores, for blocks too small to gain by it, and sums in an order that
/// depends on their number.
void use_one_blas_thread()
{
    static const bool done = [] {
        if (void* set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))
            reinterpret_cast<void (*)(int)>(set)(1);
        return true;
    }();
    (void)done;
}

/// While it lives, OpenMP loops of this thread run on it alone. CHOLMOD asks for four threads, however many the caller
/// wants, and those wait by spinning.
class OneOpenMPThread {
public:
    OneOpenMPThread()
    {
        if (levels_.get != nullptr && levels_.set != nullptr) {
            before_ = levels_.get();
            levels_.set(0);
        }
    }
    ~OneOpenMPThread()
    {
        if (before_ >= 0)
            levels_.set(before_);
    }
    OneOpenMPThread(const OneOpenMPThread&) = delete;
    OneOpenMPThread& operator=(const OneOpenMPThread&) = delete;

private:
    struct Levels {
        int (*get)();
        void (*set)(int);
    };
    static inline const Levels levels_{
        reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "omp_get_max_active_levels")),
        reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_max_active_levels"))};
    int before_ = -1;
};

/// METIS draws from the C library's rand(), which all threads share, and seeds it first. While this lives, no other
/// ordering of Abut draws, so that orderings do not depend on what other threads do; and the caller's own sequence goes
/// on afterwards as if nothing had happened.
class OwnRandomNumbers {
public:
    OwnRandomNumbers() : lock_(mutex_), before_(initstate(1, state_.data(), state_.size())) {}
    ~OwnRandomNumbers() { setstate(before_); }
    OwnRandomNumbers(const OwnRandomNumbers&) = delete;
    OwnRandomNumbers& operator=(const OwnRandomNumbers&) = delete;

private:
    static inline std::mutex mutex_;
    std::lock_guard<std::mutex> lock_;
    alignas(long) std::array<char, 128> state_{};
    char* before_;
};

class CholmodSolver final : public DirectSolver {
public:
    CholmodSolver()
    {
        use_one_blas_thread();
        cholmod_start(&common_);
        common_.print = 0;
        common_.supernodal = CHOLMOD_SUPERNODAL;
        common_.nmethods = 1;
        common_.method[0].ordering = CHOLMOD_GIVEN;
        common_.postorder = 1;
        common_.quick_return_if_not_posdef = 1;
    }
    ~CholmodSolver() override
    {
        cholmod_free_factor(&factor_, &common_);
        cholmod_finish(&common_);
    }
    CholmodSolver(const CholmodSolver&) = delete;
    CholmodSolver& operator=(const CholmodSolver&) = delete;

    [[nodiscard]] std::string name() const override { return "CHOLMOD supernodal, METIS"; }
    [[nodiscard]] double num_factor_entries() const override { return common_.lnz; }

protected:
    bool analyze(Upper& A, int n, bool may_keep_ordering) override
    {
        const OneOpenMPThread guard;
        if (may_keep_ordering && !ordering_.empty()) {
            analyze_ordered(A, n);
            // As contacts come the old ordering may fill in more than a new one would.
            constexpr double worse = 1.5;
            if (common_.lnz <= worse * entries_when_ordered_)
                return false;
        }
        find_ordering(n);
        analyze_ordered(A, n);
        entries_when_ordered_ = common_.lnz;
        return true;
    }
    bool factorize_upper(Upper& A, int n) override
    {
        const OneOpenMPThread guard;
        cholmod_sparse matrix = view(A, n);
        cholmod_factorize(&matrix, factor_, &common_);
        if (common_.status == CHOLMOD_OUT_OF_MEMORY || common_.status == CHOLMOD_TOO_LARGE)
            throw LimitReached(fmt::format("linear solver: no memory for the factor of {} unknowns", n));
        return common_.status == CHOLMOD_OK && factor_->minor == factor_->n;
    }
    void solve_unknowns(const Eigen::VectorXd& b, Eigen::VectorXd& x) override
    {
        const OneOpenMPThread guard;
        cholmod_dense right{};
        right.nrow = right.nzmax = right.d = b.size();
        right.ncol = 1;
        right.x = const_cast<double*>(b.data()); // read only
        right.xtype = CHOLMOD_REAL;
        right.dtype = CHOLMOD_DOUBLE;
        cholmod_dense* left = cholmod_solve(CHOLMOD_A, factor_, &right, &common_);
        if (left == nullptr)
            throw LimitReached("linear solver: no memory for the solution");
        x = Eigen::Map<const Eigen::VectorXd>(static_cast<const double*>(left->x), b.size());
        cholmod_free_dense(&left, &common_);
    }

private:
    /// Nested dissection of the vertices' graph, each vertex standing for its unknowns: a ninth of the entries.
    void find_ordering(int n)
    {
        Upper graph = free_vertex_graph();
        const int vertices = static_cast<int>(graph.starts.size()) - 1;
        cholmod_sparse matrix = view(graph, vertices);
        matrix.xtype = CHOLMOD_PATTERN;
        std::vector<int> order(vertices);
        {
            const OwnRandomNumbers guard;
            if (cholmod_metis(&matrix, nullptr, 0, 1, order.data(), &common_) == 0)
                fail_analysis(n);
        }
        ordering_.resize(n);
        const int dim = block_size();
        for (int k = 0; k < n; ++k)
            ordering_[k] = order[k / dim] * dim + k % dim;
    }

    void analyze_ordered(Upper& A, int n)
    {
        cholmod_free_factor(&factor_, &common_);
        cholmod_sparse matrix = view(A, n);
        factor_ = cholmod_analyze_p(&matrix, ordering_.data(), nullptr, 0, &common_);
        if (factor_ == nullptr)
            fail_analysis(n);
    }

    [[noreturn]] void fail_analysis(int n) const
    {
        throw LimitReached(fmt::format(
            "linear solver: the symbolic analysis of {} unknowns failed (code {}), most likely for lack of memory", n,
            common_.status));
    }

    static cholmod_sparse view(Upper& A, int n)
    {
        cholmod_sparse matrix{};
        matrix.nrow = matrix.ncol = n;
        matrix.nzmax = A.rows.size();
        matrix.p = A.starts.data();
        matrix.i = A.rows.data();
        matrix.x = A.values.data();
        matrix.stype = 1; // upper triangle
        matrix.itype = CHOLMOD_INT;
        matrix.xtype = CHOLMOD_REAL;
        matrix.dtype = CHOLMOD_DOUBLE;
        matrix.sorted = 1;
        matrix.packed = 1;
        return matrix;
    }

    cholmod_common common_{};
    cholmod_factor* factor_ = nullptr;
    std::vector<int> ordering_; // empty: to be found
    double entries_when_ordered_ = 0;
};

#endif

} // namespace

std::unique_ptr<DirectSolver> DirectSolver::create_eigen() { return std::make_unique<EigenSolver>(); }

std::unique_ptr<DirectSolver> DirectSolver::create()
{
#ifdef ABUT_WITH_CHOLMOD
    return std::make_unique<CholmodSolver>();
#else
    return create_eigen();
#endif
}

} // namespace abut
