#pragma once
// What solves the linear systems of a minimisation: one interface for direct, iterative and distributed methods.
//
// A system is A x = b with A = H + Σ_k w_k u_k u_kᵀ + shift I, where H has sparse blocks and the u_k are few and dense
// (the pressure of an enclosed gas couples all of its surface). Rows and columns of fixed blocks are left out, and x is
// 0 there.

#include "abut/linear/block_matrix.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace abut {

/// weight · direction directionᵀ.
struct RankOne {
    double weight; ///< >= 0
    Eigen::VectorXd direction;
};

struct LinearSystem {
    const SymmetricBlockMatrix& blocks;
    const std::vector<std::uint8_t>& is_fixed; ///< one flag per block
    std::span<const RankOne> rank_one{};
    double shift = 0; ///< added to the diagonal, >= 0
    /// The blocks that are there whatever touches what, the same in every step of a run; null where nobody knows.
    /// Orderings and aggregates that come from it alone can be kept without a trace in the results.
    std::shared_ptr<const BlockPattern> lasting{};
    /// The unknowns at which A was made: where blocks of two and three numbers are [m]. What turns as a whole is known
    /// by it. Null where nobody knows.
    const Eigen::VectorXd* positions = nullptr;
    /// The caller has another system at hand where this one is not positive definite: that is no failure then.
    bool may_be_indefinite = false;
};

/// What a solve did, and how well. It begins as not solved.
struct LinearReport {
    bool is_solved = false;
    bool is_indefinite = false;         ///< what kept it from being solved: the system is not positive definite
    bool fell_back = false;             ///< conjugate gradients did not succeed, and the direct method did
    int iterations = 0;                 ///< 0 for direct methods
    double relative_residual = 1;       ///< |b - A x| / |b| over free blocks, where it was asked for
    std::string message = "not solved"; ///< how, and why so; what went wrong
};

class LinearSolver {
public:
    virtual ~LinearSolver() = default;

    [[nodiscard]] virtual std::string name() const = 0;

    /// What approximates the inverse within an iterative method, by a name of preconditioners(); methods that have no
    /// such part pass over it.
    virtual void set_preconditioner_by_name(std::string_view /*name*/) {}

    /// Called at the start of a time step. What is kept from before it, such as an ordering, may speed up what follows,
    /// but must not change its bits: a step is a function of the state it starts from.
    virtual void begin_step() {}

    /// Makes ready for solves with this system, whose parts must live until the last of them. False where A is not
    /// positive definite to rounding. Throws LimitReached where memory does not suffice.
    [[nodiscard]] virtual bool prepare(const LinearSystem& system) = 0;

    /// x with A x = b, 0 at fixed blocks, after a prepare() that succeeded. An iterative method ends where the relative
    /// residual is below `tolerance`; a direct one goes to rounding whatever it is. The residual is measured where
    /// tolerance > 0.
    [[nodiscard]] virtual LinearReport solve(const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x) = 0;

    /// The same system and right side as in the last solve, to a smaller tolerance. An iterative method goes on from
    /// there; the report is of what this call did.
    [[nodiscard]] virtual LinearReport refine(const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x)
    {
        return solve(b, tolerance, x);
    }

    /// What decides the next step's method besides its systems, such as counts of iterations: part of the state. It is
    /// asked for after a step, and given back after begin_step(); empty where there is nothing to remember.
    [[nodiscard]] virtual std::vector<double> memory() const { return {}; }
    virtual void recall(std::span<const double> /*memory*/) {}

    /// Seconds so far of work that only patterns and fixed blocks ask for: orderings, analyses, aggregates. For
    /// reports.
    [[nodiscard]] virtual double pattern_seconds() const { return 0; }
};

/// |b - A x| / |b| over the free blocks.
[[nodiscard]] double relative_residual(const LinearSystem& system, const Eigen::VectorXd& b, const Eigen::VectorXd& x);

} // namespace abut
