#pragma once
// Sparse Cholesky factorisation of symmetric block matrices: CHOLMOD's supernodal one with METIS orderings where Abut
// is built with it, Eigen's LDLᵀ otherwise. The symbolic part is kept while the pattern and the fixed blocks stay the
// same. The ordering of the unknowns is that of the blocks that last, which is found once in a run, mended for the
// contacts that there are (block_elimination.hpp). Where that leaves too much fill-in, one is found anew and kept
// within the time step. Runs on one thread, so results do not depend on their number.
//
// Rank-one terms go by the identity of Sherman, Morrison and Woodbury: with U the columns √w_k u_k, and Z = H⁻¹ U,
// (H + U Uᵀ)⁻¹ b = y − Z (I + Uᵀ Z)⁻¹ Uᵀ y where H y = b.

#include "abut/linear/block_elimination.hpp"
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

    /// The next factorisation has the ordering that it would have if it were the first.
    void begin_step() override { may_keep_ordering_ = false; }
    [[nodiscard]] bool prepare(const LinearSystem& system) override;
    [[nodiscard]] LinearReport solve(const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x) override;

    /// Symbolic analyses so far.
    [[nodiscard]] int num_analyses() const { return num_analyses_; }
    /// Entries and multiplications of a factorisation of this pattern, counted and not done. The order that it finds is
    /// kept.
    [[nodiscard]] FactorCounts
    estimated_counts(std::shared_ptr<const BlockPattern> pattern, const std::vector<std::uint8_t>& is_fixed);
    /// The same of a system whose contacts fill the factor of what lasts in, with the order mended for them.
    [[nodiscard]] FactorCounts estimated_counts(const LinearSystem& system);
    /// Orderings found so far, which takes far longer than to mend one.
    [[nodiscard]] int num_orderings() const { return num_orderings_; }
    [[nodiscard]] double pattern_seconds() const override { return pattern_seconds_; }

protected:
    /// The upper triangle of the matrix in compressed columns.
    struct Upper {
        std::vector<int> starts, rows;
        std::vector<double> values;
    };
    /// The symbolic factorisation in the given order of unknowns.
    virtual void analyze(Upper& A, int n, const std::vector<int>& order) = 0;
    /// An order of the nodes of a graph that leaves little fill-in.
    [[nodiscard]] virtual std::vector<int> find_order(const BlockGraph& graph) = 0;
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
    void analyze_in_some_order(const LinearSystem& system, bool may_keep_ordering);
    void order_lasting(std::shared_ptr<const BlockPattern> pattern, const std::vector<std::uint8_t>& is_fixed);

    std::shared_ptr<const BlockPattern> pattern_;
    bool is_analysis_fresh_ = false; // would the present analysis be made again for its pattern, if it were the first?
    /// The order of what lasts, the tree of its elimination and what its factor has; the blocks it is for.
    struct Lasting {
        std::shared_ptr<const BlockPattern> pattern;
        std::vector<std::uint8_t> is_fixed;
        std::vector<int> order, tree;
        FactorCounts counts;
    };
    Lasting lasting_;
    std::vector<int> order_; // of free blocks, that was found last in this step; empty: none was needed
    double entries_when_ordered_ = 0;
    std::vector<std::uint8_t> is_fixed_;
    std::vector<int> unknown_;     // first unknown of each block, −1 if fixed
    std::vector<int> free_blocks_; // by rising number
    Upper upper_;
    int num_unknowns_ = 0, num_analyses_ = 0, num_orderings_ = 0;
    double pattern_seconds_ = 0;
    bool may_keep_ordering_ = false;
    std::optional<LinearSystem> system_;            // that solves are for
    Eigen::MatrixXd U_, Z_;                         // of the rank-one terms
    Eigen::LLT<Eigen::MatrixXd> of_rank_one_terms_; // I + Uᵀ Z
};

} // namespace abut
