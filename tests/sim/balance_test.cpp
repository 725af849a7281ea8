// The balance of a step: energy, momentum, and the forces between bodies.

#include "support/simulated.hpp"

namespace abut::test {

namespace {

/// Kinetic, elastic and contact energy: what a gain is compared with.
double moving_energy(const Balance& balance) { return balance.kinetic + balance.elastic + balance.contact; }

TEST(Balance, OfFreeFallIsThatOfImplicitEuler)
{
    Scene scene;
    scene.objects = {cube("cube", 0.2, Vec3(0, 5, 0))};
    scene.objects[0].velocity = Vec3(1, 0, 0);
    scene.verify = Verify::step;
    Simulation simulation(scene);
    const double mass = simulation.masses().sum(), dt = scene.time.dt;
    for (int i = 1; i <= 10; ++i) {
        const Balance balance = run(simulation, 1).balance;
        const double fall = 9.81 * dt * i;
        EXPECT_NEAR(balance.kinetic, 0.5 * mass * (1 + fall * fall), 1e-9);
        // ½ m (v'² − v²) − m g dt v' = −½ m (g dt)²
        EXPECT_NEAR(balance.gain, -0.5 * mass * 9.81 * 9.81 * dt * dt, 1e-9);
        EXPECT_NEAR(balance.gravity, 9.81 * mass * (5 - 9.81 * dt * dt * i * (i + 1) / 2), 1e-9);
        EXPECT_NEAR(balance.momentum.x(), mass, 1e-9);
        EXPECT_NEAR(balance.momentum.y(), -mass * fall, 1e-9);
        EXPECT_LE(balance.momentum_defect, 1e-12);
        EXPECT_EQ(balance.friction_loss, 0);
        EXPECT_EQ(balance.script_work, 0);
        EXPECT_EQ(balance.contact, 0);
    }
}

TEST(Balance, ABounceGainsNoEnergy)
{
    Scene scene;
    scene.objects = {cube("cube", 0.2, Vec3(0, 0.11, 0))};
    scene.objects[0].velocity = Vec3(0.3, -1, 0);
    scene.objects[0].youngs_modulus = 1e6;
    scene.planes = {floor_plane()};
    scene.time.dt = 0.002;
    // The last steps change the energy by less than its rounding, and are taken all the same.
    scene.solver.tolerance = 1e-9;
    scene.verify = Verify::step;
    Simulation simulation(scene);
    const double start = 0.5 * simulation.masses().sum() * (1 + 0.09);
    bool touched = false;
    double rising = 0;
    for (int i = 0; i < 60; ++i) {
        const StepReport report = run(simulation, 1);
        touched = touched || report.num_contacts > 0;
        rising = std::max(rising, report.balance.momentum.y());
        EXPECT_LE(report.balance.gain, 0) << "step " << report.step;
        EXPECT_LE(moving_energy(report.balance), 1.5 * start);
        EXPECT_LE(report.balance.momentum_defect, 1e-12) << "step " << report.step;
        EXPECT_LE(report.iterations.size(), 20u) << "step " << report.step;
    }
    EXPECT_TRUE(touched);
    EXPECT_GT(rising, 0) << "it bounces";
}

TEST(Balance, OfASlidingCubeIsFrictionTimesDistance)
{
    const double mu = 0.3;
    Scene scene;
    scene.objects = {cube("cube", 0.2, Vec3(0, 0.1001, 0))};
    scene.objects[0].velocity = Vec3(2, 0, 0);
    scene.objects[0].youngs_modulus = 1e7;
    scene.planes = {floor_plane()};
    scene.contact.mu = mu;
    scene.contact.eps_v = 1e-3;
    scene.solver.tolerance = 1e-6;
    scene.solver.friction_iterations = 3;
    Simulation simulation(scene);
    for (int i = 0; i < 20; ++i) // the landing
        EXPECT_GE(run(simulation, 1).balance.friction_loss, 0);
    const double mass = simulation.masses().sum(), before = simulation.state().x.col(0).mean();
    double loss = 0;
    StepReport report;
    for (int i = 0; i < 20; ++i) {
        report = run(simulation, 1);
        EXPECT_GE(report.balance.friction_loss, 0);
        EXPECT_LE(report.balance.gain, 0) << "step " << report.step;
        EXPECT_LE(report.balance.momentum_defect, 1e-10) << "step " << report.step;
        loss += report.balance.friction_loss;
    }
    const double distance = simulation.state().x.col(0).mean() - before;
    EXPECT_GT(distance, 0.1);
    EXPECT_NEAR(loss, mu * mass * 9.81 * distance, 1e-6 * loss);
}

TEST(Balance, ScriptsDoTheWorkThatASlowCompressionStores)
{
    // The work of a step counts the force at its end, so that of N equal steps on a linear spring is 1 + 1/N of what
    // the spring stores.
    for (const int steps : {10, 20}) {
        Scene scene;
        scene.gravity.setZero();
        scene.objects = {cube("cube", 0.2, Vec3::Zero())};
        scene.objects[0].poisson_ratio = 0.3;
        VertexScript held, pressed;
        held.vertices = vertices_at(scene.objects[0].mesh, 1, -0.1);
        pressed.vertices = vertices_at(scene.objects[0].mesh, 1, 0.1);
        pressed.keyframes = {{0, Vec3::Zero(), 0}, {steps * 0.01, Vec3(0, -2e-4, 0), 0}};
        scene.scripts = {held, pressed};
        scene.contact.model = "none";
        scene.time.integrator = "quasi_static";
        scene.solver.tolerance = 1e-8;
        Simulation simulation(scene);
        double work = 0, gain = 0;
        StepReport report;
        for (int i = 0; i < steps; ++i) {
            report = run(simulation, 1);
            work += report.balance.script_work;
            gain += report.balance.gain;
        }
        const double stored = report.balance.elastic;
        EXPECT_GT(stored, 0);
        EXPECT_NEAR(work / stored, 1 + 1.0 / steps, 0.1 / steps) << steps << " steps";
        EXPECT_NEAR(gain, stored - work, 1e-9 * stored);
        EXPECT_EQ(report.balance.kinetic, 0);
    }
}

/// Two cubes, one on the other, on a floor that leans.
Scene stack(double angle)
{
    Scene scene;
    scene.objects = {cube("lower", 0.2, Vec3(0, 0.1001, 0)), cube("upper", 0.1, Vec3(0.013, 0.2502, 0.007), 1)};
    for (SceneObject& object : scene.objects)
        object.youngs_modulus = 1e6;
    scene.planes = {floor_plane()};
    scene.gravity = 9.81 * Vec3(std::sin(angle), -std::cos(angle), 0);
    scene.contact.mu = 0.5;
    scene.contact.eps_v = 1e-3;
    scene.solver.tolerance = 1e-6;
    scene.solver.friction_iterations = 2;
    return scene;
}

/// Masses of the objects.
double mass_of(const Simulation& simulation, int object)
{
    const auto& starts = simulation.object_starts();
    return simulation.masses().segment(starts[object], starts[object + 1] - starts[object]).sum();
}

TEST(BodyForces, AddUpToTheContactForcesOfEachBody)
{
    Simulation simulation(stack(0.2));
    for (int i = 0; i < 30; ++i) {
        const StepReport report = run(simulation, 1);
        const Positions forces = simulation.contact_forces();
        const auto& starts = simulation.object_starts();
        const double scale = forces.cwiseAbs().sum();
        for (int body = 0; body < 2; ++body) {
            Vec3 sum = forces.middleRows(starts[body], starts[body + 1] - starts[body]).colwise().sum().transpose();
            for (const BodyForce& force : report.forces) {
                // What `other` does to `body` is minus what `body` does to `other`.
                sum -= force.body == body ? force.contact : Vec3(Vec3::Zero());
                sum += force.other == body ? force.contact : Vec3(Vec3::Zero());
            }
            EXPECT_LE(sum.norm(), 1e-12 * scale) << "step " << report.step << ", body " << body;
        }
    }
}

TEST(BodyForces, CarryTheWeightsOfAStackThatLeans)
{
    const double angle = 0.2;
    Simulation simulation(stack(angle));
    const StepReport report = run(simulation, 150);
    EXPECT_LT(report.balance.kinetic, 1e-6) << "it must be at rest";
    ASSERT_EQ(report.forces.size(), 2u);
    // Sorted by bodies; planes have negative numbers.
    const BodyForce &by_plane = report.forces[0], &by_upper = report.forces[1];
    EXPECT_EQ(simulation.names().body(by_plane.body), "lower");
    EXPECT_EQ(simulation.names().body(by_plane.other), "plane 0");
    EXPECT_EQ(simulation.names().body(by_upper.body), "lower");
    EXPECT_EQ(simulation.names().body(by_upper.other), "upper");
    const double upper = 9.81 * mass_of(simulation, 1), both = upper + 9.81 * mass_of(simulation, 0);
    // Friction lags by a step and creeps below eps_v.
    const double tolerance = 0.01 * both;
    EXPECT_NEAR(by_plane.contact.y(), both * std::cos(angle), tolerance);
    EXPECT_NEAR(by_plane.friction.x(), -both * std::sin(angle), tolerance);
    EXPECT_NEAR(by_upper.contact.y() + by_upper.friction.y(), -upper * std::cos(angle), tolerance);
    EXPECT_NEAR(by_upper.contact.x() + by_upper.friction.x(), upper * std::sin(angle), tolerance);
}

TEST(BodyForces, LeaveSelfContactOut)
{
    // A strip that is folded over touches itself and nothing else.
    Scene scene;
    scene.gravity.setZero();
    SceneObject strip;
    strip.name = "strip";
    strip.kind = ObjectKind::shell;
    strip.model = ElasticModel::fixed_corotated;
    strip.mesh = generate::plane_grid({.size = Vec2(0.4, 0.1), .cells = {8, 2}});
    // Bend it to a U of height 0.01 m: the second half lies above the first.
    for (int v = 0; v < strip.mesh.vertices.rows(); ++v) {
        double& x = strip.mesh.vertices(v, 0);
        if (x > 1e-6) {
            strip.mesh.vertices(v, 1) += 0.002;
            x = -x + 0.02;
        }
    }
    scene.objects = {strip};
    scene.contact.dhat = 4e-3;
    Simulation simulation(scene);
    const StepReport report = run(simulation, 1);
    EXPECT_GT(report.num_contacts, 0u);
    EXPECT_TRUE(report.forces.empty());
    EXPECT_LE(simulation.contact_forces().colwise().sum().norm(), 1e-10 * simulation.contact_forces().cwiseAbs().sum());
}

} // namespace

} // namespace abut::test
