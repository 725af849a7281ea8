#include "abut/run/sweep/plan.hpp"

#include "abut/base/checksum.hpp"
#include "abut/base/error.hpp"
#include "abut/base/version.hpp"
#include "abut/io/file.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/io/text.hpp"
#include "abut/run/refusals.hpp"
#include "abut/sim/integrator.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace abut {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

constexpr std::uintmax_t most_mesh_bytes = std::uintmax_t(1) << 40; // read before, within limits

/// The number, truth value, array or word that a setting is, as apply_settings() reads it.
json parsed_value(const std::string& text)
{
    json value = json::parse(text, nullptr, false);
    return value.is_discarded() ? json(text) : value;
}

bool is_utf8(const std::string& text)
{
    try {
        static_cast<void>(json(text).dump());
        return true;
    } catch (const json::exception&) {
        return false;
    }
}

/// Why words that could be taken for a path are refused, but for the keys that name files; empty where it is fine.
std::string refusal_of_value(const std::string& key, const std::string& text)
{
    if (!is_utf8(key) || !is_utf8(text))
        return fmt::format("{}={}: is no UTF-8; save the table as UTF-8", in_quotes(key), in_quotes(text));
    const json value = parsed_value(text);
    if (!value.is_string() || key.ends_with(".file"))
        return "";
    const auto is_of_path = [](char c) { return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 32; };
    const auto word = value.get<std::string>();
    if (std::none_of(word.begin(), word.end(), is_of_path) && word != "." && word != "..")
        return "";
    return fmt::format(
        "{}: the value {} has characters of a path; only keys that name a file, such as objects.0.geometry.file, "
        "may have them",
        key, json(text).dump());
}

/// Gives each file that scenes read a name in the folder of the sweep.
class KeptFiles {
public:
    /// `path` is absolute.
    const std::string& name_of(const std::string& path)
    {
        auto [kept, is_new] = names_.try_emplace(path);
        if (is_new)
            kept->second = fmt::format("meshes/{}/{}", names_.size(), fs::path(path).filename().string());
        return kept->second;
    }
    void add_to(SweepPlan& plan) const
    {
        for (const auto& [path, name] : names_) {
            plan.files[name] = path;
            plan.checksums[name] = fmt::format("{:016x}", checksum(read_file(path, most_mesh_bytes)));
            plan.inputs.emplace_back(path);
        }
    }

private:
    std::map<std::string, std::string> names_;
};

/// The file of object `k`; empty where it has none.
std::string file_of(const json& scene, std::size_t k)
{
    const json::json_pointer at(fmt::format("/objects/{}/geometry/file", k));
    return scene.contains(at) && scene.at(at).is_string() ? scene.at(at).get<std::string>() : "";
}

std::size_t num_objects(const json& scene) { return scene.contains("objects") ? scene["objects"].size() : 0; }

/// What refuses a point, or what its run needs to know.
class PointReader {
public:
    PointReader(const SceneSource& source, std::string scene_name, fs::path scene_folder)
        : scene_(*source.json), scene_name_(std::move(scene_name)), scene_folder_(std::move(scene_folder))
    {}

    Scene read(const std::vector<std::string>& settings, json& changed) const
    {
        changed = scene_;
        apply_settings(changed, settings);
        make_files_absolute(changed, scene_folder_);
        return scene_from_json(changed, scene_name_, {.folder = "."});
    }

    /// Where settings change objects, more of them name files as in the folder of the sweep, whatever the user named.
    void fill(SweepPoint& point, KeptFiles& kept) const
    {
        json changed;
        const Scene scene = read(point.settings, changed);
        point.steps = scene.time.steps;
        point.has_inertia = integrators().at(scene.time.integrator, "time.integrator")()->has_inertia();
        const bool changes_objects =
            std::any_of(point.settings.begin(), point.settings.end(), [](const std::string& setting) {
                return setting.starts_with("objects");
            });
        if (!changes_objects)
            return;
        for (std::size_t k = 0; k < num_objects(changed); ++k)
            if (const std::string file = file_of(changed, k); !file.empty())
                point.settings.push_back(fmt::format("objects.{}.geometry.file={}", k, kept.name_of(file)));
    }

private:
    const json& scene_;
    std::string scene_name_;
    fs::path scene_folder_;
};

std::string name_of(const std::vector<std::string>& settings)
{
    return settings.empty() ? "the scene as it is" : fmt::format("{}", fmt::join(settings, " "));
}

/// 0.01 and 1e-2 are the same value.
void reject_same_points(const Variants& variants)
{
    std::map<std::vector<json>, std::size_t> first;
    for (std::size_t k = 0; k < variants.list.size(); ++k) {
        std::vector<json> values;
        for (const std::string& text : variants.list[k].values)
            values.push_back(text.empty() ? json() : parsed_value(text));
        const auto [same, is_new] = first.try_emplace(std::move(values), k);
        if (!is_new)
            reject(
                "points {} and {} are the same: {}; leave one of them out", same->second + 1, k + 1,
                name_of(variants.settings_of(variants.list[k])));
    }
}

std::vector<SweepPoint> points_of(const Variants& variants)
{
    std::vector<SweepPoint> points;
    for (const Variant& variant : variants.list)
        points.push_back(
            {.folder = variant.folder, .values = variant.values, .settings = variants.settings_of(variant)});
    return points;
}

} // namespace

std::size_t SweepPlan::num_jobs() const
{
    const auto group = static_cast<std::size_t>(options.group);
    return (points.size() + group - 1) / group;
}

std::vector<std::size_t> SweepPlan::points_of_job(std::size_t job) const
{
    std::vector<std::size_t> list;
    for (std::size_t k = job; k < points.size(); k += num_jobs())
        list.push_back(k);
    return list;
}

SweepPlan make_sweep_plan(
    const SceneSource& source, const Variants& variants, const SweepOptions& options, const std::string& scene_name,
    const fs::path& scene_folder)
{
    reject_same_points(variants);
    for (const std::string& text : options.collect)
        static_cast<void>(parse_observable(text, source.scene));
    SweepPlan plan{
        .name = source.scene.name,
        .scene = nullptr,
        .keys = variants.keys,
        .points = points_of(variants),
        .inputs = source.files,
        .options = options};

    // The scene as it is in the folder of the sweep
    KeptFiles kept;
    json scene = *source.json;
    scene["name"] = plan.name;
    for (json* file : files_of_scene(scene))
        *file = kept.name_of(file->get<std::string>());
    plan.scene = std::make_shared<const json>(std::move(scene));

    Refusals refusals;
    const PointReader reader(source, scene_name, scene_folder);
    for (SweepPoint& point : plan.points) {
        const std::string name = name_of(point.settings);
        bool has_good_values = true;
        for (std::size_t k = 0; k < plan.keys.size(); ++k)
            if (const std::string reason = refusal_of_value(plan.keys[k], point.values[k]); !reason.empty()) {
                refusals.add(reason, in_quotes(name));
                has_good_values = false;
            }
        if (!has_good_values)
            continue;
        try {
            reader.fill(point, kept);
        } catch (const Error&) {
            refusals.add_all(point.settings, name, [&](const std::vector<std::string>& settings) {
                json changed;
                static_cast<void>(reader.read(settings, changed));
            });
        }
    }
    refusals.throw_if_any();
    kept.add_to(plan);
    return plan;
}

json sweep_to_json(const SweepPlan& plan)
{
    json points = json::array();
    for (const SweepPoint& point : plan.points)
        points.push_back(
            {{"folder", point.folder},
             {"values", point.values},
             {"settings", point.settings},
             {"steps", point.steps},
             {"has_inertia", point.has_inertia}});
    const SweepOptions& options = plan.options;
    return {
        {"format", 1},
        {"program", version},
        {"name", plan.name},
        {"scene", *plan.scene},
        {"files", plan.checksums},
        {"keys", plan.keys},
        {"points", points},
        {"options",
         {{"threads", options.threads},
          {"group", options.group},
          {"time_limit", options.time_limit},
          {"collect", options.collect}}}};
}

SweepPlan sweep_from_json(const json& read, const std::string& name)
{
    try {
        SweepPlan plan{
            .name = read.at("name"),
            .scene = std::make_shared<const json>(read.at("scene")),
            .keys = read.at("keys"),
            .points = {},
            .checksums = read.at("files")};
        for (const json& point : read.at("points"))
            plan.points.push_back(
                {.folder = point.at("folder"),
                 .values = point.at("values"),
                 .settings = point.at("settings"),
                 .steps = point.at("steps"),
                 .has_inertia = point.at("has_inertia")});
        const json& options = read.at("options");
        plan.options = {
            .threads = options.at("threads"),
            .group = options.at("group"),
            .time_limit = options.at("time_limit"),
            .collect = options.at("collect")};
        const auto is_name = [](const std::string& folder) {
            return !folder.empty() && folder[0] != '.' && folder.find('/') == std::string::npos;
        };
        if (plan.options.threads < 1 || plan.options.group < 1 ||
            !std::all_of(plan.points.begin(), plan.points.end(), [&](const SweepPoint& point) {
                return is_name(point.folder) && point.values.size() == plan.keys.size();
            }))
            reject("{}: its values do not fit each other; it is no plan of 'abut sweep'", name);
        return plan;
    } catch (const json::exception& error) {
        reject("{}: it is no plan of 'abut sweep': {}", name, error.what());
    }
}

std::vector<Observable> observables_of(const SweepPlan& plan, const fs::path& folder)
{
    std::vector<Observable> observables;
    if (plan.options.collect.empty())
        return observables;
    const Scene scene = scene_from_json(*plan.scene, plan.name, {.folder = folder});
    for (const std::string& text : plan.options.collect)
        observables.push_back(parse_observable(text, scene));
    return observables;
}

} // namespace abut
