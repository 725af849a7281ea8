// Scripts and solver settings of scenes in JSON: what is read, and what is rejected with its place.

#include "abut/io/scene_json.hpp"

#include "abut/base/error.hpp"
#include "abut/sim/simulation.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace abut::test::script_json_test {

namespace {

Scene parse(const std::string& script, const std::string& rest = "")
{
    return parse_scene(
        R"({"format": 1, "objects": [{"name": "cube", "geometry": {"generate": "tet_box"}}],
            "scripts": [{"object": "cube", )" +
            script + "}]" + rest + "}",
        "scene.json", "");
}

void expect_rejected(const std::string& script, const std::string& words)
{
    try {
        (void)parse(script);
        FAIL() << "no exception; expected: " << words;
    } catch (const InvalidInput& error) {
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}

TEST(ScriptJson, ReadsKeyframes)
{
    const Scene scene = parse(
        R"("rotate": {"axis": [0, 0, 1], "centre": [1, 2, 3]}, "release": 4, "keyframes": [
           {"time": 0}, {"time": 0.5, "translate": [0, -0.1, 0]}, {"time": 2, "translate": [1, 0, 0], "degrees": 90}])");
    ASSERT_EQ(scene.scripts.size(), 1u);
    const VertexScript& script = scene.scripts[0];
    ASSERT_EQ(script.keyframes.size(), 3u);
    EXPECT_EQ(script.keyframes[0].time, 0);
    EXPECT_EQ(script.keyframes[0].translation, Vec3::Zero());
    EXPECT_EQ(script.keyframes[1].translation, Vec3(0, -0.1, 0));
    EXPECT_EQ(script.keyframes[1].angle, 0);
    EXPECT_EQ(script.keyframes[2].time, 2);
    EXPECT_NEAR(script.keyframes[2].angle, std::numbers::pi / 2, 1e-15);
    EXPECT_EQ(script.axis, Vec3(0, 0, 1));
    EXPECT_EQ(script.centre, Vec3(1, 2, 3));
    EXPECT_EQ(script.release_time, 4);
    EXPECT_TRUE(script.is_moving());
}

TEST(ScriptJson, RejectsKeyframesWithThePlace)
{
    expect_rejected(
        R"("keyframes": [{"time": 1}, {"time": 1}])", "scene.json /scripts/0/keyframes/1/time: 1 is not above 1");
    expect_rejected(R"("keyframes": [{"time": 2}, {"time": 1}])", "/scripts/0/keyframes/1/time: 1 is not above 2");
    expect_rejected(R"("keyframes": [{"translate": [1, 0, 0]}])", "/scripts/0/keyframes/0/time: missing");
    expect_rejected(R"("keyframes": [{"time": 0, "angle": 3}])", "/scripts/0/keyframes/0/angle: unknown key");
    expect_rejected(R"("keyframes": [{"time": "now"}])", "/scripts/0/keyframes/0/time: expected a number");
    expect_rejected(R"("keyframes": {"time": 0})", "/scripts/0/keyframes: expected an array");
    expect_rejected(R"("keyframes": [])", "/scripts/0/keyframes: it is empty; give a keyframe or leave it out");
    expect_rejected(
        R"("keyframes": [{"time": 0}, {"time": 1, "degrees": 30}])",
        "/scripts/0/keyframes/1/degrees: there is no axis to turn about; add \"rotate\"");
    expect_rejected(R"("rotate": {"axis": [1, 0, 0]})", "/scripts/0/rotate: nothing turns");
    expect_rejected(
        R"("rotate": {"axis": [1, 0, 0]}, "keyframes": [{"time": 0, "translate": [0, 1, 0]}])",
        "/scripts/0/rotate: nothing turns");
    expect_rejected(R"("keyframes": [{"time": 0, "translate": [0, 1]}])", "/scripts/0/keyframes/0/translate: ");
    expect_rejected(
        R"("velocity": [1, 0, 0], "keyframes": [{"time": 0}])",
        "/scripts/0/keyframes: there is a velocity or rotation rate as well; give one or the other");
    expect_rejected(
        R"("rotate": {"degrees_per_second": 10}, "keyframes": [{"time": 0}])",
        "/scripts/0/keyframes: there is a velocity or rotation rate as well");
}

TEST(ScriptJson, ScriptsKnowWhereTheyComeFrom)
{
    const Scene scene = parse_scene(
        R"({"format": 1, "objects": [{"name": "a", "geometry": {"generate": "tet_box"}, "fix": "all"}],
            "scripts": [{"object": "a", "velocity": [0, 1, 0]}]})",
        "scene.json", "");
    ASSERT_EQ(scene.scripts.size(), 2u);
    EXPECT_EQ(scene.scripts[0].source, "/objects/0/fix");
    EXPECT_EQ(scene.scripts[1].source, "/scripts/0");
    try {
        const Simulation simulation(scene);
        FAIL() << "not rejected";
    } catch (const InvalidInput& error) {
        EXPECT_EQ(std::string(error.what()).rfind("/scripts/0: vertex 0 of 'a' already follows /objects/0/fix;", 0), 0u)
            << error.what();
    }
}

TEST(ScriptJson, ReadsIntegratorNormAndBlockedSteps)
{
    const Scene scene = parse(
        R"("velocity": [1, 0, 0])",
        R"(, "time": {"integrator": "quasi_static"}, "solver": {"norm": "relative", "max_blocked_steps": 7})");
    EXPECT_EQ(scene.time.integrator, "quasi_static");
    EXPECT_EQ(scene.solver.norm, ConvergenceNorm::relative);
    EXPECT_EQ(scene.solver.max_blocked_steps, 7);
    const Scene plain = parse(R"("velocity": [1, 0, 0])");
    EXPECT_EQ(plain.time.integrator, "implicit_euler");
    EXPECT_EQ(plain.solver.norm, ConvergenceNorm::largest);
    EXPECT_EQ(plain.solver.max_blocked_steps, 100);
    for (const auto& [rest, words] :
         {std::pair{R"(, "time": {"integrator": "static"})", "/time/integrator: 'static' is not one of"},
          std::pair{R"(, "solver": {"norm": "relativ"})", "did you mean 'relative'?"},
          std::pair{R"(, "solver": {"max_blocked_steps": 0})", "/solver/max_blocked_steps: 0"}})
        try {
            (void)parse(R"("velocity": [1, 0, 0])", rest);
            FAIL() << "no exception; expected: " << words;
        } catch (const InvalidInput& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
}

} // namespace

} // namespace abut::test::script_json_test
