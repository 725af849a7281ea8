#pragma once
// Pictures of frames by a small software rasteriser: no display, no graphics library, the same pixels on every run.

#include "draw/png.hpp"

#include "abut/io/vtu.hpp"
#include "abut/mesh/plane.hpp"

#include <span>

namespace abut {

/// What pictures of a run have in common.
struct Look {
    std::vector<Vec3> colors;  ///< of objects: red, green, blue in [0, 1]; repeated where there are more objects
    std::vector<Plane> planes; ///< drawn as floors that fade out
    Vec3 up = Vec3::UnitY();   ///< in space; pictures of the plane have y up
};

/// Where frames are seen from: in space three quarters from above with perspective, in the plane straight on. One
/// camera that holds all frames makes their pictures comparable.
class Camera {
public:
    /// Holds all vertices of the frames, which must have some, in a picture of the given size.
    Camera(std::span<const Frame> frames, const Vec3& up, int width, int height);

    /// Pixel coordinates, y down, and 1 / distance to the eye (1 in the plane), which is linear across a picture.
    [[nodiscard]] Vec3 project(const Vec3& x) const;
    /// From the eye through a pixel; not of length 1.
    [[nodiscard]] Vec3 ray(double pixel_x, double pixel_y) const;

    [[nodiscard]] bool is_flat() const { return is_flat_; }
    [[nodiscard]] const Vec3& eye() const { return eye_; }
    [[nodiscard]] const Vec3& center() const { return center_; }
    [[nodiscard]] const Vec3& right() const { return right_; }
    [[nodiscard]] const Vec3& up() const { return up_; }
    [[nodiscard]] const Vec3& back() const { return back_; }
    [[nodiscard]] double radius() const { return radius_; } ///< about the centre, of everything there is to see [m]
    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }

private:
    int width_, height_;
    bool is_flat_;
    double radius_, distance_, scale_ = 1; // [m], [m], pixels
    Vec3 right_, up_, back_, center_, eye_;
    Vec2 shift_ = Vec2::Zero(); // of the picture's middle, before scaling
};

/// Surfaces are shaded, with thin lines along the edges of elements that are large enough to show them. Edges of curves
/// become lines and vertices without elements dots.
[[nodiscard]] Image render(const Frame& frame, const Camera& camera, const Look& look);

/// Writes digits, points, blanks and the letter s, `size` pixels a dot of their 5 x 7 dots.
void draw_text(Image& image, int x, int y, std::string_view text, const Pixel& color, int size);

} // namespace abut
