#include "abut/sim/adaptive_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace abut {

namespace {

constexpr const char* last_size = "adaptive.size"; // of the part that was taken last

/// Could it be another with less time?
bool is_hard(Outcome outcome)
{
    return outcome == Outcome::iteration_limit || outcome == Outcome::line_search_failed ||
           outcome == Outcome::linear_solve_failed || outcome == Outcome::not_finite;
}

/// How far a vertex would move over dt, as the integrator and scripts have it [m].
double predicted_motion(System& system, const State& start, double dt)
{
    system.begin_step(start, dt);
    double longest = system.scripts().way();
    if (!system.integrator().has_inertia())
        return longest;
    const Positions& target = system.integrator().target();
    for (int v = 0; v < system.model().num_vertices(); ++v)
        if (system.model().masses[v] > 0 && system.problem().is_fixed()[v] == 0)
            longest = std::max(longest, (target.row(v) - start.x.row(v)).norm());
    return longest;
}

/// Adds a part to the step that it is of; of a part that is tried again only what it cost.
void add(StepReport&& part, bool is_taken, StepReport& whole)
{
    part.iterations.insert(part.iterations.begin(), whole.iterations.begin(), whole.iterations.end());
    part.times.add(whole.times);
    part.num_detections += whole.num_detections;
    part.num_lags += whole.num_lags;
    part.lag_residual = std::fmax(part.lag_residual, whole.lag_residual);
    part.num_substeps = whole.num_substeps + (is_taken ? 1 : 0);
    part.num_retries = whole.num_retries + (is_taken ? 0 : 1);
    Balance balance = whole.balance;
    if (is_taken && whole.num_substeps > 0)
        balance.add(part.balance);
    else if (is_taken)
        balance = part.balance;
    part.balance = balance;
    whole = std::move(part);
}

} // namespace

StepReport take_adaptively(System& system, State& state, const Take& take)
{
    const SceneTime& time = system.model().scene.time;
    const double max_motion = time.max_motion.value_or(0.5 * system.model().parameters.extent);
    const State start = state;
    // Time goes in ticks, of which the step has a power of two.
    const int ticks = static_cast<int>(std::bit_floor(static_cast<unsigned>(time.max_substeps)));
    const auto seconds = [&](int count) { return time.dt * count / ticks; };
    // Whatever a state from elsewhere says, a power of two
    const double grown = 2 * start.history.number(last_size, ticks);
    int size = grown >= 1 && grown <= ticks ? static_cast<int>(std::bit_floor(static_cast<unsigned>(grown))) : ticks;
    int largest = ticks;
    StepReport whole;
    whole.num_substeps = 0;
    for (int at = 0; at < ticks;) {
        while (size > 1 && predicted_motion(system, state, seconds(size)) > max_motion)
            size /= 2;
        State next = state;
        StepReport part = take(next, seconds(size));
        const bool is_tried_again = is_hard(part.outcome) && size > 1;
        add(std::move(part), !is_tried_again, whole);
        if (is_tried_again) {
            largest = size /= 2;
            continue;
        }
        at += size;
        state = std::move(next);
        state.step = start.step;
        state.time = start.time + seconds(at);
        state.history.set(last_size, size);
        if (whole.outcome != Outcome::converged && whole.outcome != Outcome::not_converged) {
            whole.message += fmt::format("; in a part of {:.3g} s", seconds(size));
            if (size == 1 && is_hard(whole.outcome))
                whole.message += ", the smallest that time.max_substeps allows";
            break;
        }
        if (at < ticks) // a script is held back for a step, not for its parts
            state.history.set("scripts.blocked_steps", start.history.number("scripts.blocked_steps", 0));
        if (at % (2 * size) == 0)
            size = std::min(2 * size, largest);
    }
    state.step = start.step + 1;
    return whole;
}

} // namespace abut
