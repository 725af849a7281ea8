#include "abut/run/compare/times.hpp"

#include "abut/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

/// Decimal fractions such as 0.1 are no doubles, so that multiples of them are whole only to rounding.
constexpr double rounding = 1e-9;

bool is_same(double a, double b) { return std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b)); }

/// How many steps of dt make up a time; nothing where they are not a whole number.
std::optional<int> whole_steps(double time, double dt)
{
    constexpr double most_steps = 1e8;
    const double count = std::round(time / dt);
    if (!(count >= 1 && count <= most_steps && is_same(count * dt, time)))
        return {};
    return static_cast<int>(count);
}

double common_end(const SceneTime& time, const std::vector<RunTimes>& runs, std::vector<TimeRefusal>& refused)
{
    const bool all_say =
        std::all_of(runs.begin(), runs.end(), [](const RunTimes& run) { return run.steps.has_value(); });
    const double end = all_say ? runs[0].dt * *runs[0].steps : time.dt * time.steps;
    if (!(end > 0))
        reject("time.steps: the runs make no step, so there is nothing to compare");
    for (std::size_t k = 0; k < runs.size(); ++k) {
        const auto& [dt, steps, every] = runs[k];
        if (steps && !is_same(dt * *steps, end))
            refused.push_back(
                {k, fmt::format(
                        "ends at {:.6g} s, but others at {:.6g} s; leave time.steps out, it follows from time.dt",
                        dt * *steps, end)});
        else if (!whole_steps(end, dt))
            refused.push_back(
                {k, fmt::format("{:.6g} s are no whole number of steps of {:.6g} s, so it cannot end there", end, dt)});
    }
    return end;
}

/// The shortest multiple of the scene's interval that is a whole number of steps for all; at most the end, which is.
double shortest_interval(double interval, double end, const std::vector<RunTimes>& runs)
{
    for (int k = 1; k * interval < end * (1 - rounding); ++k)
        if (std::all_of(runs.begin(), runs.end(), [&](const RunTimes& run) {
                return whole_steps(k * interval, run.dt).has_value();
            }))
            return k * interval;
    return end;
}

} // namespace

CommonTimes common_times(
    const SceneTime& time, int frame_every, const std::vector<RunTimes>& runs, std::vector<TimeRefusal>& refused)
{
    CommonTimes times{.end = common_end(time, runs, refused), .frame_interval = 0};
    const auto with_every =
        std::find_if(runs.begin(), runs.end(), [](const RunTimes& run) { return run.every.has_value(); });
    if (with_every == runs.end()) {
        times.frame_interval = shortest_interval(time.dt * frame_every, times.end, runs);
        return times;
    }
    times.frame_interval = std::min(times.end, with_every->dt * *with_every->every);
    for (std::size_t k = 0; k < runs.size(); ++k) {
        const auto& [dt, steps, every] = runs[k];
        const bool is_other = every && !is_same(std::min(times.end, dt * *every), times.frame_interval);
        if (is_other || !whole_steps(times.frame_interval, dt))
            refused.push_back(
                {k,
                 fmt::format(
                     "saves no frames every {:.6g} s, as another does; leave output.every out, it follows from time.dt",
                     times.frame_interval)});
    }
    return times;
}

std::vector<double> frame_times(const CommonTimes& times)
{
    std::vector<double> list;
    for (int k = 1; k * times.frame_interval < times.end * (1 - rounding); ++k)
        list.push_back(k * times.frame_interval);
    list.push_back(times.end);
    return list;
}

std::vector<std::size_t> usual_frames(const std::vector<double>& times)
{
    std::vector<std::size_t> frames;
    for (const double share : {0.25, 0.5, 1.0}) {
        const double time = share * times.back();
        const auto nearest = std::min_element(times.begin(), times.end(), [&](double a, double b) {
            return std::abs(a - time) < std::abs(b - time) - rounding * time; // of two, the earlier
        });
        const auto frame = static_cast<std::size_t>(nearest - times.begin());
        if (frames.empty() || frames.back() != frame)
            frames.push_back(frame);
    }
    return frames;
}

std::size_t frame_at(const std::vector<double>& times, double time)
{
    const auto after = std::find_if(times.begin(), times.end(), [&](double t) { return t > time || is_same(t, time); });
    if (after != times.end() && is_same(*after, time))
        return static_cast<std::size_t>(after - times.begin());
    if (after == times.end())
        reject("there is no frame at {:.6g} s; the runs end at {:.6g} s", time, times.back());
    reject(
        "there is no frame at {:.6g} s; the nearest are at {:.6g} s and {:.6g} s", time,
        after == times.begin() ? 0.0 : *(after - 1), *after);
}

} // namespace abut
