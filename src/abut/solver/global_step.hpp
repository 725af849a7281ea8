#pragma once
// A step of Newton's method between the sweeps of block descent. Sweeps bring neighbours to terms and pass news on from
// one block to the next; what couples whole bodies, as stiffness and size do, is solved for here at once.
//
//   H d = -g      with the projected Hessian, to a loose tolerance where the linear solver is iterative
//   d             each block cut to its region, the whole shortened to the domains of the energies
//   x + t d       t halved until the energy falls; contacts stay as they were found

#include "abut/linear/linear_solver.hpp"
#include "abut/solver/solver.hpp"

namespace abut {

class GlobalStep {
public:
    /// Linear systems are solved to this share of the forces, unless the options say otherwise.
    static constexpr double usual_tolerance = 1e-3;

    explicit GlobalStep(std::unique_ptr<LinearSolver> linear) : linear_(std::move(linear)) {}

    [[nodiscard]] LinearSolver& linear() { return *linear_; }

    /// Moves x; false where no step lowers the energy, and x is as before. Energies must have been updated at x, and
    /// are at the new x afterwards. Records what it did.
    bool take(Problem& problem, const SolveOptions& options, Eigen::VectorXd& x, IterationRecord& record);

private:
    std::unique_ptr<LinearSolver> linear_;
    Eigen::VectorXd gradient_, dx_, trial_;
    std::vector<int> blocks_;
};

} // namespace abut
