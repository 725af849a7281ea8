#pragma once
// Sparse Cholesky factorisation of symmetric block matrices: CHOLMOD's supernodal one with METIS orderings where Abut
// is built with it, Eigen's LDLᵀ otherwise. The symbolic part is kept while the pattern and the fixed blocks stay the
// same, and the ordering of the unknowns within a time step for longer: as contacts come and go it remains nearly as
// good, and finding one costs more than the factorisation. Runs on one thread, so results do not depend on their
// number.
//
// Rank-one terms go by the identity of Sherman, Morrison and Woodbury: with U the columns √w_k u_k, and Z = H⁻¹ U,
// (H + U Uᵀ)⁻¹ b = y − Z (I + Uᵀ Z)⁻¹ Uᵀ y where H y = b.

#include "abut/linear/linear_solver.hpp"

#include <Eigen/Cholesky>

#include <optional>

namespace abut {

class DirectSolver : public LinearSolver {
public:
    /// CHOLMOD if there, else Eigen.
    [[nodiscard]] static std::unique_ptr<DirectSolver> create();
    /// Eigen's, also where CHOLMOD is there.
    [[nodiscard]] static std::unique_ptr<DirectSolver> create_eigen();

    /// The next factorisation finds the ordering that it would find if it were the first.
    void begin_step() override { may_keep_ordering_ = false; }
    [[nodiscard]] bool prepare(const LinearSystem& system) override;
    [[nodiscard]] LinearReport solve(const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x) override;

    /// Symbolic analyses so far.
    [[nodiscard]] int num_analyses() const { return num_analyses_; }
    /// Entries of the factor.
    [[nodiscard]] virtual double num_factor_entries() const = 0;

protected:
    /// The upper triangle of the matrix in compressed columns.
    struct Upper {
        std::vector<int> starts, rows;
        std::vector<double> values;
    };
    /// True where it found an ordering for this pattern instead of keeping the one before.
    virtual bool analyze(Upper& A, int n, bool may_keep_ordering) = 0;
    /// The graph of the free blocks: which of them, numbered from 0, have a block together; without the diagonal.
    [[nodiscard]] Upper free_block_graph() const;
    /// The unknowns of the free blocks in an order of those.
    [[nodiscard]] std::vector<int> unknowns_in(const std::vector<int>& order_of_free_blocks) const;
    virtual bool factorize_upper(Upper& A, int n) = 0;
    virtual void solve_unknowns(const Eigen::VectorXd& b, Eigen::VectorXd& x) = 0;

private:
    void number_unknowns();
    void fill_values(const SymmetricBlockMatrix& A, double shift);
    [[nodiscard]] Eigen::VectorXd gather(const Eigen::VectorXd& of_all) const;
    void scatter(const Eigen::VectorXd& of_free, Eigen::VectorXd& of_all) const;
    void prepare_rank_one(std::span<const RankOne> terms);

    std::shared_ptr<const BlockPattern> pattern_, ordered_pattern_; // the latter is what the ordering was found for
    std::vector<std::uint8_t> is_fixed_;
    std::vector<int> unknown_;     // first unknown of each block, −1 if fixed
    std::vector<int> free_blocks_; // by rising number
    Upper upper_;
    int num_unknowns_ = 0, num_analyses_ = 0;
    bool may_keep_ordering_ = false;
    std::optional<LinearSystem> system_;            // that solves are for
    Eigen::MatrixXd U_, Z_;                         // of the rank-one terms
    Eigen::LLT<Eigen::MatrixXd> of_rank_one_terms_; // I + Uᵀ Z
};

} // namespace abut
