#include "abut/geometry/edge_edge_mollifier.hpp"

#include "support/finite_differences.hpp"
#include "support/random_points.hpp"

#include <gtest/gtest.h>

namespace abut::test::edge_edge_mollifier_test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// Two edges of lengths between 0.5 and 2 at an angle with the given sine.
Mat<3, 4> edges_with_sine(double sine, RandomStream& random)
{
    const Vec3 along_a = random_direction<3>(random), across = random_orthogonal<3>(random, along_a);
    const Vec3 along_b = std::sqrt(1 - sine * sine) * along_a + sine * across;
    const Vec3 a0 = random_points<3>(random), b0 = random_points<3>(random);
    Mat<3, 4> X;
    X << a0, a0 + random.uniform(0.5, 2) * along_a, b0, b0 + random.uniform(0.5, 2) * along_b;
    return X;
}

LocalTerm<4, 3> cross_squared_norm(const Mat<3, 4>& X, Order order)
{
    return edge_edge_cross_squared_norm(X.col(0), X.col(1), X.col(2), X.col(3), order);
}

LocalTerm<4, 3> threshold(const Mat<3, 4>& X, Order order)
{
    return edge_edge_mollifier_threshold(X.col(0), X.col(1), X.col(2), X.col(3), order);
}

LocalTerm<4, 3> mollifier(const Mat<3, 4>& X, double eps_x, Order order)
{
    return edge_edge_mollifier(X.col(0), X.col(1), X.col(2), X.col(3), eps_x, order);
}

TEST(EdgeEdgeMollifier, CrossProductAndThresholdMatchFiniteDifferences)
{
    RandomStream random(60);
    for (const double sine : {0.0, 1e-3, 0.1, 1.0})
        for (int i = 0; i < 10; ++i) {
            const Mat<3, 4> X = edges_with_sine(sine, random);
            expect_derivatives_match_differences(cross_squared_norm, X);
            expect_derivatives_match_differences(threshold, X);
        }
}

/// The threshold lies at a sine of sqrt(1e-3) = 0.032, which is also the length over which the mollifier varies.
TEST(EdgeEdgeMollifier, MatchesFiniteDifferencesInsideAndOutsideTheThreshold)
{
    RandomStream random(61);
    for (const double sine : {0.0, 1e-6, 0.01, 0.02, 0.03, 0.033, 0.1, 1.0})
        for (int i = 0; i < 10; ++i) {
            const Mat<3, 4> X = edges_with_sine(sine, random);
            const double eps_x = threshold(X, Order::value).value;
            EXPECT_EQ(cross_squared_norm(X, Order::value).value < eps_x, sine < 0.032);
            const auto m = [&](const Mat<3, 4>& Y, Order order) { return mollifier(Y, eps_x, order); };
            expect_derivatives_match_differences(m, X, 0.032);
        }
}

TEST(EdgeEdgeMollifier, FollowsItsFormula)
{
    RandomStream random(62);
    for (const double sine : {1e-6, 0.01, 0.02, 0.03}) {
        const Mat<3, 4> X = edges_with_sine(sine, random);
        const double eps_x = threshold(X, Order::value).value, x = sine * sine / 1e-3;
        // The sine of the rounded points is off by eps, its square relatively by 2 eps / sine.
        EXPECT_NEAR(mollifier(X, eps_x, Order::value).value, (2 - x) * x, 16 * eps / sine * x);
    }
    const Vec3 a0(0, 0, 0), a1(2, 0, 0), b0(0, 0, 1), b1(0, 3, 1);
    EXPECT_EQ(edge_edge_cross_squared_norm(a0, a1, b0, b1, Order::value).value, 36);
    EXPECT_DOUBLE_EQ(edge_edge_mollifier_threshold(a0, a1, b0, b1, Order::value).value, 0.036);
    EXPECT_EQ(edge_edge_mollifier(a0, a1, b0, b1, 0.036, Order::value).value, 1);
}

TEST(EdgeEdgeMollifier, VanishesWithItsGradientForParallelEdges)
{
    const Vec3 a0(0, 0, 0), a1(1, 2, 3), b0(0, 1, 0), b1(-2, -3, -6);
    const auto m = edge_edge_mollifier(a0, a1, b0, b1, 0.1, Order::hessian);
    EXPECT_EQ(m.value, 0);
    EXPECT_EQ(m.gradient.norm(), 0);
    EXPECT_GT(m.hessian.norm(), 0);
}

TEST(EdgeEdgeMollifier, IsContinuousWithItsGradientAtTheThreshold)
{
    RandomStream random(63);
    for (int i = 0; i < 20; ++i) {
        const Mat<3, 4> X = edges_with_sine(0.05, random);
        const double c = cross_squared_norm(X, Order::value).value;
        const auto outside = mollifier(X, c, Order::gradient), inside = mollifier(X, c * (1 + 1e-8), Order::gradient);
        EXPECT_EQ(outside.value, 1);
        EXPECT_EQ(outside.gradient.norm(), 0);
        EXPECT_NEAR(inside.value, 1, 1e-15);               // 1 - (1 - x)², x = 1 - 1e-8
        EXPECT_LT(inside.gradient.norm(), 1e-8 * 2 * 200); // 2 (1 - x) |grad c| / c, |grad c| / c < 4 / (0.5 * 0.05)
    }
}

TEST(EdgeEdgeMollifier, IsOneForAThresholdOfZero)
{
    const Vec3 a0(0, 0, 0), a1(1, 0, 0), b0(0, 0, 1), b1(2, 0, 1);
    const auto m = edge_edge_mollifier(a0, a1, b0, b1, 0, Order::hessian);
    EXPECT_EQ(m.value, 1);
    EXPECT_EQ(m.gradient.norm(), 0);
    EXPECT_EQ(m.hessian.norm(), 0);
}

} // namespace
} // namespace abut::test::edge_edge_mollifier_test
