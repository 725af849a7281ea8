// `abut demo NAME`: runs a scene that is part of the program, draws it and writes an animation.

#include "commands.hpp"
#include "embedded_scenes.hpp"
#include "outputs.hpp"
#include "views.hpp"

#include "abut/base/suggest.hpp"
#include "abut/io/file.hpp"
#include "abut/io/json_object.hpp"
#include "abut/run/output_name.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>

namespace abut {

namespace {

struct DemoOptions {
    std::string name;
    std::filesystem::path output; ///< out/demo/NAME where empty
    int steps = -1;               ///< -1: as the scene says
    bool force = false;           ///< replace earlier results also in a folder that was named
};

/// About how long demos take with two cores of 2020 [s].
double estimated_seconds(std::string_view name)
{
    static const std::map<std::string_view, double> seconds{
        {"arch", 1},
        {"blocks_2d", 1},
        {"chain", 15},
        {"cloth_on_sphere", 25},
        {"cloth_on_sphere_70", 240},
        {"erleben_cliff_edge", 1},
        {"erleben_internal_edges", 2},
        {"erleben_sliding_spike", 3},
        {"erleben_spikes", 1},
        {"erleben_wedges", 1},
        {"funnel", 20},
        {"mat_twist", 25},
        {"slope_holds", 1},
        {"slope_slides", 1},
        {"two_cubes", 3}};
    return seconds.at(name);
}

void list_demos()
{
    fmt::print("{:<24}{:>8}   {}\n", "demo", "about", "shows");
    for (const EmbeddedScene& scene : embedded_scenes())
        fmt::print(
            "{:<24}{:>6} s   {}\n", scene.name, estimated_seconds(scene.name),
            parse_json(scene.text, std::string(scene.name)).at("name").get<std::string>());
    fmt::print("\nRun one with 'abut demo NAME'.\n");
}

const EmbeddedScene& find_demo(const std::string& name)
{
    const std::span<const EmbeddedScene> scenes = embedded_scenes();
    const auto found =
        std::find_if(scenes.begin(), scenes.end(), [&](const EmbeddedScene& scene) { return scene.name == name; });
    if (found != scenes.end())
        return *found;
    std::vector<std::string> names;
    for (const EmbeddedScene& scene : scenes)
        names.emplace_back(scene.name);
    const std::string suggestion = nearest_word(name, names);
    throw Error(
        ExitCode::bad_usage, fmt::format(
                                 "there is no demo '{}'; {}'abut demo' lists them", name,
                                 suggestion.empty() ? "" : fmt::format("did you mean '{}'? ", suggestion)));
}

/// A scene as a file, for as long as a run reads it.
class SceneFile {
public:
    SceneFile(std::filesystem::path path, std::string_view text) : path_(std::move(path)) { write_file(path_, text); }
    ~SceneFile()
    {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    SceneFile(const SceneFile&) = delete;
    SceneFile& operator=(const SceneFile&) = delete;

    [[nodiscard]] std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

/// As `abut run` does it, and with its words.
ExitCode run_scene_file(const std::string& scene, const DemoOptions& options)
{
    std::vector<std::string> arguments{"run", scene, "-o", options.output.string()};
    if (options.force)
        arguments.emplace_back("--force");
    if (options.steps >= 0)
        arguments.insert(arguments.end(), {"--steps", std::to_string(options.steps)});
    std::reverse(arguments.begin(), arguments.end()); // as CLI11 takes them
    CLI::App program;
    ExitCode exit_code = ExitCode::done;
    add_run_commands(program, exit_code);
    program.parse(arguments);
    return exit_code;
}

ExitCode run_demo(DemoOptions options)
{
    const EmbeddedScene& scene = find_demo(options.name);
    if (options.output.empty()) {
        options.output = std::filesystem::path("out") / "demo" / options.name;
        options.force = true; // a folder of the demo's own
    }
    check_output_name(options.output);
    // Beside the folder, which must be empty or hold earlier results.
    std::filesystem::path parent = std::filesystem::absolute(options.output).lexically_normal();
    if (!parent.has_filename()) // out/
        parent = parent.parent_path();
    parent = parent.parent_path();
    std::error_code error;
    std::filesystem::create_directories(parent, error);
    if (error)
        throw InputOutput(fmt::format("{}: cannot create the folder: {}", parent.string(), error.message()));
    {
        const SceneFile file(parent / fmt::format(".{}-{}.json", options.name, getpid()), scene.text);
        const ExitCode exit_code = run_scene_file(file.path(), options);
        if (exit_code != ExitCode::done)
            return exit_code;
    }
    const std::filesystem::path animation = options.output / (options.name + ".glb");
    render_results({.results = options.output, .picture = {}});
    export_results({.results = options.output, .file = animation, .force = true});
    fmt::print(
        "\nLook at it: picture.png with any viewer; {} with Blender (File, Import, glTF) or a glTF viewer in the "
        "browser;\n"
        "result.pvd with ParaView.\n",
        animation.filename().string());
    return ExitCode::done;
}

} // namespace

void add_demo_command(CLI::App& app, ExitCode& exit_code)
{
    CLI::App* command =
        app.add_subcommand("demo", "Run a scene that is part of the program; without a name, list them");
    auto options = std::make_shared<DemoOptions>();
    command->add_option("NAME", options->name, "Which one");
    command->add_option("-o,--output", options->output, "Folder for the results [out/demo/NAME, which is replaced]");
    command->add_flag("--force", options->force, "Let -o replace earlier results in the folder");
    command->add_option("--steps", options->steps, "Run up to this step instead of the scene's last")
        ->check(CLI::Range(0, 100'000'000));
    add_threads_option(*command);
    command->callback([options, &exit_code] {
        if (options->name.empty())
            list_demos();
        else
            exit_code = run_demo(*options);
    });
}

} // namespace abut
