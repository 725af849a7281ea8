// Newton's method with offset contact: free motion costs nothing, whatever flies does not pass through what it meets,
// and what is asked of it does not end in too many iterations.

#include "abut/base/parallel.hpp"
#include "abut/base/random.hpp"
#include "abut/detect/intersections.hpp"
#include "support/simulated.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace abut::test::free_motion_test {

namespace {

Scene lone_body(double size, const Vec3& centre, const Vec3& velocity, const Vec3& spin, int cells)
{
    Scene scene;
    scene.objects = {cube("cube", size, centre, cells)};
    scene.objects[0].velocity = velocity;
    scene.objects[0].angular_velocity = spin;
    scene.contact.model = "ogc";
    scene.verify = Verify::step;
    return scene;
}

/// The most iterations of a step.
int most_iterations(const Scene& scene, int steps)
{
    Simulation simulation(scene);
    std::size_t most = 0;
    for (int k = 0; k < steps; ++k)
        most = std::max(most, run(simulation, 1).iterations.size());
    return static_cast<int>(most);
}

/// A soft body or a cloth at a random place, turned at random.
SceneObject random_object(RandomStream& random, const std::string& name, const Vec3& centre)
{
    SceneObject object;
    object.name = name;
    const Vec3 axis = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
    const Eigen::Matrix3d R = Eigen::AngleAxisd(random.uniform(0, 3), axis).toRotationMatrix();
    if (random.below(2) == 0) {
        object.kind = ObjectKind::shell;
        object.mesh = generate::cloth({.size = {0.3, 0.3}, .cells = {5, 5}});
        object.youngs_modulus = 3e4;
        object.density = 200;
    } else {
        object.mesh = generate::tet_box({.size = Vec3(0.1, 0.15, 0.2), .subdivisions = {2, 2, 3}});
        object.youngs_modulus = std::pow(10, random.uniform(4, 7));
    }
    object.mesh = translated(transformed(object.mesh, R), centre);
    object.velocity = 3 * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    object.angular_velocity = 20 * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    return object;
}

/// Two to seven bodies above a floor that fly about, free of intersections at the start.
Scene random_scene(int seed)
{
    RandomStream random(seed);
    Scene scene;
    scene.planes = {floor_plane()};
    scene.contact.model = "ogc";
    scene.contact.mu = random.below(2) == 0 ? 0 : 0.3;
    scene.solver.max_iterations = 200;
    scene.verify = Verify::step;
    const int count = 2 + static_cast<int>(random.below(6));
    for (int k = 0; k < count; ++k)
        scene.objects.push_back(random_object(
            random, fmt::format("body {}", k),
            Vec3(random.uniform(-0.1, 0.1), 0.3 + 0.35 * k, random.uniform(-0.1, 0.1))));
    return scene;
}

} // namespace

TEST(FreeMotion, ALoneBodyTakesAtMostThreeIterationsAStep)
{
    // 1016 vertices of the surface
    for (const double speed : {1.0, 10.0, 50.0})
        EXPECT_LE(most_iterations(lone_body(0.2, Vec3::Zero(), Vec3(speed, 0, 0), Vec3::Zero(), 13), 3), 3) << speed;
    // A radian a step: at 1 MPa the body is stretched by a tenth in the first step, which takes one iteration more.
    for (const double modulus : {1e6, 1e7}) {
        Scene scene = lone_body(0.2, Vec3::Zero(), Vec3::Zero(), Vec3(0, 100, 0), 13);
        scene.objects[0].youngs_modulus = modulus;
        Simulation simulation(scene);
        for (int step = 0; step < 3; ++step)
            EXPECT_LE(run(simulation, 1).iterations.size(), modulus < 1e7 && step == 0 ? 4u : 3u) << modulus;
    }
    EXPECT_LE(most_iterations(lone_body(0.2, Vec3::Zero(), Vec3(3, 50, 2), Vec3(30, 10, 60), 13), 4), 3);
}

TEST(FreeMotion, NeitherPlaceNorSizeMatter)
{
    const Vec3 velocity(50, 1, 0), spin(0, 0, 50);
    EXPECT_LE(most_iterations(lone_body(0.2, Vec3(1e4, 0, -1e4), velocity, spin, 6), 5), 3);
    EXPECT_LE(most_iterations(lone_body(1e-3, Vec3::Zero(), velocity, spin, 6), 5), 3);
    EXPECT_LE(most_iterations(lone_body(1e3, Vec3::Zero(), velocity, 1e-3 * spin, 6), 5), 3);
}

TEST(FreeMotion, ItIsTheMotionThatOtherModelsFind)
{
    Scene scene = lone_body(0.2, Vec3(0, 1, 0), Vec3(5, 3, 0), Vec3(10, 0, 20), 3);
    scene.solver.tolerance = 1e-8;
    Simulation offset(scene);
    scene.contact.model = "ipc";
    Simulation barrier(scene);
    for (int step = 0; step < 10; ++step) {
        run(offset, 1);
        run(barrier, 1);
        EXPECT_LT((offset.state().x - barrier.state().x).cwiseAbs().maxCoeff(), 1e-8);
    }
}

TEST(FreeMotion, BodiesThatCollideAtHighSpeedNeverPass)
{
    // Plates too large to slip past each other, or a wall, at 30 m/s each: 60 cm a step, six times their thickness.
    for (const bool is_wall : {false, true}) {
        Scene scene;
        scene.gravity.setZero();
        scene.contact.model = "ogc";
        scene.verify = Verify::step;
        scene.objects = {
            box("left", Vec3(0.1, 2, 2), Vec3(-1, 0, 0), {1, 5, 5}),
            box("right", Vec3(0.1, 2, 2), Vec3(1, 0.02, 0.01), {1, 5, 5})};
        scene.objects[0].velocity = Vec3(30, 0, 0);
        if (is_wall)
            scene.objects[1].kind = ObjectKind::obstacle;
        else
            scene.objects[1].velocity = Vec3(-30, 0, 0);
        Simulation simulation(scene);
        const auto n = scene.objects[0].mesh.vertices.rows();
        double nearest = 1;
        for (int step = 0; step < 10; ++step) {
            const StepReport report = run(simulation, 1);
            const auto x = simulation.state().x.col(0);
            EXPECT_LT(x.head(n).mean(), x.tail(x.size() - n).mean()) << "they stay on their sides";
            nearest = std::min(nearest, x.tail(x.size() - n).minCoeff() - x.head(n).maxCoeff());
        }
        EXPECT_LT(nearest, 0.1) << "they meet";
    }
}

TEST(FreeMotion, HeavyAndLightBodiesWorkTogether)
{
    // A mass ratio of 1e4, either above
    for (const bool is_heavy_above : {false, true}) {
        Scene scene;
        scene.planes = {floor_plane()};
        scene.contact.model = "ogc";
        scene.verify = Verify::step;
        scene.objects = {cube("low", 0.2, Vec3(0, 0.11, 0), 2), cube("high", 0.2, Vec3(0.02, 0.33, 0.01), 2)};
        for (SceneObject& object : scene.objects) {
            object.youngs_modulus = 1e8;
            object.density = 1;
        }
        scene.objects[is_heavy_above ? 1 : 0].density = 1e4;
        Simulation simulation(scene);
        run(simulation, 40);
        EXPECT_GT(simulation.state().x.col(1).minCoeff(), 0);
    }
}

TEST(FreeMotion, RandomScenesDoNotRunOutOfIterations)
{
    for (int seed = 0; seed < 6; ++seed) {
        Simulation simulation(random_scene(seed));
        for (int step = 0; step < 25; ++step) {
            const StepReport report = simulation.step();
            ASSERT_EQ(report.outcome, Outcome::converged) << "seed " << seed << ": " << report.message;
            ASSERT_EQ(report.verification.num_intersections, 0) << "seed " << seed;
        }
    }
}

TEST(FreeMotion, HasTheSameBitsForEveryNumberOfThreadsAndAfterAResume)
{
    const Scene scene = random_scene(3);
    std::vector<State> states;
    for (const int threads : {1, 2, 3}) {
        set_num_threads(threads);
        Simulation simulation(scene);
        run(simulation, 8);
        const State half = simulation.state();
        run(simulation, 6);
        states.push_back(simulation.state());
        Simulation resumed(scene);
        resumed.set_state(half);
        run(resumed, 6);
        states.push_back(resumed.state());
    }
    set_num_threads(0);
    for (const State& state : states)
        EXPECT_EQ(state, states[0]);
}

} // namespace abut::test::free_motion_test
