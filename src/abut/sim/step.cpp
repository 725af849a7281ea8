#include "abut/sim/step.hpp"

#include "abut/sim/adaptive_step.hpp"
#include "abut/sim/common_start.hpp"
#include "abut/sim/solve_step.hpp"

#include <algorithm>

namespace abut {

std::int64_t StepReport::num_linear_iterations() const
{
    std::int64_t sum = 0;
    for (const IterationRecord& iteration : iterations)
        sum += iteration.linear.iterations;
    return sum;
}

int StepReport::num_linear_fallbacks() const
{
    return static_cast<int>(std::count_if(iterations.begin(), iterations.end(), [](const IterationRecord& iteration) {
        return iteration.linear.fell_back;
    }));
}

std::string StepReport::linear_method() const { return iterations.empty() ? "" : iterations.back().linear.message; }

double StepReport::residual() const { return iterations.empty() ? NAN : iterations.back().gradient_norm; }

namespace {

/// From a state to the next over dt, which becomes a step of its own.
StepReport take(System& system, State& state, double dt, Solver& solver, const SolveObserver& observer)
{
    const State start = state;
    Eigen::VectorXd x = system.unknowns_of(start);

    // Predict
    system.begin_step(start, dt);
    solver.begin_step();
    solver.load(start.history);

    // Move what flies freely, and detect
    const Eigen::VectorXd x_start = x;
    CommonStart common(system, x);
    common.fly(x);
    const Books books(system, x_start);
    const auto num_found = [&] { return system.pairs() != nullptr ? system.pairs()->num_found() : 0; };
    const std::int64_t found_before = num_found();
    common.approach(x);

    // Solve
    StepReport report = solve_step(system, solver, x, observer);
    report.num_detections = system.pairs() != nullptr ? common.num_detections() + num_found() - found_before : 0;

    // Finish
    state = system.end_step(start, x);
    solver.save(state.history);
    explain_outcome(system, x, report);
    report.balance = books.close(system, start, state, x);
    return report;
}

} // namespace

StepReport step(System& system, State& state, Solver& solver, const SolveObserver& observer)
{
    const Model& model = system.model();
    const SceneTime& time = model.scene.time;
    const Take take_over = [&](State& from, double dt) { return take(system, from, dt, solver, observer); };
    StepReport report = time.is_adaptive ? take_adaptively(system, state, take_over) : take_over(state, time.dt);

    const Eigen::VectorXd x = system.unknowns_of(state);
    report.step = state.step;
    report.time = state.time;
    BodyForces forces = system.forces_between_bodies(x);
    report.forces = std::move(forces.sums);
    report.arrows = std::move(forces.arrows);
    if (ContactEnergy* contact = system.contact()) {
        report.stiffness = contact->stiffness();
        report.num_contacts = contact->num_contacts();
        report.smallest_distance = contact->smallest_distance_at(system.view(x));
    }
    const Verify when = model.scene.verify;
    if (when == Verify::step || (when == Verify::frame && model.scene.is_frame(state.step)))
        report.verification = verify(system, state);
    return report;
}

Verification verify(System& system, const State& state)
{
    const Model& model = system.model();
    Verification verification = verify(model, state.x);
    if (ContactPairs* pairs = system.pairs()) {
        const double nearest = pairs->look_at(system.view(system.unknowns_of(state))).smallest_distance();
        if (nearest < model.scene.contact.dmin + model.parameters.dhat)
            verification.smallest_distance = nearest;
    }
    return verification;
}

} // namespace abut
