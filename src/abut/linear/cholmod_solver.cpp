#include "abut/linear/cholmod_solver.hpp"

#ifdef ABUT_WITH_CHOLMOD

#include "abut/base/error.hpp"
#include "abut/base/memory.hpp"
#include "abut/linear/own_random_numbers.hpp"

#include <array>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include <cholmod.h>
#include <dlfcn.h>

namespace abut {

namespace {

/// The core of OpenBLAS whose kernels this CPU should have, where it was taken for one of 2004; else null.
const char* blas_core_for([[maybe_unused]] std::string_view taken_for)
{
#ifdef __x86_64__
    if (taken_for != "Prescott")
        return nullptr;
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl"))
        return "SkylakeX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "Haswell";
#endif
    return nullptr;
}

/// OpenBLAS knows CPUs by their models. One that is newer than the library gets kernels for SSE3, at a quarter of
/// the speed that those for its instructions have. Then we name such a core, as OPENBLAS_CORETYPE would, which goes
/// first.
void choose_kernels()
{
    const auto name = reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
    const auto leave = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "gotoblas_dynamic_quit"));
    const auto choose = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "gotoblas_dynamic_init"));
    constexpr const char* variable = "OPENBLAS_CORETYPE";
    if (name == nullptr || leave == nullptr || choose == nullptr || std::getenv(variable) != nullptr)
        return;
    const char* core = blas_core_for(name());
    if (core == nullptr)
        return;
    setenv(variable, core, 1);
    leave();
    choose();
    unsetenv(variable);
}

/// OpenBLAS starts as many threads as there are cores, for blocks too small to gain by it, and sums in an order that
/// depends on their number. With the first product it takes a buffer, which it keeps; where there is no memory for it,
/// it tries for ever. So we look first, and take it here.
void prepare_blas()
{
    static std::mutex mutex;
    static bool is_ready = false;
    const std::lock_guard lock(mutex);
    if (is_ready)
        return;
    if (void* set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) {
        reinterpret_cast<void (*)(int)>(set)(1);
        choose_kernels();
        constexpr std::size_t buffer = std::size_t(128) << 20, other = std::size_t(8) << 20;
        require_memory(buffer + other, "linear solver: OpenBLAS' buffer");
        using Product = void (*)(
            const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*,
            const double*, const int*, const double*, double*, const int*);
        const int n = 2;
        const double one = 1;
        std::array<double, 4> a{1, 0, 0, 1}, c{};
        if (const auto dgemm = reinterpret_cast<Product>(dlsym(RTLD_DEFAULT, "dgemm_")))
            dgemm("N", "N", &n, &n, &n, &one, a.data(), &n, a.data(), &n, &one, c.data(), &n);
    }
    is_ready = true;
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

class CholmodSolver final : public DirectSolver {
public:
    CholmodSolver()
    {
        prepare_blas();
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

protected:
    void analyze(Upper& A, int n, const std::vector<int>& order) override
    {
        const OneOpenMPThread guard;
        cholmod_free_factor(&factor_, &common_);
        cholmod_sparse matrix = view(A, n);
        std::vector<int> given = order;
        factor_ = cholmod_analyze_p(&matrix, given.data(), nullptr, 0, &common_);
        if (factor_ == nullptr)
            fail_analysis(n);
        // To make it takes a permuted copy of the matrix and room for the largest update besides.
        const std::size_t copy = A.rows.size() * (sizeof(double) + sizeof(int)) + sizeof(int) * std::size_t(n);
        const std::size_t room = factor_->maxcsize * sizeof(double) + copy;
        require_memory(factor_bytes() + room, fmt::format("linear solver: the factor of {} unknowns", n));
    }
    /// Nested dissection of the blocks' graph, each block standing for its unknowns: of vertices, a ninth of the
    /// entries.
    std::vector<int> find_order(const BlockGraph& graph) override
    {
        const OneOpenMPThread guard;
        Upper upper;
        upper.starts.push_back(0);
        for (int node = 0; node < graph.size(); ++node) {
            for (const int other : graph.of(node))
                if (other < node)
                    upper.rows.push_back(other);
            upper.starts.push_back(static_cast<int>(upper.rows.size()));
        }
        cholmod_sparse matrix = view(upper, graph.size());
        matrix.xtype = CHOLMOD_PATTERN;
        std::vector<int> order(graph.size());
        const OwnRandomNumbers own;
        if (cholmod_metis(&matrix, nullptr, 0, 1, order.data(), &common_) == 0)
            fail_analysis(graph.size());
        return order;
    }
    bool factorize_upper(Upper& A, int n) override
    {
        const OneOpenMPThread guard;
        cholmod_sparse matrix = view(A, n);
        cholmod_factorize(&matrix, factor_, &common_);
        if (common_.status == CHOLMOD_OUT_OF_MEMORY || common_.status == CHOLMOD_TOO_LARGE)
            fail_for_memory(fmt::format("the factor of {} unknowns ({})", n, in_megabytes(factor_bytes())));
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
            fail_for_memory("the solution");
        x = Eigen::Map<const Eigen::VectorXd>(static_cast<const double*>(left->x), b.size());
        cholmod_free_dense(&left, &common_);
    }

private:
    /// Its size is known from the analysis, before it is made.
    [[nodiscard]] std::size_t factor_bytes() const
    {
        return factor_->xsize * sizeof(double) + factor_->ssize * sizeof(int);
    }

    [[noreturn]] void fail_analysis(int n) const
    {
        if (common_.status == CHOLMOD_OUT_OF_MEMORY)
            fail_for_memory(fmt::format("the symbolic analysis of {} unknowns", n));
        throw LimitReached(
            fmt::format("linear solver: the symbolic analysis of {} unknowns failed (code {})", n, common_.status));
    }

    [[noreturn]] static void fail_for_memory(const std::string& what)
    {
        throw LimitReached(fmt::format("linear solver: no memory for {}; {}", what, memory_left().text()));
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
};

} // namespace

std::unique_ptr<DirectSolver> make_cholmod_solver() { return std::make_unique<CholmodSolver>(); }

} // namespace abut

#endif
