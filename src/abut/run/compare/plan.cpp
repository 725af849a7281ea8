#include "abut/run/compare/plan.hpp"

#include "abut/base/checksum.hpp"
#include "abut/base/error.hpp"
#include "abut/base/version.hpp"
#include "abut/io/file.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/run/compare/times.hpp"
#include "abut/run/refusals.hpp"
#include "abut/sim/simulation.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

using nlohmann::json;

/// What a run needs to know of a scene that can be run.
struct Checked {
    SceneTime time;
    int frame_every;
    bool has_inertia;
    double tolerance; ///< as a value of solver.tolerance
    std::vector<ComparePlan::Body> bodies;
};

/// Makes all that `abut run` makes before its first step; throws where it does.
Checked check(const json& scene, const std::string& name, const std::vector<std::string>& settings)
{
    json changed = scene;
    apply_settings(changed, settings);
    const Simulation simulation(scene_from_json(changed, name, {.folder = "."}));
    const Scene& read = simulation.scene();
    const ModelParameters& chosen = simulation.model().parameters;
    Checked checked{
        .time = read.time,
        .frame_every = read.frame_every,
        .has_inertia = simulation.has_inertia(),
        .tolerance = chosen.tolerance / (read.solver.norm == ConvergenceNorm::relative ? chosen.extent : 1),
        .bodies = {}};
    for (std::size_t k = 0; k < read.objects.size(); ++k)
        checked.bodies.push_back({read.objects[k].name, simulation.model().can_move(k)});
    return checked;
}

std::optional<int> own_count(const std::vector<std::string>& settings, std::string_view key, int value)
{
    const bool is_set = std::any_of(settings.begin(), settings.end(), [&](const std::string& setting) {
        return setting.starts_with(key) && setting.size() > key.size() && setting[key.size()] == '=';
    });
    return is_set ? std::optional(value) : std::nullopt;
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::vector<PlannedRun> runs_of(const Variants& variants)
{
    std::vector<PlannedRun> runs;
    for (const Variant& variant : variants.list) {
        std::vector<std::string> settings = variants.settings_of(variant);
        std::string name = settings.empty() ? "the scene as it is" : joined(settings);
        runs.push_back(
            {.name = std::move(name),
             .folder = variant.folder,
             .values = variant.values,
             .settings = std::move(settings)});
    }
    return runs;
}

PlannedRun reference_run(const CompareOptions& options, double tolerance, std::size_t num_keys)
{
    std::vector<std::string> settings = options.reference;
    if (settings.empty())
        settings = {fmt::format("solver.tolerance={:.6g}", tolerance / 100)};
    return {
        .name = "reference " + joined(settings),
        .folder = "reference",
        .values = std::vector<std::string>(num_keys),
        .settings = settings};
}

/// Makes the runs end at the same time, or refuses them.
CommonTimes
fit_times(const Checked& scene, std::vector<PlannedRun*>& runs, const std::vector<Checked>& checked, Refusals& refusals)
{
    std::vector<RunTimes> given;
    for (std::size_t k = 0; k < runs.size(); ++k) {
        const std::vector<std::string>& settings = runs[k]->settings;
        const int steps = checked[k].time.steps;
        const std::optional<int> own_steps = own_count(settings, "time.steps", steps);
        given.push_back(
            {checked[k].time.dt, own_steps ? own_steps : own_count(settings, "time.until", steps),
             own_count(settings, "output.every", checked[k].frame_every)});
    }
    std::vector<TimeRefusal> refused;
    const CommonTimes times = common_times(scene.time, scene.frame_every, given, refused);
    for (const auto& [k, reason] : refused)
        refusals.add(reason, runs[k]->name);
    if (!refused.empty())
        return times;
    for (std::size_t k = 0; k < runs.size(); ++k) {
        PlannedRun& run = *runs[k];
        run.dt = given[k].dt;
        run.has_inertia = checked[k].has_inertia;
        run.steps = run.step_at(times.end);
        run.every = run.step_at(times.frame_interval);
        run.settings.push_back(fmt::format("time.steps={}", run.steps));
        run.settings.push_back(fmt::format("output.every={}", run.every));
    }
    return times;
}

json run_to_json(const PlannedRun& run) { return {{"folder", run.folder}, {"settings", run.settings}}; }

} // namespace

int PlannedRun::step_at(double time) const { return static_cast<int>(std::lround(time / dt)); }

ComparePlan make_plan(const SceneSource& source, const Variants& variants, const CompareOptions& options)
{
    ComparePlan plan{
        .name = source.scene.name,
        .scene = source.json,
        .files = source.files,
        .keys = variants.keys,
        .variants = runs_of(variants),
        .repeat = options.repeat,
        .threads = options.threads,
        .frame_times = {},
        .at = {},
        .bodies = {}};
    const Checked scene = check(*source.json, options.scene_name, {});
    plan.bodies = scene.bodies;
    if (options.has_reference)
        plan.reference = reference_run(options, scene.tolerance, plan.keys.size());

    // What `abut run` would refuse
    std::vector<PlannedRun*> runs;
    if (plan.reference)
        runs.push_back(&*plan.reference);
    for (PlannedRun& run : plan.variants)
        runs.push_back(&run);
    Refusals refusals;
    std::vector<Checked> checked;
    for (const PlannedRun* run : runs)
        try {
            checked.push_back(check(*source.json, options.scene_name, run->settings));
        } catch (const Error&) {
            refusals.add_all(run->settings, run->name, [&](const std::vector<std::string>& settings) {
                static_cast<void>(check(*source.json, options.scene_name, settings));
            });
        }
    refusals.throw_if_any();

    // What would not end with the others
    const CommonTimes times = fit_times(scene, runs, checked, refusals);
    refusals.throw_if_any();
    plan.end = times.end;
    plan.frame_times = frame_times(times);
    for (const double time : options.at)
        plan.at.push_back(frame_at(plan.frame_times, time));
    if (plan.at.empty())
        plan.at = usual_frames(plan.frame_times);
    return plan;
}

json plan_to_json(const ComparePlan& plan)
{
    json variants = json::array(), files = json::object();
    for (const PlannedRun& run : plan.variants)
        variants.push_back(run_to_json(run));
    json scene = *plan.scene;
    scene["name"] = plan.name;
    constexpr std::uintmax_t most_bytes = std::uintmax_t(1) << 40; // read before, within limits
    for (const json* file : files_of_scene(scene))
        files[file->get<std::string>()] =
            fmt::format("{:016x}", checksum(read_file(file->get<std::string>(), most_bytes)));
    return {{"format", 1},           {"program", version},
            {"scene", scene},        {"files", files},
            {"variants", variants},  {"reference", plan.reference ? run_to_json(*plan.reference) : json(nullptr)},
            {"repeat", plan.repeat}, {"threads", plan.threads}};
}

} // namespace abut
