#include "abut/solver/linear_solvers.hpp"

#include "abut/linear/direct_solver.hpp"

namespace abut {

Registry<std::function<std::unique_ptr<LinearSolver>()>>& linear_solvers()
{
    static Registry<std::function<std::unique_ptr<LinearSolver>()>> all(
        {{"direct", DirectSolver::create}, {"eigen", DirectSolver::create_eigen}});
    return all;
}

} // namespace abut
