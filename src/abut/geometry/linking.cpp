#include "abut/geometry/linking.hpp"

#include "abut/base/error.hpp"
#include "abut/geometry/predicates.hpp"

#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

namespace abut {

namespace {

void require_loop(std::string_view what, std::span<const Vec3> loop)
{
    if (loop.size() < 3)
        reject("{} has {} corners, but a closed curve has three or more; give all of them", what, loop.size());
}

void require_finite(std::string_view what, std::span<const Vec3> points)
{
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!points[i].allFinite())
            reject("{}: corner {} is not finite; correct it", what, i);
}

/// The solid angle under which the origin sees the triangle abc, of either sign.
double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c)
{
    const double x = a.norm(), y = b.norm(), z = c.norm();
    return 2 * std::atan2(a.dot(b.cross(c)), x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y);
}

} // namespace

int linking_number(std::span<const Vec3> a, std::span<const Vec3> b)
{
    require_loop("linking_number: the first curve", a);
    require_loop("linking_number: the second curve", b);
    require_finite("linking_number: the first curve", a);
    require_finite("linking_number: the second curve", b);
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Vec3 &a0 = a[i], &a1 = a[(i + 1) % a.size()];
        double row = 0; // sums of similar size: less rounding
        for (std::size_t j = 0; j < b.size(); ++j) {
            const Vec3 &b0 = b[j], &b1 = b[(j + 1) % b.size()];
            const Vec3 p00 = a0 - b0, p10 = a1 - b0, p11 = a1 - b1, p01 = a0 - b1;
            row += solid_angle(p00, p11, p10) + solid_angle(p00, p01, p11);
        }
        sum += row;
    }
    const double number = sum / (4 * std::numbers::pi), whole = std::round(number);
    // Rounding leaves some 1e-16 per pair of segments; curves that touch leave a share of a turn.
    if (!(std::abs(number - whole) < 1e-3))
        reject("linking_number: {} is no whole number, so the curves touch; move them apart", number);
    return static_cast<int>(whole);
}

Piercings piercings(std::span<const Vec3> polyline, std::span<const Vec3> loop)
{
    require_loop("piercings: the loop", loop);
    require_finite("piercings: the loop", loop);
    require_finite("piercings: the polyline", polyline);
    // Weights that differ by a thousandth: what is symmetric does not pass through the tip.
    Vec3 middle = Vec3::Zero();
    double sum = 0;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const double weight = 1 + 1e-3 * std::fmod(0.618 * double(i), 1.0);
        middle += weight * loop[i];
        sum += weight;
    }
    middle /= sum;

    Piercings found;
    const std::size_t n = loop.size();
    std::vector<char> is_left(n); // of the line pq, seen along it from the middle to a corner
    for (std::size_t k = 0; k + 1 < polyline.size(); ++k) {
        const Vec3 &p = polyline[k], &q = polyline[k + 1];
        for (std::size_t i = 0; i < n; ++i)
            is_left[i] = orientation(p, q, middle, loop[i]) >= 0;
        for (std::size_t i = 0; i < n; ++i) {
            const Vec3 &a = loop[i], &b = loop[(i + 1) % n];
            const bool before = orientation(middle, a, b, p) > 0, after = orientation(middle, a, b, q) > 0;
            if (before == after)
                continue;
            // The line passes through the triangle (middle, a, b) if it turns the same way around its three edges.
            const bool through_ab = orientation(p, q, a, b) >= 0;
            if ((is_left[i] != 0) == through_ab && (is_left[(i + 1) % n] != 0) != through_ab)
                ++(after ? found.along : found.against);
        }
    }
    return found;
}

} // namespace abut
