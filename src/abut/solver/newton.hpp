#pragma once
// Projected Newton: each term's Hessian is made positive semidefinite, the system solved, the step limited by the guard
// and then halved until the energy falls. Where that converges slowly, less of the projection is used.

#include "abut/solver/solver.hpp"

namespace abut {

class Newton final : public Solver {
public:
    /// With the direct solver where none is given.
    explicit Newton(std::unique_ptr<LinearSolver> linear_solver = nullptr);

    [[nodiscard]] std::string_view name() const override { return "newton"; }
    void begin_step() override { linear_solver_->begin_step(); }
    void load(const History& history) override;
    void save(History& history) const override;
    [[nodiscard]] SolveReport minimize(
        Problem& problem, Eigen::VectorXd& x, const SolveOptions& options, const SolveObserver& observer = {}) override;

    [[nodiscard]] const LinearSolver& linear_solver() const { return *linear_solver_; }

private:
    std::unique_ptr<LinearSolver> linear_solver_;
};

} // namespace abut
