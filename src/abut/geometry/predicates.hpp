#pragma once
// Exact predicates: the sign of a determinant of the coordinates as given, with no tolerance and no rounding.
//
// Each evaluates its determinant in floating point with a bound on the rounding error and returns at once when the
// value exceeds it (Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates",
// 1997, error bounds A). The rest, a vanishing share in practice, goes to CGAL's exact-predicate kernel.
// Coordinates must be finite and at most 1e100 in magnitude. The bounds take no account of underflow, whose effect is
// below 1e-220 for such coordinates: a determinant small enough for it to matter goes to the exact kernel as well.

#include "abut/math/types.hpp"

#include <cmath>

namespace abut {

namespace exact {
int orientation(const Vec2& a, const Vec2& b, const Vec2& c);
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
} // namespace exact

/// +1 if a, b, c turn counter-clockwise, -1 if clockwise, 0 if they lie on one line.
inline int orientation(const Vec2& a, const Vec2& b, const Vec2& c)
{
    const double left = (a.x() - c.x()) * (b.y() - c.y());
    const double right = (a.y() - c.y()) * (b.x() - c.x());
    const double determinant = left - right;
    constexpr double eps = 0x1p-53;
    const double bound = (3 + 16 * eps) * eps * (std::abs(left) + std::abs(right)) + 1e-280;
    if (std::abs(determinant) > bound)
        return determinant > 0 ? 1 : -1;
    return exact::orientation(a, b, c);
}

/// Sign of (b - a) x (c - a) . (d - a): +1 if d lies on the side of the triangle abc from which abc is seen
/// counter-clockwise, -1 on the other side, 0 in its plane.
inline int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const Vec3 u = b - a, v = c - a, w = d - a;
    const double uv = u.x() * v.y(), vu = u.y() * v.x();
    const double vw = v.x() * w.y(), wv = v.y() * w.x();
    const double wu = w.x() * u.y(), uw = w.y() * u.x();
    const double determinant = w.z() * (uv - vu) + u.z() * (vw - wv) + v.z() * (wu - uw);
    const double permanent = std::abs(w.z()) * (std::abs(uv) + std::abs(vu)) +
                             std::abs(u.z()) * (std::abs(vw) + std::abs(wv)) +
                             std::abs(v.z()) * (std::abs(wu) + std::abs(uw));
    constexpr double eps = 0x1p-53;
    const double bound = (7 + 56 * eps) * eps * permanent + 1e-200;
    if (std::abs(determinant) > bound)
        return determinant > 0 ? 1 : -1;
    return exact::orientation(a, b, c, d);
}

/// Do the closed segments ab and cd have a point in common? Touching and collinear overlap count; so do segments of
/// length zero.
[[nodiscard]] bool segments_intersect(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d);

/// The same in space.
[[nodiscard]] bool segments_intersect_3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// Do the closed segment pq and the closed triangle abc have a point in common? Touching and coplanar overlap count;
/// degenerate segments and triangles are treated as the point or segment they are.
[[nodiscard]] bool
segment_intersects_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c);

/// Does p lie in the closed triangle abc, of either orientation? A degenerate triangle is the segment or point it is.
[[nodiscard]] bool point_in_triangle(const Vec2& p, const Vec2& a, const Vec2& b, const Vec2& c);

} // namespace abut
