#pragma once
// Pictures of frames by a small software rasteriser: no display, no graphics library, the same pixels on every run.

#include "abut/draw/camera.hpp"
#include "abut/draw/png.hpp"

#include "abut/io/vtu.hpp"
#include "abut/mesh/plane.hpp"

namespace abut {

/// What pictures of a run have in common.
struct Look {
    std::vector<Vec3> colors{};  ///< of objects: red, green, blue in [0, 1]; repeated where there are more objects
    std::vector<Plane> planes{}; ///< drawn as floors that fade out
    Vec3 up = Vec3::UnitY();     ///< in space; pictures of the plane have y up
    std::vector<double> radii{}; ///< of objects [m]: their edges become tubes; lines where it is 0 or left out
};

/// Surfaces are shaded, with thin lines along the edges of elements that are large enough to show them. Edges of curves
/// become tubes if they have a radius, else lines, and vertices without elements dots.
[[nodiscard]] Image render(const Frame& frame, const Camera& camera, const Look& look);

/// Writes digits, points, blanks and the letter s. Each has 5 x 7 dots of `size` x `size` pixels.
void draw_text(Image& image, int x, int y, std::string_view text, const Pixel& color, int size);

} // namespace abut
