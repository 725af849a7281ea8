// `abut render OUT`: frames of a run side by side in one picture.

#include "commands.hpp"
#include "outputs.hpp"
#include "view_options.hpp"
#include "views.hpp"

#include "abut/io/file.hpp"
#include "abut/io/scene_json.hpp"

#include <cmath>

namespace abut {

namespace {

constexpr std::int64_t max_pixels = 100'000'000;

} // namespace

void render_results(RenderOptions options)
{
    const auto [width, height] = parse_size(options.view.size);
    const ResultFolder results = ResultFolder::open(options.results, false);
    if (options.picture.empty())
        options.picture = options.results / "picture.png";
    else
        check_output_file(options.picture, options.force);
    if (options.picture.extension() != ".png")
        reject("{}: the picture is a PNG file; give it a name that ends in .png", options.picture.string());
    // Pictures that would be too large are refused before frames are read.
    const int count = static_cast<int>(
        std::clamp(results.frame_steps().size(), std::size_t(1), static_cast<std::size_t>(options.frames)));
    const int columns = static_cast<int>(std::ceil(std::sqrt(double(count)))), rows = (count + columns - 1) / columns;
    if (std::int64_t(columns) * width * rows * height > max_pixels)
        throw LimitReached(fmt::format(
            "a picture of {} x {} pixels is larger than {} million; choose fewer --frames or a smaller --size",
            std::int64_t(columns) * width, std::int64_t(rows) * height, max_pixels / 1'000'000));

    const RunFrames run = read_frames(results, options.frames);
    const std::vector<Frame>& frames = run.frames;
    const Look look = make_look(read_scene(results.scene_path()));
    const View view = parse_view(options.view, frames.front().mesh.vertices.cols());
    const Camera camera(frames, view, look.up, width, height);

    constexpr Pixel rule{205, 210, 217};
    Image sheet(columns * width, rows * height);
    std::fill(sheet.pixels.begin(), sheet.pixels.end(), Pixel{255, 255, 255});
    for (int k = 0; k < count; ++k) {
        Image image = render(frames[k], camera, look);
        draw_time(image, frames[k].time, frames.back().time);
        const int left = k % columns * width, top = k / columns * height;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const bool is_rule = (x == 0 && left > 0) || (y == 0 && top > 0);
                sheet.at(left + x, top + y) = is_rule ? rule : image.at(x, y);
            }
    }
    write_png(options.picture, sheet);
    fmt::print(
        "{} of {} frames, {} x {} pixels: {}\n", count, run.num_available, sheet.width, sheet.height,
        absolute_name(options.picture));
}

void add_render_command(CLI::App& app, ExitCode& exit_code)
{
    CLI::App* command = app.add_subcommand("render", "Draw frames of a run side by side in one picture");
    auto options = std::make_shared<RenderOptions>();
    command->add_option("OUT", options->results, "Folder of the results")->required();
    command->add_option("-o,--output", options->picture, "PNG file [OUT/picture.png]")->check(named());
    command->add_flag("--force", options->force, "Let -o replace a file");
    command->add_option("--frames", options->frames, "How many, evenly spread over the run [6]")
        ->check(CLI::Range(1, 400));
    add_view_options(*command, options->view);
    command->callback([options, &exit_code] {
        render_results(*options);
        exit_code = ExitCode::done;
    });
}

} // namespace abut
