#include "abut/solver/newton.hpp"

#include "abut/base/ranks.hpp"
#include "abut/base/stopwatch.hpp"
#include "abut/linear/direct_solver.hpp"
#include "abut/solver/linear_solvers.hpp"
#include "abut/solver/mixed_hessian.hpp"
#include "abut/solver/step_length.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace abut {

namespace {

/// One solve, in the pieces that minimize() puts together. Each piece that can end the solve returns false where it
/// does, with the report filled in.
class NewtonSolve {
public:
    NewtonSolve(Problem& problem, LinearSolver& linear, const SolveOptions& options, Eigen::VectorXd& x)
        : problem_(problem), linear_(linear), options_(options), x_(x), mixed_(problem, options.hessian)
    {}

    SolveReport report;

    void begin();
    bool begin_iteration();
    bool find_direction();
    bool may_go_on();
    void guard_step();
    void search_line();
    bool end_iteration(const SolveObserver& observer);

private:
    bool end(Outcome outcome, std::string message)
    {
        report.outcome = outcome;
        report.message = std::move(message);
        return false;
    }
    /// Of linear systems: what went into their patterns, and the rest.
    void lap_linear()
    {
        const double so_far = linear_.pattern_seconds(), patterns = so_far - pattern_seconds_;
        pattern_seconds_ = so_far;
        report.times.symbolic += patterns;
        report.times.factorize += watch_.lap() - patterns;
    }
    bool end_converged();
    [[nodiscard]] double damping_of(const LinearSystem& system) const;
    [[nodiscard]] bool may_mix();
    bool solve_mixed();
    bool solve_projected();
    /// step_ from one system; false where that is not positive definite.
    [[nodiscard]] bool solve(const LinearSystem& system);
    /// The same with what was added to the diagonal to make the system positive definite, at least `damping`; nothing
    /// where no shift helps.
    [[nodiscard]] std::optional<double> solve_shifted(LinearSystem system, double damping);
    void confirm_last_step();
    [[nodiscard]] bool is_trial_good();
    [[nodiscard]] bool is_last() const { return record_.step_length <= options_.tolerance; }
    bool end_last_iteration();

    Problem& problem_;
    LinearSolver& linear_;
    const SolveOptions& options_;
    Eigen::VectorXd& x_;
    Stopwatch watch_;
    double pattern_seconds_ = linear_.pattern_seconds(); // of the linear solver, so far
    MixedHessian mixed_;
    double share_ = 0;   // of the projection, that mixed Hessians have next
    int mix_again_ = 0;  // iterations to go by without
    int num_needed_ = 0; // how often the full projection was
    double energy_ = 0, first_energy_ = 0, first_gradient_ = 0;
    int iteration_ = 0, polished_ = 0; // the latter are for the forces' sake
    // Of the iteration
    IterationRecord record_;
    Eigen::VectorXd gradient_, step_, dx_, trial_;
    double trial_energy_ = 0;
    Eigen::VectorXd trial_gradient_; // seldom asked for
    bool is_accepted_ = false;
};

void NewtonSolve::begin()
{
    problem_.update(x_);
    report.times.update += watch_.lap();
    energy_ = problem_.value(x_);
    report.times.evaluate += watch_.lap();
}

/// Ends the solve where forces are in balance.
bool NewtonSolve::begin_iteration()
{
    if (problem_.begin_iteration(x_))
        energy_ = problem_.value(x_);
    report.times.update += watch_.lap();
    if (!std::isfinite(energy_))
        return end(
            Outcome::not_finite, fmt::format(
                                     "the energy is {}; some value of the scene is too large, such as a velocity, a "
                                     "density, gravity or the time step",
                                     std::isnan(energy_) ? "not a number" : "infinite"));
    problem_.gradient(x_, gradient_);
    report.times.evaluate += watch_.lap();
    record_ = {.energy = energy_, .gradient_norm = gradient_.norm()};
    if (iteration_ == 0) {
        first_energy_ = energy_;
        first_gradient_ = record_.gradient_norm;
    }
    if (gradient_.isZero(0))
        return end(Outcome::converged, "all forces are exactly in balance");
    if (options_.hessian != HessianForm::exact) {
        constexpr double negligible = 1e-5; // of the tolerance: far below what anyone asks, far above rounding
        const double bound = bound_of_step(gradient_, problem_);
        if (bound <= negligible * options_.tolerance)
            return end(
                Outcome::converged,
                fmt::format(
                    "all forces are in balance: against the masses they move nothing by more than {:.3g} m", bound));
    }
    return true;
}

bool NewtonSolve::solve(const LinearSystem& system)
{
    if (!linear_.prepare(system))
        return false;
    record_.linear = linear_.solve(gradient_, options_.linear_tolerance, step_);
    step_ = -step_;
    return !record_.linear.is_indefinite;
}

std::optional<double> NewtonSolve::solve_shifted(LinearSystem system, double damping)
{
    // The projected Hessian is positive semidefinite, and definite with masses. Where it is not, in rounding or for
    // lack of masses, a growing multiple of the identity helps.
    const auto is_solved_with = [&](double shift) {
        system.shift = shift;
        return solve(system);
    };
    if (is_solved_with(damping))
        return damping;
    double largest = 0;
    system.blocks.for_each_diagonal([&](double entry) { largest = std::max(largest, std::abs(entry)); });
    largest = -least_over_ranks(-largest); // of a share of the terms: as good as that of their sum
    for (double share = 1e-12; share <= 1; share *= 100)
        if (share * largest > damping && is_solved_with(share * largest))
            return system.shift;
    return std::nullopt;
}

double NewtonSolve::damping_of(const LinearSystem& system) const
{
    return options_.damp_neutral_motion ? stiffness_against_rounding(system.blocks, x_, problem_, options_.tolerance)
                                        : 0;
}

/// Is the projection in the way? It is where many iterations go by and full steps do not shrink to a fifth, and until
/// it was needed again. Short solves would lose by factorisations for nothing.
bool NewtonSolve::may_mix()
{
    constexpr int first = 8;
    if (!options_.mix_hessians || options_.hessian == HessianForm::exact || iteration_ < first)
        return false;
    if (mix_again_ > 0) {
        --mix_again_;
        return false;
    }
    const IterationRecord &last = report.iterations.back(), &before = *(report.iterations.end() - 2);
    return last.projection < 1 || (last.line_search_scale == 1 && last.step_length > 0.2 * before.step_length);
}

/// With as little of the projection as leaves the system positive definite; false where much is needed.
bool NewtonSolve::solve_mixed()
{
    mixed_.begin(x_);
    constexpr int max_tries = 4;
    for (int k = 0; k < max_tries && share_ < 1; ++k) {
        LinearSystem system = mixed_.with(share_);
        system.shift = damping_of(system);
        report.times.assemble += watch_.lap();
        const bool is_definite = solve(system);
        lap_linear();
        if (is_definite) {
            record_.projection = share_;
            record_.regularization = system.shift;
            share_ = share_ > 0.05 ? share_ / 2 : 0;
            return true;
        }
        share_ = share_ == 0 ? 0.25 : 2 * share_;
    }
    share_ = 0.5;
    mix_again_ = 3 << std::min(5, num_needed_++);
    return false;
}

bool NewtonSolve::solve_projected()
{
    const LinearSystem system = problem_.hessian(x_, options_.hessian);
    report.times.assemble += watch_.lap();
    const std::optional<double> regularization = solve_shifted(system, damping_of(system));
    lap_linear();
    if (!regularization)
        return end(
            Outcome::linear_solve_failed,
            fmt::format(
                "the Hessian of {} unknowns is not positive definite, even with a multiple of the identity added; "
                "forces: {}",
                gradient_.size(), problem_.describe_forces(x_)));
    record_.regularization = *regularization;
    return true;
}

/// A solution that is cut off early is too short, and its step might pass for one below the tolerance. So what would be
/// the last step is solved for once more, to a hundredth of the residual, and measured again.
void NewtonSolve::confirm_last_step()
{
    const bool is_cut_off = record_.linear.iterations > 0 && !record_.linear.fell_back;
    if (!is_last() || !is_cut_off || !record_.linear.is_solved)
        return;
    constexpr double tighter = 1e-2, rounding = 1e-10;
    const LinearReport loose = record_.linear;
    const double tolerance = std::max(rounding, tighter * loose.relative_residual);
    record_.linear = linear_.refine(gradient_, tolerance, step_);
    record_.linear.iterations += loose.iterations;
    step_ = -step_;
    record_.step_length = length_of(step_, problem_, options_.norm);
    lap_linear();
}

/// The full Newton step.
bool NewtonSolve::find_direction()
{
    if (!(may_mix() && solve_mixed()) && !solve_projected())
        return false;
    record_.step_length = length_of(step_, problem_, options_.norm);
    confirm_last_step();
    if (!step_.allFinite())
        return end(Outcome::not_finite, "the Newton step is not finite; forces: " + problem_.describe_forces(x_));
    if (!record_.linear.is_solved)
        return end(
            Outcome::linear_solve_failed,
            fmt::format("{}; forces: {}", record_.linear.message, problem_.describe_forces(x_)));
    return true;
}

bool NewtonSolve::end_converged()
{
    return end(
        Outcome::converged,
        fmt::format(
            "the Newton step of {:.3g} m is below the tolerance {:.3g} m", record_.step_length, options_.tolerance));
}

/// Is there a step to take, and time for it?
bool NewtonSolve::may_go_on()
{
    if (record_.step_length == 0) {
        report.iterations.push_back(record_);
        return end_converged();
    }
    if (is_last())
        return true;
    if (iteration_ == options_.max_iterations)
        return end(
            Outcome::iteration_limit,
            fmt::format(
                "{} iterations, and the Newton step is still {:.3g} m, above the tolerance {:.3g} m; forces: {}",
                iteration_, record_.step_length, options_.tolerance, problem_.describe_forces(x_)));
    const double elapsed = watch_.seconds();
    if (any_rank(elapsed > options_.max_seconds))
        return end(
            Outcome::time_limit,
            fmt::format(
                "the time is up after {} iterations in {:.3g} s, and the Newton step is still {:.3g} m", iteration_,
                elapsed, record_.step_length));
    return true;
}

/// dx_, and how much of it is safe.
void NewtonSolve::guard_step()
{
    const double shortened = std::min(1.0, options_.max_step / length_of(step_, problem_, StepNorm::largest));
    dx_ = shortened * step_;
    StepGuard* guard = problem_.guard();
    if (guard != nullptr) {
        const StepGuard::Cut cut = guard->cut(problem_.view(x_), dx_, gradient_);
        record_.num_cut = cut.num_cut;
        if (!cut.reason.empty()) {
            report.limiting = cut.reason;
            report.limiting_vertices.clear();
        }
    }
    double limit = problem_.limit_step(x_, dx_);
    if (guard != nullptr) {
        const Eigen::VectorXd limited = limit * dx_;
        StepGuard::Limit guarded = guard->limit(problem_.view(x_), problem_.view(limited));
        limit *= guarded.scale;
        if (!guarded.reason.empty()) {
            report.limiting = fmt::format("{} (to {:.3g} of the step)", guarded.reason, guarded.scale);
            report.limiting_vertices = std::move(guarded.vertices);
        }
    }
    record_.guard_scale = limit;
    report.times.guard += watch_.lap();
}

/// Is the energy lower at the trial? Close to the minimum the change is less than the rounding of the sum. There the
/// slope along the step decides, which is known far better: at the trial it may rise by no more than half of what it
/// falls at the start (the approximate Wolfe condition of Hager and Zhang 2005).
bool NewtonSolve::is_trial_good()
{
    constexpr double rounding = 1e-14, doubtful = 1e-11; // of the energy, for sums of many terms
    const double rise = trial_energy_ - energy_;
    if (rise <= rounding * std::abs(energy_))
        return true;
    if (!(rise <= doubtful * std::max(std::abs(energy_), std::abs(first_energy_))))
        return false;
    problem_.gradient(trial_, trial_gradient_);
    return trial_gradient_.dot(dx_) <= -0.5 * gradient_.dot(dx_);
}

/// Halves the step until the energy falls; the last one, whose length is below the tolerance, is tried once.
void NewtonSolve::search_line()
{
    constexpr int max_halvings = 60; // 2^-60: the step no longer changes x
    const int most = is_last() ? 0 : max_halvings;
    double taken = record_.guard_scale;
    for (int halvings = 0;; ++halvings, taken /= 2) {
        trial_ = x_ + taken * dx_;
        report.times.line_search += watch_.lap();
        problem_.update(trial_);
        report.times.update += watch_.lap();
        trial_energy_ = problem_.value(trial_);
        is_accepted_ = is_trial_good();
        if (is_accepted_ || halvings == most)
            break;
    }
    record_.line_search_scale = taken;
    report.times.line_search += watch_.lap();
}

/// The last step is taken too where it can be: it costs an evaluation and squares the error. A full Newton step also
/// makes the momentum of free bodies exact, since forces between them cancel in its equations. Goes on where forces are
/// not in balance after it.
bool NewtonSolve::end_last_iteration()
{
    // Steps far below the tolerance are rounding, and so may be all forces: of what falls freely, what moved it within
    // the step is the scale.
    constexpr int max_polished = 10;
    const bool may_polish = is_accepted_ && record_.step_length > 1e-4 * options_.tolerance &&
                            polished_ < max_polished && iteration_ < options_.max_iterations &&
                            std::isfinite(options_.force_tolerance);
    const bool is_balanced = !may_polish || problem_.imbalance(x_, 1e-3 * first_gradient_) <= options_.force_tolerance;
    report.times.evaluate += watch_.lap();
    if (is_balanced)
        return end_converged();
    ++polished_;
    return true;
}

bool NewtonSolve::end_iteration(const SolveObserver& observer)
{
    report.iterations.push_back(record_);
    if (is_accepted_)
        x_ = trial_;
    else
        problem_.update(x_);
    report.times.update += watch_.lap();
    if (is_last()) {
        if (!end_last_iteration())
            return false;
    } else if (!is_accepted_)
        return end(
            Outcome::line_search_failed,
            fmt::format(
                "no step along the Newton direction of {:.3g} m lowers the energy {:.6g} J; forces: {}",
                record_.step_length, energy_, problem_.describe_forces(x_)));
    energy_ = trial_energy_;
    if (problem_.iterated(x_)) { // an energy changed, e.g. its stiffness: the sum is another
        problem_.update(x_);
        energy_ = problem_.value(x_);
    }
    report.times.evaluate += watch_.lap();
    ++iteration_;
    if (observer && any_rank(!observer(record_)))
        return end(Outcome::interrupted, fmt::format("interrupted after {} iterations", iteration_));
    return true;
}

} // namespace

Newton::Newton(std::unique_ptr<LinearSolver> linear_solver)
    : linear_solver_(linear_solver ? std::move(linear_solver) : DirectSolver::create())
{}

void Newton::load(const History& history) { recall_linear_solver(history, *linear_solver_); }

void Newton::save(History& history) const { remember_linear_solver(*linear_solver_, history); }

SolveReport
Newton::minimize(Problem& problem, Eigen::VectorXd& x, const SolveOptions& options, const SolveObserver& observer)
{
    NewtonSolve solve(problem, *linear_solver_, options, x);
    solve.begin();
    while (solve.begin_iteration() && solve.find_direction() && solve.may_go_on()) {
        solve.guard_step();
        solve.search_line();
        if (!solve.end_iteration(observer))
            break;
    }
    return std::move(solve.report);
}

} // namespace abut
