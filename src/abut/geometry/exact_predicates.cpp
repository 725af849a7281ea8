// The exact half of the predicates: what the floating-point filter in predicates.hpp cannot decide. Compiled with
// -frounding-math, which CGAL's interval arithmetic needs.

#include "abut/geometry/predicates.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>

namespace abut::exact {

namespace {
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
Kernel::Point_2 to_cgal(const Vec2& p) { return {p.x(), p.y()}; }
Kernel::Point_3 to_cgal(const Vec3& p) { return {p.x(), p.y(), p.z()}; }
} // namespace

int orientation(const Vec2& a, const Vec2& b, const Vec2& c)
{
    return CGAL::orientation(to_cgal(a), to_cgal(b), to_cgal(c));
}

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    return CGAL::orientation(to_cgal(a), to_cgal(b), to_cgal(c), to_cgal(d));
}

} // namespace abut::exact
