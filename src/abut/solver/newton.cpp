#include "abut/solver/newton.hpp"

#include "abut/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace abut {

std::string_view to_string(Outcome outcome)
{
    switch (outcome) {
    case Outcome::converged:
        return "converged";
    case Outcome::iteration_limit:
        return "iteration_limit";
    case Outcome::time_limit:
        return "time_limit";
    case Outcome::line_search_failed:
        return "line_search_failed";
    case Outcome::linear_solve_failed:
        return "linear_solve_failed";
    case Outcome::script_blocked:
        return "script_blocked";
    case Outcome::not_finite:
        break;
    }
    return "not_finite";
}

void SolveTimes::add(const SolveTimes& other)
{
    update += other.update;
    evaluate += other.evaluate;
    assemble += other.assemble;
    factorize += other.factorize;
    guard += other.guard;
    line_search += other.line_search;
}

namespace {

using Clock = std::chrono::steady_clock;

/// Adds the time since it was made, or since the last lap, to a sum.
class Lap {
public:
    void into(double& sum)
    {
        const auto now = Clock::now();
        sum += std::chrono::duration<double>(now - start_).count();
        start_ = now;
    }

private:
    Clock::time_point start_ = Clock::now();
};

double length_of(const Eigen::VectorXd& step, int dim, const std::vector<std::uint8_t>& is_fixed, StepNorm norm)
{
    double largest = 0, sum = 0;
    int free = 0;
    for (std::size_t v = 0; v < is_fixed.size(); ++v) {
        if (is_fixed[v] != 0)
            continue;
        const double squared = step.segment(static_cast<Eigen::Index>(v) * dim, dim).squaredNorm();
        largest = std::max(largest, squared);
        sum += squared;
        ++free;
    }
    return std::sqrt(norm == StepNorm::largest ? largest : sum / std::max(free, 1));
}

void clear_fixed(Eigen::VectorXd& gradient, int dim, const std::vector<std::uint8_t>& is_fixed)
{
    for (std::size_t v = 0; v < is_fixed.size(); ++v)
        if (is_fixed[v] != 0)
            gradient.segment(static_cast<Eigen::Index>(v) * dim, dim).setZero();
}

/// What no vertex's Newton step exceeds [m]. From H >= K = diag(k) and H d = -g follows d·K d <= d·H d = -d·g, and with
/// Cauchy and Schwarz d·K d <= g·K⁻¹ g. Infinite where a free vertex has no k.
double bound_of_step(
    const Eigen::VectorXd& gradient, int dim, const std::vector<std::uint8_t>& is_fixed,
    const Eigen::VectorXd& stiffness)
{
    double sum = 0, least = INFINITY;
    for (std::size_t v = 0; v < is_fixed.size(); ++v) {
        if (is_fixed[v] != 0)
            continue;
        const auto row = static_cast<Eigen::Index>(v);
        least = std::min(least, stiffness[row]);
        sum += gradient.segment(row * dim, dim).squaredNorm() / stiffness[row];
    }
    return least > 0 ? std::sqrt(sum / least) : INFINITY;
}

} // namespace

Newton::Newton(std::vector<Energy*> energies, StepGuard* guard, int num_vertices, int dim)
    : energies_(std::move(energies)), guard_(guard), num_vertices_(num_vertices), dim_(dim)
{}

void Newton::update(const ConstPositions& x)
{
    for (Energy* energy : energies_)
        energy->update(x);
}

double Newton::value_of(const Energy& energy, const ConstPositions& x)
{
    const std::size_t terms = energy.stencils().size();
    local_.resize(terms);
    energy.evaluate(x, {.values = local_.data()});
    double sum = 0;
    for (std::size_t k = 0; k < terms; ++k)
        sum += local_[k];
    return sum;
}

double Newton::sum_of_values(const ConstPositions& x)
{
    double sum = 0;
    for (const Energy* energy : energies_)
        sum += value_of(*energy, x);
    return sum;
}

double Newton::value(const ConstPositions& x)
{
    update(x);
    return sum_of_values(x);
}

Eigen::VectorXd Newton::gradient_of(const Energy& energy, const ConstPositions& x) const
{
    return gradient_of_terms(
        energy.stencils(), num_vertices_, dim_, [&](const TermOutput& out) { energy.evaluate(x, out); });
}

void Newton::compute_gradient(const ConstPositions& x, Eigen::VectorXd& gradient)
{
    gradient.setZero(Eigen::Index(num_vertices_) * dim_);
    for (const Energy* energy : energies_) {
        local_.resize(energy->stencils().num_entries() * dim_);
        energy->evaluate(x, {.gradients = local_.data()});
        add_local_gradients(energy->stencils(), dim_, local_.span(), gradient);
    }
}

double Newton::imbalance(const ConstPositions& x, const std::vector<std::uint8_t>& is_fixed, double least)
{
    double largest = least;
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(Eigen::Index(num_vertices_) * dim_);
    for (const Energy* energy : energies_) {
        Eigen::VectorXd own = gradient_of(*energy, x);
        clear_fixed(own, dim_, is_fixed);
        largest = std::max(largest, own.norm());
        sum += own;
    }
    return largest > 0 ? sum.norm() / largest : 0;
}

void Newton::compute_hessian(const ConstPositions& x, HessianForm form)
{
    Stencils all;
    std::size_t terms = 0, entries = 0;
    for (const Energy* energy : energies_) {
        terms += energy->stencils().size();
        entries += energy->stencils().num_entries();
    }
    all.reserve(terms, entries);
    for (const Energy* energy : energies_)
        all.append(energy->stencils());
    hessian_.assemble(num_vertices_, dim_, all, form, [&](TermOutput out) {
        for (const Energy* energy : energies_) {
            energy->evaluate(x, out);
            out.blocks += energy->stencils().num_blocks() * dim_ * dim_;
        }
    });
}

double Newton::stiffness_against_rounding(
    const ConstPositions& x, const std::vector<std::uint8_t>& is_fixed, double length) const
{
    // Positions are known to u |x|, with u the unit roundoff, so the gradient is known to r = u |H| |x|, entry by
    // entry. Along a direction of unit length that has about the root mean square of r. The motion of a body of n
    // vertices has 1 / sqrt(n) at each of them, so that a stiffness k lets it move by r / (k sqrt(n)).
    const SymmetricBlockMatrix& hessian = hessian_.matrix();
    const BlockPattern& pattern = *hessian.pattern();
    Eigen::VectorXd rounding = Eigen::VectorXd::Zero(Eigen::Index(num_vertices_) * dim_);
    for (int row = 0; row < num_vertices_; ++row) {
        std::int64_t slot = pattern.row_start(row);
        for (const int column : pattern.columns(row)) {
            const double* block = hessian.block(slot++);
            for (int b = 0; b < dim_; ++b)
                for (int a = 0; a < dim_; ++a) {
                    const double entry = std::abs(block[b * dim_ + a]);
                    rounding[Eigen::Index(row) * dim_ + a] += entry * std::abs(x(column, b));
                    if (column != row)
                        rounding[Eigen::Index(column) * dim_ + b] += entry * std::abs(x(row, a));
                }
        }
    }
    clear_fixed(rounding, dim_, is_fixed);
    const auto free = static_cast<double>(std::count(is_fixed.begin(), is_fixed.end(), 0));
    return free > 0 ? 0x1p-53 * rounding.norm() / (std::sqrt(dim_) * free * length) : 0;
}

std::optional<double> Newton::factorize(const std::vector<std::uint8_t>& is_fixed, double damping)
{
    // The projected Hessian is positive semidefinite, and definite with masses. Where it is not, in rounding or for
    // lack of masses, a growing multiple of the identity helps.
    if (damping == 0 && linear_solver_->factorize(hessian_.matrix(), is_fixed))
        return 0;
    const SymmetricBlockMatrix& hessian = hessian_.matrix();
    const BlockPattern& pattern = *hessian.pattern();
    SymmetricBlockMatrix shifted(hessian.pattern());
    std::copy_n(hessian.block(0), pattern.num_blocks() * dim_ * dim_, shifted.block(0));
    const auto for_each_diagonal = [&](auto&& visit) {
        for (int v = 0; v < num_vertices_; ++v) {
            const auto columns = pattern.columns(v);
            if (!columns.empty() && columns.front() == v)
                for (int a = 0; a < dim_; ++a)
                    visit(shifted.block(pattern.row_start(v))[a * dim_ + a]);
        }
    };
    double largest = 0;
    for_each_diagonal([&](const double& entry) { largest = std::max(largest, std::abs(entry)); });
    double added = 0;
    const auto factorize_with = [&](double wanted) {
        for_each_diagonal([&](double& entry) { entry += wanted - added; });
        added = wanted;
        return linear_solver_->factorize(shifted, is_fixed);
    };
    if (damping > 0 && factorize_with(damping))
        return damping;
    for (double share = 1e-12; share <= 1; share *= 100)
        if (share * largest > damping && factorize_with(share * largest))
            return added;
    return std::nullopt;
}

std::string Newton::describe_residual(const ConstPositions& x, const std::vector<std::uint8_t>& is_fixed)
{
    std::string text;
    for (const Energy* energy : energies_) {
        Eigen::VectorXd gradient = gradient_of(*energy, x);
        clear_fixed(gradient, dim_, is_fixed);
        text += fmt::format("{}{} {:.3g} N", text.empty() ? "" : ", ", energy->name(), gradient.norm());
    }
    return text;
}

SolveReport Newton::minimize(Positions& x, const std::vector<std::uint8_t>& is_fixed, const NewtonOptions& options)
{
    SolveReport report;
    Lap lap;
    const auto start = Clock::now();
    update(x);
    lap.into(report.times.update);
    double energy = sum_of_values(x);
    lap.into(report.times.evaluate);
    Eigen::VectorXd gradient;
    double first_gradient = 0;
    int polished = 0; // iterations for the forces' sake
    constexpr int max_polished = 10;
    const auto end = [&](Outcome outcome, std::string message) {
        report.outcome = outcome;
        report.message = std::move(message);
        return report;
    };
    for (int iteration = 0;; ++iteration) {
        bool is_changed = false;
        for (Energy* each : energies_)
            is_changed |= each->begin_iteration(x);
        if (is_changed)
            energy = sum_of_values(x);
        lap.into(report.times.update);
        if (!std::isfinite(energy))
            return end(Outcome::not_finite, fmt::format("the energy is {}", energy));
        compute_gradient(x, gradient);
        clear_fixed(gradient, dim_, is_fixed);
        lap.into(report.times.evaluate);
        if (iteration == 0)
            first_gradient = gradient.norm();
        if (gradient.isZero(0))
            return end(Outcome::converged, "all forces are exactly in balance");
        if (options.least_stiffness.size() > 0 && options.projection != PSDProjectionMethod::none) {
            constexpr double negligible = 1e-5; // of the tolerance: far below what anyone asks, far above rounding
            const double bound = bound_of_step(gradient, dim_, is_fixed, options.least_stiffness);
            if (bound <= negligible * options.tolerance)
                return end(
                    Outcome::converged,
                    fmt::format(
                        "all forces are in balance: against the masses they move nothing by more than {:.3g} m",
                        bound));
        }
        compute_hessian(
            x, options.projection == PSDProjectionMethod::clamp ? HessianForm::analytic
                                                                : hessian_form_of(options.projection));
        lap.into(report.times.assemble);

        const double damping =
            options.damp_neutral_motion ? stiffness_against_rounding(x, is_fixed, options.tolerance) : 0;
        const std::optional<double> regularization = factorize(is_fixed, damping);
        if (!regularization)
            return end(
                Outcome::linear_solve_failed,
                fmt::format(
                    "the Hessian of {} unknowns is not positive definite, even with a multiple of the identity added; "
                    "forces: {}",
                    gradient.size(), describe_residual(x, is_fixed)));
        const Eigen::VectorXd step = -linear_solver_->solve(gradient);
        lap.into(report.times.factorize);
        if (!step.allFinite())
            return end(Outcome::not_finite, "the Newton step is not finite; forces: " + describe_residual(x, is_fixed));
        const double length = length_of(step, dim_, is_fixed, options.norm);
        // The last step is taken too where it can be: it costs an evaluation and squares the error. A full Newton step
        // also makes the momentum of free bodies exact, since forces between them cancel in its equations.
        const bool is_last = length <= options.tolerance;
        const auto end_converged = [&] {
            return end(
                Outcome::converged,
                fmt::format("the Newton step of {:.3g} m is below the tolerance {:.3g} m", length, options.tolerance));
        };
        if (length == 0) {
            report.iterations.push_back({energy, gradient.norm(), length, 1, 0, *regularization});
            return end_converged();
        }
        if (!is_last && iteration == options.max_iterations)
            return end(
                Outcome::iteration_limit,
                fmt::format(
                    "{} iterations, and the Newton step is still {:.3g} m, above the tolerance {:.3g} m; forces: {}",
                    iteration, length, options.tolerance, describe_residual(x, is_fixed)));
        const double elapsed = std::chrono::duration<double>(Clock::now() - start).count();
        if (!is_last && elapsed > options.max_seconds)
            return end(
                Outcome::time_limit,
                fmt::format(
                    "the time is up after {} iterations in {:.3g} s, and the Newton step is still {:.3g} m", iteration,
                    elapsed, length));

        // Guards, then the line search
        const double shortened = std::min(1.0, options.max_step / length_of(step, dim_, is_fixed, StepNorm::largest));
        Positions dx = shortened * Eigen::Map<const Positions>(step.data(), num_vertices_, dim_);
        double limit = 1;
        if (guard_ != nullptr) {
            const GuardedStep truncated = guard_->truncate(x, dx, gradient);
            if (!truncated.reason.empty())
                report.limiting = truncated.reason;
        }
        for (const Energy* each : energies_)
            limit = std::min(limit, each->limit_step(x, dx));
        if (guard_ != nullptr) {
            const GuardedStep guarded = guard_->limit(x, limit * dx);
            limit *= guarded.scale;
            if (!guarded.reason.empty())
                report.limiting = fmt::format("{} (to {:.3g} of the step)", guarded.reason, guarded.scale);
        }
        lap.into(report.times.guard);
        double taken = limit, trial_energy = 0;
        Positions trial;
        constexpr int max_halvings = 60; // 2^-60: the step no longer changes x
        int halvings = 0;
        for (;; ++halvings, taken /= 2) {
            trial = x + taken * dx;
            lap.into(report.times.line_search);
            update(trial);
            lap.into(report.times.update);
            trial_energy = sum_of_values(trial);
            // The rounding of a sum of many terms is no increase.
            if (trial_energy <= energy + 1e-14 * std::abs(energy) || halvings == (is_last ? 0 : max_halvings))
                break;
        }
        lap.into(report.times.line_search);
        report.iterations.push_back({energy, gradient.norm(), length, limit, taken, *regularization});
        const bool is_lower = trial_energy <= energy + 1e-14 * std::abs(energy);
        if (is_lower)
            x = trial;
        else
            update(x);
        lap.into(report.times.update);
        if (is_last) {
            // Steps far below the tolerance are rounding, and so may be all forces: of what falls freely, what moved it
            // within the step is the scale.
            const bool may_go_on = is_lower && length > 1e-4 * options.tolerance && polished < max_polished &&
                                   iteration < options.max_iterations && std::isfinite(options.force_tolerance);
            const bool is_balanced =
                !may_go_on || imbalance(x, is_fixed, 1e-3 * first_gradient) <= options.force_tolerance;
            lap.into(report.times.evaluate);
            if (is_balanced)
                return end_converged();
            ++polished;
        } else if (!is_lower)
            return end(
                Outcome::line_search_failed,
                fmt::format(
                    "no step along the Newton direction of {:.3g} m lowers the energy {:.6g} J; forces: {}", length,
                    energy, describe_residual(x, is_fixed)));
        energy = trial_energy;
        for (Energy* each : energies_)
            if (each->iterated(x)) // it changed, e.g. its stiffness: the energy is another
                energy = std::numeric_limits<double>::quiet_NaN();
        if (std::isnan(energy))
            energy = value(x);
        lap.into(report.times.evaluate);
    }
}

} // namespace abut
