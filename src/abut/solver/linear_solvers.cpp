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

namespace {

constexpr const char* memory_of_linear_solver = "linear_solver.memory";

} // namespace

void remember_linear_solver(const LinearSolver& solver, History& history)
{
    if (std::vector<double> memory = solver.memory(); !memory.empty())
        history.set(memory_of_linear_solver, std::move(memory));
}

void recall_linear_solver(const History& history, LinearSolver& solver)
{
    const std::vector<double>* memory = history.find(memory_of_linear_solver);
    solver.recall(memory != nullptr ? std::span<const double>(*memory) : std::span<const double>());
}

} // namespace abut
