#include "abut/sim/integrator.hpp"

#include "abut/mesh/generate/generators.hpp"
#include "abut/sim/simulation.hpp"
#include "abut/solver/newton.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace abut::test {

namespace {

/// Where a step ends that only inertia and gravity move.
Positions free_end(Integrator& integrator, const State& state, const Vec3& gravity, double dt)
{
    integrator.begin_step(state, gravity, dt);
    InertiaEnergy inertia(Eigen::VectorXd::Constant(state.x.rows(), 0.3), integrator);
    inertia.begin_step(state, dt);
    Problem problem(BlockLayout(static_cast<int>(state.x.rows()), static_cast<int>(state.x.cols())), {&inertia});
    Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(state.x.data(), state.x.size());
    Newton newton;
    EXPECT_EQ(newton.minimize(problem, x, {.tolerance = 1e-12}).outcome, Outcome::converged);
    return problem.view(x).vertices();
}

/// What every integrator keeps to.
void expect_integrator_contract(const std::function<std::unique_ptr<Integrator>()>& make)
{
    const double dt = 0.02;
    for (const int dim : {2, 3}) {
        State state{.x = Positions::Random(5, dim), .v = Positions::Random(5, dim)};
        const auto integrator = make(), other = make();
        integrator->begin_step(state, Vec3::Zero(), dt);
        // Velocities are affine in positions, and 0 where it says so.
        EXPECT_GT(integrator->velocity_time(), 0);
        EXPECT_EQ(integrator->velocities(integrator->rest_point()).norm(), 0);
        const Positions d = Positions::Random(5, dim), x = Positions::Random(5, dim);
        const Positions slope =
            (integrator->velocities(x + d) - integrator->velocities(x)) * integrator->velocity_time();
        EXPECT_LE((slope - d).norm(), 1e-12);
        EXPECT_EQ(integrator->target().rows(), 5);
        if (integrator->has_inertia()) {
            EXPECT_NEAR(integrator->stiffness() * std::pow(integrator->velocity_time(), 2), 1, 1e-12);
            // What nothing pushes goes on as it did.
            const Positions end = free_end(*integrator, state, Vec3::Zero(), dt);
            EXPECT_LE((end - state.x - dt * state.v).norm(), 1e-12);
            EXPECT_LE((integrator->velocities(end) - state.v).norm(), 1e-11);
            // Gravity gives momentum.
            const Vec3 gravity(0.5, -9.81, 0);
            const Positions v = integrator->velocities(free_end(*integrator, state, gravity, dt));
            for (int a = 0; a < dim; ++a)
                EXPECT_LE((v.col(a) - state.v.col(a)).array().abs().maxCoeff() - dt * std::abs(gravity[a]), 1e-11);
        } else
            EXPECT_EQ(integrator->stiffness(), 0);
        // What it remembers makes another go on as it would.
        State end = state;
        end.x = integrator->target();
        end.v = integrator->velocities(end.x);
        integrator->end_step(state, end, dt);
        integrator->save(end.history);
        other->load(end.history);
        integrator->begin_step(end, Vec3::UnitX(), dt);
        other->begin_step(end, Vec3::UnitX(), dt);
        EXPECT_EQ(integrator->target(), other->target());
        EXPECT_EQ(integrator->rest_point(), other->rest_point());
    }
}

TEST(Integrators, KeepToTheirContract)
{
    ASSERT_EQ(integrators().names(), (std::vector<std::string>{"implicit_euler", "quasi_static", "bdf2", "newmark"}));
    for (const auto& [name, make] : integrators()) {
        SCOPED_TRACE(name);
        EXPECT_EQ(make()->name(), name);
        expect_integrator_contract(make);
    }
}

TEST(Integrators, EulerFallsAsItsFormulaSays)
{
    const auto euler = integrators().at("implicit_euler", "test")();
    const State state{.x = Positions::Zero(1, 3), .v = Positions::Zero(1, 3)};
    const Positions end = free_end(*euler, state, Vec3(0, -10, 0), 0.1);
    EXPECT_NEAR(end(0, 1), -0.1, 1e-14); // dt² g: the whole of a step with its last velocity
    EXPECT_NEAR(euler->velocities(end)(0, 1), -1, 1e-13);
}

/// A spring from a vertex to a point.
class AnchorEnergy final : public Energy {
public:
    AnchorEnergy(int vertex, const Vec3& at, double stiffness) : anchors_({vertex})
    {
        anchors_.set({Positions(at.transpose()), Positions::Zero(1, 3), Eigen::VectorXd::Constant(1, stiffness)});
    }
    [[nodiscard]] std::string_view name() const override { return "spring"; }
    [[nodiscard]] const Stencils& stencils() const override { return anchors_.stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override { anchors_.evaluate(x, out); }

private:
    Anchors anchors_;
};

/// A mass of 1 kg on a spring of ω² N/m along x, from 1 m at rest, in steps of the given lengths; where it is then.
State oscillate(const std::string& name, double omega, const std::vector<double>& steps)
{
    const auto integrator = integrators().at(name, "test")();
    InertiaEnergy inertia(Eigen::VectorXd::Ones(1), *integrator);
    AnchorEnergy spring(0, Vec3::Zero(), omega * omega);
    Problem problem(BlockLayout(1, 3), {&inertia, &spring});
    State state{.x = Positions::Zero(1, 3), .v = Positions::Zero(1, 3)};
    state.x(0, 0) = 1;
    Newton newton;
    for (const double dt : steps) {
        const auto begin = [&] {
            integrator->begin_step(state, Vec3::Zero(), dt);
            inertia.begin_step(state, dt);
        };
        begin();
        if (integrator->wants_accelerations(state)) {
            integrator->set_accelerations(state, -omega * omega * state.x);
            begin();
        }
        Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(state.x.data(), 3);
        EXPECT_EQ(newton.minimize(problem, x, {.tolerance = 1e-13}).outcome, Outcome::converged);
        State end = state;
        end.x = problem.view(x).vertices();
        end.v = integrator->velocities(end.x);
        integrator->end_step(state, end, dt);
        // As after a break: what it knows is in the history
        integrator->save(end.history);
        integrator->load(end.history);
        state = end;
    }
    return state;
}

double error_of(const std::string& name, const std::vector<double>& steps)
{
    const double omega = 2, time = std::accumulate(steps.begin(), steps.end(), 0.0);
    const State end = oscillate(name, omega, steps);
    return std::hypot(end.x(0, 0) - std::cos(omega * time), end.v(0, 0) / omega + std::sin(omega * time));
}

TEST(Integrators, HaveTheirOrder)
{
    for (const auto& [name, order] : {std::pair("implicit_euler", 1), std::pair("bdf2", 2), std::pair("newmark", 2)}) {
        const auto even = [](int n) { return std::vector<double>(n, 3.0 / n); };
        EXPECT_NEAR(std::log2(error_of(name, even(1000)) / error_of(name, even(2000))), order, 0.05) << name;
        // Steps of changing length, as adaptive time takes them
        const auto uneven = [](int n) {
            std::vector<double> steps;
            for (int i = 0; i < n; ++i)
                steps.push_back((i % 3 == 0 ? 1.5 : 0.75) * 3.0 / n);
            return steps;
        };
        EXPECT_NEAR(std::log2(error_of(name, uneven(999)) / error_of(name, uneven(1998))), order, 0.05) << name;
    }
}

TEST(Integrators, NewmarkKeepsTheEnergyOfASpringAndTheOthersLoseIt)
{
    const auto energy_after = [](const std::string& name) {
        const State end = oscillate(name, 2, std::vector<double>(1000, 0.05));
        return (end.x.squaredNorm() + end.v.squaredNorm() / 4);
    };
    EXPECT_NEAR(energy_after("newmark"), 1, 1e-10);
    EXPECT_LT(energy_after("implicit_euler"), 1e-3);
    EXPECT_LT(energy_after("bdf2"), 0.98);
    EXPECT_GT(energy_after("bdf2"), 0.5);
}

/// A point of 1 g in space that may be held for a while.
Scene falling_point(const std::string& integrator)
{
    Scene scene;
    scene.gravity = Vec3(0, -10, 0);
    scene.objects.resize(1);
    scene.objects[0].name = "point";
    scene.objects[0].kind = ObjectKind::points;
    scene.objects[0].mesh.vertices = Positions::Zero(1, 3);
    scene.time.dt = 0.01;
    scene.time.integrator = integrator;
    scene.contact.model = "none";
    return scene;
}

TEST(Integrators, StartAnewAfterARelease)
{
    // A fall is exact with second order, but for the first step of BDF2, which is Euler's.
    for (const std::string name : {"bdf2", "newmark"}) {
        Scene scene = falling_point(name);
        scene.scripts.push_back({.object = 0, .release_time = 0.1});
        Simulation simulation(scene);
        for (int i = 0; i < 10; ++i)
            EXPECT_EQ(simulation.step().outcome, Outcome::converged);
        EXPECT_EQ(simulation.state().x(0, 1), 0);
        for (int i = 0; i < 50; ++i)
            EXPECT_EQ(simulation.step().outcome, Outcome::converged);
        EXPECT_NEAR(simulation.state().v(0, 1), -5, 1e-9) << name;
        const double off = simulation.state().x(0, 1) + 0.5 * 10 * 0.5 * 0.5;
        EXPECT_NEAR(off, name == "newmark" ? 0 : -0.5 * 10 * 1e-4 * 1.5, 1e-9) << name;
    }
}

TEST(Integrators, StartAnewWhereVelocitiesAreSet)
{
    for (const std::string name : {"bdf2", "newmark"}) {
        Simulation simulation(falling_point(name));
        for (int i = 0; i < 10; ++i)
            simulation.step();
        State state = simulation.state();
        state.x.setZero();
        state.v << 1, 3, 0;
        simulation.set_state(state);
        simulation.step();
        EXPECT_NEAR(simulation.state().x(0, 0), 0.01, 1e-12) << name;
        EXPECT_NEAR(simulation.state().v(0, 0), 1, 1e-12) << name;
        EXPECT_NEAR(simulation.state().v(0, 1), 2.9, 1e-12) << name;
    }
}

TEST(Integrators, DrivenVerticesHaveTheirScriptsVelocity)
{
    for (const std::string name : {"implicit_euler", "bdf2", "newmark"}) {
        Scene scene = falling_point(name);
        scene.objects[0].mesh.vertices(0, 0) = 1e3; // far from the origin too
        scene.scripts.push_back({.object = 0, .velocity = Vec3(2, 0, 0)});
        Simulation simulation(scene);
        for (int i = 0; i < 20; ++i) {
            const StepReport report = simulation.step();
            // Springs pull them, which lag by a thousandth
            EXPECT_NEAR(simulation.state().v(0, 0), 2, 5e-3) << name << " " << i;
            EXPECT_LE(report.balance.momentum_defect, 1e-8) << name;
        }
    }
}

/// A soft block that falls onto the ground, bounces and swings.
Scene bouncing_block(const std::string& integrator)
{
    Scene scene;
    scene.objects.resize(1);
    scene.objects[0].name = "block";
    scene.objects[0].mesh = generate::tet_box({.size = Vec3(0.2, 0.1, 0.1), .subdivisions = {2, 1, 1}});
    scene.objects[0].mesh.vertices.col(1).array() += 0.08;
    scene.objects[0].velocity = Vec3(0.5, -2, 0);
    scene.planes.push_back({.point = Vec3::Zero(), .normal = Vec3::UnitY()});
    scene.contact.mu = 0.3;
    scene.time.integrator = integrator;
    scene.time.dt = 0.005;
    return scene;
}

TEST(Integrators, MomentumBalancesByTheirOwnRule)
{
    for (const std::string name : {"implicit_euler", "bdf2", "newmark"}) {
        Scene scene = bouncing_block(name);
        scene.solver.tolerance = 1e-9;
        Simulation simulation(scene);
        bool has_touched = false;
        for (int i = 0; i < 60; ++i) {
            const StepReport report = simulation.step();
            ASSERT_EQ(report.outcome, Outcome::converged) << name << ": " << report.message;
            EXPECT_LE(report.balance.momentum_defect, 1e-7) << name << " in step " << i;
            has_touched |= report.num_contacts > 0;
            if (name == "implicit_euler") { // the others gain some at impacts
                EXPECT_LE(report.balance.gain, 1e-9) << name << " in step " << i;
            }
        }
        EXPECT_TRUE(has_touched);
        EXPECT_TRUE(simulation.verify().is_good());
    }
}

TEST(Integrators, AnotherSimulationGoesOnWithTheSameBits)
{
    for (const bool is_adaptive : {false, true})
        for (const auto& [name, make] : integrators()) {
            Scene scene = bouncing_block(name);
            scene.time.is_adaptive = is_adaptive;
            scene.time.max_motion = 0.002;
            Simulation first(scene), second(scene);
            for (int i = 0; i < 8; ++i)
                first.step();
            second.set_state(first.state());
            for (int i = 0; i < 4; ++i) {
                first.step();
                second.step();
            }
            EXPECT_EQ(first.state(), second.state()) << name;
        }
}

} // namespace

} // namespace abut::test
