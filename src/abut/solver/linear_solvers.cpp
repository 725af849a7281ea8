#include "abut/solver/linear_solvers.hpp"

#include "abut/linear/direct_solver.hpp"
#include "abut/linear/iterative/chosen_solver.hpp"

namespace abut {

Registry<std::function<std::unique_ptr<LinearSolver>()>>& linear_solvers()
{
    static Registry<std::function<std::unique_ptr<LinearSolver>()>> all(
        {{"auto", [] { return std::make_unique<ChosenSolver>(LinearMethod::choose); }},
         {"direct", DirectSolver::create},
         {"pcg", [] { return std::make_unique<ChosenSolver>(LinearMethod::pcg); }},
         {"eigen", DirectSolver::create_eigen}});
    return all;
}

} // namespace abut
