#include "abut/contact/stiffness.hpp"

#include "abut/base/error.hpp"
#include "abut/contact/gcp/smooth_contact_potential.hpp"
#include "abut/contact/gcp/smooth_stiffness.hpp"

#include <gtest/gtest.h>

namespace abut::test::stiffness_test {

namespace {

InitialStiffnessOptions two_forces()
{
    InitialStiffnessOptions options{.bbox_diagonal = 1, .dhat = 1e-3, .average_mass = 1e-3};
    options.energy_gradient = Vec3(0, -10, 0);
    options.barrier_gradient = Vec3(0, 1e-12, 0);
    return options;
}

TEST(InitialStiffness, BalancesTheOtherForcesWithinItsBounds)
{
    InitialStiffnessOptions options = two_forces();
    const StiffnessRange range = initial_barrier_stiffness(options);
    EXPECT_EQ(range.max, 100 * range.min);
    // Half-way between the bounds the balance itself is returned: grad E + kappa grad B = 0.
    const double kappa = 10 * range.min;
    options.barrier_gradient = -options.energy_gradient / kappa;
    EXPECT_NEAR(initial_barrier_stiffness(options).stiffness, kappa, 1e-12 * kappa);
    options.barrier_gradient = -options.energy_gradient / (1e6 * range.min);
    EXPECT_EQ(initial_barrier_stiffness(options).stiffness, range.max);
    options.barrier_gradient = options.energy_gradient; // would have to pull
    EXPECT_EQ(initial_barrier_stiffness(options).stiffness, range.min);
    options.barrier_gradient.setZero();
    EXPECT_EQ(initial_barrier_stiffness(options).stiffness, range.min);
}

TEST(InitialStiffness, LowerBoundMakesTheBarrierAsStiffAsTheMassAtATinyGap)
{
    // IPC: kappa_min 4 D b''(D) = 1e11 m at the gap 1e-8 of the diagonal.
    const InitialStiffnessOptions options = two_forces();
    const double D = 1e-16;
    const double curvature = 4 * D * normal_law("clamped_log")->operator()(D, {.dhat = 1e-3}).second;
    EXPECT_NEAR(initial_barrier_stiffness(options).min * curvature, 1e11 * 1e-3, 1e-3);
}

TEST(InitialStiffness, RejectsBadInput)
{
    InitialStiffnessOptions options = two_forces();
    options.average_mass = 0;
    EXPECT_THROW((void)initial_barrier_stiffness(options), InvalidInput);
    options = two_forces();
    options.barrier_gradient.setZero(6);
    EXPECT_THROW((void)initial_barrier_stiffness(options), InvalidInput);
    options = two_forces();
    options.energy_gradient[1] = std::nan("");
    EXPECT_THROW((void)initial_barrier_stiffness(options), InvalidInput);
}

TEST(StiffnessUpdate, DoublesOnlyWhileATinyGapShrinks)
{
    const StiffnessUpdateOptions tiny{
        .previous_distance = 5e-10, .distance = 4e-10, .stiffness = 3, .max_stiffness = 5, .bbox_diagonal = 1};
    const auto with = [&](double previous, double now, double stiffness) {
        StiffnessUpdateOptions options = tiny;
        options.previous_distance = previous;
        options.distance = now;
        options.stiffness = stiffness;
        return update_barrier_stiffness(options);
    };
    EXPECT_EQ(with(5e-10, 4e-10, 2), 4);
    EXPECT_EQ(with(5e-10, 4e-10, 3), 5); // up to the maximum
    EXPECT_EQ(with(4e-10, 5e-10, 2), 2); // it opens
    EXPECT_EQ(with(5e-9, 4e-10, 2), 2);  // it was wide
    EXPECT_EQ(with(5e-10, 4e-9, 2), 2);  // it is wide
    EXPECT_EQ(with(INFINITY, INFINITY, 2), 2);
    EXPECT_THROW((void)with(std::nan(""), 1, 2), InvalidInput);
}

TEST(StiffnessSuggestion, MakesContactAsStiffAsWhatPressesOnIt)
{
    for (const bool use_physical_barrier : {false, true})
        for (const auto kind : {DistanceKind::plain, DistanceKind::squared})
            for (const double dmin : {0.0, 1e-3}) {
                StiffnessSuggestionOptions options{
                    .dhat = 1e-3,
                    .dmin = dmin,
                    .mass = 2e-4,
                    .dt = 0.01,
                    .youngs_modulus = 1e5,
                    .edge_length = 0.01,
                    .weight = 1e-4,
                    .use_physical_barrier = use_physical_barrier,
                    .law = normal_law("clamped_log", kind)};
                const StiffnessSuggestion suggestion = suggest_stiffness(options);
                EXPECT_EQ(suggestion.inertia, 2e-4 / (0.01 * 0.01));
                EXPECT_EQ(suggestion.elasticity, 1e3);
                // The energy of two points, differentiated along their distance, at half of dhat.
                Positions X(2, 3);
                X << 0, 0, 0, dmin + 0.5e-3, 0, 0;
                const CollisionMesh mesh(X);
                NormalCollisions collisions;
                collisions.build(mesh, X, {.dhat = 1e-3, .dmin = dmin});
                const BarrierPotential barrier(
                    {.dhat = 1e-3,
                     .stiffness = suggestion.stiffness,
                     .use_physical_barrier = use_physical_barrier,
                     .law = options.law});
                const double curvature = barrier.hessian(collisions, mesh, X).coeff(0, 0);
                EXPECT_NEAR(options.weight * curvature, 1e3, 1e-9 * 1e3);
            }
}

TEST(StiffnessSuggestion, MakesAPairOfGcpAsStiffAsItsLoad)
{
    // The formula of the header, and the curvature of a real pair: a vertex above a plane, whose edges have length L.
    constexpr double dhat = 0.02, L = 0.3;
    for (const int dim : {2, 3})
        for (const int r : {0, 3}) {
            const SmoothContactParameters params{.dhat = dhat, .r = r};
            const StiffnessSuggestion suggestion =
                suggest_smooth_stiffness({.params = params, .dim = dim, .feature_length = L, .mass = 0.1, .dt = 0.01});
            const int exponent = params.exponent(dim);
            const double weight = std::pow(L, 2 * (dim - 1));
            EXPECT_NEAR(
                suggestion.barrier / (weight * std::pow(2 / dhat, exponent) / (dhat * dhat)),
                (exponent + 1) * (exponent + 6), 1e-9);
            EXPECT_NEAR(suggestion.stiffness * suggestion.barrier, 1e3, 1e-9);
            SmoothContactParameters constant = params; // whose L is the same everywhere
            constant.feature_length = FeatureLength::constant;
            constant.constant_length = L;
            EXPECT_EQ(
                suggest_smooth_stiffness(
                    {.params = constant, .dim = dim, .feature_length = 7 * L, .mass = 0.1, .dt = 0.01})
                    .stiffness,
                suggestion.stiffness);
            Positions X = Positions::Zero(2, dim);
            X(0, 1) = dhat / 2;
            X(1, 1) = dhat / 2 + L;
            Elements E(1, 2);
            E << 0, 1;
            CollisionMeshOptions options;
            options.planes = {{Vec3::Zero(), Vec3::UnitY()}};
            const CollisionMesh mesh(X, E, Elements(0, 3), options);
            SmoothCollisions collisions;
            collisions.build(mesh, X, params);
            ASSERT_EQ(collisions.size(), 1u);
            const SmoothContactPotential potential(params, suggestion.stiffness);
            EXPECT_NEAR(potential.hessian(collisions, mesh, X).coeff(1, 1), 1e3, 1e-9 * 1e3);
        }
}

TEST(StiffnessSuggestion, SaysWhy)
{
    const std::string by_inertia = suggest_stiffness({.dhat = 1e-3, .mass = 1e-3, .dt = 0.01}).explanation;
    EXPECT_NE(by_inertia.find("The inertia governs"), std::string::npos) << by_inertia;
    EXPECT_NE(by_inertia.find("no elasticity was given"), std::string::npos) << by_inertia;
    const std::string by_material =
        suggest_stiffness({.dhat = 1e-3, .mass = 1e-3, .dt = INFINITY, .youngs_modulus = 1e6, .edge_length = 0.1})
            .explanation;
    EXPECT_NE(by_material.find("The material governs"), std::string::npos) << by_material;
    EXPECT_NE(by_material.find("1e+06 Pa * 0.1 m = 1e+05 N/m"), std::string::npos) << by_material;
}

TEST(StiffnessSuggestion, RejectsBadInput)
{
    EXPECT_THROW((void)suggest_stiffness({.dhat = 0, .mass = 1, .dt = 1}), InvalidInput);
    EXPECT_THROW((void)suggest_stiffness({.dhat = 1, .mass = -1, .dt = 1}), InvalidInput);
    EXPECT_THROW((void)suggest_stiffness({.dhat = 1, .mass = 1, .dt = 0}), InvalidInput);
    EXPECT_THROW((void)suggest_stiffness({.dhat = 1, .mass = 1, .dt = INFINITY}), InvalidInput);
    EXPECT_THROW((void)suggest_stiffness({.dhat = 1, .mass = 1, .dt = 1, .youngs_modulus = 1}), InvalidInput);
    EXPECT_THROW((void)suggest_stiffness({.dhat = 1, .mass = 1, .dt = 1, .gap = 1}), InvalidInput);
    SmoothStiffnessOptions smooth{
        .params = SmoothContactParameters{.dhat = 1}, .dim = 3, .feature_length = 1, .mass = 1, .dt = 1};
    EXPECT_NO_THROW((void)suggest_smooth_stiffness(smooth));
    smooth.dim = 1;
    EXPECT_THROW((void)suggest_smooth_stiffness(smooth), InvalidInput);
    smooth.dim = 3;
    smooth.feature_length = 0;
    EXPECT_THROW((void)suggest_smooth_stiffness(smooth), InvalidInput);
}

} // namespace

} // namespace abut::test::stiffness_test
