#include "abut/run/compare/measure.hpp"

#include "abut/base/error.hpp"
#include "abut/run/judged_run.hpp"
#include "abut/run/result_folder.hpp"

#include <algorithm>

namespace abut {

namespace {

namespace fs = std::filesystem;

double energy_of(const Balance& balance)
{
    return balance.kinetic + balance.elastic + balance.contact + balance.gravity;
}

void read_steps(const ResultFolder& results, CompareRow& row)
{
    static_cast<void>(results.for_each_record([&](StepRecord&& record) {
        row.summary.add(record);
        row.iterations.emplace_back(record.time, record.iterations);
        row.contacts.emplace_back(record.time, record.contacts);
        row.energy.emplace_back(record.time, energy_of(record.balance));
    }));
}

CompareRow row_of(const PlannedRun& run, const CompareFolder& folder, int repeat)
{
    CompareRow row{
        .run = &run,
        .verdict = {},
        .message = {},
        .summary = {},
        .cpu_seconds = {},
        .wall_seconds = {},
        .distance = {},
        .body_distance = {},
        .iterations = {},
        .contacts = {},
        .energy = {}};
    ChildReport worst;
    for (int repetition = 1; repetition <= repeat; ++repetition) {
        const ChildReport taken = folder.taken_by(run, repetition).value_or(ChildReport{.exit_code = 127});
        row.cpu_seconds.values.push_back(taken.cpu_seconds);
        row.wall_seconds.values.push_back(taken.wall_seconds);
        if (taken.peak_bytes)
            row.peak_bytes = std::max(row.peak_bytes.value_or(0), *taken.peak_bytes);
        if (worst.exit_code == 0 && worst.signal == 0)
            worst = taken;
    }
    // Runs give the same bits, so one of them tells what they did.
    std::error_code ignored;
    const fs::path results = folder.results_of(run, 1);
    const bool has_results = fs::exists(results / "scene.json", ignored);
    if (has_results)
        read_steps(ResultFolder::open(results, false), row);
    JudgedRun judged = judge(row.summary, {.steps = run.steps, .has_inertia = run.has_inertia}, worst, has_results);
    row.verdict = std::move(judged.verdict);
    row.message = std::move(judged.message);
    row.is_good = judged.is_good;
    return row;
}

/// The frame at a time; nothing where there is none, or where its step did not converge.
std::optional<Frame> frame_of(CompareRow& row, const CompareFolder& folder, double time)
{
    const int step = row.run->step_at(time);
    if (row.summary.failed && row.summary.failed->step == step)
        return {};
    std::error_code ignored;
    const fs::path results = folder.results_of(*row.run, 1);
    if (!fs::exists(results / "scene.json", ignored))
        return {};
    const fs::path path = ResultFolder::open(results, false).frame_path(step);
    if (!fs::exists(path, ignored))
        return {};
    try {
        return read_frame(path);
    } catch (const Error& error) {
        row.is_good = false;
        row.message = error.what();
        return {};
    }
}

void measure_distances(const CompareFolder& folder, Comparison& comparison)
{
    std::vector<bool> can_move;
    for (const ComparePlan::Body& body : comparison.plan.bodies)
        can_move.push_back(body.can_move);
    for (CompareRow& row : comparison.rows)
        row.body_distance.resize(can_move.size());
    for (const double time : comparison.plan.frame_times) {
        const std::optional<Frame> reference = frame_of(*comparison.reference, folder, time);
        for (CompareRow& row : comparison.rows) {
            const std::optional<Frame> frame = reference ? frame_of(row, folder, time) : std::nullopt;
            const std::optional<FrameDistance> found =
                frame ? frame_distance(*frame, *reference, can_move) : std::nullopt;
            row.distance.push_back(found ? found->all : Distance());
            for (std::size_t body = 0; body < can_move.size(); ++body)
                row.body_distance[body].push_back(found ? found->bodies[body] : Distance());
        }
    }
}

} // namespace

double Repeated::median() const
{
    if (values.empty())
        return NAN;
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t half = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

double Repeated::spread() const
{
    if (values.size() < 2)
        return NAN;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return *most - *least;
}

Repeated CompareRow::per_step(const Repeated& seconds) const
{
    Repeated result;
    if (summary.steps > 0)
        for (const double value : seconds.values)
            result.values.push_back(value / summary.steps);
    return result;
}

bool Comparison::is_good() const
{
    return (!reference || reference->is_good) &&
           std::all_of(rows.begin(), rows.end(), [](const CompareRow& row) { return row.is_good; });
}

Comparison measure(const ComparePlan& plan, const CompareFolder& folder)
{
    Comparison comparison{plan, {}};
    for (const PlannedRun& run : plan.variants)
        comparison.rows.push_back(row_of(run, folder, plan.repeat));
    if (plan.reference) {
        comparison.reference = row_of(*plan.reference, folder, 1);
        measure_distances(folder, comparison);
    }
    return comparison;
}

} // namespace abut
