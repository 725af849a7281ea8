#include "abut/solver/newton.hpp"

#include <gtest/gtest.h>

namespace abut::test {

namespace {

/// A spring of rest length 1 and stiffness 1 between each two neighbours of a chain.
class Springs final : public Energy {
public:
    explicit Springs(int n)
    {
        for (int v = 0; v + 1 < n; ++v)
            stencils_.add(std::array{v, v + 1});
    }
    [[nodiscard]] std::string_view name() const override { return "springs"; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const ConstPositions& x, const TermOutput& out) const override
    {
        for (std::size_t k = 0; k < stencils_.size(); ++k) {
            const Vec3 d = x.row(static_cast<Eigen::Index>(k) + 1) - x.row(static_cast<Eigen::Index>(k));
            const double length = d.norm();
            const Vec3 n = d / length;
            if (out.values != nullptr)
                out.values[k] = 0.5 * (length - 1) * (length - 1);
            if (out.gradients != nullptr) {
                Eigen::Map<Vec3>{out.gradients + 6 * k} = -(length - 1) * n;
                Eigen::Map<Vec3>{out.gradients + 6 * k + 3} = (length - 1) * n;
            }
            if (out.blocks != nullptr) {
                const double across = std::max(0.0, 1 - 1 / length);
                const Mat<3, 3> K = n * n.transpose() + across * (Mat<3, 3>::Identity() - n * n.transpose());
                Eigen::Map<Mat<3, 3>>{out.blocks + 27 * k} = K;
                Eigen::Map<Mat<3, 3>>{out.blocks + 27 * k + 9} = -K;
                Eigen::Map<Mat<3, 3>>{out.blocks + 27 * k + 18} = K;
            }
        }
    }

private:
    Stencils stencils_;
};

/// Weights that hang in the springs.
class Weights final : public Energy {
public:
    Weights(int n, double weight) : weight_(weight)
    {
        for (int v = 0; v < n; ++v)
            stencils_.add(std::array{v});
    }
    [[nodiscard]] std::string_view name() const override { return "weights"; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const ConstPositions& x, const TermOutput& out) const override
    {
        for (std::size_t k = 0; k < stencils_.size(); ++k) {
            if (out.values != nullptr)
                out.values[k] = weight_ * x(static_cast<Eigen::Index>(k), 1);
            if (out.gradients != nullptr)
                Eigen::Map<Vec3>{out.gradients + 3 * k} = weight_ * Vec3::UnitY();
            if (out.blocks != nullptr)
                Eigen::Map<Mat<3, 3>>{out.blocks + 9 * k}.setZero();
        }
    }

private:
    Stencils stencils_;
    double weight_;
};

/// Nothing may go below the floor y = −2.5.
class Floor final : public StepGuard {
public:
    [[nodiscard]] GuardedStep limit(const ConstPositions& x, const ConstPositions& dx) override
    {
        double scale = 1;
        for (Eigen::Index v = 0; v < x.rows(); ++v)
            if (x(v, 1) + dx(v, 1) < -2.5)
                scale = std::min(scale, 0.9 * (x(v, 1) + 2.5) / -dx(v, 1));
        return {scale, scale < 1 ? "the floor" : ""};
    }
};

Positions vertical_chain()
{
    Positions x = Positions::Zero(3, 3);
    x.col(1) << 0, -1, -2;
    return x;
}

TEST(Newton, FindsTheEquilibriumOfHangingWeights)
{
    Springs springs(3);
    Weights weights(3, 0.1);
    Newton newton({&springs, &weights}, nullptr, 3, 3);
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
    Newton newton({&springs}, nullptr, 3, 3);
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
    Newton newton({&springs, &weights}, nullptr, 3, 3);
    const auto solve = [&](double tolerance, double least_stiffness) {
        Positions x = vertical_chain();
        const SolveReport report = newton.minimize(
            x, {1, 0, 0}, {.tolerance = tolerance, .least_stiffness = Eigen::Vector3d::Constant(least_stiffness)});
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
    void evaluate(const ConstPositions& x, const TermOutput& out) const override
    {
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
    Newton newton({&springs, &weights, &wall}, nullptr, 3, 3);
    const auto unbalanced = [&](double force_tolerance) {
        Positions x = vertical_chain();
        x.col(1) << 0, -1.25, -2.5;
        const SolveReport report =
            newton.minimize(x, {1, 0, 0}, {.tolerance = 1e-3, .force_tolerance = force_tolerance});
        EXPECT_EQ(report.outcome, Outcome::converged) << report.message;
        const Eigen::VectorXd sum =
            newton.gradient_of(springs, x) + newton.gradient_of(weights, x) + newton.gradient_of(wall, x);
        return sum.tail(6).norm();
    };
    // At the start the wall pushes with 1e4 N; of forces that become small, a thousandth of that is the scale.
    EXPECT_GT(unbalanced(INFINITY), 100);
    EXPECT_LT(unbalanced(1e-2), 1e-2 * 1e-3 * 1e4);
}

TEST(Newton, NeverStepsOverTheGuardAndSaysWhatStoppedIt)
{
    Springs springs(3);
    Weights weights(3, 0.5); // would hang at −3.5
    Floor floor;
    Newton newton({&springs, &weights}, &floor, 3, 3);
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
    Newton newton({&springs}, nullptr, n, 3);
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
    Newton held({&springs, &weights}, nullptr, n, 3);
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
    Newton newton({&springs, &weights}, nullptr, 3, 3);
    for (const double seconds : {1e-300, 0.0, -1.0}) { // a step may have used its time up before
        Positions x = vertical_chain();
        const SolveReport report = newton.minimize(x, {1, 0, 0}, {.tolerance = 1e-9, .max_seconds = seconds});
        EXPECT_EQ(report.outcome, Outcome::time_limit);
        EXPECT_NE(report.message.find("the time is up after 0 iterations"), std::string::npos) << report.message;
        EXPECT_EQ(x, vertical_chain());
        EXPECT_TRUE(report.limiting.empty());
    }
}

TEST(Newton, TellsValueAndGradientOfOneEnergy)
{
    Springs springs(3);
    Weights weights(3, 0.1);
    Newton newton({&springs, &weights}, nullptr, 3, 3);
    Positions x = vertical_chain();
    x(2, 1) = -2.5;
    EXPECT_DOUBLE_EQ(newton.value_of(springs, x), 0.125);
    EXPECT_DOUBLE_EQ(newton.value_of(weights, x), -0.35);
    EXPECT_DOUBLE_EQ(newton.value(x), 0.125 - 0.35);
    Eigen::VectorXd pulled = Eigen::VectorXd::Zero(9);
    pulled[4] = 0.5;
    pulled[7] = -0.5;
    EXPECT_LE((newton.gradient_of(springs, x) - pulled).norm(), 1e-15);
    EXPECT_LE((newton.gradient_of(weights, x).reshaped(3, 3).row(1).array() - 0.1).abs().maxCoeff(), 1e-15);
}

TEST(Newton, NamesAnEnergyThatIsNotFinite)
{
    Springs springs(2);
    Weights weights(2, std::numeric_limits<double>::infinity());
    Newton newton({&springs, &weights}, nullptr, 2, 3);
    Positions x = vertical_chain().topRows(2);
    x(1, 1) = -1;
    EXPECT_EQ(newton.minimize(x, {1, 0}, {.tolerance = 1e-9}).outcome, Outcome::not_finite);
}

TEST(Newton, LowersTheEnergyInEveryIteration)
{
    Springs springs(3);
    Weights weights(3, 0.3);
    Newton newton({&springs, &weights}, nullptr, 3, 3);
    Positions x = vertical_chain();
    x.row(2) << 0.7, -0.2, 0.4;
    const SolveReport report = newton.minimize(x, {1, 0, 0}, {.tolerance = 1e-10});
    EXPECT_EQ(report.outcome, Outcome::converged) << report.message;
    for (std::size_t i = 1; i < report.iterations.size(); ++i)
        EXPECT_LE(report.iterations[i].energy, report.iterations[i - 1].energy + 1e-13);
}

} // namespace

} // namespace abut::test
