#include "abut/mesh/plane.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/mesh/validate.hpp"

#include <gmpxx.h>

#include <limits>

namespace abut {

namespace {

void validate_vector(const Vec3& vector, int dim, std::string_view name, const char* member)
{
    for (int axis = 0; axis < 3; ++axis)
        if (!(std::abs(vector[axis]) <= max_coordinate))
            reject(
                "{}.{}: {} = {} is not a finite number of magnitude up to {}", name, member, "xyz"[axis], vector[axis],
                max_coordinate);
    if (dim == 2 && vector.z() != 0)
        reject("{}.{}: z = {}, but the mesh is in the plane; give z = 0", name, member, vector.z());
}

} // namespace

Plane normalized(const Plane& plane, int dim, std::string_view name)
{
    validate_vector(plane.point, dim, name, "point");
    validate_vector(plane.normal, dim, name, "normal");
    const double largest = plane.normal.cwiseAbs().maxCoeff();
    if (largest == 0)
        reject("{}.normal: its length is 0, so it has no direction; give the direction to the free side", name);
    // Normalising leaves an error of up to five ulps in the square.
    constexpr double tolerance = 8 * std::numeric_limits<double>::epsilon();
    if (std::abs(plane.normal.squaredNorm() - 1) <= tolerance)
        return plane;
    // Scaled first, as squares of very short and very long normals leave the range of doubles.
    const Plane unit{plane.point, Vec3(plane.normal / largest).normalized()};
    ABUT_ASSERT(std::abs(unit.normal.squaredNorm() - 1) <= tolerance);
    return unit;
}

namespace exact {

namespace {

mpq_class rational_distance(const Plane& plane, const Vec3& x)
{
    mpq_class distance = 0;
    for (int axis = 0; axis < 3; ++axis)
        distance += mpq_class(plane.normal[axis]) * (mpq_class(x[axis]) - mpq_class(plane.point[axis]));
    return distance;
}

} // namespace

double signed_distance(const Plane& plane, const Vec3& x) { return rational_distance(plane, x).get_d(); }

int side_of_plane(const Plane& plane, const Vec3& x, double offset)
{
    return sgn(rational_distance(plane, x) - mpq_class(offset));
}

} // namespace exact

} // namespace abut
