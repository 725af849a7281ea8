#include "abut/elastic/deformation.hpp"
#include "elastic_states.hpp"
#include "support/finite_differences.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace abut::test::deformation_test {
namespace {

constexpr LameParameters lame{.mu = 0.8, .lambda = 1.7};

/// Calls check(model, F, length) with the length over which the energy changes by as much as itself, for every model
/// and stretch case, in two random frames and in that of the axes.
template <int Rows, int Cols, typename Check>
void for_each_gradient(Check&& check)
{
    RandomStream random(11);
    for (const ElasticModel model : all_models)
        for (const auto& state : stretch_cases<Cols>()) {
            constexpr bool is_sheet = Rows > Cols;
            if (is_sheet ? state.is_inverted || model == ElasticModel::stable_neo_hookean
                         : !admits(model, state.is_inverted))
                continue;
            for (int frame = 0; frame < 3; ++frame) {
                SCOPED_TRACE(
                    testing::Message() << to_string(model) << ", " << Rows << " x " << Cols << ", " << state.name);
                Mat<Rows, Rows> U = Mat<Rows, Rows>::Identity();
                Mat<Cols, Cols> V = Mat<Cols, Cols>::Identity();
                if (frame > 0) {
                    U = random_rotation<Rows>(random);
                    V = random_rotation<Cols>(random);
                }
                const Vec<Cols>& sigma = state.sigma;
                const Mat<Rows, Cols> F = U.template leftCols<Cols>() * sigma.asDiagonal() * V.transpose();
                double length = 1;
                if (keeps_volume(model) || (is_sheet && model == ElasticModel::fixed_corotated))
                    length = std::min(length, sigma.minCoeff());
                else if (model == ElasticModel::fixed_corotated)
                    length = std::min(length, sigma[Cols - 2] + sigma[Cols - 1]);
                check(model, F, length);
            }
        }
}

template <int Rows, int Cols>
void expect_differences_match()
{
    for_each_gradient<Rows, Cols>([](ElasticModel model, const Mat<Rows, Cols>& F, double length) {
        const auto at = [](const Eigen::VectorXd& f) { return Mat<Rows, Cols>(f.reshaped(Rows, Cols)); };
        const VectorFunction value = [&](const Eigen::VectorXd& f) -> Eigen::VectorXd {
            return Eigen::VectorXd::Constant(1, deformation_energy<Rows, Cols>(model, lame, at(f), Order::value).value);
        };
        const VectorFunction stress = [&](const Eigen::VectorXd& f) -> Eigen::VectorXd {
            return deformation_energy<Rows, Cols>(model, lame, at(f), Order::gradient).stress.reshaped();
        };
        const auto psi = deformation_energy<Rows, Cols>(model, lame, F, Order::hessian);
        expect_matches(psi.stress.reshaped().transpose(), central_differences(value, F.reshaped(), length), "stress");
        expect_matches(psi.hessian, central_differences(stress, F.reshaped(), length), "Hessian");
    });
}

TEST(Deformation, DerivativesOfSolidsMatchDifferences) { expect_differences_match<3, 3>(); }
TEST(Deformation, DerivativesOfPlanarElementsMatchDifferences) { expect_differences_match<2, 2>(); }
TEST(Deformation, DerivativesOfSheetsMatchDifferences) { expect_differences_match<3, 2>(); }

template <int Rows, int Cols>
void expect_projects()
{
    for_each_gradient<Rows, Cols>([](ElasticModel model, const Mat<Rows, Cols>& F, double) {
        const auto exact = deformation_energy<Rows, Cols>(model, lame, F, Order::hessian).hessian;
        EXPECT_LE((exact - exact.transpose()).cwiseAbs().maxCoeff(), 1e-14 * exact.norm());
        for (const PSDProjectionMethod method : projections) {
            const auto projected = deformation_energy<Rows, Cols>(model, lame, F, Order::hessian, method).hessian;
            const Eigen::MatrixXd dense = densely_projected(exact, method);
            EXPECT_LE((projected - dense).cwiseAbs().maxCoeff(), 1e-10 * exact.cwiseAbs().maxCoeff());
            EXPECT_GE(smallest_eigenvalue(projected), -1e-13 * projected.norm());
        }
    });
}

TEST(Deformation, ProjectionIsThatOfTheDenseHessian)
{
    expect_projects<3, 3>();
    expect_projects<2, 2>();
    expect_projects<3, 2>();
}

template <int Rows, int Cols>
void expect_finite(const Mat<Rows, Cols>& F)
{
    for (const ElasticModel model : all_models) {
        if (keeps_volume(model) || (Rows > Cols && model == ElasticModel::stable_neo_hookean))
            continue;
        for (const auto method : {PSDProjectionMethod::none, PSDProjectionMethod::clamp, PSDProjectionMethod::abs}) {
            const auto psi = deformation_energy<Rows, Cols>(model, lame, F, Order::hessian, method);
            EXPECT_TRUE(std::isfinite(psi.value) && psi.stress.allFinite() && psi.hessian.allFinite())
                << to_string(model) << "\n"
                << F;
        }
    }
}

TEST(Deformation, CollapsedElementsHaveFiniteDerivatives)
{
    RandomStream random(2);
    for (int k = 0; k < 100; ++k) {
        expect_finite<3, 3>(random_grid_points<3, 3>(random, 1));
        expect_finite<2, 2>(random_grid_points<2, 2>(random, 1));
        expect_finite<3, 2>(random_grid_points<3, 2>(random, 1));
    }
    expect_finite<3, 3>(Mat<3, 3>::Zero());
    expect_finite<2, 2>(Mat<2, 2>::Zero());
    expect_finite<3, 2>(Mat<3, 2>::Zero());
    expect_finite<3, 3>(Vec3(1, 1, -1).asDiagonal());
}

TEST(Deformation, StressOfStVKIsThatOfItsDefinition)
{
    // P = F (2 mu E + lambda tr(E) I), E = (FᵀF - I) / 2: no singular values.
    RandomStream random(4);
    for (int k = 0; k < 100; ++k) {
        const Mat<3, 3> F = random_points<3, 3>(random);
        const Mat<3, 3> E = (F.transpose() * F - Mat<3, 3>::Identity()) / 2;
        const auto psi = deformation_energy<3, 3>(ElasticModel::stvk, lame, F, Order::gradient);
        const Mat<3, 3> S = 2 * lame.mu * E + lame.lambda * E.trace() * Mat<3, 3>::Identity();
        EXPECT_NEAR(psi.value, lame.mu * E.squaredNorm() + lame.lambda / 2 * E.trace() * E.trace(), 1e-13);
        EXPECT_LE((psi.stress - F * S).cwiseAbs().maxCoeff(), 1e-13);
    }
}

TEST(Deformation, StressOfNeoHookeanIsThatOfItsDefinition)
{
    RandomStream random(4);
    for (int k = 0; k < 100; ++k) {
        const Mat<3, 3> F = Mat<3, 3>::Identity() + 0.4 * random_points<3, 3>(random);
        const double J = F.determinant();
        if (J < 0.1)
            continue;
        const auto psi = deformation_energy<3, 3>(ElasticModel::neo_hookean, lame, F, Order::gradient);
        const Mat<3, 3> inverse = F.inverse().transpose();
        EXPECT_LE(
            (psi.stress - lame.mu * (F - inverse) - lame.lambda * std::log(J) * inverse).cwiseAbs().maxCoeff(), 1e-12);
    }
}

TEST(Deformation, EnergyOfNeoHookeanSheetsIsThatOfItsDefinition)
{
    // In C = FᵀF alone: I = tr C, J² = det C.
    RandomStream random(6);
    Mat<3, 2> flat;
    flat << 1, 0, 0, 1, 0, 0;
    for (int k = 0; k < 100; ++k) {
        const Mat<3, 2> F = random_rotation<3>(random) * flat + 0.4 * random_points<3, 2>(random);
        const Mat<2, 2> C = F.transpose() * F;
        const double log_J = std::log(C.determinant()) / 2;
        const auto psi = deformation_energy<3, 2>(ElasticModel::neo_hookean, lame, F, Order::gradient);
        EXPECT_NEAR(
            psi.value, lame.mu * ((C.trace() - 2) / 2 - log_J) + lame.lambda / 2 * log_J * log_J,
            1e-12 * (1 + psi.value));
        const Mat<3, 2> across = F * C.inverse(); // dJ/dF over J
        EXPECT_LE(
            (psi.stress - lame.mu * (F - across) - lame.lambda * log_J * across).cwiseAbs().maxCoeff(),
            1e-12 * (1 + psi.stress.norm()));
    }
}

} // namespace
} // namespace abut::test::deformation_test
