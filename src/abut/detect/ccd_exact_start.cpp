// The rare end of CCD: pairs whose distance, at the start or where they pass each other, is lost in rounding.
// Everything that decides is rational.

#include "abut/detect/ccd_kernel.hpp"

#include "abut/base/assert.hpp"

#include <gmpxx.h>

#include <vector>

namespace abut::ccd {

namespace {

using Rational = mpq_class;
using Point = std::array<Rational, 3>;

Point operator-(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Rational dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point cross(const Point& a, const Point& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Point operator*(const Rational& s, const Point& a) { return {s * a[0], s * a[1], s * a[2]}; }

/// The shorter of two vectors, the first of equals.
Point shorter(const Point& a, const Point& b) { return dot(b, b) < dot(a, a) ? b : a; }

// The vector from the second element's closest point to the first's.

Point point_edge(const Point& p, const Point& a, const Point& b)
{
    const Point e = b - a;
    Point d = p - a;
    const Rational along = dot(e, d), length = dot(e, e);
    if (along <= 0)
        return d;
    if (along >= length)
        return p - b;
    return d - Rational(along / length) * e;
}

Point point_triangle(const Point& p, const Point& a, const Point& b, const Point& c)
{
    const Point n = cross(b - a, c - a);
    const Rational nn = dot(n, n);
    if (nn > 0) {
        const auto inside = [&](const Point& u, const Point& v) { return dot(cross(v - u, p - u), n) >= 0; };
        if (inside(a, b) && inside(b, c) && inside(c, a))
            return Rational(dot(p - a, n) / nn) * n;
    }
    return shorter(point_edge(p, a, b), shorter(point_edge(p, b, c), point_edge(p, c, a)));
}

Point edge_edge(const Point& a0, const Point& a1, const Point& b0, const Point& b1)
{
    const Point u = a1 - a0, v = b1 - b0, w = a0 - b0, n = cross(u, v);
    const Rational nn = dot(n, n);
    if (nn > 0) {
        const Rational s = dot(n, cross(v, w)), t = dot(n, cross(u, w));
        if (s >= 0 && s <= nn && t >= 0 && t <= nn)
            return Rational(dot(w, n) / nn) * n;
    }
    return shorter(
        shorter(point_edge(a0, b0, b1), point_edge(a1, b0, b1)),
        Rational(-1) * shorter(point_edge(b0, a0, a1), point_edge(b1, a0, a1)));
}

/// A float of 128 bits and an exponent without bounds: squares of the least and largest doubles fit.
mpf_class wide(const Rational& x) { return mpf_class(x, 128); }

} // namespace

std::optional<double> exact_safe_time(
    const Mat<3, Eigen::Dynamic>& start, const Mat<3, Eigen::Dynamic>& end, int num_first, double dmin, double from)
{
    ABUT_ASSERT(from >= 0 && from < 1);
    ABUT_ASSERT(start.cols() == end.cols() && start.cols() >= 2 && start.cols() <= 4);
    ABUT_ASSERT(num_first == 1 || (num_first == 2 && start.cols() == 4));
    const auto rational = [](const auto& column) { return Point{column[0], column[1], column[2]}; };
    std::vector<Point> x, y;
    for (Eigen::Index i = 0; i < start.cols(); ++i) {
        y.push_back(rational(end.col(i)));
        const Point x0 = rational(start.col(i)), motion = y.back() - x0;
        x.push_back(y.back() - Rational(1 - Rational(from)) * motion);
    }
    const Point r = x.size() == 2    ? x[0] - x[1]
                    : x.size() == 3  ? point_edge(x[0], x[1], x[2])
                    : num_first == 2 ? edge_edge(x[0], x[1], x[2], x[3])
                                     : point_triangle(x[0], x[1], x[2], x[3]);
    const Rational squared = dot(r, r), squared_dmin = Rational(dmin) * dmin;
    if (squared <= squared_dmin)
        return std::nullopt;

    // The direction r parts the elements at the start: r . (x_i - x_j) >= r², which exceeds dmin |r|. Each of these
    // projections is linear in time, and until the first of them falls to dmin |r| the elements are apart. What r²
    // leaves above dmin |r| is r² - dmin |r| = (r² - dmin²) |r| / (|r| + dmin), which loses no digits.
    Rational excess = squared;
    if (dmin > 0) {
        const mpf_class length = sqrt(wide(squared));
        const mpf_class below = wide(squared - squared_dmin) * length / (length + dmin) * (1 - 0x1p-50);
        excess = Rational(below);
    }
    std::optional<Rational> first;
    for (int i = 0; i < num_first; ++i)
        for (std::size_t j = num_first; j < x.size(); ++j) {
            const Rational at_start = dot(r, x[i] - x[j]), at_end = dot(r, y[i] - y[j]);
            if (at_end >= at_start)
                continue;
            ABUT_ASSERT(at_start >= squared); // r joins the closest points
            const Rational time = (at_start - squared + excess) / (at_start - at_end);
            if (!first || time < *first)
                first = time;
        }
    if (!first || *first > 1)
        return std::numeric_limits<double>::infinity();
    return Rational(from + *first * (1 - Rational(from))).get_d(); // towards zero
}

std::optional<double>
exact_plane_time(const MovingPoints<1>& p, const Vec3& origin, const Vec3& unit_normal, double dmin)
{
    const auto rational = [](const auto& column) { return Point{column[0], column[1], column[2]}; };
    const Point o = rational(origin), n = rational(unit_normal);
    const Rational d0 = dot(n, rational(p.start) - o), d1 = dot(n, rational(p.end) - o);
    const Rational gap = abs(d0) - dmin, approach = sgn(d0) * (d0 - d1);
    if (gap <= 0)
        return std::nullopt;
    if (gap > approach)
        return std::numeric_limits<double>::infinity();
    return Rational(gap / approach).get_d(); // towards zero
}

} // namespace abut::ccd
