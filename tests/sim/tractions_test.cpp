// What surfaces that stick report: pulls between bodies, areas of bonds, tractions.

#include "support/simulated.hpp"

#include <gtest/gtest.h>

namespace abut::test::tractions_test {

namespace {

/// A cube that sticks to another one's top, which stands on a floor; both are pushed sideways.
Scene two_cubes()
{
    Scene scene;
    scene.objects = {cube("low", 0.2, Vec3(0, 0.1003, 0), 4), cube("high", 0.1, Vec3(0.013, 0.2511, 0.021), 4)};
    scene.objects[0].surface.name = scene.objects[1].surface.name = "putty";
    scene.objects[1].force = Vec3(3, 2, 0);
    scene.planes = {floor_plane()};
    scene.contact.dhat = 1e-3;
    scene.contact.mu = 0.4;
    scene.contact.adhesion = SceneAdhesion{.critical_strain = 0.05, .mu_a = 0.5};
    scene.time.dt = 5e-3;
    return scene;
}

const BodyForce& between(const StepReport& report, int body, int other)
{
    for (const BodyForce& force : report.forces)
        if (force.body == body && force.other == other)
            return force;
    throw std::logic_error("these two do not touch");
}

} // namespace

TEST(Tractions, AddUpToTheForcesBetweenBodies)
{
    for (const auto& [model, adhesion] : std::initializer_list<std::pair<FrictionModel, AdhesionModel>>{
             {FrictionModel::smoothed, AdhesionModel::variational},
             {FrictionModel::anchored, AdhesionModel::variational},
             {FrictionModel::anchored, AdhesionModel::rcc}}) {
        Scene scene = two_cubes();
        scene.contact.friction_model = model;
        if (adhesion == AdhesionModel::rcc) { // bonds that let go and grow
            scene.contact.adhesion = SceneAdhesion{.dhat_a = 4e-3, .model = adhesion, .intensity = 0.8};
            scene.contact.adhesion->rcc = {.c_n = 5e6, .w = 2};
        }
        Simulation simulation(scene);
        const StepReport report = run(simulation, 10);
        const SurfaceTractions tractions = simulation.tractions();
        const std::vector<int>& starts = simulation.object_starts();
        for (int body = 0; body < 2; ++body) {
            Vec3 integral = Vec3::Zero(), force = Vec3::Zero();
            double size = 0;
            for (int v = starts[body]; v < starts[body + 1]; ++v) {
                const Vec3 each =
                    tractions.areas[v] * (tractions.normal.row(v) + tractions.tangential.row(v)).transpose();
                integral += each;
                size += each.norm();
            }
            for (const BodyForce& pair : report.forces) {
                const double sign = pair.body == body ? 1 : pair.other == body ? -1 : 0;
                force += sign * (pair.contact + pair.friction);
            }
            EXPECT_GT(size, 1);
            EXPECT_LT((integral - force).norm(), 1e-9 * size) << body;
        }
    }
}

TEST(Tractions, TellWhereBondsAreAndHowLargeTheirAreaIs)
{
    Simulation simulation(two_cubes());
    const StepReport report = run(simulation, 10);
    const BodyForce& bonds = between(report, 0, 1);
    // The bottom of the upper cube; its rim has shares of the sides.
    EXPECT_NEAR(bonds.bonded_area, 0.01, 0.003);
    EXPECT_GT(bonds.adhesion.y(), 0); // the upper one is pulled down, the lower one up
    EXPECT_LT(bonds.adhesion.y(), 0.05 * 1e5 * bonds.bonded_area);
    const SurfaceTractions tractions = simulation.tractions();
    const MeshData& upper = simulation.scene().objects[1].mesh;
    const int first = simulation.object_starts()[1];
    for (const int v : vertices_at(upper, 1, 0.2011))
        EXPECT_EQ(tractions.bonds[first + v], 1) << v;
    for (const int v : vertices_at(upper, 1, 0.3011))
        EXPECT_EQ(tractions.bonds[first + v], 0) << v;
}

TEST(Tractions, AreNoneWhereNothingTouches)
{
    Scene scene = two_cubes();
    scene.objects[1].mesh = translated(scene.objects[1].mesh, Vec3(0, 0.5, 0));
    scene.planes.clear();
    scene.gravity = Vec3::Zero();
    Simulation simulation(scene);
    const StepReport report = run(simulation, 1);
    EXPECT_TRUE(report.forces.empty());
    const SurfaceTractions tractions = simulation.tractions();
    EXPECT_EQ(tractions.normal.norm(), 0);
    EXPECT_EQ(tractions.tangential.norm(), 0);
    EXPECT_EQ(std::count(tractions.bonds.begin(), tractions.bonds.end(), 0), std::ssize(tractions.bonds));
}

} // namespace abut::test::tractions_test
