#pragma once
// What every energy keeps to, wherever its terms stand when it is asked.

#include "abut/solver/problem.hpp"

namespace abut::test {

struct EnergyContract {
    double step = 1e-6;      ///< of differences, in the unit of the unknowns
    double tolerance = 1e-5; ///< of differences, over the largest number of a term's gradient or Hessian
    /// Do its terms only push parts of the whole against each other? Then their forces on vertices add up to nothing.
    bool has_momentum = false;
};

/// At x, where it was updated last: gradients and exact Hessians are those of differences, term by term; the other
/// forms of the Hessian are positive semidefinite; subsets are parts of the whole, and those that touch a block have
/// all of its gradient; evaluation has the same bits each time and for any number of threads, and leaves what is not
/// asked for alone.
void expect_energy_contract(
    const Energy& energy, const BlockLayout& layout, const Eigen::VectorXd& x, const EnergyContract& contract);

/// What is asked for of all terms.
struct EvaluatedTerms {
    std::vector<double> values, gradients, blocks;
    bool operator==(const EvaluatedTerms&) const = default;
};
[[nodiscard]] EvaluatedTerms
evaluate_all(const Terms& terms, const BlockLayout& layout, const Eigen::VectorXd& x, HessianForm form);

} // namespace abut::test
