#include "abut/geometry/predicates.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace abut {

namespace {

/// Is p, known to lie on the line ab, between a and b? Exact: comparisons only.
template <int Dim>
bool within_box(const Vec<Dim>& p, const Vec<Dim>& a, const Vec<Dim>& b)
{
    return (a.cwiseMin(b).array() <= p.array()).all() && (p.array() <= a.cwiseMax(b).array()).all();
}

Vec2 without_axis(const Vec3& p, int axis) { return {p[(axis + 1) % 3], p[(axis + 2) % 3]}; }

/// An axis along which the projection to a coordinate plane keeps a, b, c from lying on one line; none if they do.
/// On the plane through such points the projection is one-to-one.
std::optional<int> injective_axis(const Vec3& a, const Vec3& b, const Vec3& c)
{
    for (int axis = 0; axis < 3; ++axis)
        if (orientation(without_axis(a, axis), without_axis(b, axis), without_axis(c, axis)) != 0)
            return axis;
    return std::nullopt;
}

bool segment_intersects_triangle_2d(const Vec2& p, const Vec2& q, const Vec2& a, const Vec2& b, const Vec2& c)
{
    return segments_intersect(p, q, a, b) || segments_intersect(p, q, b, c) || segments_intersect(p, q, c, a) ||
           point_in_triangle(p, a, b, c);
}

} // namespace

bool segments_intersect(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d)
{
    const int abc = orientation(a, b, c), abd = orientation(a, b, d);
    const int cda = orientation(c, d, a), cdb = orientation(c, d, b);
    if (abc * abd < 0 && cda * cdb < 0)
        return true;
    return (abc == 0 && within_box(c, a, b)) || (abd == 0 && within_box(d, a, b)) ||
           (cda == 0 && within_box(a, c, d)) || (cdb == 0 && within_box(b, c, d));
}

bool point_in_triangle(const Vec2& p, const Vec2& a, const Vec2& b, const Vec2& c)
{
    const int pab = orientation(p, a, b), pbc = orientation(p, b, c), pca = orientation(p, c, a);
    const bool on_one_side = std::min({pab, pbc, pca}) >= 0 || std::max({pab, pbc, pca}) <= 0;
    if (!on_one_side)
        return false;
    if (orientation(a, b, c) != 0)
        return true;
    return (pab == 0 && within_box(p, a, b)) || (pbc == 0 && within_box(p, b, c)) || (pca == 0 && within_box(p, c, a));
}

bool segments_intersect_3d(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b)
{
    if (orientation(p, q, a, b) != 0)
        return false;
    // Coplanar. Three of the points that span the plane show how to project it; if none do, all lie on one line, where
    // intervals decide.
    std::optional<int> axis = injective_axis(p, q, a);
    for (const auto& triple : {std::array{p, q, b}, std::array{p, a, b}, std::array{q, a, b}})
        if (!axis)
            axis = injective_axis(triple[0], triple[1], triple[2]);
    if (axis)
        return segments_intersect(
            without_axis(p, *axis), without_axis(q, *axis), without_axis(a, *axis), without_axis(b, *axis));
    return within_box(p, a, b) || within_box(q, a, b) || within_box(a, p, q) || within_box(b, p, q);
}

bool segment_intersects_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const int abcp = orientation(a, b, c, p), abcq = orientation(a, b, c, q);
    if (abcp * abcq > 0)
        return false;
    if (abcp != 0 || abcq != 0) {
        // The segment meets the plane in one point, which lies in the triangle if the line passes its edges on one
        // side.
        const int ab = orientation(p, q, a, b), bc = orientation(p, q, b, c);
        if (ab * bc < 0)
            return false;
        const int ca = orientation(p, q, c, a);
        return ab * ca >= 0 && bc * ca >= 0;
    }
    if (const auto axis = injective_axis(a, b, c))
        return segment_intersects_triangle_2d(
            without_axis(p, *axis), without_axis(q, *axis), without_axis(a, *axis), without_axis(b, *axis),
            without_axis(c, *axis));
    return segments_intersect_3d(p, q, a, b) || segments_intersect_3d(p, q, b, c) || segments_intersect_3d(p, q, c, a);
}

} // namespace abut
