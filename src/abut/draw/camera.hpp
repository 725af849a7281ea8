#pragma once
// Where pictures are seen from, and how much they show.

#include "abut/io/vtu.hpp"

#include <functional>
#include <optional>
#include <span>

namespace abut {

/// What a user wants to see; left out: three quarters from above, everything.
struct View {
    std::optional<Vec3> eye{};    ///< where the camera is [m]; in space only
    std::optional<Vec3> target{}; ///< what is in the middle of the picture [m]
    std::optional<Vec3> up{};     ///< what is up in the picture, of any length but 0; in space only
    double zoom = 1;              ///< 1: all there is fits into the picture; 2: twice as large; > 0

    /// Rejects, in the words of the program's options, what cannot be drawn.
    void check(bool is_flat, const Vec3& middle) const;
};

/// Calls its argument with every vertex that is to be seen. It may be asked more than once.
using EachVertex = std::function<void(const std::function<void(const Vec3&)>&)>;

/// In space with perspective, in the plane straight on. One camera that holds all frames makes their pictures
/// comparable.
class Camera {
public:
    /// For a picture of the given size of the frames, which must have vertices. `up` is what is up where the view does
    /// not say so.
    Camera(std::span<const Frame> frames, const View& view, const Vec3& up, int width, int height);

    /// The same of vertices that do not have to be in memory all at once; there must be one.
    Camera(bool is_flat, const EachVertex& vertices, const View& view, const Vec3& up, int width, int height);

    /// Pixel coordinates, y down, and 1 / distance to the eye (1 in the plane), which is linear across a picture. Only
    /// for what is in front of the camera.
    [[nodiscard]] Vec3 project(const Vec3& x) const;
    /// How far a point is in front of the camera, less the smallest distance that is drawn; everything is in the plane
    /// [m].
    [[nodiscard]] double depth(const Vec3& x) const;
    /// From the eye through a pixel; not of length 1.
    [[nodiscard]] Vec3 ray(double pixel_x, double pixel_y) const;

    [[nodiscard]] bool is_flat() const { return is_flat_; }
    [[nodiscard]] const Vec3& eye() const { return eye_; }
    [[nodiscard]] const Vec3& middle() const { return middle_; }
    [[nodiscard]] const Vec3& right() const { return right_; }
    [[nodiscard]] const Vec3& up() const { return up_; }
    [[nodiscard]] const Vec3& back() const { return back_; }
    [[nodiscard]] double radius() const { return radius_; } ///< about the middle, of everything there is to see [m]
    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }

private:
    void choose_directions(const View& view, const Vec3& up);
    void choose_scale(const EachVertex& vertices, const View& view);

    int width_, height_;
    bool is_flat_;
    double radius_, distance_, scale_ = 1; // [m], from eye to target [m], pixels
    Vec3 right_, up_, back_, middle_, target_, eye_;
    Vec2 shift_ = Vec2::Zero(); // of the picture's middle, before scaling
};

} // namespace abut
