#pragma once
// What every linear solver keeps to. A new one is a line in the list of the suite that calls this.

#include "abut/linear/linear_solver.hpp"

namespace abut::test {

using MakeLinearSolver = std::function<std::unique_ptr<LinearSolver>()>;

/// A symmetric positive definite system of springs between blocks, of one size or of several.
struct SpringSystem {
    BlockLayout layout;
    SymmetricBlockMatrix blocks;
    std::vector<std::uint8_t> is_fixed;
    std::vector<RankOne> rank_one;

    [[nodiscard]] LinearSystem system(double shift = 0) const { return {blocks, is_fixed, rank_one, shift}; }
    /// All of it as a dense matrix; rows and columns of fixed blocks as of the identity.
    [[nodiscard]] Eigen::MatrixXd dense(double shift = 0) const;
};

[[nodiscard]] SpringSystem spring_system(const BlockLayout& layout, std::uint64_t seed, double mass = 0.1);

/// Solves to the tolerance with and without fixed blocks, rank-one terms and a shift; reports what it did and how well;
/// reports a system that is not positive definite, and solves the next one as usual; gives the same bits after
/// begin_step() whatever it solved before.
void expect_linear_solver_contract(const MakeLinearSolver& make);

} // namespace abut::test
