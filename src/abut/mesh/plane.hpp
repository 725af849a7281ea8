#pragma once
// Planes as obstacles that never move: everything on the side that the normal points to is free, the rest is solid.
//
// Notation: p a point of the plane, n its normal, d(x) = n . (x - p) the signed distance of x, positive where it is
// free. A normal of unit length is one only to rounding; d is defined by n as it is stored, and signs of d are exact.

#include "abut/math/types.hpp"

#include <string_view>

namespace abut {

/// A half-space that vertices must stay out of. In two dimensions z is 0 in both, and the plane is a line.
struct Plane {
    Vec3 point = Vec3::Zero();   ///< any point of the plane [m]
    Vec3 normal = Vec3::UnitY(); ///< towards the free side; a CollisionMesh stores it with length 1

    bool operator==(const Plane&) const = default;
};

/// The plane with a normal of length 1. One that has it already, to rounding, stays as it is, so that the planes of a
/// mesh can be given to another. Throws InvalidInput naming `name`.point or `name`.normal for coordinates that are not
/// finite or too large, for a normal of length 0, and for z other than 0 where `dim` is 2.
[[nodiscard]] Plane normalized(const Plane& plane, int dim, std::string_view name);

namespace exact {
double signed_distance(const Plane& plane, const Vec3& x);
int side_of_plane(const Plane& plane, const Vec3& x, double offset);
} // namespace exact

/// Bound on the rounding error of n . (x - p): the difference, the product and two sums lose 2^-53 of themselves each;
/// twice that leaves room, and the constant covers underflow.
[[nodiscard]] inline double signed_distance_error(const Plane& plane, const Vec3& x)
{
    return 8 * 0x1p-53 * plane.normal.cwiseAbs().dot((x - plane.point).cwiseAbs()) + 1e-320;
}

/// d(x) [m], with the right sign however close x is to the plane: 0 only for points on it, or nearer to it than the
/// least positive double.
[[nodiscard]] inline double signed_distance(const Plane& plane, const Vec3& x)
{
    const double distance = plane.normal.dot(x - plane.point);
    return std::abs(distance) > signed_distance_error(plane, x) ? distance : exact::signed_distance(plane, x);
}

/// The sign of d(x) - offset, exactly.
[[nodiscard]] inline int side_of_plane(const Plane& plane, const Vec3& x, double offset = 0)
{
    const double distance = plane.normal.dot(x - plane.point), difference = distance - offset;
    // The last subtraction loses 2^-53 of its result, which is no more than the sum of its terms.
    const double error = signed_distance_error(plane, x) + 2 * 0x1p-53 * (std::abs(distance) + std::abs(offset));
    if (std::abs(difference) > error)
        return difference > 0 ? 1 : -1;
    return exact::side_of_plane(plane, x, offset);
}

} // namespace abut
