#include "views.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/play/playback.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

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

} // namespace

std::vector<int> chosen_steps(const ResultFolder& results, int count)
{
    const std::vector<int> steps = results.frame_steps();
    if (steps.empty())
        reject("{}: no frames; run the scene again with --force", absolute_name(results.folder()));
    return spread(steps, count);
}

RunFrames read_frames(const ResultFolder& results, int count)
{
    RunFrames run{.frames = {}, .num_available = results.frame_steps().size()};
    for_each_frame(
        results, chosen_steps(results, count), [&](Frame&& frame) { run.frames.push_back(std::move(frame)); });
    return run;
}

void for_each_frame(
    const ResultFolder& results, const std::vector<int>& steps, const std::function<void(Frame&&)>& visit)
{
    Eigen::Index dim = 0;
    for (const int step : steps) {
        Frame frame = results.frame(step);
        dim = dim == 0 ? frame.mesh.vertices.cols() : dim;
        if (!is_drawable(frame, dim))
            reject("{}: its vertices and elements do not fit the run", results.frame_path(step).string());
        visit(std::move(frame));
    }
}

void draw_time(Image& image, double time, double last_time)
{
    constexpr Pixel ink{96, 104, 116};
    const int decimals = last_time > 0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(last_time))), 0, 9) : 0;
    const int size = std::max(1, std::min(image.width, image.height) / 180);
    draw_text(image, 4 * size, 4 * size, fmt::format("{:.{}f} s", time, decimals), ink, size);
}

Look make_look(const Scene& scene)
{
    return {.colors = body_colors(scene), .planes = scene.planes, .up = up_of(scene), .radii = body_radii(scene)};
}

} // namespace abut
