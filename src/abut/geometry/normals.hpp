#pragma once
// Unit normals with their Jacobians. Degenerate elements have no normal: zero is returned, with zero derivative.

#include "abut/geometry/vector_term.hpp"

namespace abut {

/// Unit normal of the triangle t0 t1 t2, on the side from which it is counter-clockwise; Jacobian 3 x 9.
[[nodiscard]] inline VectorTerm<3, 9> triangle_normal(const Vec3& t0, const Vec3& t1, const Vec3& t2)
{
    Mat<3, 3> points;
    points << t0, t1, t2;
    return normalized(cross(combination<3, 3>(points, Vec3(-1, 1, 0)), combination<3, 3>(points, Vec3(-1, 0, 1))));
}

/// Unit normal of the edge e0 e1 in the plane, to its right: outward for a counter-clockwise boundary; Jacobian 2 x 4.
[[nodiscard]] inline VectorTerm<2, 4> edge_normal(const Vec2& e0, const Vec2& e1)
{
    const Vec2 e = e1 - e0;
    VectorTerm<2, 4> normal;
    normal.value << e.y(), -e.x();
    normal.jacobian << 0, -1, 0, 1, 1, 0, -1, 0;
    return normalized(normal);
}

} // namespace abut
