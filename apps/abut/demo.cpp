// `abut demo NAME`: runs a scene that is part of the program, draws it and writes an animation.

#include "commands.hpp"
#include "embedded_scenes.hpp"
#include "outputs.hpp"
#include "run_scene.hpp"
#include "views.hpp"

#include "abut/base/suggest.hpp"
#include "abut/io/file.hpp"
#include "abut/io/json_object.hpp"

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
        {"aligned_blocks", 1},
        {"arch", 1},
        {"balloon_between_plates", 25},
        {"bent_wire", 5},
        {"blocks_2d", 1},
        {"card_house", 1},
        {"chain", 15},
        {"chain_mail", 10},
        {"chips_bag", 60},
        {"cleaning_gel", 10},
        {"cloth_on_sphere", 25},
        {"cloth_on_sphere_70", 240},
        {"colliding_shapes", 5},
        {"cube_on_wall", 1},
        {"cubes_on_wall", 5},
        {"dented_can", 15},
        {"dominoes", 15},
        {"dough_roller", 20},
        {"erleben_cliff_edge", 1},
        {"erleben_internal_edges", 2},
        {"erleben_sliding_spike", 3},
        {"erleben_spikes", 1},
        {"erleben_wedges", 1},
        {"everything", 60},
        {"folded_paper", 15},
        {"funnel", 20},
        {"fur_ball", 10},
        {"furry_balls", 10},
        {"jelly", 30},
        {"knit_stretch", 10},
        {"layered_garment", 15},
        {"mat_twist", 25},
        {"plates_peel", 10},
        {"plates_pull", 10},
        {"point_on_triangle", 1},
        {"rod_twist", 2},
        {"rope_knot", 3},
        {"slope_holds", 1},
        {"slope_slides", 1},
        {"soft_balls", 60},
        {"spring_on_hook", 10},
        {"sticky_toys", 5},
        {"sticky_web", 5},
        {"stiff_card_house", 3},
        {"sushi", 10},
        {"tape_peel", 5},
        {"tape_to_the_right", 5},
        {"taped_doll", 10},
        {"twisted_sheet", 40},
        {"two_cubes", 3},
        {"wax_seal", 30},
        {"web_catches_ball", 5}};
    return seconds.at(name);
}

/// What is to be seen.
std::string in_words(const EmbeddedScene& scene)
{
    return parse_json(scene.text, std::string(scene.name)).at("name").get<std::string>();
}

void list_demos()
{
    fmt::print("{:<24}{:>8}   {}\n", "demo", "about", "shows");
    for (const EmbeddedScene& scene : embedded_scenes())
        fmt::print("{:<24}{:>6} s   {}\n", scene.name, estimated_seconds(scene.name), in_words(scene));
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

ExitCode run_demo(DemoOptions options)
{
    const EmbeddedScene& scene = find_demo(options.name);
    if (options.output.empty()) {
        options.output = std::filesystem::path("out") / "demo" / options.name;
        options.force = true; // a folder of the demo's own
    }
    const ExitCode exit_code = run_scene(
        [&] { return parse_scene_source(scene.text, std::string(scene.name), "."); },
        {.output = options.output, .steps = options.steps, .force = options.force});
    if (exit_code != ExitCode::done && exit_code != ExitCode::findings)
        return exit_code;
    const std::filesystem::path animation = options.output / (options.name + ".glb");
    render_results({.results = options.output, .picture = {}});
    export_results({.results = options.output, .file = animation, .force = true});
    fmt::print(
        "\nLook at it: open {} in a browser.\n"
        "In it {}: the space bar plays, the mouse turns, 'colour' shows speed, forces and stress,\n"
        "and a click on a body tells its values over time. Below are numbers and plots.\n"
        "Elsewhere: picture.png; {} in Blender (File, Import, glTF); result.pvd in ParaView.\n",
        absolute_name(options.output / "report.html"), in_words(scene), animation.filename().string());
    return exit_code;
}

} // namespace

void add_demo_command(CLI::App& app, ExitCode& exit_code)
{
    CLI::App* command =
        app.add_subcommand("demo", "Run a scene that is part of the program; without a name, list them");
    auto options = std::make_shared<DemoOptions>();
    command->add_option("NAME", options->name, "Which one");
    command->add_option("-o,--output", options->output, "Folder for the results [out/demo/NAME, which is replaced]")
        ->check(named());
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
