#include "abut/elastic/rotation_svd.hpp"
#include "support/random_points.hpp"

#include <Eigen/SVD>
#include <gtest/gtest.h>

namespace abut::test::rotation_svd_test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// The decomposition of one matrix.
template <int Rows, int Cols>
struct Decomposition {
    Mat<Rows, Rows> U;
    Vec<Cols> sigma;
    Mat<Cols, Cols> V;

    [[nodiscard]] Mat<Rows, Cols> product() const
    {
        return U.template leftCols<Cols>() * sigma.asDiagonal() * V.transpose();
    }
};

template <int Rows, int Cols>
Decomposition<Rows, Cols> lane_of(const RotationSvd<Rows, Cols>& svd, int lane)
{
    Decomposition<Rows, Cols> d{svd.U.get(lane), {}, svd.V.get(lane)};
    for (int i = 0; i < Cols; ++i)
        d.sigma[i] = svd.sigma[i][lane];
    return d;
}

template <int Rows, int Cols>
Decomposition<Rows, Cols> decomposed(const Mat<Rows, Cols>& F)
{
    LaneMatrix<Rows, Cols> lanes;
    for (int lane = 0; lane < num_lanes; ++lane)
        lanes.set(lane, F);
    return lane_of(rotation_svd(lanes), 0);
}

template <int N>
void expect_rotation(const Mat<N, N>& R)
{
    EXPECT_LE((R.transpose() * R - Mat<N, N>::Identity()).cwiseAbs().maxCoeff(), 20 * eps) << R;
    EXPECT_GT(R.determinant(), 0) << R;
}

template <int Rows, int Cols>
void expect_decomposes(const Mat<Rows, Cols>& F)
{
    SCOPED_TRACE(testing::Message() << F);
    const auto d = decomposed<Rows, Cols>(F);
    expect_rotation(d.U);
    expect_rotation(d.V);
    EXPECT_LE((d.product() - F).cwiseAbs().maxCoeff(), 20 * eps * F.norm());
    for (int i = 0; i + 1 < Cols; ++i) {
        EXPECT_GE(d.sigma[i], (1 - 4 * eps) * std::abs(d.sigma[i + 1]) - 1e-150); // whose square underflows
        EXPECT_GE(d.sigma[i], 0);
    }
    // The oracle, in longer numbers
    const Eigen::JacobiSVD<Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>> oracle(
        Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>(F.template cast<long double>()));
    for (int i = 0; i < Cols; ++i)
        EXPECT_NEAR(std::abs(d.sigma[i]), double(oracle.singularValues()[i]), 10 * eps * F.norm());
    if constexpr (Rows == Cols) {
        const long double determinant = F.template cast<long double>().determinant();
        if (std::abs(determinant) > 1e-13 * std::pow(F.norm(), Rows)) {
            EXPECT_EQ(d.sigma[Cols - 1] < 0, determinant < 0);
        }
    } else {
        EXPECT_GE(d.sigma[Cols - 1], 0);
    }
}

template <int Rows, int Cols>
void expect_decomposes_all()
{
    RandomStream random(7);
    const auto with_stretches = [&](const Vec<Cols>& sigma) -> Mat<Rows, Cols> {
        return random_rotation<Rows>(random).template leftCols<Cols>() * sigma.asDiagonal() *
               random_rotation<Cols>(random).transpose();
    };
    const auto stretches = [](double a, double b, double c) {
        Vec<Cols> sigma;
        sigma[0] = a;
        sigma[1] = b;
        if constexpr (Cols == 3)
            sigma[2] = c;
        return sigma;
    };
    for (int k = 0; k < 500; ++k) {
        expect_decomposes<Rows, Cols>(random_points<Rows, Cols>(random));
        expect_decomposes<Rows, Cols>(random_grid_points<Rows, Cols>(random, 1)); // singular ones among them
        expect_decomposes<Rows, Cols>(with_stretches(stretches(1, 1, 1)));
        expect_decomposes<Rows, Cols>(with_stretches(stretches(2, 0.5, 0.5)));
        expect_decomposes<Rows, Cols>(with_stretches(stretches(1, 1e-8, 1e-8)));
        expect_decomposes<Rows, Cols>(with_stretches(stretches(1, 1e-4, 1e-8)));
        expect_decomposes<Rows, Cols>(with_stretches(stretches(1, 1, 0)));
        expect_decomposes<Rows, Cols>(with_stretches(stretches(1, 0, 0)));
        expect_decomposes<Rows, Cols>(with_stretches(stretches(1, 1 - 1e-9, 1 - 2e-9)));
        if (Rows == Cols) {
            expect_decomposes<Rows, Cols>(with_stretches(stretches(1.5, -0.7, 1.1)));
            expect_decomposes<Rows, Cols>(with_stretches(stretches(1, -1, 1)));
        }
        expect_decomposes<Rows, Cols>(1e30 * random_points<Rows, Cols>(random));
        expect_decomposes<Rows, Cols>(1e-30 * random_points<Rows, Cols>(random));
    }
    expect_decomposes<Rows, Cols>(Mat<Rows, Cols>::Zero());
    expect_decomposes<Rows, Cols>(Mat<Rows, Cols>::Identity());
    expect_decomposes<Rows, Cols>(Mat<Rows, Cols>::Ones());
    expect_decomposes<Rows, Cols>(-Mat<Rows, Cols>::Ones());
}

TEST(RotationSvd, DecomposesSolids) { expect_decomposes_all<3, 3>(); }
TEST(RotationSvd, DecomposesPlanarElements) { expect_decomposes_all<2, 2>(); }
TEST(RotationSvd, DecomposesSheets) { expect_decomposes_all<3, 2>(); }

TEST(RotationSvd, SmallStretchesOfScaledColumnsKeepTheirRelativeAccuracy)
{
    RandomStream random(3);
    for (int k = 0; k < 200; ++k) {
        // Columns of very different length, each exact: F = Q diag(1, 1e-8, 1e-12).
        const Mat<3, 3> F = random_points<3, 3>(random) * Vec3(1, 0x1p-27, 0x1p-40).asDiagonal();
        const Eigen::Matrix<long double, 3, 3> exact = F.cast<long double>();
        const auto d = decomposed<3, 3>(F);
        const double product = d.sigma.prod();
        const long double determinant = exact.determinant(), shape = std::abs(determinant) * 0x1p67L;
        if (shape < 0.05)
            continue; // the random part is close to singular itself
        EXPECT_NEAR(product / double(determinant), 1, 1e-12);
        const Eigen::JacobiSVD<Eigen::Matrix<long double, 3, 3>> oracle(exact);
        EXPECT_NEAR(d.sigma[1] / double(oracle.singularValues()[1]), 1, 1e-12);
    }
}

TEST(RotationSvd, TheIdentityIsDecomposedToTheBit)
{
    const auto d = decomposed<3, 3>(Mat<3, 3>::Identity());
    EXPECT_EQ(d.sigma, Vec3(1, 1, 1));
    EXPECT_EQ(d.U, (Mat<3, 3>::Identity()));
}

TEST(RotationSvd, ALaneDoesNotSeeItsNeighbours)
{
    RandomStream random(5);
    for (int k = 0; k < 100; ++k) {
        LaneMatrix<3, 3> lanes;
        std::vector<Mat<3, 3>> matrices;
        for (int lane = 0; lane < num_lanes; ++lane) {
            matrices.push_back(lane == 0 ? Mat<3, 3>(random_rotation<3>(random)) : random_points<3, 3>(random));
            lanes.set(lane, matrices.back());
        }
        const auto together = rotation_svd(lanes);
        for (int lane = 0; lane < num_lanes; ++lane) {
            const auto alone = decomposed<3, 3>(matrices[lane]), in_group = lane_of(together, lane);
            EXPECT_EQ(alone.U, in_group.U);
            EXPECT_EQ(alone.sigma, in_group.sigma);
            EXPECT_EQ(alone.V, in_group.V);
        }
    }
}

TEST(RotationSvd, EndsForInfinitiesAndNan)
{
    for (const double bad :
         {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), 1e300}) {
        Mat<3, 3> F = Mat<3, 3>::Identity();
        F(1, 0) = bad;
        (void)decomposed<3, 3>(F);
    }
    SUCCEED();
}

} // namespace
} // namespace abut::test::rotation_svd_test
