// `abut render OUT`: frames of a run side by side in one picture.

#include "commands.hpp"
#include "outputs.hpp"
#include "views.hpp"

#include "abut/io/file.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/io/text.hpp"

#include <cmath>

namespace abut {

namespace {

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

/// "1,2,3", or "1,2" in the plane.
std::optional<Vec3> parse_point(const char* option, const std::optional<std::string>& given, Eigen::Index dim)
{
    if (!given)
        return std::nullopt;
    const std::string& text = *given;
    Vec3 point = Vec3::Zero();
    Eigen::Index count = 0;
    bool is_read = true;
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1, ++count) {
        end = text.find(',', begin);
        double value = 0;
        const std::string_view token = std::string_view(text).substr(begin, end - begin);
        is_read = is_read && count < dim && parse_number(token, value) == NumberStatus::good && std::abs(value) < 1e100;
        if (is_read)
            point[count] = value;
    }
    if (!is_read || count != dim)
        throw Error(
            ExitCode::bad_usage, fmt::format(
                                     "{} {}: give {} numbers below 1e100 with commas between them, such as {}", option,
                                     in_quotes(text), dim, dim == 2 ? "0.5,1" : "0.5,1,-2"));
    return point;
}

View parse_view(const RenderOptions& options, Eigen::Index dim)
{
    // The plane has no other side to see it from, which the view itself says; here --up and --camera keep their three.
    return {
        .eye = parse_point("--camera", options.eye, 3),
        .target = parse_point("--look-at", options.target, dim),
        .up = parse_point("--up", options.up, 3),
        .zoom = options.zoom};
}

} // namespace

void render_results(RenderOptions options)
{
    const auto [width, height] = parse_size(options.size);
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
    const View view = parse_view(options, frames.front().mesh.vertices.cols());
    const Camera camera(frames, view, look.up, width, height);

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
    command->add_option("--size", options->size, "Width and height of each frame in pixels [480x360]");
    command->add_option("--camera", options->eye, "Where it is seen from [three quarters from above]")
        ->type_name("X,Y,Z");
    command->add_option("--look-at", options->target, "What is in the middle of the picture [the middle of the scene]")
        ->type_name("X,Y,Z");
    command->add_option("--up", options->up, "What is up in the picture [against gravity]")->type_name("X,Y,Z");
    command->add_option("--zoom", options->zoom, "1: all frames fit in; 2: twice as large [1]")
        ->check(CLI::Range(1e-3, 1e3));
    command->callback([options, &exit_code] {
        render_results(*options);
        exit_code = ExitCode::done;
    });
}

} // namespace abut
