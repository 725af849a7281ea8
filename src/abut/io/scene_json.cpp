#include "abut/io/scene_json.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/io/scene_parts_json.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

void read_format(SceneReader& json)
{
    const int format = json.JsonObject::integer("format", 0, 0, max_scene_count);
    if (format == 0)
        json.reject_value("format", fmt::format("missing; add \"format\": {}", scene_format));
    if (format > scene_format)
        json.reject_value(
            "format", fmt::format("{} is newer than {}, the newest this program reads", format, scene_format));
}

/// The steps that reach a time, of which the last may end a little after it.
int steps_until(const SceneReader& json, double until, double dt)
{
    if (json.has("steps"))
        json.reject_value("until", "the scene has 'steps' too; remove one of them");
    const double steps = std::ceil(until / dt * (1 - 1e-12));
    if (steps > max_scene_count)
        json.reject_value(
            "until", fmt::format(
                         "{:.6g} s are {:.3g} steps of {:.6g} s, more than {}; end earlier, or make dt longer", until,
                         steps, dt, max_scene_count));
    return static_cast<int>(steps);
}

SceneTime read_time(SceneReader json)
{
    SceneTime time;
    time.dt = json.number("dt");
    time.steps = json.integer("steps");
    if (const std::optional<double> until = json.optional_number("until"))
        time.steps = steps_until(json, *until, time.dt);
    time.integrator = json.word("integrator");
    time.is_adaptive = json.boolean("adaptive");
    for (const char* name : {"max_substeps", "max_motion"})
        if (json.has(name) && !time.is_adaptive)
            json.reject_value(name, "counts only with \"adaptive\": true; add that, or remove this");
    time.max_substeps = json.integer("max_substeps");
    time.max_motion = json.optional_number("max_motion");
    json.finish();
    return time;
}

SceneSolver read_solver(SceneReader json)
{
    SceneSolver solver;
    solver.method = json.word("method");
    solver.iterations = json.optional_integer("iterations");
    solver.residual = json.optional_number("residual");
    solver.relaxation = json.optional_number("relaxation");
    const auto only_with = [&](const char* method, std::initializer_list<const char*> names) {
        for (const char* name : names)
            if (solver.method != method && solver.method != "auto" && json.has(name))
                json.reject_value(
                    name, fmt::format(
                              "counts only with \"method\": \"{}\", but that is \"{}\"; set it, or remove this", method,
                              solver.method));
    };
    only_with("vbd", {"iterations", "residual", "relaxation"});
    only_with("newton", {"projection", "linear", "preconditioner", "linear_tolerance"});
    solver.tolerance = json.optional_number("tolerance");
    const std::string norm = json.word("norm");
    solver.norm = norm == "largest"            ? ConvergenceNorm::largest
                  : norm == "root_mean_square" ? ConvergenceNorm::root_mean_square
                                               : ConvergenceNorm::relative;
    solver.max_iterations = json.integer("max_iterations");
    solver.max_seconds = json.optional_number("max_seconds").value_or(INFINITY);
    solver.friction_iterations = json.integer("friction_iterations");
    solver.friction_tolerance = json.optional_number("friction_tolerance");
    if (solver.friction_tolerance && solver.friction_iterations < 2)
        json.reject_value(
            "friction_tolerance",
            "nothing is lagged anew to meet it, as friction_iterations is 1; set that to 10, say");
    solver.max_blocked_steps = json.integer("max_blocked_steps");
    solver.mix_hessians = json.word("projection") == "as_needed";
    solver.linear = json.word("linear");
    solver.preconditioner = json.word("preconditioner");
    solver.linear_tolerance = json.optional_number("linear_tolerance");
    if (solver.linear == "direct" || solver.linear == "eigen")
        for (const char* name : {"preconditioner", "linear_tolerance"})
            if (json.has(name))
                json.reject_value(
                    name, fmt::format(
                              "counts only with conjugate gradients, but \"linear\" is \"{}\"; set that to \"pcg\" or "
                              "\"auto\", or remove this",
                              solver.linear));
    json.finish();
    return solver;
}

Scene read_whole_scene(SceneReader& json, const std::string& usual_name, const SceneFiles& files)
{
    read_format(json);
    Scene scene;
    scene.name = json.string("name", usual_name);
    std::set<std::string> names;
    for (SceneReader& each : json.objects("objects"))
        read_object(each, files, names, scene);
    if (scene.objects.empty())
        json.reject_value("objects", "the scene has none; give at least one");
    const Eigen::Index dim = scene.objects[0].mesh.vertices.cols();
    scene.gravity = json.vector("gravity", dim);
    for (SceneReader& each : json.objects("planes")) {
        scene.planes.push_back({each.vector("point", dim), each.vector("normal", dim)});
        SurfaceMaterial surface;
        if (std::optional<SceneReader> material = each.object("material")) {
            surface = read_surface(*material);
            material->finish();
        }
        scene.plane_materials.push_back(std::move(surface));
        each.finish();
    }
    for (SceneReader& each : json.objects("scripts"))
        scene.scripts.push_back(read_script(each, scene.objects));
    for (SceneReader& each : json.objects("stitches"))
        scene.stitches.push_back(read_stitches(each, scene.objects));
    if (std::optional<SceneReader> contact = json.object("contact"))
        read_contact(*contact, scene);
    if (std::optional<SceneReader> time = json.object("time"))
        scene.time = read_time(*time);
    if (std::optional<SceneReader> solver = json.object("solver"))
        scene.solver = read_solver(*solver);
    if (std::optional<SceneReader> output = json.object("output")) {
        scene.frame_every = output->integer("every");
        scene.frame_pieces = output->integer("pieces");
        scene.report_megabytes = output->number("report_size");
        output->finish();
    }
    const std::string verify = json.word("verify");
    scene.verify = verify == "frame" ? Verify::frame : verify == "step" ? Verify::step : Verify::off;
    (void)json.string("$schema", ""); // for editors
    json.finish();
    return scene;
}

/// Goes one key of a setting further; objects grow where it is missing, arrays do not.
nlohmann::json& entry_of(nlohmann::json& at, const std::string& key, const std::string& setting)
{
    if (at.is_array()) {
        const bool is_index = !key.empty() && key.size() < 10 &&
                              std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!is_index || std::stoul(key) >= at.size())
            reject("--set {}: the array has {} elements, and none is '{}'", setting, at.size(), key);
        return at[std::stoul(key)];
    }
    if (!at.is_object() && !at.is_null())
        reject("--set {}: '{}' is a key of something that is no object", setting, key);
    return at[key];
}

} // namespace

void apply_settings(nlohmann::json& root, const std::vector<std::string>& settings)
{
    for (const std::string& setting : settings) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos || equals == 0)
            reject("--set {}: expected key.key=value", setting);
        const std::string text = setting.substr(equals + 1);
        nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
        if (value.is_discarded())
            value = text; // a word
        nlohmann::json* at = &root;
        const std::string path = setting.substr(0, equals);
        for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
            end = path.find('.', begin);
            at = &entry_of(*at, path.substr(begin, end - begin), setting);
        }
        *at = value;
        // Two ways to say the same: the one that is set replaces the other.
        for (const auto& [key, other] : {std::pair("time.steps", "until"), std::pair("time.until", "steps")})
            if (path == key)
                root["time"].erase(other);
    }
}

Scene scene_from_json(const nlohmann::json& root, const std::string& name, const SceneFiles& files)
{
    try {
        SceneReader json(root, "", "");
        return read_whole_scene(json, std::filesystem::path(name).stem().string(), files);
    } catch (const InvalidInput& error) {
        throw InvalidInput(name + " " + error.what());
    } catch (const LimitReached& error) {
        throw LimitReached(name + " " + error.what());
    } catch (const InputOutput& error) {
        throw InputOutput(name + " " + error.what());
    }
}

Scene parse_scene(
    std::string_view text, const std::string& name, const std::filesystem::path& folder,
    const std::vector<std::string>& settings)
{
    nlohmann::json root = parse_json(text, name);
    apply_settings(root, settings);
    return scene_from_json(root, name, {.folder = folder});
}

nlohmann::json read_scene_json(const std::filesystem::path& path, const std::vector<std::string>& settings)
{
    constexpr std::uintmax_t max_bytes = 1 << 30; // a few million objects
    nlohmann::json root = parse_json(read_file(path, max_bytes), path.string());
    apply_settings(root, settings);
    return root;
}

Scene read_scene(const std::filesystem::path& path, const std::vector<std::string>& settings)
{
    return scene_from_json(read_scene_json(path, settings), path.string(), {.folder = path.parent_path()});
}

} // namespace abut
