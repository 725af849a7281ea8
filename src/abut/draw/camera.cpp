#include "abut/draw/camera.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

constexpr double border = 0.07;         // of a picture, on each side
constexpr double nearest = 1e-3;        // what is nearer to the eye than this share of its distance is not drawn
constexpr double smallest_angle = 1e-6; // between the view and what is up, as its sine

/// A direction across `direction`, as near to z as can be, or to -y.
Vec3 any_front(const Vec3& direction)
{
    const Vec3 reference = std::abs(direction.z()) < 0.9 ? Vec3(Vec3::UnitZ()) : Vec3(-Vec3::UnitY());
    return (reference - reference.dot(direction) * direction).normalized();
}

EachVertex vertices_of(std::span<const Frame> frames)
{
    return [frames](const std::function<void(const Vec3&)>& visit) {
        for (const Frame& frame : frames)
            for (Eigen::Index i = 0; i < frame.mesh.vertices.rows(); ++i)
                visit(lifted(frame.mesh.vertices, i));
    };
}

bool is_parallel(const Vec3& a, const Vec3& b) { return a.normalized().cross(b.normalized()).norm() < smallest_angle; }

[[noreturn]] void refuse(const char* sentence) { throw Error(ExitCode::bad_usage, sentence); }

} // namespace

void View::check(bool is_flat, const Vec3& middle) const
{
    if (is_flat && (eye || up))
        refuse("--camera, --up: the run is in the plane, which is seen straight on; leave them out, and use --look-at "
               "and --zoom");
    if (up && !(up->norm() > 0))
        refuse("--up: it has no length; give a direction, such as 0,1,0");
    if (!eye)
        return;
    const Vec3 way = target.value_or(middle) - *eye;
    // Rounding of the coordinates must not decide where the camera looks.
    if (!(way.norm() > 1e-9 * (eye->norm() + middle.norm())))
        refuse(
            target ? "--camera, --look-at: they are the same point, so there is no direction to look in; move one of "
                     "them"
                   : "--camera: it is in the middle of the scene, where it looks at; move it, or give --look-at");
    if (up && is_parallel(*up, way))
        refuse("--up: it points along the view from --camera to --look-at; give a direction across it");
}

Camera::Camera(std::span<const Frame> frames, const View& view, const Vec3& up, int width, int height)
    : Camera(frames.front().mesh.vertices.cols() == 2, vertices_of(frames), view, up, width, height)
{}

Camera::Camera(bool is_flat, const EachVertex& vertices, const View& view, const Vec3& up, int width, int height)
    : width_(width), height_(height), is_flat_(is_flat)
{
    Eigen::AlignedBox3d box;
    vertices([&](const Vec3& x) { box.extend(x); });
    ABUT_ASSERT(!box.isEmpty());
    middle_ = box.center();
    radius_ = std::max(0.5 * box.diagonal().norm(), 1e-9 * (1 + middle_.norm()));
    view.check(is_flat_, middle_);
    target_ = view.target.value_or(middle_);
    choose_directions(view, view.up.value_or(up).normalized());
    choose_scale(vertices, view);
}

void Camera::choose_directions(const View& view, const Vec3& up)
{
    distance_ = 5 * radius_;
    if (is_flat_) {
        right_ = Vec3::UnitX();
        up_ = Vec3::UnitY();
        back_ = Vec3::UnitZ();
    } else if (view.eye) {
        back_ = *view.eye - target_;
        distance_ = back_.norm();
        back_ /= distance_;
        // Seen from straight above, what was up is no more: any direction will do.
        right_ = (is_parallel(up, back_) ? Vec3(-any_front(back_)) : up).cross(back_).normalized();
        up_ = back_.cross(right_);
    } else {
        const double azimuth = 32 * M_PI / 180, elevation = 24 * M_PI / 180;
        const Vec3 front = any_front(up), side = up.cross(front);
        back_ = std::cos(elevation) * (std::cos(azimuth) * front + std::sin(azimuth) * side) + std::sin(elevation) * up;
        right_ = up.cross(back_).normalized();
        up_ = back_.cross(right_);
    }
    eye_ = view.eye.value_or(target_ + distance_ * back_);
}

void Camera::choose_scale(const EachVertex& vertices, const View& view)
{
    const Vec2 size(width_, height_);
    Eigen::AlignedBox2d picture;
    bool is_all_in_front = true;
    vertices([&](const Vec3& x) {
        if (depth(x) > 0)
            picture.extend(Vec2(project(x).head<2>() - 0.5 * size));
        else
            is_all_in_front = false;
    });
    if (picture.isEmpty())
        refuse("--camera: nothing is in front of it; look at another point, or move it back");
    if (view.target) // which stays in the middle
        picture.extend(Vec2(-picture.min())).extend(Vec2(-picture.max()));
    const Vec2 extent = picture.sizes().cwiseMax(1e-9 * radius_ + 1e-300);
    scale_ = (1 - 2 * border) * size.cwiseQuotient(extent).minCoeff();
    // A single vertex has no extent to fill the picture with.
    scale_ = std::min(scale_, 0.5 * size.minCoeff() / (0.01 * radius_));
    shift_ = -picture.center();
    // A camera amid things sees a right angle of them.
    const double widest = 0.5 * size.minCoeff() / distance_;
    if (!is_flat_ && (!is_all_in_front || scale_ < widest)) {
        scale_ = widest;
        shift_ = Vec2::Zero();
    }
    scale_ *= view.zoom;
}

double Camera::depth(const Vec3& x) const { return is_flat_ ? distance_ : back_.dot(eye_ - x) - nearest * distance_; }

Vec3 Camera::project(const Vec3& x) const
{
    const Vec3 d = x - target_;
    const double nearness = is_flat_ ? 1 : 1 / (distance_ - back_.dot(d));
    const double factor = is_flat_ ? 1 : distance_ * nearness;
    const Vec2 p = scale_ * (Vec2(right_.dot(d) * factor, -up_.dot(d) * factor) + shift_) + 0.5 * Vec2(width_, height_);
    return {p.x(), p.y(), nearness};
}

Vec3 Camera::ray(double pixel_x, double pixel_y) const
{
    const Vec2 p = (Vec2(pixel_x, pixel_y) - 0.5 * Vec2(width_, height_)) / scale_ - shift_;
    const Vec3 on_picture = target_ + p.x() * right_ - p.y() * up_;
    return is_flat_ ? on_picture : Vec3(on_picture - eye_);
}

} // namespace abut
