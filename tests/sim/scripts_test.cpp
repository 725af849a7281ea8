// Scripts: where they want their vertices, and what happens when contact does not let them.

#include "support/simulated.hpp"

#include <fmt/format.h>

#include <numbers>

namespace abut::test {

namespace {

VertexScript with_keyframes()
{
    VertexScript script;
    script.axis = Vec3(0, 0, 2); // its length does not matter
    script.centre = Vec3(1, 0, 0);
    script.keyframes = {{1, Vec3(1, 0, 0), 0}, {3, Vec3(1, 2, 0), std::numbers::pi / 2}, {4, Vec3(0, 0, 5), 0}};
    return script;
}

TEST(Keyframes, AreInterpolated)
{
    const VertexScript script = with_keyframes();
    EXPECT_TRUE(script.is_moving());
    const Vec3 x0(2, 0, 7);
    // A quarter of the way: a turn of 22.5 degrees about z at the centre, which is translated too
    const double angle = std::numbers::pi / 8;
    EXPECT_LE((script.position(x0, 1.5) - Vec3(2 + std::cos(angle), 0.5 + std::sin(angle), 7)).norm(), 1e-14);
    EXPECT_LE((script.position(x0, 3) - Vec3(2, 3, 7)).norm(), 1e-14) << "met at its time";
    EXPECT_LE((script.position(x0, 3.5) - Vec3(1.5 + std::sqrt(0.5), 1 + std::sqrt(0.5), 9.5)).norm(), 1e-14);
}

TEST(Keyframes, HoldBeforeTheFirstAndAfterTheLast)
{
    const VertexScript script = with_keyframes();
    const Vec3 x0(2, 0, 7);
    for (const double t : {-1.0, 0.0, 0.5, 1.0})
        EXPECT_LE((script.position(x0, t) - Vec3(3, 0, 7)).norm(), 1e-14) << t;
    for (const double t : {4.0, 5.0, 1e9})
        EXPECT_LE((script.position(x0, t) - Vec3(2, 0, 12)).norm(), 1e-14) << t;
    VertexScript one;
    one.keyframes = {{2, Vec3(0, 1, 0), 0}};
    for (const double t : {0.0, 2.0, 3.0})
        EXPECT_EQ(one.position(x0, t), x0 + Vec3(0, 1, 0)) << t;
}

TEST(Keyframes, MoveAnObstacleThereAndBack)
{
    Scene scene;
    scene.gravity.setZero();
    scene.objects = {cube("cube", 0.2, Vec3(0, 0, 1)), cube("paddle", 0.1, Vec3::Zero(), 1)};
    scene.objects[1].kind = ObjectKind::obstacle;
    VertexScript script;
    script.object = 1;
    script.keyframes = {{0, Vec3::Zero(), 0}, {0.1, Vec3(0.3, 0, 0), 1}, {0.2, Vec3::Zero(), 0}};
    scene.scripts = {script};
    Simulation simulation(scene);
    const Positions start = simulation.state().x;
    const int first = simulation.object_starts()[1];
    const auto expect_near_script = [&] {
        for (int v = first; v < simulation.num_vertices(); ++v) {
            const Vec3 wanted = script.position(point<3>(start, v), simulation.state().time);
            // Met to a hundredth of the motion of a step, 0.03 m and 0.1 rad.
            EXPECT_LE((point<3>(simulation.state().x, v) - wanted).norm(), 4e-4);
        }
    };
    for (int i = 0; i < 22; ++i) {
        run(simulation, 1);
        expect_near_script();
    }
    EXPECT_LE((simulation.state().x - start).cwiseAbs().maxCoeff(), 4e-4) << "the last keyframe is the start";
}

TEST(Scripts, ArriveWhateverResists)
{
    // A bar that is held at one end and pulled at the other, by 2 % of its length per step: soft or stiff, with and
    // without inertia, in short and long steps.
    for (const std::string integrator : {"implicit_euler", "quasi_static"})
        for (const double modulus : {1e4, 1e6, 1e8})
            for (const double dt : {0.01, 0.05, 0.5}) {
                SCOPED_TRACE(fmt::format("{} Pa, {} s, {}", modulus, dt, integrator));
                Scene scene;
                scene.gravity.setZero();
                scene.objects = {box("bar", Vec3(1, 0.2, 0.2), Vec3::Zero(), {10, 2, 2})};
                scene.objects[0].youngs_modulus = modulus;
                scene.contact.model = "none";
                scene.time.integrator = integrator;
                scene.time.dt = dt;
                VertexScript held, pulled;
                held.vertices = vertices_at(scene.objects[0].mesh, 0, -0.5);
                pulled.vertices = vertices_at(scene.objects[0].mesh, 0, 0.5);
                pulled.velocity = Vec3(0.02 / dt, 0, 0);
                scene.scripts = {held, pulled};
                Simulation simulation(scene);
                for (int step = 0; step < 5; ++step)
                    EXPECT_LE(run(simulation, 1).script_lag, 0.01 * 0.02);
            }
}

TEST(Scripts, LetGoInTheStepThatBeginsAtTheirTime)
{
    for (const int steps : {1, 3, 7, 8, 10, 30}) {
        Scene scene;
        scene.objects = {cube("cube", 0.2, Vec3::Zero())};
        scene.contact.model = "none";
        VertexScript held;
        held.vertices = vertices_at(scene.objects[0].mesh, 1, 0.1);
        held.release_time = 0.01 * steps;
        scene.scripts = {held};
        Simulation simulation(scene);
        run(simulation, steps);
        const double before = simulation.state().x(held.vertices[0], 1);
        EXPECT_EQ(before, 0.1) << steps;
        run(simulation, 1);
        EXPECT_LT(simulation.state().x(held.vertices[0], 1), before) << steps;
    }
}

/// A stiff cube between a floor and a plate that is told to go down, and does not arrive.
Scene press(double speed)
{
    Scene scene;
    scene.objects = {cube("cube", 0.2, Vec3(0, 0.1001, 0))};
    scene.objects[0].youngs_modulus = 1e9;
    SceneObject plate;
    plate.name = "plate";
    plate.kind = ObjectKind::obstacle;
    plate.mesh = translated(generate::plane_grid({.size = Vec2(0.5, 0.5), .cells = {2, 2}}), Vec3(0, 0.2005, 0));
    scene.objects.push_back(plate);
    scene.planes = {floor_plane()};
    VertexScript script;
    script.object = 1;
    script.velocity = Vec3(0, -speed, 0);
    scene.scripts = {script};
    scene.verify = Verify::step;
    return scene;
}

/// The number of steps up to the one that does not converge, with its report. Nothing may intersect meanwhile.
std::pair<int, StepReport> steps_until_it_ends(Simulation& simulation, int most)
{
    StepReport report;
    for (int step = 1; step <= most; ++step) {
        report = simulation.step();
        EXPECT_EQ(report.verification.num_intersections, 0) << "step " << step;
        EXPECT_EQ(report.verification.num_inverted, 0) << "step " << step;
        if (report.outcome != Outcome::converged)
            return {step, report};
    }
    return {most, report};
}

void expect_blocked(const StepReport& report, int steps)
{
    EXPECT_EQ(report.outcome, Outcome::script_blocked) << report.message;
    const auto has = [&](const std::string& words) {
        EXPECT_NE(report.message.find(words), std::string::npos) << "'" << words << "' in: " << report.message;
    };
    has("held back for " + std::to_string(steps) + " steps in a row");
    has("scripts[0] by ");
    has(" of 'plate', held by 'cube' with ");
    EXPECT_GT(report.script_lag, 0);
    EXPECT_GT(report.num_contacts, 0u);
}

/// For how many steps in a row a script was held back, as the state has it.
int blocked_steps(const Simulation& simulation)
{
    return static_cast<int>(simulation.state().history.number("scripts.blocked_steps", -1));
}

TEST(ScriptBlocked, EndsAPressThatCannotGoOn)
{
    Scene scene = press(0.02);
    scene.solver.max_blocked_steps = 5;
    Simulation simulation(scene);
    const auto [steps, report] = steps_until_it_ends(simulation, 200);
    expect_blocked(report, 5);
    EXPECT_EQ(blocked_steps(simulation), 5);
    EXPECT_EQ(report.step, steps);
    // The lag is how far the plate is from where it was told to be.
    const Positions& x = simulation.state().x;
    const int first = simulation.object_starts()[1];
    double lag = 0;
    for (int v = first; v < simulation.num_vertices(); ++v) {
        const Vec3 wanted =
            scene.scripts[0].position(point<3>(scene.objects[1].mesh.vertices, v - first), simulation.state().time);
        lag = std::max(lag, (point<3>(x, v) - wanted).norm());
    }
    EXPECT_NEAR(report.script_lag, lag, 1e-12);
    EXPECT_GT(x.topRows(first).col(1).minCoeff(), 0);
}

TEST(ScriptBlocked, WaitsAHundredStepsByDefault)
{
    Simulation simulation(press(0.02));
    EXPECT_EQ(simulation.scene().solver.max_blocked_steps, 100);
    const auto [steps, report] = steps_until_it_ends(simulation, 300);
    expect_blocked(report, 100);
}

TEST(ScriptBlocked, CountsStepsInARowOnly)
{
    // The press lets go before it has been blocked for long enough.
    Scene scene = press(0);
    scene.scripts[0].velocity.setZero();
    scene.scripts[0].keyframes = {{0, Vec3::Zero(), 0}, {0.1, Vec3(0, -2e-3, 0), 0}, {0.2, Vec3(0, 2e-3, 0), 0}};
    scene.solver.max_blocked_steps = 30;
    Simulation simulation(scene);
    int most = 0;
    for (int i = 0; i < 40; ++i) {
        run(simulation, 1);
        most = std::max(most, blocked_steps(simulation));
    }
    EXPECT_GT(most, 0) << "it must have been blocked";
    EXPECT_LT(most, 30);
    EXPECT_EQ(blocked_steps(simulation), 0);
}

} // namespace

} // namespace abut::test
