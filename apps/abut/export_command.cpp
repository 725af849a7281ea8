// `abut export OUT`: a run as an animated glTF file.

#include "commands.hpp"
#include "outputs.hpp"
#include "views.hpp"

#include "abut/io/file.hpp"
#include "abut/io/gltf.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/run/stress_frames.hpp"

namespace abut {

namespace {

void export_stress(const ResultFolder& results, const ExportOptions& options)
{
    if (!options.file.empty())
        throw Error(ExitCode::bad_usage, "-o: frames with stress go to OUT/stress; leave one of -o and --stress out");
    const std::vector<int> steps = chosen_steps(results, options.frames);
    const std::filesystem::path index = write_stress_frames(results, steps);
    fmt::print(
        "{} of {} frames with stress and strain: {}\n", steps.size(), results.frame_steps().size(),
        absolute_name(index));
}

} // namespace

void export_results(ExportOptions options)
{
    const ResultFolder results = ResultFolder::open(options.results, false);
    if (options.stress)
        return export_stress(results, options);
    if (options.file.empty())
        options.file = options.results / "animation.glb";
    else
        check_output_file(options.file, options.force);
    if (options.file.extension() != ".glb")
        reject("{}: the animation is binary glTF; give it a name that ends in .glb", options.file.string());
    const RunFrames run = read_frames(results, options.frames);
    const Scene scene = read_scene(results.scene_path());
    const Look look = make_look(scene);
    std::vector<GltfObject> objects;
    for (std::size_t k = 0; k < scene.objects.size(); ++k)
        objects.push_back({scene.objects[k].name, look.colors[k]});
    write_glb(options.file, run.frames, objects, scene.planes);
    fmt::print(
        "{} of {} frames, {} objects, {:.4g} s: {}\n", run.frames.size(), run.num_available, objects.size(),
        run.frames.back().time - run.frames.front().time, absolute_name(options.file));
}

void add_export_command(CLI::App& app, ExitCode& exit_code)
{
    CLI::App* command =
        app.add_subcommand("export", "Write a run as an animated glTF file, or with stress and strain for ParaView");
    auto options = std::make_shared<ExportOptions>();
    command->add_option("OUT", options->results, "Folder of the results")->required();
    command->add_option("-o,--output", options->file, "GLB file [OUT/animation.glb]")->check(named());
    command->add_flag("--force", options->force, "Let -o replace a file");
    command->add_flag("--stress", options->stress, "Write frames with stress and strain instead: OUT/stress.pvd");
    command->add_option("--frames", options->frames, "How many at most, evenly spread over the run [120]")
        ->check(CLI::Range(1, 10'000));
    command->callback([options, &exit_code] {
        export_results(*options);
        exit_code = ExitCode::done;
    });
}

} // namespace abut
