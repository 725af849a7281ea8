#pragma once
// Distances and intersections of points, segments and triangles in rational arithmetic: slow, exact and independent of
// the library. Everything is a minimum over vertices, feet inside edges and feet inside faces; two sets intersect where
// that minimum is zero.

#include "abut/math/types.hpp"

#include <gmpxx.h>

#include <algorithm>
#include <array>

namespace abut::test {

template <int Dim>
using ExactPoint = std::array<mpq_class, Dim>;

template <int Dim>
ExactPoint<Dim> exact(const Vec<Dim>& p)
{
    ExactPoint<Dim> q;
    for (int i = 0; i < Dim; ++i)
        q[i] = mpq_class(p[i]);
    return q;
}

template <std::size_t Dim>
std::array<mpq_class, Dim> minus(const std::array<mpq_class, Dim>& a, const std::array<mpq_class, Dim>& b)
{
    std::array<mpq_class, Dim> c;
    for (std::size_t i = 0; i < Dim; ++i)
        c[i] = a[i] - b[i];
    return c;
}

template <std::size_t Dim>
mpq_class dot(const std::array<mpq_class, Dim>& a, const std::array<mpq_class, Dim>& b)
{
    mpq_class sum = 0;
    for (std::size_t i = 0; i < Dim; ++i)
        sum += a[i] * b[i];
    return sum;
}

/// r - s a
template <std::size_t Dim>
std::array<mpq_class, Dim>
minus_multiple(std::array<mpq_class, Dim> r, const mpq_class& s, const std::array<mpq_class, Dim>& a)
{
    for (std::size_t i = 0; i < Dim; ++i)
        r[i] -= s * a[i];
    return r;
}

template <std::size_t Dim>
mpq_class squared_norm(const std::array<mpq_class, Dim>& a)
{
    return dot(a, a);
}

/// Squared distance from p to the segment ab.
template <std::size_t Dim>
mpq_class exact_point_segment(
    const std::array<mpq_class, Dim>& p, const std::array<mpq_class, Dim>& a, const std::array<mpq_class, Dim>& b)
{
    const auto e = minus(b, a), r = minus(p, a);
    const mpq_class along = dot(e, r), length = squared_norm(e);
    if (along <= 0)
        return squared_norm(r);
    if (along >= length)
        return squared_norm(minus(p, b));
    return squared_norm(minus_multiple(r, along / length, e));
}

/// Squared distance from r to the points s e + t f for which `inside(s, t)` holds at the closest of all s and t;
/// nothing happens to `least` where that is not so or where e and f are parallel.
template <std::size_t Dim, typename Inside>
void lower_by_interior(
    mpq_class& least, const std::array<mpq_class, Dim>& r, const std::array<mpq_class, Dim>& e,
    const std::array<mpq_class, Dim>& f, Inside inside)
{
    const mpq_class ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), er = dot(e, r), fr = dot(f, r);
    const mpq_class determinant = ee * ff - ef * ef;
    if (determinant == 0)
        return;
    const mpq_class s = (ff * er - ef * fr) / determinant, t = (ee * fr - ef * er) / determinant;
    if (inside(s, t))
        least = std::min(least, squared_norm(minus_multiple(minus_multiple(r, s, e), t, f)));
}

/// Squared distance from p to the triangle abc.
template <std::size_t Dim>
mpq_class exact_point_triangle(
    const std::array<mpq_class, Dim>& p, const std::array<mpq_class, Dim>& a, const std::array<mpq_class, Dim>& b,
    const std::array<mpq_class, Dim>& c)
{
    mpq_class least =
        std::min({exact_point_segment(p, a, b), exact_point_segment(p, b, c), exact_point_segment(p, c, a)});
    lower_by_interior(least, minus(p, a), minus(b, a), minus(c, a), [](const mpq_class& s, const mpq_class& t) {
        return s > 0 && t > 0 && s + t < 1;
    });
    return least;
}

/// Squared distance of the segments ab and cd.
template <std::size_t Dim>
mpq_class exact_segment_segment(
    const std::array<mpq_class, Dim>& a, const std::array<mpq_class, Dim>& b, const std::array<mpq_class, Dim>& c,
    const std::array<mpq_class, Dim>& d)
{
    mpq_class least = std::min(
        {exact_point_segment(a, c, d), exact_point_segment(b, c, d), exact_point_segment(c, a, b),
         exact_point_segment(d, a, b)});
    lower_by_interior(least, minus(c, a), minus(b, a), minus(c, d), [](const mpq_class& s, const mpq_class& t) {
        return s > 0 && s < 1 && t > 0 && t < 1;
    });
    return least;
}

/// Determinant of three vectors in space.
inline mpq_class exact_determinant(const ExactPoint<3>& u, const ExactPoint<3>& v, const ExactPoint<3>& w)
{
    return u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}

/// Do the closed segment pq and the closed triangle abc have a point in common?
inline bool exact_segment_intersects_triangle(
    const ExactPoint<3>& p, const ExactPoint<3>& q, const ExactPoint<3>& a, const ExactPoint<3>& b,
    const ExactPoint<3>& c)
{
    // p + s (q - p) = a + t (b - a) + u (c - a), by Cramer's rule.
    const auto e = minus(b, a), f = minus(c, a), g = minus(p, q), r = minus(p, a);
    const mpq_class determinant = exact_determinant(g, e, f);
    if (determinant != 0) {
        const mpq_class s = exact_determinant(r, e, f) / determinant, t = exact_determinant(g, r, f) / determinant,
                        u = exact_determinant(g, e, r) / determinant;
        return s >= 0 && s <= 1 && t >= 0 && u >= 0 && t + u <= 1;
    }
    // Parallel or degenerate: an end of the segment lies in the triangle, or the segment meets an edge.
    return exact_point_triangle(p, a, b, c) == 0 || exact_point_triangle(q, a, b, c) == 0 ||
           exact_segment_segment(p, q, a, b) == 0 || exact_segment_segment(p, q, b, c) == 0 ||
           exact_segment_segment(p, q, c, a) == 0;
}

/// Square root of an exact number, to the last bit but one of a double.
inline double square_root(const mpq_class& x)
{
    mpf_class root(x, 256);
    root = sqrt(root);
    return root.get_d();
}

} // namespace abut::test
