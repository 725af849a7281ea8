#pragma once
// Sparse Cholesky factorisation of symmetric block matrices: CHOLMOD's supernodal one with METIS orderings where Abut
// is built with it, Eigen's LDLᵀ otherwise. The symbolic part is kept while the pattern and the fixed vertices stay the
// same, and the ordering of the unknowns for longer: as contacts come and go it remains nearly as good, and finding one
// costs more than the factorisation. Runs on one thread, so results do not depend on their number.

#include "abut/linear/block_matrix.hpp"

#include <memory>
#include <string>

namespace abut {

class DirectSolver {
public:
    virtual ~DirectSolver() = default;

    /// CHOLMOD if there, else Eigen.
    [[nodiscard]] static std::unique_ptr<DirectSolver> create();
    /// Eigen's, also where CHOLMOD is there.
    [[nodiscard]] static std::unique_ptr<DirectSolver> create_eigen();

    /// Factorises A without the rows and columns of fixed vertices (one flag a vertex). False where A is not positive
    /// definite to rounding.
    [[nodiscard]] bool factorize(const SymmetricBlockMatrix& A, const std::vector<std::uint8_t>& is_fixed);

    /// Makes the next factorisation as if it were the first. A caller whose results must not depend on what was
    /// factorised before some moment calls this then.
    void forget_ordering() { may_keep_ordering_ = false; }

    /// x with A x = b, 0 at fixed vertices. After a factorisation that succeeded.
    [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& b);

    [[nodiscard]] virtual std::string name() const = 0;

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
    /// The graph of the free vertices: which of them, numbered from 0, have a block together; without the diagonal.
    [[nodiscard]] Upper free_vertex_graph() const;
    [[nodiscard]] int block_size() const { return pattern_->dim(); }
    virtual bool factorize_upper(Upper& A, int n) = 0;
    virtual void solve_unknowns(const Eigen::VectorXd& b, Eigen::VectorXd& x) = 0;

private:
    void number_unknowns();
    void fill_values(const SymmetricBlockMatrix& A);

    std::shared_ptr<const BlockPattern> pattern_, ordered_pattern_; // the latter is what the ordering was found for
    std::vector<std::uint8_t> is_fixed_;
    std::vector<int> unknown_; // first unknown of each vertex, −1 if fixed
    Upper upper_;
    int num_unknowns_ = 0, num_analyses_ = 0;
    bool may_keep_ordering_ = false;
};

} // namespace abut
