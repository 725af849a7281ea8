#include "abut/run/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

double finite_or_zero(double value) { return std::isfinite(value) ? value : 0; }

} // namespace

void RunSummary::add(const StepRecord& record)
{
    ++steps;
    iterations += record.iterations;
    linear_iterations += record.linear_iterations;
    linear_fallbacks += record.linear_fallbacks;
    if (!record.linear.empty()) {
        const std::string method = record.linear.substr(0, record.linear.find(" ("));
        const auto found = std::find_if(
            linear_methods.begin(), linear_methods.end(), [&](const auto& each) { return each.first == method; });
        if (found != linear_methods.end())
            ++found->second;
        else if (linear_methods.size() < 10) // failures have texts of their own
            linear_methods.emplace_back(method, 1);
        last_linear = record.linear;
    }
    detections += record.detections;
    if (record.substeps > 1) {
        ++divided;
        substeps += record.substeps;
    }
    retries += record.retries;
    if (std::isfinite(record.lag_residual)) {
        ++lagged;
        lag_sum += record.lag_residual;
        if (record.lag_residual > largest_lag) {
            largest_lag = record.lag_residual;
            most_lagged = record.step;
        }
    }
    largest_residual = std::fmax(largest_residual, record.residual);
    most_contacts = std::max(most_contacts, record.contacts);
    if (record.verified) {
        ++verified;
        num_intersections += record.verified->num_intersections;
        num_inverted += record.verified->num_inverted;
    }
    // Numbers may be missing, which fmin and fmax pass over.
    const Balance& balance = record.balance;
    smallest_distance = std::fmin(smallest_distance, record.smallest_distance);
    momentum.add(balance.momentum_defect);
    largest_gain = std::fmax(largest_gain, balance.gain);
    largest_energy = std::fmax(
        largest_energy,
        finite_or_zero(balance.kinetic) + std::abs(finite_or_zero(balance.elastic)) + finite_or_zero(balance.contact));
    times.add(record.times);
    if (!record.is_converged()) {
        ++not_converged;
        if (record.is_failed())
            failed = record;
        else if (worst_step == 0 || !(record.relative_residual <= worst_residual)) {
            worst_step = record.step;
            worst_residual = record.relative_residual;
        }
    }
}

std::string RunSummary::unconverged_text() const
{
    if (worst_step == 0)
        return "";
    return fmt::format(
        "{} of them did not converge within their iterations; the farthest off is step {}, with forces at {:.3g} of "
        "what they were at first or of the weight: raise solver.iterations or solver.max_iterations, or ask for less",
        not_converged, worst_step, worst_residual);
}

std::string RunSummary::lag_text() const
{
    constexpr double little = 0.05; // on average
    if (lagged == 0)
        return "";
    const double mean = lag_sum / lagged;
    return fmt::format(
        "off by {:.2g} of the most it can be on average, at most by {:.2g}{}{}", mean, largest_lag,
        most_lagged > 0 ? fmt::format(", in step {}", most_lagged) : "",
        mean > little ? "; raise solver.friction_iterations, with a solver.friction_tolerance, or lower time.dt" : "");
}

std::string RunSummary::distance_text(std::string_view otherwise) const
{
    return std::isfinite(smallest_distance) ? fmt::format("{:.3e} m", smallest_distance) : std::string(otherwise);
}

std::string RunSummary::linear_text() const
{
    std::string text;
    for (const auto& [method, count] : linear_methods)
        text += fmt::format("{}{} {} by {}", text.empty() ? "" : "; ", count, count == 1 ? "step" : "steps", method);
    if (text.empty())
        return text;
    if (linear_iterations > 0)
        text += fmt::format("; {} iterations", linear_iterations);
    if (linear_fallbacks > 0)
        text += fmt::format(
            ", and {} {} left to the direct method", linear_fallbacks, linear_fallbacks == 1 ? "system" : "systems");
    const std::size_t why = last_linear.find(" (");
    return why == std::string::npos
               ? text
               : text + "; at last because " + last_linear.substr(why + 2, last_linear.size() - why - 3);
}

std::string RunSummary::division_text() const
{
    if (divided == 0)
        return "";
    const std::string text =
        fmt::format("{} {} taken as {} smaller ones", divided, divided == 1 ? "step was" : "steps were", substeps);
    return retries == 0 ? text : fmt::format("{}, after {} that did not converge", text, retries);
}

std::string_view to_string(Verdict verdict)
{
    switch (verdict) {
    case Verdict::good:
        return "good";
    case Verdict::unfinished:
        return "unfinished";
    case Verdict::nothing_yet:
        return "nothing_yet";
    case Verdict::not_verified:
        return "not_verified";
    case Verdict::inaccurate:
        return "inaccurate";
    case Verdict::not_good:
        return "not_good";
    case Verdict::failed:
        return "failed";
    }
    return "";
}

bool is_wrong(Verdict verdict)
{
    return verdict == Verdict::inaccurate || verdict == Verdict::not_good || verdict == Verdict::failed;
}

Verdict verdict_of(const RunSummary& summary, const RunGoal& goal)
{
    if (summary.failed)
        return Verdict::failed;
    if (!summary.is_clean())
        return Verdict::not_good;
    if (summary.steps == 0)
        return Verdict::nothing_yet;
    if (summary.not_converged > 0 || (goal.has_inertia && summary.momentum.is_off()))
        return Verdict::inaccurate;
    if (summary.verified == 0)
        return Verdict::not_verified;
    return summary.steps < goal.steps ? Verdict::unfinished : Verdict::good;
}

VerdictText explain_verdict(const RunSummary& summary, const RunGoal& goal)
{
    const std::string done = fmt::format("{} of {} steps", summary.steps, goal.steps);
    switch (verdict_of(summary, goal)) {
    case Verdict::good:
        return {"Good.", done + ", all converged, free of intersections and inversions by exact tests."};
    case Verdict::unfinished:
        return {"Good so far.", done + "; 'abut resume' continues the run."};
    case Verdict::nothing_yet:
        return {"Nothing yet.", done + "."};
    case Verdict::not_verified:
        return {"Not verified.", done + "; all converged, but the exact tests were not run."};
    case Verdict::inaccurate:
        return {
            summary.verified > 0 ? "Free of intersections, but inaccurate." : "Inaccurate, and not verified.",
            done + "; " +
                (summary.not_converged > 0 ? summary.unconverged_text() : summary.momentum.note(goal.momentum_cure)) +
                "."};
    case Verdict::not_good:
        return {
            "Not good.", fmt::format(
                             "{}; the exact tests found {} intersections and {} inverted elements.", done,
                             summary.num_intersections, summary.num_inverted)};
    case Verdict::failed:
        return {
            "Failed.", fmt::format(
                           "Step {} ended in {}: {}. The state before it is in repro/. {}.", summary.failed->step,
                           summary.failed->outcome, summary.failed->message, advice_after_failure("OUT/repro"))};
    }
    return {};
}

std::string advice_after_failure(const std::string& repro)
{
    return fmt::format(
        "'abut resume {0}' reproduces the failure; 'abut resume {0} --set KEY=VALUE' tries the step with another value "
        "of solver, and goes on",
        repro);
}

} // namespace abut
