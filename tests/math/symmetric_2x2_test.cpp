#include "abut/math/symmetric_2x2.hpp"

#include "abut/base/random.hpp"
#include "abut/math/types.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace abut::test::symmetric_2x2_test {
namespace {

using Extended = Eigen::Matrix<long double, 2, 2>;

Extended clamped_by_eigen(const Symmetric2x2& M)
{
    Extended matrix;
    matrix << M.xx, M.xy, M.xy, M.yy;
    const Eigen::SelfAdjointEigenSolver<Extended> solver(matrix);
    return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0.0L).asDiagonal() * solver.eigenvectors().transpose();
}

TEST(Symmetric2x2, ClampsAsEigenDoesWithEveryPairOfSigns)
{
    RandomStream random(1);
    std::array<int, 3> count{}; // of negative eigenvalues
    for (int i = 0; i < 2000; ++i) {
        const Symmetric2x2 M{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        const double determinant = M.xx * M.yy - M.xy * M.xy;
        ++count[determinant < 0 ? 1 : M.xx + M.yy < 0 ? 2 : 0];
        const Symmetric2x2 P = clamped_to_psd(M);
        const Extended expected = clamped_by_eigen(M);
        const double tolerance = 1e-14 * std::hypot(M.xx, M.xy, M.yy);
        EXPECT_NEAR(P.xx, double(expected(0, 0)), tolerance);
        EXPECT_NEAR(P.xy, double(expected(0, 1)), tolerance);
        EXPECT_NEAR(P.yy, double(expected(1, 1)), tolerance);
    }
    for (const int times : count)
        EXPECT_GT(times, 50);
}

TEST(Symmetric2x2, KeepsEachEntrysAccuracyWhereUnitsDiffer)
{
    RandomStream random(2);
    for (const double unit : {1e-6, 1e-3, 1e3, 1e6})
        for (int i = 0; i < 200; ++i) {
            const Symmetric2x2 M{
                random.uniform(-1, 1) * unit * unit, random.uniform(-1, 1) * unit, random.uniform(-1, 1)};
            if (M.xx * M.yy - M.xy * M.xy > 0)
                continue;
            const Symmetric2x2 P = clamped_to_psd(M);
            const Extended expected = clamped_by_eigen(M);
            EXPECT_NEAR(P.xx, double(expected(0, 0)), 1e-6 * std::abs(double(expected(0, 0))));
            EXPECT_NEAR(P.xy, double(expected(0, 1)), 1e-6 * std::abs(double(expected(0, 1))));
            EXPECT_NEAR(P.yy, double(expected(1, 1)), 1e-6 * std::abs(double(expected(1, 1))));
        }
}

TEST(Symmetric2x2, KeepsDefiniteMatricesAndForgetsNegativeOnes)
{
    const auto expect_equal = [](const Symmetric2x2& P, const Symmetric2x2& Q) {
        EXPECT_DOUBLE_EQ(P.xx, Q.xx);
        EXPECT_DOUBLE_EQ(P.xy, Q.xy);
        EXPECT_DOUBLE_EQ(P.yy, Q.yy);
    };
    for (const Symmetric2x2& M : {Symmetric2x2{0, 0, 0}, {2, 1, 3}, {1, 1, 1}, {5, 0, 0}, {0, 0, 5}})
        expect_equal(clamped_to_psd(M), M);
    for (const Symmetric2x2& M : {Symmetric2x2{-2, 1, -3}, {-1, 0, 0}, {0, 0, -1}, {-1, 1, -1}})
        expect_equal(clamped_to_psd(M), {0, 0, 0});
    expect_equal(clamped_to_psd({-3, 0, 4}), {0, 0, 4});
    expect_equal(clamped_to_psd({4, 0, -3}), {4, 0, 0});
    expect_equal(clamped_to_psd({0, 1, 0}), {0.5, 0.5, 0.5});
}

} // namespace
} // namespace abut::test::symmetric_2x2_test
