#include "abut/solver/newton.hpp"

#include "abut/solver/mixed_hessian.hpp"

#include "support/chain_energies.hpp"

#include <gtest/gtest.h>

namespace abut::test {

namespace {

/// A problem of vertices, and Newton with it.
class VertexProblem {
public:
    VertexProblem(std::vector<Energy*> energies, StepGuard* guard, int num_vertices)
        : problem(BlockLayout(num_vertices, 3), std::move(energies), guard)
    {}

    SolveReport minimize(
        Positions& x, std::vector<std::uint8_t> is_fixed, const SolveOptions& options,
        const SolveObserver& observer = {})
    {
        problem.set_fixed(std::move(is_fixed));
        Eigen::VectorXd numbers = flat(x);
        const SolveReport report = newton_.minimize(problem, numbers, options, observer);
        x = problem.view(numbers).vertices();
        return report;
    }
    static Eigen::VectorXd flat(const Positions& x) { return Eigen::Map<const Eigen::VectorXd>(x.data(), x.size()); }

    Problem problem;

private:
    Newton newton_;
};

TEST(Newton, FindsTheEquilibriumOfHangingWeights)
{
    Springs springs(3);
    Weights weights(3, 0.1);
    VertexProblem newton({&springs, &weights}, nullptr, 3);
    Positions x = vertical_chain();
    const SolveReport report = newton.minimize(x, {1, 0, 0}, {.tolerance = 1e-12});
    EXPECT_EQ(report.outcome, Outcome::converged) << report.message;
    // The upper spring carries two weights, the lower one.
    EXPECT_NEAR(x(1, 1), -1.2, 1e-10);
    EXPECT_NEAR(x(2, 1), -2.3, 1e-10);
    EXPECT_EQ(x.row(0), vertical_chain().row(0));
    EXPECT_FALSE(report.iterations.empty());
}

TEST(Newton, ReturnsAtOnceWhereNothingPulls)
{
    Springs springs(3);
    VertexProblem newton({&springs}, nullptr, 3);
    Positions x = vertical_chain();
    const SolveReport report = newton.minimize(x, {1, 0, 0}, {.tolerance = 1e-9});
    EXPECT_EQ(report.outcome, Outcome::converged) << report.message;
    EXPECT_TRUE(report.iterations.empty());
    EXPECT_EQ(x, vertical_chain());
}

TEST(Newton, ReturnsAtOnceWhereForcesMoveNothingWorthATolerance)
{
    // Up and down the chain has a stiffness of at least (3 - sqrt(5)) / 2 N/m, and the weights lower it by 3e-9 m.
    Springs springs(3);
    Weights weights(3, 1e-9);
    VertexProblem newton({&springs, &weights}, nullptr, 3);
    const auto solve = [&](double tolerance, double least_stiffness) {
        Positions x = vertical_chain();
        newton.problem.set_least_stiffness(Eigen::Vector3d::Constant(least_stiffness));
        const SolveReport report = newton.minimize(x, {1, 0, 0}, {.tolerance = tolerance});
        EXPECT_EQ(report.outcome, Outcome::converged) << report.message;
        EXPECT_EQ(report.iterations.empty(), x == vertical_chain());
        return report.iterations.size();
    };
    EXPECT_EQ(solve(5e-4, 0.38), 0u);
    EXPECT_GT(solve(2e-4, 0.38), 0u); // the motion is more than 1e-5 of it
    EXPECT_GT(solve(5e-4, 0.1), 0u);  // a weaker bound
    EXPECT_GT(solve(5e-4, 0), 0u);    // none
}

/// A wall at y = -2.5 that begins to push 0.1 mm above it, as steeply as contact does.
class SteepWall final : public Energy {
public:
    SteepWall() { stencils_.add(std::array{2}); }
    [[nodiscard]] std::string_view name() const override { return "wall"; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& unknowns, const TermOutput& out) const override
    {
        const auto x = unknowns.vertices();
        const double depth = std::max(0.0, 1e-4 - (x(2, 1) + 2.5)), k = 1e12;
        if (out.values != nullptr)
            out.values[0] = k * depth * depth * depth / 3;
        if (out.gradients != nullptr)
            Eigen::Map<Vec3>{out.gradients} = -k * depth * depth * Vec3::UnitY();
        if (out.blocks != nullptr)
            Eigen::Map<Mat<3, 3>>{out.blocks} = 2 * k * depth * Vec3::UnitY() * Vec3::UnitY().transpose();
    }

private:
    Stencils stencils_;
};

TEST(Newton, GoesOnWhileForcesAreOutOfBalance)
{
    Springs springs(3);
    Weights weights(3, 0.5);
    SteepWall wall;
    VertexProblem newton({&springs, &weights, &wall}, nullptr, 3);
    const auto unbalanced = [&](double force_tolerance) {
        Positions x = vertical_chain();
        x.col(1) << 0, -1.25, -2.5;
        const SolveReport report =
            newton.minimize(x, {1, 0, 0}, {.tolerance = 1e-3, .force_tolerance = force_tolerance});
        EXPECT_EQ(report.outcome, Outcome::converged) << report.message;
        const Eigen::VectorXd at = VertexProblem::flat(x);
        Eigen::VectorXd sum = Eigen::VectorXd::Zero(9);
        for (const Energy* energy : newton.problem.energies())
            sum += newton.problem.gradient_of(*energy, at);
        return sum.tail(6).norm();
    };
    // At the start the wall pushes with 1e4 N. Where forces become small, a thousandth of that is their scale.
    EXPECT_GT(unbalanced(INFINITY), 100);
    EXPECT_LT(unbalanced(1e-2), 1e-2 * 1e-3 * 1e4);
}

/// What rounding does to the value of a sum, and larger: a number that differs from place to place and has no slope.
class Noise final : public Energy {
public:
    explicit Noise(double size) : size_(size) { stencils_.add(std::array{0, 1, 2}); }
    [[nodiscard]] std::string_view name() const override { return "noise"; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& unknowns, const TermOutput& out) const override
    {
        const double sum = 1e13 * unknowns.vertices().sum();
        if (out.values != nullptr)
            out.values[0] = size_ * std::sin(sum) * std::cos(3 * sum);
        if (out.gradients != nullptr)
            std::fill_n(out.gradients, 9, 0.0);
        if (out.blocks != nullptr)
            std::fill_n(out.blocks, 54, 0.0);
    }

private:
    Stencils stencils_;
    double size_;
};

TEST(Newton, ConvergesBelowTheRoundingOfTheEnergy)
{
    // The energy changes by 1e-16 J over the last steps, and noise hides 1e-12 J: the slope tells that they go down.
    Springs springs(3);
    Weights weights(3, 0.1);
    Noise noise(1e-12);
    VertexProblem newton({&springs, &weights, &noise}, nullptr, 3);
    for (int i = 0; i < 20; ++i) {
        Positions x = vertical_chain();
        x.row(2) += Vec3(0.3, 0.1 + 0.01 * i, -0.2).transpose();
        const SolveReport report = newton.minimize(x, {1, 0, 0}, {.tolerance = 1e-12, .max_iterations = 100});
        EXPECT_EQ(report.outcome, Outcome::converged) << report.message;
        EXPECT_NEAR(x(2, 1), -2.3, 1e-11);
    }
}

/// Weights between a spring of stiffness 1 and a load that buckles it: together they have a stiffness of 0.05 at the
/// origin, and the spring alone has 1. At each vertex, as two terms.
class Buckling final : public Energy {
public:
    explicit Buckling(int n)
    {
        for (int v = 0; v < n; ++v) {
            stencils_.add(std::array{v});
            stencils_.add(std::array{v});
        }
    }
    [[nodiscard]] std::string_view name() const override { return "buckling"; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& unknowns, const TermOutput& out) const override
    {
        const auto x = unknowns.vertices();
        for (std::size_t k = 0; k < stencils_.size(); ++k) {
            const Vec3 at = x.row(static_cast<Eigen::Index>(k / 2));
            const double stiffness = k % 2 == 0 ? 1 : -0.95, quartic = k % 2 == 0 ? 1 : 0;
            const double squared = at.squaredNorm();
            if (out.values != nullptr)
                out.values[k] = 0.5 * stiffness * squared + 0.25 * quartic * squared * squared;
            if (out.gradients != nullptr)
                Eigen::Map<Vec3>{out.gradients + 3 * k} = (stiffness + quartic * squared) * at;
            if (out.blocks != nullptr) {
                Mat<3, 3> H =
                    (stiffness + quartic * squared) * Mat<3, 3>::Identity() + 2 * quartic * at * at.transpose();
                project_to_psd(H, projection_of(out.hessian));
                Eigen::Map<Mat<3, 3>>{out.blocks + 9 * k} = H;
            }
        }
    }

private:
    Stencils stencils_;
};

TEST(Newton, UsesLessOfTheProjectionWhereItIsSlow)
{
    Buckling buckling(3);
    VertexProblem newton({&buckling}, nullptr, 3);
    const auto iterations = [&](bool mix, double& projection) {
        Positions x(3, 3);
        x << 0.3, 0, 0, 0, 0.2, 0.1, -0.1, 0.1, 0.2;
        const SolveReport report =
            newton.minimize(x, {0, 0, 0}, {.tolerance = 1e-9, .max_iterations = 1000, .mix_hessians = mix});
        EXPECT_EQ(report.outcome, Outcome::converged) << report.message;
        EXPECT_LT(x.norm(), mix ? 1e-15 : 1e-7) << "slow steps end far from the minimum";
        projection = report.iterations.back().projection;
        return report.iterations.size();
    };
    double projection = -1;
    EXPECT_GT(iterations(false, projection), 100u);
    EXPECT_EQ(projection, 1);
    EXPECT_LT(iterations(true, projection), 15u);
    EXPECT_EQ(projection, 0);
}

TEST(MixedHessian, IsExactAndAShareOfTheProjection)
{
    Buckling buckling(3);
    Problem problem(BlockLayout(3, 3), {&buckling});
    Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(9, -0.3, 0.4);
    problem.update(x);
    const Eigen::MatrixXd exact(problem.hessian(x, HessianForm::exact).blocks.to_sparse());
    const Eigen::MatrixXd projected(problem.hessian(x, HessianForm::clamp).blocks.to_sparse());
    EXPECT_GT((projected - exact).norm(), 1);
    MixedHessian mixed(problem, HessianForm::clamp);
    mixed.begin(x);
    EXPECT_EQ(Eigen::MatrixXd(mixed.with(0).blocks.to_sparse()), exact);
    for (const double share : {0.25, 0.5})
        EXPECT_LT(
            (Eigen::MatrixXd(mixed.with(share).blocks.to_sparse()) - (1 - share) * exact - share * projected).norm(),
            1e-15);
    EXPECT_EQ(Eigen::MatrixXd(mixed.with(0).blocks.to_sparse()), exact) << "asking for a share changes nothing";
}

TEST(Newton, NeverStepsOverTheGuardAndSaysWhatStoppedIt)
{
    Springs springs(3);
    Weights weights(3, 0.5); // would hang at −3.5
    Floor floor;
    VertexProblem newton({&springs, &weights}, &floor, 3);
    Positions x = vertical_chain();
    const SolveReport report = newton.minimize(x, {1, 0, 0}, {.tolerance = 1e-9, .max_iterations = 20});
    EXPECT_EQ(report.outcome, Outcome::iteration_limit);
    EXPECT_NE(report.message.find("springs"), std::string::npos) << report.message;
    EXPECT_EQ(report.limiting.substr(0, 13), "the floor (to") << report.limiting;
    EXPECT_GE(x(2, 1), -2.5);
    for (const IterationRecord& record : report.iterations)
        EXPECT_LE(record.line_search_scale, record.guard_scale);
}

TEST(Newton, DampsNeutralMotionToTheToleranceAndEndsWhereItDoesWithout)
{
    // A chain that nothing holds, all but at rest and far from the origin: rounding of its forces pushes it about.
    constexpr int n = 8;
    Springs springs(n);
    VertexProblem newton({&springs}, nullptr, n);
    const std::vector<std::uint8_t> is_fixed(n, 0);
    Positions x(n, 3);
    for (int v = 0; v < n; ++v)
        x.row(v) << 1000.1 + 0.6 * v, 333.3 + 0.8 * v, 777.7;
    x(3, 0) += 1e-6;
    for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
        Positions damped = x;
        const SolveReport report =
            newton.minimize(damped, is_fixed, {.tolerance = tolerance, .damp_neutral_motion = true});
        EXPECT_EQ(report.outcome, Outcome::converged);
        EXPECT_LE(report.iterations.size(), 5u);
        EXPECT_GT(report.iterations.back().regularization, 0);
        for (int v = 0; v + 1 < n; ++v)
            EXPECT_NEAR((damped.row(v + 1) - damped.row(v)).norm(), 1, 1e-11);
        const Positions before = damped;
        EXPECT_EQ(
            newton.minimize(damped, is_fixed, {.tolerance = tolerance, .damp_neutral_motion = true}).outcome,
            Outcome::converged);
        EXPECT_LE((damped - before).rowwise().norm().maxCoeff(), tolerance);
    }
    // Where something holds it, the same place to the tolerance.
    Weights weights(n, 0.01);
    VertexProblem held({&springs, &weights}, nullptr, n);
    std::vector<std::uint8_t> first_fixed(n, 0);
    first_fixed[0] = 1;
    Positions hanging(n, 3);
    for (int v = 0; v < n; ++v)
        hanging.row(v) << 0, -1.1 * v, 0;
    Positions plain = hanging, damped = hanging;
    EXPECT_EQ(held.minimize(plain, first_fixed, {.tolerance = 1e-10}).outcome, Outcome::converged);
    EXPECT_EQ(
        held.minimize(damped, first_fixed, {.tolerance = 1e-10, .damp_neutral_motion = true}).outcome,
        Outcome::converged);
    EXPECT_LE((damped - plain).rowwise().norm().maxCoeff(), 1e-10);
}

TEST(Newton, EndsWhenTheTimeIsUp)
{
    Springs springs(3);
    Weights weights(3, 0.1);
    VertexProblem newton({&springs, &weights}, nullptr, 3);
    for (const double seconds : {1e-300, 0.0, -1.0}) { // a step may have used its time up before
        Positions x = vertical_chain();
        const SolveReport report = newton.minimize(x, {1, 0, 0}, {.tolerance = 1e-9, .max_seconds = seconds});
        EXPECT_EQ(report.outcome, Outcome::time_limit);
        EXPECT_NE(report.message.find("the time is up after 0 iterations"), std::string::npos) << report.message;
        EXPECT_EQ(x, vertical_chain());
        EXPECT_TRUE(report.limiting.empty());
    }
}

TEST(Problem, TellsValueAndGradientOfOneEnergyAndOfAll)
{
    Springs springs(3);
    Weights weights(3, 0.1);
    Problem problem(BlockLayout(3, 3), {&springs, &weights});
    Positions positions = vertical_chain();
    positions(2, 1) = -2.5;
    const Eigen::VectorXd x = VertexProblem::flat(positions);
    problem.update(x);
    EXPECT_DOUBLE_EQ(problem.value_of(springs, x), 0.125);
    EXPECT_DOUBLE_EQ(problem.value_of(weights, x), -0.35);
    EXPECT_DOUBLE_EQ(problem.value(x), 0.125 - 0.35);
    Eigen::VectorXd pulled = Eigen::VectorXd::Zero(9), gradient;
    pulled[4] = 0.5;
    pulled[7] = -0.5;
    EXPECT_LE((problem.gradient_of(springs, x) - pulled).norm(), 1e-15);
    EXPECT_LE((problem.gradient_of(weights, x).reshaped(3, 3).row(1).array() - 0.1).abs().maxCoeff(), 1e-15);
    problem.set_fixed({1, 0, 0});
    problem.gradient(x, gradient);
    EXPECT_EQ(gradient.head(3).norm(), 0);
    EXPECT_NEAR(gradient[4], 0.6, 1e-15);
}

TEST(Newton, ReportsBeginAsUnfinishedAndKeepTheirIterations)
{
    EXPECT_EQ(SolveReport().outcome, Outcome::unfinished);
    EXPECT_EQ(to_string(Outcome::unfinished), "unfinished");
    EXPECT_FALSE(LinearReport().is_solved);
    Springs springs(3);
    Weights weights(3, 0.1);
    VertexProblem newton({&springs, &weights}, nullptr, 3);
    Positions x = vertical_chain();
    std::vector<double> seen;
    const SolveReport report = newton.minimize(
        x, {1, 0, 0}, {.tolerance = 1e-12, .linear_tolerance = 1e-9}, [&](const IterationRecord& record) {
            seen.push_back(record.energy);
            return true;
        });
    EXPECT_EQ(report.outcome, Outcome::converged);
    ASSERT_GE(report.iterations.size(), seen.size());
    for (std::size_t i = 0; i < seen.size(); ++i)
        EXPECT_EQ(seen[i], report.iterations[i].energy);
    for (const IterationRecord& record : report.iterations) {
        EXPECT_TRUE(record.linear.is_solved);
        EXPECT_LE(record.linear.relative_residual, 1e-12);
    }
}

TEST(Newton, EndsWhereTheObserverSaysSo)
{
    Springs springs(3);
    Weights weights(3, 0.3);
    VertexProblem newton({&springs, &weights}, nullptr, 3);
    Positions x = vertical_chain();
    x.row(2) << 0.7, -0.2, 0.4;
    int calls = 0;
    const SolveReport report =
        newton.minimize(x, {1, 0, 0}, {.tolerance = 1e-10}, [&](const IterationRecord&) { return ++calls < 2; });
    EXPECT_EQ(report.outcome, Outcome::interrupted) << report.message;
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(report.iterations.size(), 2u);
    EXPECT_TRUE(x.allFinite());
}

TEST(Newton, NamesAnEnergyThatIsNotFinite)
{
    Springs springs(2);
    Weights weights(2, std::numeric_limits<double>::infinity());
    VertexProblem newton({&springs, &weights}, nullptr, 2);
    Positions x = vertical_chain().topRows(2);
    x(1, 1) = -1;
    EXPECT_EQ(newton.minimize(x, {1, 0}, {.tolerance = 1e-9}).outcome, Outcome::not_finite);
}

TEST(Newton, LowersTheEnergyInEveryIteration)
{
    Springs springs(3);
    Weights weights(3, 0.3);
    VertexProblem newton({&springs, &weights}, nullptr, 3);
    Positions x = vertical_chain();
    x.row(2) << 0.7, -0.2, 0.4;
    const SolveReport report = newton.minimize(x, {1, 0, 0}, {.tolerance = 1e-10});
    EXPECT_EQ(report.outcome, Outcome::converged) << report.message;
    for (std::size_t i = 1; i < report.iterations.size(); ++i)
        EXPECT_LE(report.iterations[i].energy, report.iterations[i - 1].energy + 1e-13);
}

} // namespace

} // namespace abut::test
