#pragma once
// The scalar functions that GCP is made of, each with its first two derivatives.
// Huang et al., "Geometric Contact Potential", 2025, 5.1.2, 5.1.3 and appendices A and C.

#include "abut/contact/laws/law_term.hpp"

#include <cmath>

namespace abut::gcp {

/// Cubic B-spline on [-2, 2], C2.
inline LawTerm cubic_spline(double v)
{
    const double sign = v < 0 ? -1 : 1, a = std::abs(v);
    if (a >= 2)
        return {0, 0, 0};
    if (a >= 1) {
        const double rest = 2 - a;
        return {rest * rest * rest / 6, -sign * rest * rest / 2, rest};
    }
    return {2.0 / 3 + a * a * (a / 2 - 1), sign * a * (1.5 * a - 2), 3 * a - 2};
}

/// A step from 0 at z <= -alpha to 1 at z >= beta, C2: the integral of a B-spline of degree two.
/// The paper prints H(z / alpha) for beta = 0; as H rises on [-3, 0], that is meant as H(3 z / alpha).
inline LawTerm smooth_step(double z, double alpha, double beta)
{
    const double slope = 3 / (alpha + beta), t = slope * (z - beta);
    if (t <= -3)
        return {0, 0, 0};
    if (t >= 0)
        return {1, 0, 0};
    LawTerm H{};
    if (t <= -2)
        H = {(3 + t) * (3 + t) * (3 + t) / 6, (3 + t) * (3 + t) / 2, 3 + t};
    else if (t <= -1)
        H = {(3 - t * (9 + t * (9 + 2 * t))) / 6, -(3 + t * (6 + 2 * t)) / 2, -3 - 2 * t};
    else
        H = {1 + t * t * t / 6, t * t / 2, t};
    return {H.value, slope * H.first, slope * slope * H.second};
}

/// A bump of width alpha and integral 1, C2.
inline LawTerm smooth_delta(double z, double alpha)
{
    const double scale = 2 / alpha;
    const LawTerm B = cubic_spline(scale * z);
    return {scale * B.value, scale * scale * B.first, scale * scale * scale * B.second};
}

/// h_eps: 1 at z = 0, 0 from z = eps on, C2.
inline LawTerm localization(double z, double eps)
{
    const double scale = 2 / eps;
    const LawTerm B = cubic_spline(scale * z);
    return {1.5 * B.value, 1.5 * scale * B.first, 1.5 * scale * scale * B.second};
}

/// x^r. For the exponents of space and plane, 2 and 1, without std::pow: a product is rounded correctly, too.
inline double whole_power(double x, int r) { return r == 2 ? x * x : r == 1 ? x : std::pow(x, r); }

/// The barrier p_eps(z) = h_eps(z) / z^r: infinite at contact, 0 from eps on [1/m^r].
inline LawTerm spline_barrier(double z, double eps, int r)
{
    const LawTerm h = localization(z, eps);
    const double inverse = 1 / z, power = whole_power(inverse, r);
    return {
        h.value * power, power * (h.first - r * inverse * h.value),
        power * (h.second - 2 * r * inverse * h.first + r * (r + 1) * inverse * inverse * h.value)};
}

/// 0 for x <= 0, x (2 - x), then 1 for x >= 1: C1 for x > 0, and of slope 2 at 0.
inline LawTerm rise(double x)
{
    if (x <= 0)
        return {0, 0, 0};
    if (x >= 1)
        return {1, 0, 0};
    return {x * (2 - x), 2 - 2 * x, -2};
}

/// c of the closest-point mollifiers: they act where a closest point is within this share of its distance, roughly, of
/// the border of its element.
inline constexpr double mollifier_width = 0.01;

} // namespace abut::gcp
