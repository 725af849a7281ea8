#include "abut/geometry/hinge_frame.hpp"

#include "abut/base/assert.hpp"

#include <cmath>
#include <numbers>

namespace abut {

HingeFrame::HingeFrame(const Vec3& e0, const Vec3& e1, const Vec3& a, const Vec3& b)
{
    const Vec3 edge = e1 - e0, to_a = a - e0, to_b = b - e0;
    const Vec3 n_a = edge.cross(to_a), n_b = to_b.cross(edge);
    const double area_a = n_a.norm(), area_b = n_b.norm(); // twice the areas
    length = edge.norm();
    if (area_a == 0 || area_b == 0)
        return;
    is_degenerate = false;
    const double sine_side = n_a.cross(n_b).dot(edge), cosine_side = n_a.dot(n_b) * length;
    angle = std::atan2(sine_side, cosine_side);
    t = edge / length;
    u = {t.dot(to_a) / length, t.dot(to_b) / length};
    h = {area_a / length, area_b / length};
    g = {Vec3(-n_a / area_a), Vec3(-n_b / area_b)};
    p = {Vec3(t.cross(g[0])), Vec3(g[1].cross(t))};
}

Vec<12> HingeFrame::coefficients(const Vec3& f1, const Vec3& f2, const Vec3& fe) const
{
    Vec<12> result;
    result.segment<3>(0) = (u[0] - 1) * f1 + (u[1] - 1) * f2 - fe;
    result.segment<3>(3) = -u[0] * f1 - u[1] * f2 + fe;
    result.segment<3>(6) = f1;
    result.segment<3>(9) = f2;
    return result;
}

Vec<12> HingeFrame::gradient() const
{
    ABUT_ASSERT(!is_degenerate);
    return coefficients(g[0] / h[0], g[1] / h[1], Vec3::Zero());
}

std::array<HingeFrame::Pair, 4> HingeFrame::second_derivative() const
{
    ABUT_ASSERT(!is_degenerate);
    const double first = std::numbers::sqrt2 / (2 * h[0]), second = std::numbers::sqrt2 / (2 * h[1]);
    const Vec3 zero = Vec3::Zero();
    const double sine = std::sin(angle), half_cosine = std::cos(angle / 2), half_sine = std::sin(angle / 2);
    const Vec3 along = half_sine * p[0] + half_cosine * g[0]; // the bisector of the normals
    const Vec3 across = half_cosine * p[0] - half_sine * g[0];
    return {
        Pair{
            coefficients(first * g[0], second * g[1], zero), // P
            coefficients(first * p[0], second * p[1], zero), // U
            0, -1},
        Pair{
            coefficients(first * g[0], -second * g[1], zero), // Q
            coefficients(first * p[0], -second * p[1], zero), // V
            0, -1},
        Pair{
            coefficients(zero, zero, along / length),  // y
            coefficients(first * t, second * t, zero), // C
            -sine, -std::numbers::sqrt2 * half_cosine},
        Pair{
            coefficients(zero, zero, across / length),  // x
            coefficients(-first * t, second * t, zero), // D
            sine, -std::numbers::sqrt2 * half_sine}};
}

} // namespace abut
