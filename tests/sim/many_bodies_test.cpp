// Scenes of many bodies: what they cost must not grow faster than they do. Timings never decide a test, so what would
// make the cost quadratic is counted.

#include "abut/base/error.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "abut/sim/cost_estimate.hpp"
#include "abut/sim/system.hpp"
#include "support/simulated.hpp"

#include <algorithm>

namespace abut::test {

namespace {

/// Boxes of two materials and sheets of two thicknesses, side by side.
Scene mixed(int count)
{
    Scene scene;
    for (int k = 0; k < count; ++k) {
        SceneObject object = cube(fmt::format("cube {}", k), 0.2, Vec3(k, 0, 0), 1);
        object.youngs_modulus = k % 2 == 0 ? 1e5 : 3e5;
        scene.objects.push_back(object);
        SceneObject sheet;
        sheet.name = fmt::format("sheet {}", k);
        sheet.kind = ObjectKind::shell;
        sheet.model = ElasticModel::fixed_corotated;
        sheet.mesh = translated(generate::cloth({.size = Vec2(0.3, 0.3), .cells = {2, 2}}), Vec3(k, 1, 0));
        sheet.thickness = k % 2 == 0 ? 1e-3 : 2e-3;
        scene.objects.push_back(sheet);
    }
    return scene;
}

double elastic_energy(const Scene& scene)
{
    const auto model = make_model(scene);
    System system(*model);
    Eigen::VectorXd x = system.unknowns_of(model->start);
    for (Eigen::Index v = 0; v < x.size() / 3; ++v) { // sheared and bent, by each body's own coordinates
        const double across = x[3 * v] - std::round(x[3 * v]);
        x[3 * v + 1] += 0.3 * across + 2 * across * across;
    }
    return system.value_of(EnergyRole::elastic, x);
}

TEST(ManyBodies, AreAsManyEnergiesAsThereAreKindsOfElements)
{
    // Each energy costs a pass over all unknowns.
    for (const int count : {1, 20}) {
        const auto model = make_model(mixed(count));
        System system(*model);
        const auto& energies = system.problem().energies();
        EXPECT_EQ(
            std::count_if(
                energies.begin(), energies.end(),
                [](const Energy* energy) { return energy->role() == EnergyRole::elastic; }),
            3)
            << count << " solids and sheets";
    }
}

TEST(ManyBodies, HaveTheEnergyOfEachWithItsOwnMaterial)
{
    const Scene together = mixed(4);
    double apart = 0;
    for (const SceneObject& object : together.objects) {
        Scene alone;
        alone.objects = {object};
        apart += elastic_energy(alone);
    }
    EXPECT_GT(apart, 0);
    EXPECT_NEAR(elastic_energy(together), apart, 1e-12 * apart);
}

TEST(ManyBodies, WhatIsWrongWithOneIsSaidOfIt)
{
    Scene scene = mixed(3);
    scene.objects[4].poisson_ratio = 0.6;
    try {
        Simulation simulation(scene);
        FAIL() << "an impossible material was taken";
    } catch (const InvalidInput& error) {
        EXPECT_NE(std::string(error.what()).find("objects[4] 'cube 2': poisson: 0.6 "), std::string::npos)
            << error.what();
    }
}

TEST(ManyBodies, TheirCostIsEstimatedFromCounts)
{
    const CostEstimate small = estimate_cost(mixed(2)), large = estimate_cost(mixed(20));
    EXPECT_EQ(small.num_unknowns, 2 * 3 * (8 + 9));
    EXPECT_DOUBLE_EQ(large.bytes, 10 * small.bytes);
    EXPECT_FALSE(large.is_large());
    Scene huge;
    huge.objects = {cube("cube", 1, Vec3::Zero(), 33)};
    EXPECT_TRUE(estimate_cost(huge).is_large());
    EXPECT_GT(estimate_cost(huge).bytes, 1e9) << "the factor of one solid is most of it";
    EXPECT_NE(estimate_cost(huge).text().find("117912 unknowns"), std::string::npos) << estimate_cost(huge).text();
}

} // namespace

} // namespace abut::test
