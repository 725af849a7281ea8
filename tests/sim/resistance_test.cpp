// Damping and air: derivatives, closed forms, what they take, and that they never give.

#include "abut/base/parallel.hpp"
#include "abut/sim/damping_energy.hpp"
#include "abut/sim/drag_energy.hpp"
#include "abut/solver/newton.hpp"
#include "support/energy_contract.hpp"
#include "support/simulated.hpp"

namespace abut::test::resistance_test {

namespace {

Scene free_cube(const SceneDamping& damping)
{
    Scene scene;
    scene.objects = {cube("cube", 0.2, Vec3(0, 0, 0))};
    scene.objects[0].damping = damping;
    scene.gravity.setZero();
    scene.verify = Verify::step;
    scene.solver.tolerance = 1e-9;
    return scene;
}

/// A cube that is drawn out along x and let go.
Simulation stretched(const Scene& scene)
{
    Simulation simulation(scene);
    State state = simulation.state();
    state.x.col(0) *= 1.2;
    simulation.set_state(state);
    return simulation;
}

void expect_rejected(const Scene& scene, const std::string& words)
{
    try {
        Simulation{scene};
        FAIL() << words;
    } catch (const InvalidInput& error) {
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}

/// Energies that damp, at a place a little off, after a few steps.
void expect_contracts(const Scene& scene, std::size_t count)
{
    const auto model = make_model(scene);
    System system(*model);
    Newton newton;
    State state = model->start;
    system.save(state.history);
    for (int k = 0; k < 3; ++k)
        (void)step(system, state, newton);
    system.begin_step(state);
    Eigen::VectorXd x = system.unknowns_of(state);
    for (Eigen::Index k = 0; k < x.size(); ++k)
        x[k] += 1e-3 * std::sin(3.0 * double(k));
    std::size_t found = 0;
    for (const Energy* energy : system.problem().energies())
        if (energy->role() == EnergyRole::damping) {
            ++found;
            EXPECT_FALSE(energy->stencils().empty());
            expect_energy_contract(
                *energy, model->layout, x,
                {.step = 1e-6, .tolerance = 1e-4, .has_momentum = energy->name() == "damping by stiffness"});
        }
    EXPECT_EQ(found, count);
}

TEST(Damping, KeepsTheContractOfEnergies)
{
    Scene scene = free_cube({.mass = 2, .stiffness = 0.01});
    scene.objects[0].velocity = Vec3(0.3, 0, 0);
    SceneObject sheet;
    sheet.name = "sheet";
    sheet.kind = ObjectKind::shell;
    sheet.model = ElasticModel::fixed_corotated;
    sheet.mesh = translated(generate::cloth({.size = {0.4, 0.4}, .cells = {3, 3}}), Vec3(0, 1, 0));
    sheet.damping = {.mass = 0, .stiffness = 0.02};
    scene.objects.push_back(sheet);
    expect_contracts(scene, 4); // masses, tetrahedra, membranes, hinges

    Scene plane;
    plane.objects = {planar_block("block", 1)};
    plane.objects[0].damping = {.mass = 1, .stiffness = 0.01};
    expect_contracts(plane, 2);
}

TEST(Damping, ByMassSlowsAllSpeedsByTheSameFactor)
{
    Scene scene = free_cube({.mass = 5});
    scene.objects[0].velocity = Vec3(1, -2, 0.5);
    Simulation simulation(scene);
    const double mass = simulation.masses().sum(), dt = scene.time.dt;
    const double start = 0.5 * mass * scene.objects[0].velocity.squaredNorm();
    double speed = 1, loss = 0;
    for (int k = 0; k < 10; ++k) {
        const Balance balance = run(simulation, 1).balance;
        speed /= 1 + 5 * dt;
        EXPECT_NEAR(simulation.state().v(3, 0), speed, 1e-9);
        EXPECT_NEAR(simulation.state().v(3, 1), -2 * speed, 1e-9);
        EXPECT_NEAR(balance.damping_loss, 5 * dt * mass * 5.25 * speed * speed, 1e-8);
        EXPECT_LE(balance.gain, 0);
        EXPECT_LE(balance.momentum_defect, 1e-9);
        EXPECT_EQ(balance.friction_loss, 0);
        loss += balance.damping_loss;
        EXPECT_LE(balance.kinetic + loss, start);
    }
    EXPECT_GT(loss, 0.3 * start);
}

/// The share of its speed that a body damped by mass has left after 0.4 s in steps of dt.
double speed_left(const char* integrator, double dt)
{
    Scene scene = free_cube({.mass = 5});
    scene.objects[0].velocity = Vec3(1, 0, 0);
    scene.time.integrator = integrator;
    scene.time.dt = dt;
    scene.solver.tolerance = 1e-10;
    Simulation simulation(scene);
    double loss = 0;
    Balance balance;
    for (double t = 0; t < 0.4 - dt / 2; t += dt) {
        balance = run(simulation, 1).balance;
        EXPECT_LE(balance.momentum_defect, 1e-7) << integrator;
        loss += balance.damping_loss;
    }
    EXPECT_GT(loss, 0) << integrator;
    EXPECT_NEAR(loss + balance.kinetic, 0.5 * simulation.masses().sum(), 0.15 * simulation.masses().sum())
        << integrator;
    return simulation.state().v.col(0).mean();
}

TEST(Damping, ByMassHasTheOrderOfItsIntegrator)
{
    const double exact = std::exp(-5 * 0.4);
    for (const auto& [name, order] : {std::pair("implicit_euler", 1), std::pair("bdf2", 2), std::pair("newmark", 2)}) {
        const double coarse = std::abs(speed_left(name, 0.01) - exact),
                     fine = std::abs(speed_left(name, 0.005) - exact);
        EXPECT_NEAR(std::log2(coarse / fine), order, 0.15) << name;
        EXPECT_LT(fine, order == 1 ? 1e-2 : 1e-3) << name;
    }
}

TEST(Damping, ByStiffnessEndsOscillationsAndLeavesMomentum)
{
    const auto swing = [&](double beta) {
        Scene scene = free_cube({.mass = 0, .stiffness = beta});
        scene.objects[0].velocity = Vec3(0.5, 0, 0);
        scene.time.dt = 1e-3;
        Simulation simulation = stretched(scene);
        const double mass = simulation.masses().sum();
        double loss = 0, left = 0;
        for (int k = 0; k < 40; ++k) {
            const Balance balance = run(simulation, 1).balance;
            EXPECT_GE(balance.damping_loss, 0);
            EXPECT_LE(balance.gain, 1e-9);
            EXPECT_NEAR(balance.momentum.x(), 0.5 * mass, 1e-7);
            EXPECT_LE(balance.momentum_defect, 1e-6);
            loss += balance.damping_loss;
            left = balance.elastic + balance.kinetic - 0.5 * mass * 0.25;
        }
        return std::pair{loss, left};
    };
    const auto [none, free] = swing(0);
    const auto [loss, left] = swing(0.01);
    EXPECT_EQ(none, 0);
    EXPECT_GT(loss, 0.1 * free);
    EXPECT_LT(left, 0.2 * free);
}

TEST(Damping, GivesTheSameBitsForAnyNumberOfThreadsAndAfterResume)
{
    Scene scene = free_cube({.mass = 1, .stiffness = 0.005});
    scene.objects[0].drag = SceneDrag{.coefficient = 1, .wind = Vec3(3, 1, 0)};
    set_num_threads(1);
    Simulation one(scene);
    run(one, 6);
    set_num_threads(2);
    Simulation two(scene);
    run(two, 3);
    Simulation resumed(scene);
    resumed.set_state(two.state());
    run(resumed, 3);
    set_num_threads(0);
    EXPECT_EQ(resumed.state(), one.state());
}

TEST(Damping, ThatIsNegativeIsAnError)
{
    expect_rejected(free_cube({.mass = -1}), "objects[0].damping.mass: -1 is not a finite number >= 0");
    expect_rejected(free_cube({.mass = 0, .stiffness = -1e-3}), "objects[0].damping.stiffness: -0.001 is not");
    expect_rejected(free_cube({.mass = NAN}), "objects[0].damping.mass: nan");
}

/// A sheet of 1 m² across the way it falls, of 1 kg.
Scene falling_sheet(const SceneDrag& drag)
{
    Scene scene;
    SceneObject sheet;
    sheet.name = "sheet";
    sheet.kind = ObjectKind::shell;
    sheet.model = ElasticModel::fixed_corotated;
    sheet.mesh = generate::cloth({.size = {1, 1}, .cells = {3, 3}});
    sheet.drag = drag;
    scene.objects = {sheet};
    scene.verify = Verify::step;
    return scene;
}

TEST(Drag, KeepsTheContractOfEnergies)
{
    Scene scene = falling_sheet({.coefficient = 1.2, .wind = Vec3(1, 2, 3)});
    scene.objects.push_back(cube("cube", 0.2, Vec3(0, 2, 0)));
    scene.objects[1].drag = SceneDrag{.coefficient = 1, .wind = Vec3(0.2, 0.1, -0.3)};
    expect_contracts(scene, 1);
    Scene plane;
    plane.objects = {planar_block("block", 1)};
    plane.objects[0].drag = SceneDrag{.coefficient = 1, .wind = Vec3(2, -1, 0)};
    expect_contracts(plane, 1);
}

/// m g = ρ c A v² / 2. The corners of triangles fall unlike their middle, so that it is a mean.
TEST(Drag, LetsASheetFallAtItsTerminalSpeed)
{
    Scene scene = falling_sheet({.coefficient = 1.17, .density = 1.2});
    scene.time.dt = 0.02;
    scene.solver.tolerance = 1e-8;
    Simulation simulation(scene);
    double loss = 0;
    for (int k = 0; k < 150; ++k) {
        const Balance balance = run(simulation, 1).balance;
        EXPECT_GE(balance.damping_loss, 0);
        EXPECT_LE(balance.gain, 1e-9);
        loss += balance.damping_loss;
    }
    const double speed = std::sqrt(2 * 9.81 / (1.2 * 1.17));
    const Eigen::VectorXd& m = simulation.masses();
    EXPECT_NEAR(m.dot(simulation.state().v.col(1)) / m.sum(), -speed, 0.02 * speed);
    EXPECT_GT(loss, 0);
}

TEST(Drag, HasTheSameTerminalSpeedForEachIntegrator)
{
    for (const char* integrator : {"bdf2", "newmark"}) {
        Scene scene = falling_sheet({.coefficient = 1.17, .density = 1.2});
        scene.time.dt = 0.02;
        scene.time.integrator = integrator;
        scene.solver.tolerance = 1e-8;
        Simulation simulation(scene);
        double loss = 0;
        for (int k = 0; k < 150; ++k) {
            const Balance balance = run(simulation, 1).balance;
            EXPECT_LE(balance.momentum_defect, 1e-4) << integrator;
            loss += balance.damping_loss;
        }
        const double speed = std::sqrt(2 * 9.81 / (1.2 * 1.17));
        const Eigen::VectorXd& m = simulation.masses();
        EXPECT_NEAR(m.dot(simulation.state().v.col(1)) / m.sum(), -speed, 0.02 * speed) << integrator;
        EXPECT_GT(loss, 0) << integrator;
    }
}

TEST(Drag, TakesWhatIsLooseAlongWithTheWindAndNoFaster)
{
    Scene scene;
    scene.objects = {cube("cube", 0.1, Vec3::Zero(), 2)};
    scene.objects[0].density = 5;
    scene.objects[0].drag = SceneDrag{.coefficient = 1, .density = 1.2, .wind = Vec3(4, 0, 0)};
    scene.gravity.setZero();
    scene.time.dt = 0.05;
    scene.verify = Verify::step;
    Simulation simulation(scene);
    const Eigen::VectorXd& m = simulation.masses();
    double before = 0;
    for (int k = 0; k < 60; ++k) {
        const Balance balance = run(simulation, 1).balance;
        EXPECT_LE(balance.damping_loss, 1e-9); // the wind gives
        const double speed = m.dot(simulation.state().v.col(0)) / m.sum();
        EXPECT_GT(speed, before);
        EXPECT_LT(speed, 4);
        before = speed;
    }
    EXPECT_GT(before, 2);
    // m dv/dt = ρ c A (w − v)² / 2 of its back alone, so that w − v = w / (1 + w t ρ c A / (2 m)), less what steps lose
    const double rate = 1.2 * 0.01 / (2 * m.sum());
    EXPECT_NEAR(4 - before, 4 / (1 + 4 * 3 * rate), 0.1);
}

TEST(Drag, RejectsValuesThatCanNeverBeRight)
{
    expect_rejected(falling_sheet({.coefficient = -1}), "objects[0].drag.coefficient: -1 is not a finite number >= 0");
    expect_rejected(falling_sheet({.density = 0}), "objects[0].drag.density: 0 is not a positive number");
    expect_rejected(falling_sheet({.wind = Vec3(0, NAN, 0)}), "objects[0].drag.wind: not all");
    Scene scene = falling_sheet({});
    scene.objects[0].kind = ObjectKind::points;
    expect_rejected(scene, "objects[0].drag: only solids, shells and planar bodies");
}

} // namespace

} // namespace abut::test::resistance_test
