#include "abut/sim/solve_step.hpp"

#include "abut/base/stopwatch.hpp"
#include "abut/sim/contact_model.hpp"
#include "abut/sim/step_start.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace abut {

namespace {

/// The mean weight of what can move: forces far below it are nothing [N].
double mean_weight(System& system)
{
    const Eigen::VectorXd& masses = system.model().masses;
    double sum = 0;
    int count = 0;
    for (int v = 0; v < system.model().num_vertices(); ++v)
        if (system.problem().is_fixed()[v] == 0) {
            sum += masses[v];
            ++count;
        }
    return count > 0 ? sum / count * system.model().scene.gravity.head(system.model().dim()).norm() : 0;
}

SolveOptions solve_options(System& system)
{
    const SceneSolver& solver = system.model().scene.solver;
    const bool is_mean = solver.norm == ConvergenceNorm::root_mean_square;
    return {
        .tolerance = system.model().parameters.tolerance * system.integrator().velocity_time(),
        .force_tolerance = solver.tolerance ? INFINITY : 1e-2,
        .norm = is_mean ? StepNorm::root_mean_square : StepNorm::largest,
        .max_iterations = solver.max_iterations,
        .max_seconds = solver.max_seconds,
        .max_step = system.model().parameters.spread,
        .mix_hessians = solver.mix_hessians,
        .linear_tolerance = solver.linear_tolerance.value_or(0),
        .damp_neutral_motion = !system.integrator().has_inertia(),
        .iterations = solver.iterations.value_or(0),
        .residual = solver.residual.value_or(0),
        .relaxation = solver.relaxation.value_or(SolveOptions::usual_relaxation),
        .force_scale = mean_weight(system)};
}

/// Adds a solve to the report of its step.
void add(const SolveReport& solved, StepReport& report)
{
    report.outcome = solved.outcome;
    report.message = solved.message;
    report.iterations.insert(report.iterations.end(), solved.iterations.begin(), solved.iterations.end());
    report.times.add(solved.times);
    report.relative_residual = solved.relative_residual;
    if (!solved.limiting.empty()) {
        report.limiting = solved.limiting;
        report.limiting_vertices = solved.limiting_vertices;
    }
}

/// Solves until scripts are met to a hundredth of their way, or no longer get closer; true where all went well.
bool meet_scripts(
    System& system, Solver& solver, const SolveOptions& given, Eigen::VectorXd& x, const SolveObserver& observer,
    StepReport& report)
{
    constexpr int max_solves = 10;
    ScriptEnergy& scripts = system.scripts();
    SolveOptions options = given;
    double lag_before = INFINITY;
    for (int k = 0; k < max_solves; ++k) {
        options.max_seconds = given.max_seconds - report.times.total(); // of the step, not of a solve
        add(solver.minimize(system.problem(), x, options, observer), report);
        report.script_lag = scripts.behind(system.view(x).vertices());
        if (report.outcome == Outcome::not_converged)
            return true; // its iterations are spent
        if (report.outcome != Outcome::converged)
            return false;
        if (report.script_lag <= std::max(1e-2 * scripts.way(), options.tolerance) ||
            report.script_lag > 0.5 * lag_before)
            break;
        lag_before = report.script_lag;
        scripts.raise_multipliers(system.view(x).vertices());
    }
    return true;
}

/// What the model of contact has to say about a failure.
std::string explain_contact(System& system)
{
    const ContactModel& model = contact_models().at(system.model().scene.contact.model, "contact.model");
    if (!model.explain_failure)
        return "";
    return model.explain_failure(
        system.model(), system.pairs()->detection().smallest_distance(), system.contact()->smallest_distance());
}

} // namespace

StepReport solve_step(System& system, Solver& solver, Eigen::VectorXd& x, const SolveObserver& observer)
{
    const SolveOptions options = solve_options(system);
    StepReport report;
    system.prescribe(x);
    const SceneSolver& given = system.model().scene.solver;
    for (int k = 0; k < given.friction_iterations; ++k) {
        system.lag(x);
        if (k == 0) {
            Stopwatch watch;
            move_to_start(system, x);
            report.times.update += watch.lap();
        }
        if (!meet_scripts(system, solver, options, x, observer, report))
            break;
        report.num_lags = k + 1;
        report.lag_residual = system.lag_residual(x);
        if (given.friction_tolerance && !(report.lag_residual > *given.friction_tolerance))
            break;
    }
    return report;
}

void explain_outcome(System& system, const Eigen::VectorXd& x, StepReport& report)
{
    ScriptEnergy& scripts = system.scripts();
    const bool is_done = report.outcome == Outcome::converged || report.outcome == Outcome::not_converged;
    if (is_done && scripts.blocked_steps() >= system.model().scene.solver.max_blocked_steps) {
        report.outcome = Outcome::script_blocked;
        report.message = fmt::format("a script was held back for {} steps in a row", scripts.blocked_steps());
    }
    if (report.outcome == Outcome::converged || report.outcome == Outcome::not_converged)
        return;
    const ContactEnergy* contact = system.contact();
    if (contact != nullptr && std::isfinite(contact->smallest_distance()))
        report.message += fmt::format("; smallest distance {:.3g} m", contact->smallest_distance());
    if (!report.limiting.empty())
        report.message += "; steps were limited by " + report.limiting;
    if (const std::string more = contact != nullptr ? explain_contact(system) : ""; !more.empty())
        report.message += "; " + more;
    const std::string behind = scripts.describe_behind(system.view(x).vertices(), system.forces_between_bodies(x).sums);
    if (!behind.empty())
        report.message += "; scripts that are behind: " + behind;
}

} // namespace abut
