// What every solver keeps to.

#include "abut/solver/linear_solvers.hpp"
#include "abut/solver/newton.hpp"
#include "abut/solver/vbd.hpp"
#include "support/chain_energies.hpp"

#include <gtest/gtest.h>

namespace abut::test {

namespace {

using MakeSolver = std::function<std::unique_ptr<Solver>()>;

/// What solvers may differ in.
struct SolverTraits {
    int max_iterations = 200; ///< that a chain of six needs at most
    Outcome out_of_iterations = Outcome::iteration_limit;
    bool knows_energy = true; ///< does it record that of each iteration?
};

Eigen::VectorXd start_of_chain(int n)
{
    Eigen::VectorXd x(3 * n);
    for (int v = 0; v < n; ++v)
        x.segment(3 * v, 3) = Vec3(0.2 * (v % 2), -0.8 * v, 0.1 * (v % 3));
    return x;
}

/// A chain that hangs from its first vertex, with a floor as guard where wanted.
struct Hanging {
    explicit Hanging(int n, double weight, StepGuard* guard = nullptr)
        : springs(n), weights(n, weight), problem(BlockLayout(n, 3), {&springs, &weights}, guard), x(start_of_chain(n))
    {
        std::vector<std::uint8_t> is_fixed(n, 0);
        is_fixed[0] = 1;
        problem.set_fixed(is_fixed);
    }

    Springs springs;
    Weights weights;
    Problem problem;
    Eigen::VectorXd x;
};

void expect_solver_contract(const MakeSolver& make, const SolverTraits& traits = {})
{
    const auto solver = make();
    EXPECT_FALSE(solver->name().empty());
    { // It finds the minimum, leaves alone what is fixed, and says what it did.
        Hanging chain(6, 0.2);
        const SolveReport report =
            solver->minimize(chain.problem, chain.x, {.tolerance = 1e-11, .max_iterations = traits.max_iterations});
        EXPECT_EQ(report.outcome, Outcome::converged) << report.message;
        EXPECT_FALSE(report.message.empty());
        EXPECT_FALSE(report.iterations.empty());
        EXPECT_EQ(Vec3(chain.x.head(3)), Vec3(start_of_chain(6).head(3)));
        Eigen::VectorXd gradient;
        chain.problem.update(chain.x);
        chain.problem.gradient(chain.x, gradient);
        EXPECT_LE(gradient.norm(), 1e-9);
        for (int v = 1; v < 6; ++v) // link v carries what hangs below it
            EXPECT_NEAR((chain.x.segment(3 * v, 3) - chain.x.segment(3 * v - 3, 3)).norm(), 1 + 0.2 * (6 - v), 1e-8);
        for (std::size_t k = 1; traits.knows_energy && k < report.iterations.size(); ++k)
            EXPECT_LE(report.iterations[k].energy, report.iterations[k - 1].energy + 1e-12);
    }
    { // At the minimum there is nothing to do.
        Springs springs(3);
        Problem problem(BlockLayout(3, 3), {&springs});
        problem.set_fixed({1, 0, 0});
        const Positions rest = vertical_chain();
        Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(rest.data(), 9);
        EXPECT_EQ(solver->minimize(problem, x, {.tolerance = 1e-9}).outcome, Outcome::converged);
        EXPECT_EQ(Eigen::Map<const Positions>(x.data(), 3, 3), rest);
    }
    { // It never goes over the guard, and does not call that converged.
        Floor floor;
        Hanging chain(3, 0.5, &floor);
        chain.x << 0, 0, 0, 0, -1, 0, 0, -2, 0;
        const SolveReport report = solver->minimize(chain.problem, chain.x, {.tolerance = 1e-9, .max_iterations = 20});
        EXPECT_EQ(report.outcome, traits.out_of_iterations);
        EXPECT_LE(report.iterations.size(), 20u);
        EXPECT_FALSE(report.limiting.empty());
        EXPECT_GE(chain.x[7], -2.5);
    }
    { // An observer sees every iteration and may end it.
        Hanging chain(6, 0.2);
        int calls = 0;
        const auto stop = [&](const IterationRecord&) { return ++calls < 3; };
        EXPECT_EQ(solver->minimize(chain.problem, chain.x, {.tolerance = 1e-11}, stop).outcome, Outcome::interrupted);
        EXPECT_EQ(calls, 3);
        EXPECT_TRUE(chain.x.allFinite());
    }
    { // A step that begins does not depend on what was solved before.
        Hanging chain(40, 0.02), other(25, 0.1), fresh(40, 0.02);
        (void)solver->minimize(other.problem, other.x, {.tolerance = 1e-9});
        solver->begin_step();
        (void)solver->minimize(chain.problem, chain.x, {.tolerance = 1e-9});
        const auto another = make();
        another->begin_step();
        (void)another->minimize(fresh.problem, fresh.x, {.tolerance = 1e-9});
        EXPECT_EQ(chain.x, fresh.x);
    }
}

TEST(SolverContract, HoldsForNewtonWithEveryLinearSolver)
{
    for (const auto& [name, make] : linear_solvers()) {
        SCOPED_TRACE(name);
        expect_solver_contract([&make = make] { return std::make_unique<Newton>(make()); });
    }
}

TEST(SolverContract, HoldsForVertexBlockDescent)
{
    expect_solver_contract(
        [] { return std::make_unique<VertexBlockDescent>(); },
        {.max_iterations = 20000, .out_of_iterations = Outcome::not_converged, .knows_energy = false});
}

} // namespace

} // namespace abut::test
