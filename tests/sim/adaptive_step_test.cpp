#include "abut/sim/adaptive_step.hpp"

#include "abut/mesh/generate/generators.hpp"
#include "abut/sim/simulation.hpp"

#include <gtest/gtest.h>

namespace abut::test {

namespace {

/// A cube that is thrown onto the ground.
Scene thrown_cube(double speed)
{
    Scene scene;
    scene.objects.resize(1);
    scene.objects[0].name = "cube";
    scene.objects[0].mesh = generate::tet_box({.size = Vec3::Constant(0.1), .subdivisions = {2, 2, 2}});
    scene.objects[0].mesh.vertices.col(1).array() += 0.3;
    scene.objects[0].velocity = Vec3(0, -speed, 0);
    scene.planes.push_back({.point = Vec3::Zero(), .normal = Vec3::UnitY()});
    return scene;
}

TEST(AdaptiveSteps, AreWholeOnesWhereNothingIsHard)
{
    Scene scene = thrown_cube(0.5);
    Simulation fixed(scene);
    scene.time.is_adaptive = true;
    Simulation adaptive(scene);
    for (int i = 0; i < 30; ++i) {
        fixed.step();
        const StepReport report = adaptive.step();
        EXPECT_EQ(report.num_substeps, 1);
        EXPECT_EQ(report.num_retries, 0);
        ASSERT_EQ(fixed.state().x, adaptive.state().x);
        ASSERT_EQ(fixed.state().time, adaptive.state().time);
        ASSERT_EQ(fixed.state().step, adaptive.state().step);
    }
}

TEST(AdaptiveSteps, AreShorterWhereBodiesMoveFar)
{
    Scene scene = thrown_cube(10);
    scene.time.is_adaptive = true;
    scene.time.max_motion = 0.03; // a step of 0.1 m takes four
    Simulation simulation(scene);
    const StepReport report = simulation.step();
    EXPECT_EQ(report.outcome, Outcome::converged);
    EXPECT_EQ(report.num_substeps, 4);
    EXPECT_EQ(report.num_retries, 0);
    EXPECT_EQ(simulation.state().step, 1);
    EXPECT_EQ(simulation.state().time, 0.01);
    // In free fall each of them adds g dt/4 to the velocity.
    EXPECT_NEAR(simulation.state().v.col(1).mean(), -10 - 9.81 * 0.01, 1e-9);
}

TEST(AdaptiveSteps, SolveWhatDoesNotConvergeAsAWhole)
{
    Scene scene = thrown_cube(8);
    scene.solver.tolerance = 1e-6;
    const auto outcome_of = [&] {
        Simulation simulation(scene);
        for (int i = 0; i < 20; ++i)
            if (const StepReport report = simulation.step(); report.outcome != Outcome::converged)
                return report;
        StepReport good;
        good.outcome = Outcome::converged;
        return good;
    };
    // The most iterations that are not enough
    scene.solver.max_iterations = 40;
    while (outcome_of().outcome == Outcome::converged)
        --scene.solver.max_iterations;
    ASSERT_GT(scene.solver.max_iterations, 5);
    scene.time.is_adaptive = true;
    scene.time.max_motion = 1;
    Simulation simulation(scene);
    int num_retries = 0, num_substeps = 0;
    for (int i = 0; i < 20; ++i) {
        const StepReport report = simulation.step();
        ASSERT_EQ(report.outcome, Outcome::converged) << report.message;
        EXPECT_GE(std::ssize(report.iterations), report.num_substeps);
        EXPECT_LE(report.balance.momentum_defect, 1e-3);
        num_retries += report.num_retries;
        num_substeps += report.num_substeps;
    }
    EXPECT_GT(num_retries, 0);
    EXPECT_GT(num_substeps, 20);
    EXPECT_NEAR(simulation.state().time, 0.2, 1e-12);
    // The smallest part is not enough: it says so.
    scene.solver.max_iterations = 1;
    scene.time.max_substeps = 2;
    const StepReport failed = outcome_of();
    EXPECT_EQ(failed.outcome, Outcome::iteration_limit);
    EXPECT_NE(failed.message.find("the smallest that time.max_substeps allows"), std::string::npos) << failed.message;
}

TEST(AdaptiveSteps, CountAScriptThatIsHeldBackByWholeSteps)
{
    Scene scene = thrown_cube(0);
    scene.scripts.push_back({.object = 0, .velocity = Vec3(0, -1, 0)});
    scene.time.is_adaptive = true;
    scene.time.max_motion = 0.003;
    scene.solver.max_blocked_steps = 5;
    Simulation simulation(scene);
    StepReport report;
    int steps = 0;
    do {
        report = simulation.step();
        ++steps;
    } while (report.outcome == Outcome::converged && steps < 60);
    EXPECT_EQ(report.outcome, Outcome::script_blocked);
    EXPECT_GE(steps, 25 + 5); // the ground is 25 steps away
}

TEST(AdaptiveSteps, RefuseCountsAndLengthsThatMakeNoSense)
{
    Scene scene = thrown_cube(1);
    scene.time.is_adaptive = true;
    for (const int count : {-3, 0, 1, 1 << 30}) {
        scene.time.max_substeps = count;
        EXPECT_THROW(Simulation{scene}, InvalidInput) << count;
    }
    scene.time.max_substeps = 8;
    for (const double motion : {-1.0, 0.0, double(NAN)}) {
        scene.time.max_motion = motion;
        EXPECT_THROW(Simulation{scene}, InvalidInput) << motion;
    }
    // What a state from elsewhere remembers does no harm.
    scene.time.max_motion = 1;
    Simulation simulation(scene);
    for (const double size : {-1.0, 0.0, 0.3, 3.0, 1e30, double(NAN)}) {
        State state = simulation.state();
        state.history.set("adaptive.size", size);
        const double time = state.time;
        simulation.set_state(state);
        EXPECT_EQ(simulation.step().outcome, Outcome::converged) << size;
        EXPECT_EQ(simulation.state().time, time + scene.time.dt) << size;
    }
}

} // namespace

} // namespace abut::test
