#include "abut/elastic/uninverted_step.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/geometry/predicates.hpp"
#include "abut/mesh/validate.hpp"

#include <gmpxx.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace abut {

namespace {

constexpr std::size_t elements_per_task = 1024;

/// Where an element limits the step, this share of the certified step is taken: a step up to the root would leave an
/// element without volume, where barriers are infinite.
constexpr double kept_share = 0.9;

template <int Dim>
using Corners = std::array<Vec<Dim>, Dim + 1>;

/// Determinant of Dim columns, with `sign` -1; with +1 the sum of the same products.
template <typename T, int Dim>
T signed_products(const std::array<const T*, Dim>& c, int sign)
{
    if constexpr (Dim == 2) {
        const T left = c[0][0] * c[1][1], right = c[0][1] * c[1][0];
        return sign < 0 ? T(left - right) : T(left + right);
    } else {
        const auto minor = [&](int i, int j) {
            const T left = c[1][i] * c[2][j], right = c[1][j] * c[2][i];
            return sign < 0 ? T(left - right) : T(left + right);
        };
        const T x = c[0][0] * minor(1, 2), y = c[0][1] * minor(0, 2), z = c[0][2] * minor(0, 1);
        return sign < 0 ? T(x - y + z) : T(x + y + z);
    }
}

/// The coefficients of det(a_i + t b_i), with `sign` -1.
template <typename T, int Dim>
std::array<T, 4>
coefficients(const std::array<std::array<T, Dim>, Dim>& a, const std::array<std::array<T, Dim>, Dim>& b, int sign)
{
    std::array<T, 4> p{T(0), T(0), T(0), T(0)};
    for (unsigned moving = 0; moving < (1U << Dim); ++moving) {
        std::array<const T*, Dim> columns;
        for (int i = 0; i < Dim; ++i)
            columns[i] = (moving >> i & 1U) != 0 ? b[i].data() : a[i].data();
        p[std::popcount(moving)] += signed_products<T, Dim>(columns, sign);
    }
    return p;
}

/// The end of the intervals, laid from 0 on, on which is_positive(l, r) holds; needs is_positive(0, r) for some r.
template <typename IsPositive>
double positive_until(const IsPositive& is_positive)
{
    // All numbers here have at most a dozen significant bits, so that none is ever rounded.
    constexpr double finest = 0x1p-10;
    double reached = 0, width = 1;
    while (reached < 1) {
        width = std::min(width, 1 - reached);
        if (is_positive(reached, reached + width)) {
            reached += width;
            width *= 2;
        } else {
            width /= 2;
            if (width < finest * reached || width == 0)
                break;
        }
    }
    return reached;
}

/// Volume of an element along the step, as a polynomial, and the error bound that goes with it.
template <typename T>
struct VolumeAlongStep {
    std::array<T, 4> p, bound; ///< coefficients of p(t) and of K u P(t)

    [[nodiscard]] bool is_positive(double l, double r) const
    {
        const T lo = l, hi = r;
        const T error = bound[0] + hi * (bound[1] + hi * (bound[2] + hi * bound[3]));
        const auto exceeds = [&](const T& u, const T& v, const T& w) {
            return T(p[0] + p[1] * T(u + v + w) / 3 + p[2] * T(u * v + u * w + v * w) / 3 + p[3] * T(u * v * w)) >
                   error;
        };
        return exceeds(lo, lo, lo) && exceeds(hi, hi, hi) && exceeds(lo, lo, hi) && exceeds(lo, hi, hi);
    }

    [[nodiscard]] bool is_positive_at_start() const { return p[0] > bound[0]; }

    /// Needs is_positive_at_start().
    [[nodiscard]] double positive_until() const
    {
        return abut::positive_until([&](double l, double r) { return is_positive(l, r); });
    }
};

template <int Dim>
VolumeAlongStep<double> rounded_volume(const Corners<Dim>& x, const Corners<Dim>& dx)
{
    constexpr double u = 0x1p-53, K = 32;
    constexpr double underflow = 1e-290; // of products, far above what they can lose
    std::array<std::array<double, Dim>, Dim> a, b, size_a, size_b;
    for (int i = 0; i < Dim; ++i)
        for (int c = 0; c < Dim; ++c) {
            a[i][c] = x[i + 1][c] - x[0][c];
            b[i][c] = dx[i + 1][c] - dx[0][c];
            size_a[i][c] = std::abs(a[i][c]);
            size_b[i][c] = std::abs(b[i][c]);
        }
    VolumeAlongStep<double> volume{coefficients<double, Dim>(a, b, -1), coefficients<double, Dim>(size_a, size_b, 1)};
    for (double& bound : volume.bound)
        bound *= K * u;
    volume.bound[0] += underflow;
    return volume;
}

template <int Dim>
VolumeAlongStep<mpq_class> exact_volume(const Corners<Dim>& x, const Corners<Dim>& dx)
{
    std::array<std::array<mpq_class, Dim>, Dim> a, b;
    for (int i = 0; i < Dim; ++i)
        for (int c = 0; c < Dim; ++c) {
            a[i][c] = mpq_class(x[i + 1][c]) - mpq_class(x[0][c]);
            b[i][c] = mpq_class(dx[i + 1][c]) - mpq_class(dx[0][c]);
        }
    return {coefficients<mpq_class, Dim>(a, b, -1), {0, 0, 0, 0}};
}

template <int Dim>
Corners<Dim> corners_of(const ConstPositions& x, std::span<const int> element)
{
    ABUT_ASSERT(element.size() == Dim + 1);
    Corners<Dim> corners;
    for (int i = 0; i <= Dim; ++i)
        corners[i] = point<Dim>(x, element[i]);
    return corners;
}

template <int Dim>
double positive_until(const Stencils& elements, std::size_t k, const ConstPositions& x, const ConstPositions& dx)
{
    const Corners<Dim> corners = corners_of<Dim>(x, elements[k]), steps = corners_of<Dim>(dx, elements[k]);
    const auto volume = rounded_volume<Dim>(corners, steps);
    if (volume.is_positive_at_start())
        return volume.positive_until();
    const auto exact = exact_volume<Dim>(corners, steps);
    if (!exact.is_positive_at_start())
        throw InvalidStart(fmt::format(
            "x: element {} (vertices {}) is inverted or flat before the step", k, fmt::join(elements[k], ", ")));
    return exact.positive_until();
}

template <int Dim>
bool is_upright(const Corners<Dim>& c)
{
    if constexpr (Dim == 2)
        return orientation(c[0], c[1], c[2]) > 0;
    else
        return orientation(c[0], c[1], c[2], c[3]) > 0;
}

/// Is element k of x + t dx upright in doubles?
template <int Dim>
bool is_end_upright(
    const Stencils& elements, std::size_t k, const ConstPositions& x, const ConstPositions& dx, double t)
{
    Corners<Dim> once, twice; // rounded once, and rounded twice
    for (int i = 0; i <= Dim; ++i)
        for (int c = 0; c < Dim; ++c) {
            const double from = x(elements[k][i], c), by = dx(elements[k][i], c);
            once[i][c] = std::fma(t, by, from);
            const volatile double product = t * by; // keeps the compiler from fusing it with the sum
            twice[i][c] = from + product;
        }
    return is_upright<Dim>(once) && is_upright<Dim>(twice);
}

/// Are all of them?
template <int Dim>
bool is_end_upright(const Stencils& elements, const ConstPositions& x, const ConstPositions& dx, double t)
{
    return parallel_reduce(
               elements.size(), elements_per_task, 1, // int: the bits of vector<bool> cannot be written in parallel
               [&](std::size_t begin, std::size_t end) {
                   for (std::size_t k = begin; k < end; ++k)
                       if (!is_end_upright<Dim>(elements, k, x, dx, t))
                           return 0;
                   return 1;
               },
               [](int a, int b) { return std::min(a, b); }) == 1;
}

/// The squared area of a triangle in space along the step, less the share of it that is kept: a polynomial.
struct AreaAlongStep {
    std::array<double, 5> p;

    AreaAlongStep(const std::array<Vec3, 2>& a, const std::array<Vec3, 2>& b)
    {
        const Vec3 c_0 = a[0].cross(a[1]), c_1 = a[0].cross(b[1]) + b[0].cross(a[1]), c_2 = b[0].cross(b[1]);
        p = {
            (1 - least_kept_area * least_kept_area) * c_0.squaredNorm(), 2 * c_0.dot(c_1),
            c_1.squaredNorm() + 2 * c_0.dot(c_2), 2 * c_1.dot(c_2), c_2.squaredNorm()};
    }

    /// By Bernstein's coefficients of p(l + (r - l) s).
    [[nodiscard]] bool is_positive(double l, double r) const
    {
        constexpr double binomial[5][5]{{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
        std::array<double, 5> q{};
        for (int k = 4; k >= 0; --k) { // Horner's scheme, for polynomials in s
            for (int i = 4; i > 0; --i)
                q[i] = l * q[i] + (r - l) * q[i - 1];
            q[0] = l * q[0] + p[k];
        }
        for (int k = 0; k <= 4; ++k) {
            double coefficient = 0;
            for (int i = 0; i <= k; ++i)
                coefficient += binomial[k][i] / binomial[4][i] * q[i];
            if (!(coefficient > 0))
                return false;
        }
        return true;
    }
};

double area_kept_until(std::span<const int> triangle, const ConstPositions& x, const ConstPositions& dx)
{
    ABUT_ASSERT(triangle.size() == 3);
    std::array<Vec3, 2> a, b;
    for (int i = 0; i < 2; ++i) {
        a[i] = point<3>(x, triangle[i + 1]) - point<3>(x, triangle[0]);
        b[i] = point<3>(dx, triangle[i + 1]) - point<3>(dx, triangle[0]);
    }
    const AreaAlongStep area(a, b);
    if (!(area.p[0] > 0))
        return 1;
    return positive_until([&](double l, double r) { return area.is_positive(l, r); });
}

/// The least of what limit(k) says of each element, 1 where there is none.
template <typename Limit>
double least_limit(std::size_t num_elements, const Limit& limit)
{
    return parallel_reduce(
        num_elements, elements_per_task, 1.0,
        [&](std::size_t begin, std::size_t end) {
            double least = 1;
            for (std::size_t k = begin; k < end; ++k)
                least = std::min(least, limit(k));
            return least;
        },
        [](double a, double b) { return std::min(a, b); });
}

} // namespace

template <int Dim>
double
largest_uninverted_step(const Stencils& elements, int num_vertices, const ConstPositions& x, const ConstPositions& dx)
{
    validate_positions(x, num_vertices, Dim, "x");
    validate_positions(dx, num_vertices, Dim, "dx");
    const double reached =
        least_limit(elements.size(), [&](std::size_t k) { return positive_until<Dim>(elements, k, x, dx); });
    ABUT_ASSERT(reached > 0 && reached <= 1);
    // Rounding of the end positions can invert an element that is upright in real numbers. Halving ends: the elements
    // of x are upright, and a step that is short enough does not change x.
    double t = reached < 1 ? kept_share * reached : 1;
    while (!is_end_upright<Dim>(elements, x, dx, t))
        t /= 2;
    return t;
}

template <int Dim>
double uninverted_step_of(const Stencils& elements, std::size_t k, const ConstPositions& x, const ConstPositions& dx)
{
    const double reached = positive_until<Dim>(elements, k, x, dx);
    double t = reached < 1 ? kept_share * reached : 1;
    while (!is_end_upright<Dim>(elements, k, x, dx, t))
        t /= 2;
    return t;
}

double step_with_area_of(const Stencils& triangles, std::size_t k, const ConstPositions& x, const ConstPositions& dx)
{
    return area_kept_until(triangles[k], x, dx);
}

double
largest_step_with_area(const Stencils& triangles, int num_vertices, const ConstPositions& x, const ConstPositions& dx)
{
    validate_positions(x, num_vertices, 3, "x");
    validate_positions(dx, num_vertices, 3, "dx");
    const double reached =
        least_limit(triangles.size(), [&](std::size_t k) { return area_kept_until(triangles[k], x, dx); });
    ABUT_ASSERT(reached > 0 && reached <= 1);
    return reached;
}

template double largest_uninverted_step<2>(const Stencils&, int, const ConstPositions&, const ConstPositions&);
template double uninverted_step_of<2>(const Stencils&, std::size_t, const ConstPositions&, const ConstPositions&);
template double uninverted_step_of<3>(const Stencils&, std::size_t, const ConstPositions&, const ConstPositions&);
template double largest_uninverted_step<3>(const Stencils&, int, const ConstPositions&, const ConstPositions&);

} // namespace abut
