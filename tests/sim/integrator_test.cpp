#include "abut/sim/integrator.hpp"

#include "abut/sim/inertia_energy.hpp"
#include "abut/solver/newton.hpp"

#include <gtest/gtest.h>

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
        integrator->end_step(end);
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
    ASSERT_EQ(integrators().names(), (std::vector<std::string>{"implicit_euler", "quasi_static"}));
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

} // namespace

} // namespace abut::test
