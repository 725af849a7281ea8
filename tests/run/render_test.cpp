#include "abut/draw/render.hpp"
#include "abut/mesh/generate/generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace abut {
namespace {

Frame frame_of_rod(double length)
{
    Frame frame;
    frame.mesh = generate::rod({.length = length, .segments = 8});
    frame.objects.assign(9, 0);
    return frame;
}

/// Seen from the front, so that the rod is level.
Camera camera_of(const Frame& frame)
{
    const View view{.eye = Vec3(0, 0, 10), .target = Vec3::Zero()};
    return {{&frame, 1}, view, Vec3::UnitY(), 200, 120};
}

bool is_red(const Pixel& pixel) { return pixel[0] > pixel[2] + 60; }

int reds_in_column(const Image& image, int x)
{
    int count = 0;
    for (int y = 0; y < image.height; ++y)
        count += is_red(image.at(x, y));
    return count;
}

TEST(Render, EdgesWithARadiusAreTubesOfTheirThickness)
{
    const Frame frame = frame_of_rod(1);
    const Camera camera = camera_of(frame);
    const Image image = render(frame, camera, {.colors = {Vec3(0.9, 0.1, 0.1)}, .radii = {0.05}});
    const double pixels = (camera.project(Vec3(0, 0.05, 0)) - camera.project(Vec3(0, -0.05, 0))).norm();
    EXPECT_GT(pixels, 6);
    EXPECT_NEAR(reds_in_column(image, 100), pixels, 2);
    // Round: lighter towards the light above than at the lower edge
    std::vector<int> shades;
    for (int y = 0; y < image.height; ++y)
        if (is_red(image.at(100, y)))
            shades.push_back(image.at(100, y)[0]);
    EXPECT_GT(*std::max_element(shades.begin(), shades.end()), shades.back() + 30);
}

TEST(Render, EdgesWithoutARadiusStayLines)
{
    const Frame frame = frame_of_rod(1);
    const Camera camera = camera_of(frame);
    const Image without = render(frame, camera, {.colors = {Vec3(0.9, 0.1, 0.1)}});
    const Image zero = render(frame, camera, {.colors = {Vec3(0.9, 0.1, 0.1)}, .radii = {0}});
    EXPECT_EQ(without.pixels, zero.pixels);
    EXPECT_GE(reds_in_column(without, 100), 2);
    EXPECT_LE(reds_in_column(without, 100), 5);
}

TEST(Render, ThinTubesDoNotVanish)
{
    const Frame frame = frame_of_rod(1);
    const Image image = render(frame, camera_of(frame), {.colors = {Vec3(0.9, 0.1, 0.1)}, .radii = {1e-6}});
    for (int x = 60; x < 140; ++x)
        EXPECT_GE(reds_in_column(image, x), 1) << x;
}

TEST(Render, TubesCastShadows)
{
    Frame frame = frame_of_rod(1);
    const std::vector<Plane> floor{{Vec3(0, -0.3, 0), Vec3::UnitY()}};
    const View view{.eye = Vec3(0, 3, 3), .target = Vec3::Zero()};
    const Camera camera({&frame, 1}, view, Vec3::UnitY(), 200, 120);
    const auto darkest_grey = [](const Image& image) {
        int darkest = 255;
        for (const Pixel& pixel : image.pixels)
            if (std::abs(pixel[0] - pixel[2]) < 20)
                darkest = std::min(darkest, int(pixel[0]));
        return darkest;
    };
    const Image tube = render(frame, camera, {.colors = {Vec3(0.9, 0.1, 0.1)}, .planes = floor, .radii = {0.05}});
    const Image line = render(frame, camera, {.colors = {Vec3(0.9, 0.1, 0.1)}, .planes = floor});
    EXPECT_LT(darkest_grey(tube), darkest_grey(line) - 20);
}

} // namespace
} // namespace abut
