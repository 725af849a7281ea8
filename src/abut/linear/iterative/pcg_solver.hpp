#pragma once
// Preconditioned conjugate gradients over the free blocks of a system (the modified method of Baraff and Witkin 1998:
// fixed unknowns take no part). Sums run in a fixed order, so that results have the same bits for any number of
// threads.
//
// Rank-one terms are part of the products, and of the preconditioner by the identity of Sherman, Morrison and Woodbury:
// with P the preconditioner of the blocks and U the columns √w_k u_k, it is (P⁻¹ + U Uᵀ)⁻¹.

#include "abut/linear/iterative/half_rows.hpp"
#include "abut/linear/iterative/preconditioner.hpp"

#include <Eigen/Cholesky>

#include <optional>

namespace abut {

class PcgSolver final : public LinearSolver {
public:
    explicit PcgSolver(PreconditionerKind kind = PreconditionerKind::schwarz);

    [[nodiscard]] std::string name() const override;
    void begin_step() override;
    /// False where the preconditioner sees that the system is not positive definite. What it does not see, solve() may.
    [[nodiscard]] bool prepare(const LinearSystem& system) override;
    /// From the last solution of the time step on, scaled, until |b − A x| ≤ tolerance |b|; usual_tolerance where that
    /// is 0. Stops and says so where it meets a direction without stiffness, numbers that are not finite, or
    /// `max_iterations`.
    [[nodiscard]] LinearReport solve(const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x) override;
    /// Goes on from where the last solve or refinement ended, its directions kept.
    [[nodiscard]] LinearReport refine(const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x) override;

    /// At which Newton's method takes as many iterations as with exact solutions. With 1e-3 the first six steps of
    /// mat_twist take 29 instead of 18, with 1e-4 19.
    static constexpr double usual_tolerance = 1e-5;
    static constexpr int most_iterations = 3000;

    int max_iterations = most_iterations;
    [[nodiscard]] PreconditionerKind preconditioner() const { return kind_; }
    void set_preconditioner(PreconditionerKind kind);
    [[nodiscard]] double pattern_seconds() const override { return pattern_seconds_; }

private:
    /// The structure of rows, products and preconditioner, where that of the last system does not serve.
    void link(const LinearSystem& system);
    void order(const LinearSystem& system);
    void flag_contacts(const BlockPattern& lasting);
    [[nodiscard]] bool prepare_rank_one(std::span<const RankOne> terms);
    void precondition();
    /// x where a solve begins, and r = b − A x.
    void start();
    /// q = A p; returns pᵀ q.
    double product();
    LinearReport iterate(double tolerance, Eigen::VectorXd& x);
    /// r = b − A x; returns its squared norm.
    double true_residual();

    PreconditionerKind kind_;
    std::unique_ptr<Preconditioner> preconditioner_;
    // The order of rows is kept for the pattern and the fixed blocks that it was found for.
    std::shared_ptr<const BlockPattern> ordered_pattern_;
    bool may_keep_order_ = false;
    std::vector<std::uint8_t> ordered_fixed_;
    RowOrder order_;
    int flagged_revision_ = -1;
    FreeBlocks blocks_;
    HalfRows products_;
    int linked_revision_ = -1;
    std::optional<LinearSystem> system_;
    // Of the solve
    std::vector<double> b_, x_, r_, z_, p_, q_, pieces_;
    double rz_ = 0, bb_ = 0, pattern_seconds_ = 0;
    bool may_go_on_ = false;        // p_ and rz_ are those of the iteration before
    Eigen::VectorXd last_solution_; // of this time step; empty before the first
    // Of the rank-one terms
    std::vector<std::vector<double>> U_, Z_;
    Eigen::LLT<Eigen::MatrixXd> of_rank_one_terms_; // I + Uᵀ Z
};

} // namespace abut
