#pragma once
// How curves are linked, as whole numbers that no motion without intersections can change.
//
// Gauss' linking number of two closed curves a and b is
//
//     Lk = 1/4π ∫∫ (a(s) - b(t)) · (a'(s) x b'(t)) / |a(s) - b(t)|³ ds dt,
//
// the signed number of times that one passes through a surface spanned by the other. For two straight segments the
// points a(s) - b(t) fill a flat parallelogram, and the integral is the solid angle under which the origin sees it: two
// triangles, each in closed form (Van Oosterom and Strackee, "The solid angle of a plane triangle", IEEE Transactions
// on Biomedical Engineering 30, 1983, eq. 8). Nothing is sampled, so that the sum is a whole number up to rounding.

#include "abut/math/types.hpp"

#include <span>

namespace abut {

/// Gauss' linking number of two closed polylines, given by their corners in order; the last is joined to the first.
/// Turning one of them around changes the sign; exchanging them does not. The cost is the product of their sizes.
/// Rejects polylines of less than three corners, corners that are not finite, and curves that touch, where the number
/// does not exist.
[[nodiscard]] int linking_number(std::span<const Vec3> a, std::span<const Vec3> b);

/// How often a polyline passes through a surface.
struct Piercings {
    int along = 0;   ///< to the side from which the loop is seen counter-clockwise
    int against = 0; ///< to the other side

    [[nodiscard]] int net() const { return along - against; }
    [[nodiscard]] int total() const { return along + against; }
};

/// How often an open polyline passes through the cone of a closed loop: the triangles of the loop's edges with a point
/// close to the mean of its corners. Signs are exact; a corner of the polyline in the plane of a triangle counts as
/// being on the far side, and a passage through an edge between two triangles counts once. Rejects loops of less than
/// three corners and what is not finite.
[[nodiscard]] Piercings piercings(std::span<const Vec3> polyline, std::span<const Vec3> loop);

} // namespace abut
