#include "abut/sim/simulation.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "support/simulated.hpp"

namespace abut::test {

namespace {

TEST(Simulation, ACubeFallsOnAPlaneAndComesToRest)
{
    Scene scene;
    scene.objects = {cube("cube", 0.2, Vec3(0, 0.12, 0))};
    scene.planes = {floor_plane()};
    scene.verify = Verify::step;
    Simulation simulation(scene);
    const StepReport report = run(simulation, 60);
    EXPECT_GT(report.num_contacts, 0u);
    EXPECT_LT(report.balance.kinetic, 1e-5);
    EXPECT_GT(simulation.state().x.col(1).minCoeff(), 0);
    // What carries the cube is its weight.
    const double weight = simulation.masses().sum() * 9.81;
    const Vec3 force = simulation.contact_forces().colwise().sum();
    EXPECT_NEAR(force.y(), weight, 0.01 * weight);
}

TEST(Simulation, FreeFallIsThatOfImplicitEuler)
{
    Scene scene;
    scene.objects = {cube("cube", 0.2, Vec3(0, 5, 0))};
    scene.time.dt = 0.01;
    Simulation simulation(scene);
    const Positions start = simulation.state().x;
    run(simulation, 10);
    // v_n = n g dt, x_n = g dt² n (n + 1) / 2
    for (Eigen::Index v = 0; v < start.rows(); ++v) {
        EXPECT_NEAR(simulation.state().v(v, 1), -9.81 * 0.1, 1e-9);
        EXPECT_NEAR(simulation.state().x(v, 1) - start(v, 1), -9.81 * 1e-4 * 55, 1e-10);
    }
}

TEST(Simulation, CollidingBodiesKeepTheirMomentum)
{
    Scene scene;
    scene.gravity.setZero();
    scene.objects = {cube("left", 0.2, Vec3(-0.15, 0, 0)), cube("right", 0.2, Vec3(0.15, 0.05, 0.03))};
    scene.objects[0].velocity = Vec3(2, 0, 0);
    scene.objects[1].velocity = Vec3(-1, 0.3, 0);
    scene.verify = Verify::step;
    scene.contact.mu = 0.4;
    Simulation simulation(scene);
    const double mass = simulation.masses().sum();
    Vec3 before = Vec3::Zero();
    for (int v = 0; v < simulation.num_vertices(); ++v)
        before += simulation.masses()[v] * simulation.state().v.row(v).transpose();
    std::size_t most_contacts = 0;
    for (int i = 0; i < 30; ++i) {
        const StepReport report = run(simulation, 1);
        most_contacts = std::max(most_contacts, report.num_contacts);
        EXPECT_LE((report.balance.momentum - before).norm(), 1e-10 * mass * 2) << "step " << report.step;
    }
    EXPECT_GT(most_contacts, 0u) << "they must meet";
}

TEST(Simulation, ACubeSticksToASlopeBelowTheAngleOfFriction)
{
    Simulation simulation(slope(0.5, 0.4)); // tan 0.4 = 0.42
    run(simulation, 100);
    EXPECT_LT(simulation.state().v.rowwise().norm().maxCoeff(), 1e-3);
}

TEST(Simulation, ACubeSlidesDownASlopeAsCoulombSays)
{
    const double mu = 0.2, angle = 0.4;
    Simulation simulation(slope(mu, angle));
    run(simulation, 40); // the landing
    const double before = simulation.state().v.col(0).mean();
    run(simulation, 50);
    const double acceleration = (simulation.state().v.col(0).mean() - before) / 0.5;
    const double expected = 9.81 * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_NEAR(acceleration, expected, 0.01 * expected);
}

TEST(Simulation, ClothFallsOnABallThatStays)
{
    Simulation simulation(falling_cloth());
    const Positions start = simulation.state().x;
    const StepReport report = run(simulation, 30);
    EXPECT_GT(report.num_contacts, 0u);
    const int ball = simulation.object_starts()[1];
    EXPECT_EQ(simulation.state().x.bottomRows(start.rows() - ball), start.bottomRows(start.rows() - ball));
    EXPECT_LT(simulation.state().x.topRows(ball).col(1).minCoeff(), -0.05);
}

TEST(Simulation, HasTheSameBitsForAnyNumberOfThreadsAndAfterAResume)
{
    const auto final_state = [&](int threads) {
        set_num_threads(threads);
        Simulation simulation(falling_cloth());
        run(simulation, 20);
        set_num_threads(0);
        return simulation.state();
    };
    const State one = final_state(1);
    EXPECT_EQ(final_state(2), one);
    EXPECT_EQ(final_state(4), one);

    Simulation first(falling_cloth()), second(falling_cloth());
    run(first, 13);
    second.set_state(first.state());
    run(second, 7);
    EXPECT_EQ(second.state(), one);
}

TEST(Simulation, ScriptsMoveVerticesAndReleaseThem)
{
    Scene scene;
    scene.gravity.setZero();
    scene.objects = {cube("bar", 0.2, Vec3::Zero())};
    VertexScript held, pulled;
    for (int v = 0; v < scene.objects[0].mesh.vertices.rows(); ++v) {
        if (scene.objects[0].mesh.vertices(v, 0) < -0.0999)
            held.vertices.push_back(v);
        if (scene.objects[0].mesh.vertices(v, 0) > 0.0999)
            pulled.vertices.push_back(v);
    }
    pulled.velocity = Vec3(0.2, 0, 0);
    pulled.release_time = 0.2;
    scene.scripts = {held, pulled};
    Simulation simulation(scene);
    const Positions start = simulation.state().x;
    const StepReport report = run(simulation, 20);
    EXPECT_LE(report.script_lag, 0.02 * 0.2 * 0.01);
    for (const int v : held.vertices)
        EXPECT_EQ(simulation.state().x.row(v), start.row(v));
    for (const int v : pulled.vertices)
        EXPECT_NEAR(simulation.state().x(v, 0) - start(v, 0), 0.2 * 0.2, 1e-4);
    run(simulation, 5);
    for (const int v : pulled.vertices)
        EXPECT_LT(simulation.state().x(v, 0) - start(v, 0), 0.2 * 0.2) << "a released vertex springs back";
}

TEST(Simulation, ContactWinsOverAScript)
{
    // A plate is told to go through a cube and the floor.
    Scene scene;
    scene.objects = {cube("cube", 0.2, Vec3(0, 0.101, 0))};
    SceneObject plate;
    plate.name = "plate";
    plate.kind = ObjectKind::obstacle;
    plate.mesh = translated(generate::plane_grid({.size = Vec2(0.5, 0.5), .cells = {2, 2}}), Vec3(0, 0.21, 0));
    scene.objects.push_back(plate);
    scene.planes = {floor_plane()};
    VertexScript press;
    press.object = 1;
    press.velocity = Vec3(0, -2, 0);
    scene.scripts = {press};
    scene.verify = Verify::step;
    Simulation simulation(scene);
    StepReport report;
    for (int i = 0; i < 20; ++i) { // 0.4 m in 0.2 s
        report = simulation.step();
        EXPECT_EQ(report.verification.num_intersections, 0);
        EXPECT_EQ(report.verification.num_inverted, 0);
    }
    EXPECT_GT(simulation.state().x.col(1).minCoeff(), 0);
    EXPECT_GT(report.script_lag, 0.01) << "and the report says how far the script is behind";
}

TEST(Simulation, BlocksInThePlaneStack)
{
    Scene scene;
    scene.objects = {planar_block("lower", 0.06), planar_block("upper", 0.18)};
    scene.planes = {floor_plane()};
    scene.contact.mu = 0.3;
    scene.verify = Verify::step;
    Simulation simulation(scene);
    const StepReport report = run(simulation, 50);
    EXPECT_GT(report.num_contacts, 0u);
    EXPECT_LT(report.balance.kinetic, 1e-3);
}

TEST(Simulation, PointsRestOnAPlane)
{
    Scene scene;
    SceneObject points;
    points.name = "dust";
    points.kind = ObjectKind::points;
    points.mesh.vertices.resize(3, 3);
    points.mesh.vertices << 0, 0.02, 0, 0.1, 0.03, 0, 0.1, 0.05, 0.2;
    scene.objects = {points};
    scene.planes = {floor_plane()};
    Simulation simulation(scene);
    run(simulation, 60);
    EXPECT_GT(simulation.state().x.col(1).minCoeff(), 0);
    EXPECT_LT(simulation.state().x.col(1).maxCoeff(), 1e-3);
}

template <typename Exception, typename Call>
void expect_throws(Call&& call, const std::string& words)
{
    try {
        call();
        FAIL() << "no exception; expected: " << words;
    } catch (const Exception& error) {
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}

TEST(Simulation, VerifiesIntersectionsAlsoWhereContactIsOff)
{
    Scene scene;
    scene.gravity.setZero();
    scene.objects = {cube("left", 0.2, Vec3(0, 0.3, 0)), cube("right", 0.2, Vec3(0.25, 0.31, 0.02))};
    scene.objects[0].velocity = Vec3(10, 0, 0);
    scene.planes = {floor_plane()};
    scene.contact.model = "none";
    Simulation simulation(scene);
    EXPECT_EQ(simulation.verify().num_intersections, 0);
    const Verification overlap = simulation.step().verification; // moved by 0.1 m: 0.05 m deep
    EXPECT_TRUE(overlap.is_checked);
    EXPECT_GT(overlap.num_intersections, 0);
    EXPECT_FALSE(overlap.is_good());

    State sunk = simulation.state();
    sunk.x.col(0).array() += (sunk.x.col(0).array() > 0.2).select(1.0, Eigen::ArrayXd::Zero(sunk.x.rows()));
    sunk.x.col(1).array() -= 1;
    simulation.set_state(sunk);
    EXPECT_GE(simulation.verify().num_intersections, 26) << "every vertex of a surface is behind the plane";
}

TEST(Simulation, RejectsStartsThatIntersectNamingTheBodies)
{
    Scene scene;
    scene.objects = {cube("apple", 0.2, Vec3::Zero()), cube("pear", 0.2, Vec3(0.1, 0.05, 0.03))};
    expect_throws<InvalidStart>([&] { Simulation simulation(scene); }, "the start intersects in");
    expect_throws<InvalidStart>([&] { Simulation simulation(scene); }, "'apple'");
    expect_throws<InvalidStart>([&] { Simulation simulation(scene); }, "'pear'");
    scene.objects = {cube("cube", 0.2, Vec3(0, 0.05, 0))};
    scene.planes = {floor_plane()};
    expect_throws<InvalidStart>([&] { Simulation simulation(scene); }, "plane 0");
}

TEST(Simulation, RejectsBadScenes)
{
    Scene scene;
    expect_throws<InvalidInput>([&] { Simulation simulation(scene); }, "objects: the scene has none");
    scene.objects = {cube("cube", 0.2, Vec3::Zero())};
    scene.time.dt = 0;
    expect_throws<InvalidInput>([&] { Simulation simulation(scene); }, "time.dt: 0");
    scene.time.dt = 0.01;
    scene.objects[0].density = -1;
    expect_throws<InvalidInput>([&] { Simulation simulation(scene); }, "objects[0].density");
    scene.objects[0].density = 1000;
    VertexScript script;
    script.vertices = {99999};
    scene.scripts = {script};
    expect_throws<InvalidInput>([&] { Simulation simulation(scene); }, "scripts[0].vertices: vertex 99999");
    script.vertices = {1};
    scene.scripts = {script, script};
    expect_throws<InvalidInput>([&] { Simulation simulation(scene); }, "already follows scripts[0]");
}

} // namespace

} // namespace abut::test
