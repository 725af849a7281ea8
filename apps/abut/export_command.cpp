// `abut export OUT`: a run for other programs, as shapes that move or as pictures.

#include "commands.hpp"
#include "export_target.hpp"
#include "outputs.hpp"
#include "pictures.hpp"
#include "view_options.hpp"
#include "views.hpp"

#include "abut/base/version.hpp"
#include "abut/io/file.hpp"
#include "abut/io/gltf.hpp"
#include "abut/io/obj.hpp"
#include "abut/io/ply.hpp"
#include "abut/io/point_cache.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/io/unique_names.hpp"
#include "abut/io/usda.hpp"
#include "abut/run/stress_frames.hpp"

namespace abut {

namespace {

constexpr int usual_frames = 120;
constexpr double usual_frame_rate = 30; // per second

void export_stress(const ResultFolder& results, const ExportOptions& options)
{
    if (!options.file.empty() || !options.format.empty())
        throw Error(
            ExitCode::bad_usage, "-o, --format: frames with stress go to OUT/stress; leave these or --stress out");
    const std::vector<int> steps = chosen_steps(results, options.frames.value_or(usual_frames));
    const std::filesystem::path index = write_stress_frames(results, steps);
    fmt::print(
        "{} of {} frames with stress and strain: {}\n", steps.size(), results.frame_steps().size(),
        absolute_name(index));
}

/// Rejects options that would change nothing.
void check_options(ExportFormat format, const ExportOptions& options)
{
    const auto refuse = [&](const char* name, const char* why) {
        throw Error(ExitCode::bad_usage, fmt::format("{}: {} {}; leave it out", name, to_string(format), why));
    };
    const bool has_times = is_picture(format) || format == ExportFormat::usda || format == ExportFormat::pc2;
    if (!has_times && (options.fps || options.speed))
        refuse(options.fps ? "--fps" : "--speed", "files keep the frames of the run as they are");
    const ViewOptions usual = ExportOptions{}.view;
    const ViewOptions& view = options.view;
    if (!is_picture(format) &&
        (view.eye || view.target || view.up || view.zoom != usual.zoom || view.size != usual.size))
        refuse("--camera, --look-at, --up, --zoom, --size", "files are no pictures");
}

/// What writers of shapes share.
struct RunShapes {
    const ResultFolder& results;
    const ExportTarget& target;
    std::vector<int> steps; ///< of the frames
    Scene scene;
    Look look;
    std::vector<ObjectLook> objects;
    double fps, speed;

    /// Of a frame, in files that have no other place for it.
    static std::string comment(const Frame& frame)
    {
        return fmt::format("abut {}, step {}, time {} s", version, frame.step, frame.time);
    }
};

std::vector<ObjGroup>
obj_groups(const Frame& frame, const std::vector<ObjectParts>& parts, const std::vector<ObjectLook>& objects)
{
    std::vector<ObjGroup> groups;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        if (parts[k].vertices.empty())
            continue;
        MeshData mesh;
        mesh.vertices = parts[k].rows(frame.mesh.vertices);
        mesh.edges = parts[k].edges;
        mesh.faces = parts[k].faces;
        groups.push_back({objects[k].name, std::move(mesh), parts[k].points});
    }
    return groups;
}

void export_glb(const RunShapes& run)
{
    std::vector<Frame> frames;
    for_each_frame(run.results, run.steps, [&](Frame&& frame) { frames.push_back(std::move(frame)); });
    write_glb(run.target.path, frames, run.objects, run.scene.planes);
}

/// A file for each frame: `write(path, frame, parts)`.
template <typename Write>
void export_series(const RunShapes& run, const Write& write)
{
    run.target.prepare();
    std::vector<ObjectParts> parts;
    Frame first;
    std::size_t k = 0;
    for_each_frame(run.results, run.steps, [&](Frame&& frame) {
        if (k == 0) {
            parts = split_objects(frame, run.objects.size());
            first = frame;
        }
        check_fits(frame, first, k);
        write(run.target.file(k++), frame, parts);
    });
    run.target.remove_beyond(k);
}

void export_usda(const RunShapes& run)
{
    const bool is_z_up = run.look.up.z() > 0.5 * run.look.up.norm(); // nearer to z than to y
    UsdaWriter writer(
        run.target.path, run.objects, run.scene.planes,
        {.codes_per_second = run.fps, .speed = run.speed, .is_z_up = is_z_up});
    for_each_frame(run.results, run.steps, [&](Frame&& frame) { writer.add(frame); });
    writer.finish();
}

void export_point_caches(const RunShapes& run)
{
    run.target.prepare();
    PositionSpool spool(run.target.path, run.objects.size());
    Frame first;
    for_each_frame(run.results, run.steps, [&](Frame&& frame) {
        spool.add(frame);
        if (spool.num_frames() == 1)
            first = std::move(frame);
    });
    std::vector<std::string> names;
    for (const ObjectLook& object : run.objects)
        names.push_back(object.name);
    names = unique_file_names(names);
    const auto num_samples = static_cast<std::int32_t>(spool.num_frames());
    const double length = spool.times().back() - spool.times().front();
    const std::vector<ObjectParts>& parts = spool.parts();
    for (std::size_t k = 0; k < parts.size(); ++k) {
        if (parts[k].vertices.empty())
            continue;
        std::vector<ObjectParts> only(parts.size());
        only[k] = parts[k];
        write_obj(
            run.target.path / (names[k] + ".obj"), obj_groups(first, only, run.objects), RunShapes::comment(first));
        write_point_cache(
            run.target.path / (names[k] + ".pc2"),
            {.num_points = static_cast<std::int32_t>(parts[k].vertices.size()),
             .sample_rate =
                 num_samples > 1 ? static_cast<float>(length * run.fps / run.speed / (num_samples - 1)) : 1.0F,
             .num_samples = num_samples},
            [&](std::int32_t sample) { return spool.positions(static_cast<std::size_t>(sample), k); });
    }
}

void export_shapes(const RunShapes& run)
{
    switch (run.target.format) {
    case ExportFormat::glb:
        return export_glb(run);
    case ExportFormat::usda:
        return export_usda(run);
    case ExportFormat::pc2:
        return export_point_caches(run);
    case ExportFormat::obj:
        return export_series(run, [&](const auto& path, const Frame& frame, const auto& parts) {
            write_obj(path, obj_groups(frame, parts, run.objects), RunShapes::comment(frame));
        });
    default:
        return export_series(run, [](const auto& path, const Frame& frame, const auto& parts) {
            write_ply(path, frame, parts, RunShapes::comment(frame));
        });
    }
}

} // namespace

void export_results(ExportOptions options)
{
    const ResultFolder results = ResultFolder::open(options.results, false);
    if (options.stress)
        return export_stress(results, options);
    const ExportTarget target = choose_target(options);
    check_options(target.format, options);
    if (is_picture(target.format))
        return write_pictures(results, target, options);
    const std::vector<int> steps = chosen_steps(results, options.frames.value_or(usual_frames));
    Scene scene = read_scene(results.scene_path());
    Look look = make_look(scene);
    std::vector<ObjectLook> objects;
    for (std::size_t k = 0; k < scene.objects.size(); ++k)
        objects.push_back({scene.objects[k].name, look.colors[k], look.radii[k]});
    const RunShapes run{
        results,
        target,
        steps,
        std::move(scene),
        std::move(look),
        std::move(objects),
        options.fps.value_or(usual_frame_rate),
        options.speed.value_or(1)};
    export_shapes(run);
    const double length = results.frame(steps.back()).time - results.frame(steps[0]).time;
    fmt::print(
        "{} of {} frames, {} objects, {:.4g} s: {}\n", steps.size(), results.frame_steps().size(), run.objects.size(),
        length, absolute_name(target.num_digits > 0 && !target.is_folder ? target.file(0) : target.path));
}

void add_export_command(CLI::App& app, ExitCode& exit_code)
{
    CLI::App* command = app.add_subcommand(
        "export", "Write a run for other programs: glTF, USD, OBJ, PLY, point caches, pictures, video, or with stress");
    auto options = std::make_shared<ExportOptions>();
    command->add_option("OUT", options->results, "Folder of the results")->required();
    command
        ->add_option(
            "-o,--output", options->file,
            "What to write: a file that ends in .glb, .usda, .mp4 or .gif; a folder, with --format; or files such as "
            "a_####.obj, .ply or .png [OUT/animation.glb]")
        ->check(named());
    command->add_option("--format", options->format, "glb, usda, obj, ply, pc2, png, mp4 or gif [by the ending of -o]");
    command->add_flag("--force", options->force, "Let -o replace files");
    command->add_flag("--stress", options->stress, "Write frames with stress and strain instead: OUT/stress.pvd");
    command
        ->add_option(
            "--frames", options->frames,
            "How many at most, evenly spread over the run; 1: the last [120, of pictures as --fps wants]")
        ->check(CLI::Range(1, 10'000));
    command->add_option("--fps", options->fps, "Pictures, or frames of usda and pc2, in a second [30]")
        ->check(CLI::Range(1e-3, 1e3));
    command->add_option("--speed", options->speed, "Seconds of the run in a second of the animation [1]")
        ->check(CLI::Range(1e-9, 1e9));
    add_view_options(*command, options->view);
    command->callback([options, &exit_code] {
        export_results(*options);
        exit_code = ExitCode::done;
    });
}

} // namespace abut
