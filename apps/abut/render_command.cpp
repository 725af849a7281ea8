// `abut render OUT`: frames of a run side by side in one picture.

#include "commands.hpp"
#include "render.hpp"
#include "results.hpp"

#include "abut/io/file.hpp"
#include "abut/io/scene_json.hpp"

#include <cmath>

namespace abut {

namespace {

struct RenderOptions {
    std::filesystem::path results, picture;
    int frames = 6;
    std::string size = "480x360";
};

constexpr int max_side = 8192;
constexpr std::int64_t max_pixels = 100'000'000;

std::pair<int, int> parse_size(const std::string& text)
{
    int width = 0, height = 0, end = 0;
    const bool is_read = std::sscanf(text.c_str(), "%5dx%5d%n", &width, &height, &end) == 2 &&
                         static_cast<std::size_t>(end) == text.size();
    if (!is_read || width < 16 || height < 16 || width > max_side || height > max_side)
        throw Error(
            ExitCode::bad_usage,
            fmt::format(
                "--size {}: give width and height of a frame as 480x360, 16 to {} pixels each", text, max_side));
    return {width, height};
}

/// `count` of them, evenly spread, with the first and the last; of one only the last.
std::vector<int> spread(const std::vector<int>& steps, int count)
{
    const auto last = static_cast<std::int64_t>(steps.size()) - 1;
    if (count > last)
        return steps;
    std::vector<int> chosen;
    for (std::int64_t i = 0; i < count; ++i)
        chosen.push_back(steps[count == 1 ? last : (2 * i * last + count - 1) / (2 * (count - 1))]);
    return chosen;
}

Look make_look(const Scene& scene)
{
    const std::array<Vec3, 8> palette{Vec3(0.31, 0.56, 0.84), Vec3(0.95, 0.57, 0.27), Vec3(0.40, 0.72, 0.47),
                                      Vec3(0.86, 0.37, 0.41), Vec3(0.61, 0.48, 0.80), Vec3(0.93, 0.76, 0.32),
                                      Vec3(0.30, 0.70, 0.71), Vec3(0.87, 0.51, 0.70)};
    const Vec3 obstacle(0.74, 0.74, 0.75);
    Look look;
    std::size_t num_bodies = 0;
    for (const SceneObject& object : scene.objects)
        look.colors.push_back(object.kind == ObjectKind::obstacle ? obstacle : palette[num_bodies++ % palette.size()]);
    look.planes = scene.planes;
    if (scene.gravity.norm() > 0)
        look.up = -scene.gravity.normalized();
    return look;
}

/// Can it be drawn together with a frame of `dim` dimensions?
bool is_drawable(const Frame& frame, Eigen::Index dim)
{
    const Eigen::Index count = frame.mesh.vertices.rows();
    const auto is_inside = [&](const auto& elements) {
        return elements.size() == 0 || (elements.minCoeff() >= 0 && elements.maxCoeff() < count);
    };
    return count > 0 && frame.mesh.vertices.cols() == dim && frame.mesh.vertices.allFinite() &&
           static_cast<Eigen::Index>(frame.objects.size()) == count && is_inside(frame.mesh.edges) &&
           is_inside(frame.mesh.faces) && is_inside(frame.mesh.tets);
}

ExitCode render_results(RenderOptions options)
{
    const auto [width, height] = parse_size(options.size);
    const Results results = Results::open(options.results, false);
    if (options.picture.empty())
        options.picture = options.results / "picture.png";
    if (options.picture.extension() != ".png")
        reject("{}: the picture is a PNG file; give it a name that ends in .png", options.picture.string());
    const std::vector<int> steps = results.frame_steps();
    if (steps.empty())
        reject("{}: no frames; run the scene again with --force", absolute_name(options.results));

    const std::vector<int> chosen = spread(steps, options.frames);
    const int count = static_cast<int>(chosen.size());
    const int columns = static_cast<int>(std::ceil(std::sqrt(double(count)))), rows = (count + columns - 1) / columns;
    if (std::int64_t(columns) * width * rows * height > max_pixels)
        throw LimitReached(fmt::format(
            "a picture of {} x {} pixels is larger than {} million; choose fewer --frames or a smaller --size",
            std::int64_t(columns) * width, std::int64_t(rows) * height, max_pixels / 1'000'000));

    std::vector<Frame> frames;
    for (const int step : chosen) {
        frames.push_back(read_vtu(results.frame_path(step)));
        if (!is_drawable(frames.back(), frames.front().mesh.vertices.cols()))
            reject("{}: its vertices and elements do not fit the run", results.frame_path(step).string());
    }
    const Look look = make_look(read_scene(results.scene_path()));
    const Camera camera(frames, look.up, width, height);

    constexpr Pixel ink{96, 104, 116}, rule{205, 210, 217};
    Image sheet(columns * width, rows * height);
    std::fill(sheet.pixels.begin(), sheet.pixels.end(), Pixel{255, 255, 255});
    const double last_time = frames.back().time;
    const int decimals = last_time > 0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(last_time))), 0, 9) : 0;
    const int text_size = std::max(1, std::min(width, height) / 180);
    for (int k = 0; k < count; ++k) {
        Image image = render(frames[k], camera, look);
        draw_text(
            image, 4 * text_size, 4 * text_size, fmt::format("{:.{}f} s", frames[k].time, decimals), ink, text_size);
        const int left = k % columns * width, top = k / columns * height;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const bool is_rule = (x == 0 && left > 0) || (y == 0 && top > 0);
                sheet.at(left + x, top + y) = is_rule ? rule : image.at(x, y);
            }
    }
    write_png(options.picture, sheet);
    fmt::print(
        "{} of {} frames, {} x {} pixels: {}\n", count, steps.size(), sheet.width, sheet.height,
        absolute_name(options.picture));
    return ExitCode::done;
}

} // namespace

void add_render_command(CLI::App& app, ExitCode& exit_code)
{
    CLI::App* command = app.add_subcommand("render", "Draw frames of a run side by side in one picture");
    auto options = std::make_shared<RenderOptions>();
    command->add_option("OUT", options->results, "Folder of the results")->required();
    command->add_option("-o,--output", options->picture, "PNG file [OUT/picture.png]");
    command->add_option("--frames", options->frames, "How many, evenly spread over the run [6]")
        ->check(CLI::Range(1, 400));
    command->add_option("--size", options->size, "Width and height of each frame in pixels [480x360]");
    command->callback([options, &exit_code] { exit_code = render_results(*options); });
}

} // namespace abut
