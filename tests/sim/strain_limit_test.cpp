// Shells whose stretch is limited, in a simulation.

#include "abut/base/error.hpp"
#include "abut/sim/energy_kinds.hpp"
#include "support/simulated.hpp"

#include <gtest/gtest.h>

namespace abut::test::sim_strain_limit_test {
namespace {

Scene sheet_scene()
{
    Scene scene;
    SceneObject sheet;
    sheet.name = "sheet";
    sheet.kind = ObjectKind::shell;
    sheet.mesh = generate::plane_grid({.size = {1, 1}, .cells = {2, 2}});
    sheet.strain_limit = SceneStrainLimit{.stretch = 1.1};
    scene.objects = {cube("cube", 0.2, Vec3(3, 0, 0)), sheet};
    scene.contact.model = "none";
    scene.gravity.setZero();
    return scene;
}

std::string message_of(const Scene& scene)
{
    try {
        Simulation simulation(scene);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "accepted";
}

TEST(StrainLimitOfScenes, AStateBeyondTheLimitNamesTheObjectAndTheTriangle)
{
    Simulation simulation(sheet_scene());
    EXPECT_EQ(simulation.step().outcome, Outcome::converged);
    State state = simulation.state();
    const int first = simulation.object_starts()[1];
    state.x.bottomRows(state.x.rows() - first).col(0) *= 1.2;
    simulation.set_state(state);
    try {
        (void)simulation.step();
        ADD_FAILURE() << "accepted";
    } catch (const InvalidStart& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("triangle (0, "), std::string::npos) << message;
        EXPECT_NE(message.find("of 'sheet' is stretched by 1.2 before the step"), std::string::npos) << message;
        EXPECT_NE(message.find("of 'sheet' is 1.1"), std::string::npos) << message;
    }
}

TEST(StrainLimitOfScenes, AShellWithoutOneHasNoSuchEnergy)
{
    Scene scene = sheet_scene();
    EXPECT_EQ(make_strain_limits(*make_model(scene)).size(), 1u);
    scene.objects[1].strain_limit.reset();
    EXPECT_EQ(make_strain_limits(*make_model(scene)).size(), 0u);
}

TEST(StrainLimitOfScenes, RejectsBadLimits)
{
    Scene scene = sheet_scene();
    EXPECT_EQ(message_of(scene), "accepted");
    scene.objects[1].strain_limit = SceneStrainLimit{.stretch = 1.1, .from = 1.2};
    EXPECT_NE(message_of(scene).find("objects[1].strain_limit.from: 1.2 is not in [1, 1.1)"), std::string::npos);
    scene.objects[1].strain_limit = SceneStrainLimit{.stretch = 1.1, .from = NAN};
    EXPECT_NE(message_of(scene).find("objects[1].strain_limit.from: nan"), std::string::npos);
    scene.objects[1].strain_limit = SceneStrainLimit{.stretch = 1.1, .stiffness = -1};
    EXPECT_NE(message_of(scene).find("objects[1].strain_limit.stiffness"), std::string::npos);
    scene = sheet_scene();
    scene.objects[0].strain_limit = SceneStrainLimit{};
    EXPECT_NE(message_of(scene).find("objects[0].strain_limit: 'cube' is no shell"), std::string::npos);
    scene = sheet_scene();
    scene.objects[0].model = ElasticModel::baraff_witkin;
    EXPECT_NE(message_of(scene).find("objects[0] 'cube': model: baraff_witkin"), std::string::npos);
}

} // namespace
} // namespace abut::test::sim_strain_limit_test
