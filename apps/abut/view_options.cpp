#include "view_options.hpp"

#include "abut/base/error.hpp"
#include "abut/io/text.hpp"

#include <cmath>
#include <cstdio>

namespace abut {

namespace {

constexpr int max_side = 8192;

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

} // namespace

void add_view_options(CLI::App& command, ViewOptions& options)
{
    command.add_option(
        "--size", options.size, fmt::format("Width and height of each frame in pixels [{}]", options.size));
    command.add_option("--camera", options.eye, "Where it is seen from [three quarters from above]")
        ->type_name("X,Y,Z");
    command.add_option("--look-at", options.target, "What is in the middle of the picture [the middle of the scene]")
        ->type_name("X,Y,Z");
    command.add_option("--up", options.up, "What is up in the picture [against gravity]")->type_name("X,Y,Z");
    command.add_option("--zoom", options.zoom, "1: all frames fit in; 2: twice as large [1]")
        ->check(CLI::Range(1e-3, 1e3));
}

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

View parse_view(const ViewOptions& options, Eigen::Index dim)
{
    // The plane has no other side to see it from, which the view itself says; here --up and --camera keep their three.
    return {
        .eye = parse_point("--camera", options.eye, 3),
        .target = parse_point("--look-at", options.target, dim),
        .up = parse_point("--up", options.up, 3),
        .zoom = options.zoom};
}

} // namespace abut
