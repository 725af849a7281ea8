// Rods in simulations: what they weigh, how they stretch, bend and twist, what is remembered, and what is refused.

#include "abut/sim/rods.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/sim/energy_kinds.hpp"
#include "support/energy_contract.hpp"
#include "support/simulated.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <numeric>

namespace abut::test::rods_test {

namespace {

constexpr double pi = std::numbers::pi;

SceneObject rod_object(MeshData mesh, double radius = 0.01)
{
    SceneObject object;
    object.name = "rod";
    object.kind = ObjectKind::rod;
    object.mesh = std::move(mesh);
    object.youngs_modulus = 1e7;
    object.poisson_ratio = 0.3;
    object.density = 1000;
    object.rod.section = {radius, radius};
    return object;
}

SceneObject straight_rod(int segments, double length = 1)
{
    return rod_object(generate::rod({.length = length, .segments = segments}));
}

MeshData ring(int segments, double radius)
{
    MeshData mesh;
    mesh.vertices.resize(segments, 3);
    mesh.edges.resize(segments, 2);
    for (int k = 0; k < segments; ++k) {
        const double phi = 2 * pi * k / segments;
        mesh.vertices.row(k) << radius * std::cos(phi), radius * std::sin(phi), 0;
        mesh.edges.row(k) << k, (k + 1) % segments;
    }
    return mesh;
}

/// Three arms of two edges each that meet in a point.
MeshData star()
{
    MeshData mesh;
    mesh.vertices.resize(7, 3);
    mesh.vertices << 0, 0, 0, 0.1, 0, 0, 0.2, 0, 0, -0.05, 0.09, 0, -0.1, 0.18, 0, -0.05, -0.09, 0, -0.1, -0.18, 0;
    mesh.edges.resize(6, 2);
    mesh.edges << 0, 1, 1, 2, 0, 3, 3, 4, 0, 5, 5, 6;
    return mesh;
}

Scene scene_of(SceneObject object)
{
    Scene scene;
    scene.objects = {std::move(object)};
    scene.contact.model = "none";
    scene.gravity = Vec3::Zero();
    scene.verify = Verify::step;
    return scene;
}

VertexScript hold(std::vector<int> vertices)
{
    VertexScript script;
    script.vertices = std::move(vertices);
    return script;
}

/// The first edge is held; the last is turned about the rod, evenly.
Scene wrung(int segments, double radians_per_second)
{
    Scene scene = scene_of(straight_rod(segments));
    VertexScript turn = hold({segments - 1, segments});
    turn.axis = Vec3::UnitX();
    turn.angular_velocity = radians_per_second;
    scene.scripts = {hold({0, 1}), turn};
    return scene;
}

double twist_of(const Simulation& simulation)
{
    const std::vector<double> twists = rod_twists(simulation.model(), simulation.state()).twist;
    return std::accumulate(twists.begin(), twists.end(), 0.0) / static_cast<double>(twists.size());
}

TEST(Rods, WeighAndFallAsTheirSections)
{
    Scene scene = scene_of(straight_rod(8));
    scene.gravity = Vec3(0, -10, 0);
    scene.objects[0].rod.section = {0.02, 0.01};
    Simulation simulation(scene);
    EXPECT_NEAR(simulation.masses().sum(), 1000 * pi * 0.02 * 0.01, 1e-12);
    EXPECT_EQ(simulation.state().others.size(), 8);
    run(simulation, 10);
    EXPECT_NEAR(simulation.state().v.col(1).maxCoeff(), -1, 1e-9);
    EXPECT_NEAR(simulation.state().v.col(1).minCoeff(), -1, 1e-9);
    EXPECT_LE(simulation.state().others.cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Rods, BendAsBeams)
{
    // Clamped at one end under its own weight: w = rho A g L⁴ / (8 E I), which is small here. The first joint bends
    // half of the held edge too.
    Scene scene = scene_of(straight_rod(64));
    scene.gravity = Vec3(0, 0, -0.02);
    scene.time.integrator = "quasi_static";
    scene.solver.tolerance = 1e-9;
    scene.scripts = {hold({0, 1})};
    for (const double flat : {1.0, 0.5}) { // flat: the lower half axis points up, which is softer by its square
        scene.objects[0].rod.section = {0.01, 0.01 * flat};
        scene.objects[0].rod.axis = Vec3::UnitY();
        Simulation simulation(scene);
        run(simulation, 2);
        const double length = 63.5 / 64, rho_a = 1000 * pi * 1e-4 * flat, inertia = pi * 1e-8 * flat * flat * flat / 4;
        const double expected = rho_a * 0.02 * std::pow(length, 4) / (8 * 1e7 * inertia);
        EXPECT_NEAR(-simulation.state().x(64, 2), expected, 0.02 * expected);
        EXPECT_LE(std::abs(simulation.state().x(64, 1)), 1e-9);
    }
}

TEST(Rods, TwistSpreadsEvenlyFromAnEndThatTurns)
{
    for (const std::string integrator : {"quasi_static", "implicit_euler", "bdf2", "newmark"}) {
        Scene scene = wrung(10, 0.5);
        scene.time.integrator = integrator;
        scene.time.dt = 0.1;
        if (integrator != "quasi_static")
            scene.objects[0].damping = {.mass = 20, .stiffness = 0.01};
        Simulation simulation(scene);
        run(simulation, 20);
        // A radian over the nine joints, which are 0.1 m apart
        const Eigen::VectorXd angles = simulation.state().others / 0.01;
        EXPECT_NEAR(angles[9] - angles[0], 1, 1e-12) << integrator;
        EXPECT_NEAR(angles[5] - angles[4], 1.0 / 9, 2e-2) << integrator;
        EXPECT_NEAR(twist_of(simulation), 1 / 0.9, 0.1) << integrator;
        EXPECT_LE(simulation.state().x.col(1).cwiseAbs().maxCoeff(), 1e-6) << integrator; // it does not buckle
        // In equilibrium the work of the script is what the rod holds: C θ² / (2 L)
        if (integrator != "quasi_static")
            continue;
        const StepReport report = simulation.step();
        const double C = 1e7 / 2.6 * pi * 1e-8 / 2, theta = 21 * 0.05;
        EXPECT_NEAR(report.balance.elastic, C * theta * theta / (2 * 0.9), 1e-6 * report.balance.elastic);
        EXPECT_NEAR(report.balance.script_work, C * theta * 0.05 / 0.9, 1e-6 * report.balance.script_work);
    }
}

TEST(Rods, FramesThatAreNotHeldDoNotTurn)
{
    Scene scene = wrung(10, 0.5);
    scene.scripts[1].holds_frames = false;
    scene.time.integrator = "quasi_static";
    Simulation simulation(scene);
    run(simulation, 20);
    EXPECT_LE(simulation.state().others.cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Rods, ReleasedTwistSwingsAndKeepsItsEnergy)
{
    // The free end of a rod that spins about itself, clamped at the other: it swings back after 2 L / c, c² = G / rho.
    const int segments = 100;
    Scene scene = scene_of(straight_rod(segments));
    scene.objects[0].angular_velocity = Vec3(3, 0, 0);
    scene.scripts = {hold({0, 1})};
    scene.time.integrator = "newmark";
    scene.solver.tolerance = 1e-8;
    const double speed = std::sqrt(1e7 / 2.6 / 1000), length = 1 - 0.5 / segments;
    scene.time.dt = 2 * length / speed / 400;
    Simulation simulation(scene);
    double energy = 0, gain = 0, largest = 0;
    simulation.step(); // in which the held edge loses its spin
    for (int k = 1; k < 400; ++k) {
        const StepReport report = simulation.step();
        energy = report.balance.kinetic + report.balance.elastic;
        gain += report.balance.gain;
        largest = std::max(largest, simulation.state().others[segments - 1]);
    }
    const double I = 1000 * pi * 1e-8 / 2 * (1 - 1.0 / segments);
    EXPECT_NEAR(energy, 0.5 * I * 9, 1e-3 * energy);
    EXPECT_LE(std::abs(gain), 1e-6 * energy);
    EXPECT_NEAR(largest, 0.01 * 3 * length / speed, 0.02 * largest);
    EXPECT_LE(std::abs(simulation.state().others[segments - 1]), 0.03 * largest);
}

TEST(Rods, RigidMotionsTwistNothing)
{
    // A bent rod, frames and all, is turned about an axis of its own by more than a whole turn. Its vertices follow the
    // script to a hundredth of their way in a step, and no closer; rod_test.cpp turns them exactly.
    MeshData mesh = generate::helix({.radius = 0.3, .pitch = 0.2, .turns = 1.5, .segments = 20});
    for (const bool is_straight : {false, true}) {
        Scene scene = scene_of(rod_object(mesh));
        scene.objects[0].rod.section = {0.02, 0.01};
        scene.objects[0].rod.is_straight = is_straight;
        VertexScript turn = hold({});
        turn.axis = Vec3(1, 2, -0.5);
        turn.angular_velocity = 4;
        turn.velocity = Vec3(0.1, 0, -0.2);
        scene.scripts = {turn};
        scene.time.dt = 0.05;
        scene.time.integrator = "quasi_static";
        scene.solver.tolerance = 1e-10;
        Simulation simulation(scene);
        const std::vector<double> before = rod_twists(simulation.model(), simulation.state()).twist;
        run(simulation, 40);
        const std::vector<double> after = rod_twists(simulation.model(), simulation.state()).twist;
        for (std::size_t e = 0; e < before.size(); ++e)
            EXPECT_NEAR(after[e], before[e], 1e-4);
    }
}

TEST(Rods, SameBitsAfterResumeAndForAnyNumberOfThreads)
{
    for (const std::string integrator : {"implicit_euler", "bdf2", "newmark"}) {
        Scene scene = wrung(200, 30);
        scene.gravity = Vec3(0, -9.81, 0);
        scene.objects[0].rod.section = {0.01, 0.006};
        scene.objects[0].damping.stiffness = 1e-3;
        scene.time.integrator = integrator;
        scene.time.is_adaptive = true;
        const int threads = num_threads();
        set_num_threads(1);
        Simulation simulation(scene);
        run(simulation, 6);
        set_num_threads(4);
        Simulation first(scene);
        run(first, 3);
        Simulation resumed(scene);
        resumed.set_state(first.state());
        run(resumed, 3);
        set_num_threads(threads);
        EXPECT_EQ(resumed.state(), simulation.state()) << integrator;
    }
}

TEST(Rods, ClosedLoopsRestAsTheyAreMade)
{
    MeshData mesh = ring(24, 0.2);
    for (int v = 0; v < 24; ++v) // out of the plane, so that frames do not close
        mesh.vertices(v, 2) = 0.06 * std::sin(2 * 2 * pi * v / 24 + 0.3) + 0.04 * std::cos(2 * pi * v / 24);
    Simulation simulation(scene_of(rod_object(mesh)));
    EXPECT_EQ(simulation.state().others.size(), 24);
    run(simulation, 5);
    EXPECT_LE((simulation.state().x - mesh.vertices).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Rods, BranchesStretchAndBend)
{
    Scene scene = scene_of(rod_object(star()));
    scene.gravity = Vec3(0, 0, -0.5);
    scene.scripts = {hold({2}), hold({4}), hold({6})};
    scene.time.integrator = "quasi_static";
    Simulation simulation(scene);
    EXPECT_EQ(simulation.state().others.size(), 0);
    ASSERT_FALSE(simulation.choices().empty());
    EXPECT_EQ(simulation.choices().back().name, "objects[0].twist");
    EXPECT_NE(simulation.choices().back().reason.find("1 branching point, the first at"), std::string::npos);
    run(simulation, 2);
    const double sag = -simulation.state().x(0, 2);
    EXPECT_GT(sag, 1e-4);
    EXPECT_LT(sag, 0.1);
}

TEST(Rods, ThatBranchBendAsBeamsAlongTheirLength)
{
    // As above, with a small arm in the middle
    SceneObject object = straight_rod(64);
    object.mesh.vertices.conservativeResize(66, 3);
    object.mesh.vertices.row(65) = object.mesh.vertices.row(32) + Vec3(0, 1e-3, 0).transpose();
    object.mesh.edges.conservativeResize(65, 2);
    object.mesh.edges.row(64) << 32, 65;
    Scene scene = scene_of(std::move(object));
    scene.gravity = Vec3(0, 0, -0.02);
    scene.time.integrator = "quasi_static";
    scene.solver.tolerance = 1e-9;
    scene.scripts = {hold({0, 1})};
    Simulation simulation(scene);
    run(simulation, 2);
    const double expected = 1000 * pi * 1e-4 * 0.02 * std::pow(63.5 / 64, 4) / (8 * 1e7 * pi * 1e-8 / 4);
    EXPECT_NEAR(-simulation.state().x(64, 2), expected, 0.02 * expected);
}

TEST(Rods, KeepTheContractOfEnergies)
{
    for (const MeshData& mesh :
         {ring(7, 0.3), star(), generate::helix({.radius = 0.2, .pitch = 0.2, .turns = 1, .segments = 8})}) {
        Scene scene = scene_of(rod_object(mesh, 0.02));
        scene.objects[0].damping = {.mass = 2, .stiffness = 0.01};
        Simulation simulation(scene);
        State state = simulation.state();
        const Model& model = simulation.model();
        Eigen::VectorXd x(model.layout.num_unknowns());
        for (Eigen::Index k = 0; k < state.x.size(); ++k)
            x[k] = state.x.data()[k] + 0.03 * std::sin(3.7 * static_cast<double>(k));
        for (Eigen::Index k = 0; k < state.others.size(); ++k)
            x[state.x.size() + k] = 0.01 * std::cos(2.1 * static_cast<double>(k));
        for (const std::unique_ptr<Energy>& energy : make_rod_energies(model)) {
            energy->load(state.history);
            energy->begin_step(state, 0.01);
            (void)energy->begin_iteration({model.layout, x});
            expect_energy_contract(*energy, model.layout, x, {.has_momentum = true});
        }
        System system(model);
        system.begin_step(state);
        for (const Energy* energy : system.problem().energies())
            if (!energy->stencils().empty())
                expect_energy_contract(*energy, model.layout, x, {});
    }
}

/// The message of a scene that is refused.
std::string refusal(const Scene& scene)
{
    try {
        Simulation{scene};
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Rods, RefuseWhatIsNoRod)
{
    const auto expect = [](const Scene& scene, const std::string& part) {
        EXPECT_NE(refusal(scene).find(part), std::string::npos) << refusal(scene);
    };
    Scene scene = scene_of(straight_rod(4));
    scene.objects[0].rod.section = {0, 0};
    expect(scene, "objects[0].material.radius: 0 is no size of a section");
    scene = scene_of(straight_rod(4));
    scene.objects[0].mesh.vertices.row(2) = scene.objects[0].mesh.vertices.row(1);
    expect(scene, "objects[0].geometry: edge 1 of 'rod' has no length, as its vertices 1 and 2 are in the same place");
    scene = scene_of(straight_rod(4));
    scene.objects[0].mesh.edges.row(2) = scene.objects[0].mesh.edges.row(1);
    expect(scene, "both join the vertices");
    scene = scene_of(straight_rod(4));
    scene.objects[0].mesh.vertices.row(3) = scene.objects[0].mesh.vertices.row(1) + Vec3(0, 1e-3, 0).transpose();
    expect(scene, "objects[0] 'rod': edges: at vertex 2 the rod turns by 179.8 degrees");
    // Twist of what branches
    scene = scene_of(rod_object(star()));
    scene.scripts = {hold({1, 2})};
    EXPECT_EQ(refusal(scene), "accepted");
    scene.scripts[0].holds_frames = true;
    expect(scene, "scripts[0]: the edge of the vertices 1 and 2 of 'rod' hangs together with a branching point");
    scene = scene_of(rod_object(star()));
    scene.objects[0].rod.section = {0.01, 0.02};
    expect(scene, "objects[0].material.radius: 'rod' branches, first at");
    scene = scene_of(straight_rod(4));
    scene.scripts = {hold({1})};
    scene.scripts[0].holds_frames = true;
    expect(scene, "select both ends of an edge");
}

TEST(Rods, DoNotFoldOverThemselves)
{
    // The end of a rod is driven through the rest of it: the turn comes close to a fold, and nothing is infinite.
    Scene scene = scene_of(straight_rod(2));
    VertexScript push = hold({2});
    push.velocity = Vec3(-1, 0, 0);
    scene.scripts = {hold({0, 1}), push};
    scene.time.dt = 0.05;
    scene.solver.max_blocked_steps = 1000;
    Simulation simulation(scene);
    for (int k = 0; k < 30; ++k) {
        const StepReport report = simulation.step();
        ASSERT_TRUE(std::isfinite(report.balance.elastic)) << k << ": " << report.message;
        ASSERT_TRUE(simulation.state().x.allFinite());
        ASSERT_NE(report.outcome, Outcome::not_finite) << report.message;
    }
}

} // namespace

} // namespace abut::test::rods_test
