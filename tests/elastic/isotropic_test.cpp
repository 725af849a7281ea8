#include "abut/elastic/isotropic.hpp"
#include "elastic_states.hpp"
#include "support/finite_differences.hpp"

#include <gtest/gtest.h>

namespace abut::test::isotropic_test {
namespace {

constexpr LameParameters lame{.mu = 0.8, .lambda = 1.7};

template <int D>
StretchTerm<D> phi_at(ElasticModel model, const Vec<D>& sigma, Order order = Order::hessian)
{
    Lanes lanes[D];
    for (int i = 0; i < D; ++i)
        lanes[i] = broadcast(sigma[i]);
    StretchTerm<D> phi;
    stretch_energy<D>(model, {broadcast(lame.mu), broadcast(lame.lambda)}, lanes, order, phi);
    return phi;
}

template <int D>
Vec<D> gradient_of(const StretchTerm<D>& phi)
{
    Vec<D> gradient;
    for (int i = 0; i < D; ++i)
        gradient[i] = phi.first[i][0];
    return gradient;
}

template <int D>
Mat<D, D> hessian_of(const StretchTerm<D>& phi)
{
    Mat<D, D> hessian;
    phi.second.get(0, hessian);
    return hessian;
}

/// Calls check(model, case) for all that fit.
template <int D, typename Check>
void for_each_case(Check&& check)
{
    for (const ElasticModel model : all_models)
        for (const auto& state : stretch_cases<D>())
            if (admits(model, state.is_inverted)) {
                SCOPED_TRACE(testing::Message() << to_string(model) << " of " << D << " stretches, " << state.name);
                check(model, state.sigma);
            }
}

template <int D>
void expect_differences_match()
{
    for_each_case<D>([](ElasticModel model, const Vec<D>& sigma) {
        const auto phi = phi_at<D>(model, sigma);
        const VectorFunction value = [&](const Eigen::VectorXd& s) -> Eigen::VectorXd {
            return Eigen::VectorXd::Constant(1, phi_at<D>(model, s, Order::value).value[0]);
        };
        const VectorFunction gradient = [&](const Eigen::VectorXd& s) -> Eigen::VectorXd {
            return gradient_of(phi_at<D>(model, s, Order::gradient));
        };
        const double length = keeps_volume(model) ? sigma.minCoeff() : 1;
        expect_matches(gradient_of(phi).transpose(), central_differences(value, sigma, length), "gradient");
        expect_matches(hessian_of(phi), central_differences(gradient, sigma, length), "Hessian");
    });
}

TEST(Isotropic, DerivativesMatchDifferences)
{
    expect_differences_match<2>();
    expect_differences_match<3>();
}

template <int D>
void expect_divided_differences()
{
    for_each_case<D>([](ElasticModel model, const Vec<D>& sigma) {
        const auto phi = phi_at<D>(model, sigma);
        const Vec<D> first = gradient_of(phi);
        const Mat<D, D> second = hessian_of(phi);
        for (int k = 0; k < StretchTerm<D>::num_pairs; ++k) {
            const auto [i, j] = PairCorners<D>(k);
            const double gap = sigma[i] - sigma[j], sum = sigma[i] + sigma[j], scale = second.cwiseAbs().maxCoeff();
            const bool are_apart = std::abs(gap) > 0.01;
            // Where they meet, the derivative of phi_i - phi_j along sigma_i - sigma_j.
            const double flip =
                are_apart ? (first[i] - first[j]) / gap : (second(i, i) + second(j, j)) / 2 - second(i, j);
            EXPECT_NEAR(phi.flip[k][0], flip, (1e-12 + (are_apart ? 0 : gap * gap)) * scale);
            if (std::abs(sum) > 0.01) {
                EXPECT_NEAR(phi.twist[k][0], (first[i] + first[j]) / sum, 1e-12 * scale);
            }
        }
    });
}

TEST(Isotropic, FlipsAndTwistsAreDividedDifferencesAlsoWhereStretchesMeet)
{
    expect_divided_differences<2>();
    expect_divided_differences<3>();
}

TEST(Isotropic, TwistsAreExactWhereStretchesCancel)
{
    for (const ElasticModel model : {ElasticModel::stable_neo_hookean, ElasticModel::stvk})
        for (const double gap : {0.0, 1e-13, 1e-9}) {
            const Vec3 sigma(1.3, 0.8, -0.8 + gap);
            const auto phi = phi_at<3>(model, sigma);
            const Mat<3, 3> second = hessian_of(phi);
            EXPECT_NEAR(phi.twist[0][0], (second(1, 1) + second(2, 2)) / 2 + second(1, 2), 1e-12);
        }
}

TEST(Isotropic, FixedCorotatedStaysFiniteAtItsKink)
{
    for (const double gap : {0.0, 1e-300, -1e-12, 1e-9}) {
        const auto phi = phi_at<3>(ElasticModel::fixed_corotated, Vec3(1.3, 0.8, -0.8 + gap));
        EXPECT_NEAR(phi.twist[0][0] / (-4 * lame.mu / smallest_stretch_sum), 1, 1e-6);
        const auto flat = phi_at<2>(ElasticModel::fixed_corotated, Vec2(1.2, gap));
        EXPECT_TRUE(std::isfinite(flat.out_of_plane[1][0]));
        EXPECT_LT(flat.out_of_plane[1][0], 0);
    }
    // Just outside, the divided difference itself.
    const auto phi = phi_at<3>(ElasticModel::fixed_corotated, Vec3(1.3, 0.75, -0.75 + 0x1p-26));
    const Vec3 first = gradient_of(phi);
    EXPECT_NEAR(phi.twist[0][0], (first[1] + first[2]) * 0x1p26, 1e-12 * std::abs(phi.twist[0][0]));
}

TEST(Isotropic, OutOfPlaneStiffnessIsTensionOverStretch)
{
    for (const ElasticModel model : sheet_models)
        for (const Vec2& sigma : {Vec2(1.4, 0.7), Vec2(1, 1), Vec2(0.3, 0.2)}) {
            const auto phi = phi_at<2>(model, sigma);
            for (int i = 0; i < 2; ++i)
                EXPECT_NEAR(phi.out_of_plane[i][0], phi.first[i][0] / sigma[i], 1e-13);
        }
}

TEST(Isotropic, TwoStretchesArePlaneStrain)
{
    for_each_case<2>([](ElasticModel model, const Vec2& sigma) {
        const auto flat = phi_at<2>(model, sigma);
        const auto solid = phi_at<3>(model, Vec3(sigma[0], sigma[1], 1));
        EXPECT_NEAR(flat.value[0], solid.value[0], 1e-14 * std::abs(solid.value[0]));
        for (int i = 0; i < 2; ++i)
            EXPECT_NEAR(flat.first[i][0], solid.first[i][0], 1e-13 * (1 + std::abs(solid.first[i][0])));
        EXPECT_NEAR(flat.flip[0][0], solid.flip[2][0], 1e-13 * (1 + std::abs(solid.flip[2][0])));
        EXPECT_NEAR(flat.twist[0][0], solid.twist[2][0], 1e-13 * (1 + std::abs(solid.twist[2][0])));
    });
}

TEST(Isotropic, TheRestShapeHasNoEnergyAndNoForceToTheBit)
{
    for (const ElasticModel model : all_models) {
        const auto phi = phi_at<3>(model, Vec3(1, 1, 1));
        EXPECT_EQ(phi.value[0], 0) << to_string(model);
        EXPECT_EQ(gradient_of(phi), Vec3(0, 0, 0)) << to_string(model);
    }
}

TEST(Isotropic, TinyStrainsHaveTheEnergyOfLinearElasticity)
{
    // Multiples of 2^-52, so that 1 + e is exact; their products are not, and would be lost in J.
    const Vec3 strain(0x1.2345p-28, -0x1.3b7p-29, 0x1.0b5p-29);
    const double expected = lame.mu * strain.squaredNorm() + 0.5 * lame.lambda * strain.sum() * strain.sum();
    for (const ElasticModel model : all_models) {
        const auto phi = phi_at<3>(model, Vec3::Ones() + strain);
        // The energy is the small rest of terms of the size of the strain for two models, and of its square for two.
        EXPECT_NEAR(phi.value[0] / expected, 1, 1e-6) << to_string(model);
        EXPECT_NEAR(
            (gradient_of(phi) - (2 * lame.mu * strain + lame.lambda * strain.sum() * Vec3::Ones())).norm() /
                strain.norm(),
            0, 1e-6)
            << to_string(model);
    }
}

TEST(Isotropic, NeoHookeanIsInfiniteForInvertedAndFlatElementsAndFiniteBefore)
{
    EXPECT_EQ(phi_at<3>(ElasticModel::neo_hookean, Vec3(1, 1, 0)).value[0], std::numeric_limits<double>::infinity());
    EXPECT_EQ(phi_at<3>(ElasticModel::neo_hookean, Vec3(1, 1, -1)).value[0], std::numeric_limits<double>::infinity());
    const double J = 1e-12, log = std::log(J);
    EXPECT_NEAR(
        phi_at<3>(ElasticModel::neo_hookean, Vec3(1, 1, J)).value[0],
        lame.mu * (-0.5 - log) + lame.lambda / 2 * log * log, 1e-9);
}

TEST(Isotropic, NeoHookeanOfTwoStretchesPushesWithoutBoundAsTheAreaVanishes)
{
    // Squeezed in one direction, in both, and in one while the other is pulled.
    for (const double power : {0.0, 0.5, -0.5}) {
        double energy = 0, force = 0;
        for (const double J : {1e-2, 1e-4, 1e-8, 1e-16}) {
            const Vec2 sigma(std::pow(J, power), std::pow(J, 1 - power));
            const auto phi = phi_at<2>(ElasticModel::neo_hookean, sigma);
            EXPECT_GT(phi.value[0], energy + 1) << J;
            EXPECT_LT(phi.first[1][0], force - 10) << J;
            EXPECT_NEAR(
                phi.first[1][0] * sigma[1], lame.lambda * std::log(J) - lame.mu * (1 - sigma[1] * sigma[1]), 1e-9);
            energy = phi.value[0];
            force = phi.first[1][0];
        }
    }
    EXPECT_EQ(phi_at<2>(ElasticModel::neo_hookean, Vec2(1, 0)).value[0], std::numeric_limits<double>::infinity());
}

TEST(Isotropic, StableNeoHookeanIsThatOfThePaperUpToAConstant)
{
    // Smith, de Goes, Kim 2018, Eq. 14, as printed.
    const double mu = 4.0 / 3 * lame.mu, lambda = lame.lambda + 5.0 / 6 * lame.mu;
    const double alpha = 1 + mu / lambda - mu / (4 * lambda);
    const auto printed = [&](const Vec3& s) {
        const double I = s.squaredNorm(), J = s.prod();
        return mu / 2 * (I - 3) + lambda / 2 * (J - alpha) * (J - alpha) - mu / 2 * std::log(I + 1);
    };
    const double at_rest = printed(Vec3::Ones());
    for (const auto& state : stretch_cases<3>())
        EXPECT_NEAR(
            phi_at<3>(ElasticModel::stable_neo_hookean, state.sigma).value[0], printed(state.sigma) - at_rest, 1e-13);
}

} // namespace
} // namespace abut::test::isotropic_test
