#pragma once
// Normal adhesion: a well that holds two surfaces together, from touching to x_a, with the strongest pull at x_p.
//
//   a(x) = a1 x² + c1        for x < x_p,     a1 = a2 (1 − x_a / x_p),  c1 = a2 (x_a − x_p)² − a1 x_p²
//   a(x) = a2 (x − x_a)²     for x_p <= x < x_a,  0 beyond
//
// a2 < 0. C1 everywhere; the second derivative jumps at x_p and x_a. The slope is 0 at 0, largest at x_p, where it is
// 2 a2 (x_p − x_a). "Augmented Incremental Potential Contact for Sticky Interactions", eq. 10.

#include "abut/contact/laws/distance_law.hpp"

#include <string_view>

namespace abut {

struct NormalAdhesion {
    static constexpr std::string_view name = "adhesion";

    double x_p; ///< where the pull is strongest, in (0, x_a)
    double x_a; ///< where it ends
    double a2;  ///< < 0

    LawTerm operator()(double x) const
    {
        if (x >= x_a)
            return {};
        if (x >= x_p)
            return {a2 * (x - x_a) * (x - x_a), 2 * a2 * (x - x_a), 2 * a2};
        const double a1 = a2 * (1 - x_a / x_p);
        const double c1 = a2 * (x_a - x_p) * (x_a - x_p) - a1 * x_p * x_p;
        return {a1 * x * x + c1, 2 * a1 * x, 2 * a1};
    }

    [[nodiscard]] double largest_slope() const { return 2 * a2 * (x_p - x_a); }

    /// For plain distances: the pull at dhat_p is the stress Y eps_c, Young's modulus times the strain at which a bond
    /// breaks (eq. 12).
    static NormalAdhesion of_distance(double dhat_p, double dhat_a, double youngs_modulus, double critical_strain)
    {
        return {dhat_p, dhat_a, youngs_modulus * critical_strain / (2 * (dhat_p - dhat_a))};
    }

    /// For squared distances less dmin², as the authors' code has it: da/dd at dhat_p is again Y eps_c. The pull then
    /// peaks farther out: for dmin = 0 and dhat_a = 2 dhat_p at 1.155 dhat_p, 2.6 % higher.
    static NormalAdhesion
    of_squared_distance(double dhat_p, double dhat_a, double youngs_modulus, double critical_strain, double dmin = 0)
    {
        const double x_p = (2 * dmin + dhat_p) * dhat_p, x_a = (2 * dmin + dhat_a) * dhat_a;
        return {x_p, x_a, youngs_modulus * critical_strain / (4 * (dhat_p + dmin) * (x_p - x_a))};
    }
};

/// What a bond is made of; where it ends is the range's dhat.
struct AdhesionParameters {
    double dhat_p;          ///< distance of the strongest pull, beyond dmin [m], in (0, dhat)
    double youngs_modulus;  ///< Y [Pa], > 0
    double critical_strain; ///< eps_c, > 0
};

/// The adhesion of the distance √D − dmin, with its derivatives by D, for make_normal_law.
struct AdhesionOnDistance {
    AdhesionParameters parameters;

    static constexpr DistanceKind distance_kind = DistanceKind::plain;
    [[nodiscard]] std::string name() const { return std::string(NormalAdhesion::name) + " of the distance"; }
    [[nodiscard]] double unit(const ContactRange& range) const { return range.dhat * range.dhat; }

    LawTerm operator()(double squared_distance, const ContactRange& range) const
    {
        const auto& [dhat_p, Y, eps_c] = parameters;
        const NormalAdhesion law = NormalAdhesion::of_distance(dhat_p, range.dhat, Y, eps_c);
        const double d = std::sqrt(squared_distance);
        return by_squared_distance(law(d - range.dmin), d);
    }
};

/// The adhesion of the squared distance D − dmin².
struct AdhesionOnSquaredDistance {
    AdhesionParameters parameters;

    static constexpr DistanceKind distance_kind = DistanceKind::squared;
    [[nodiscard]] std::string name() const { return std::string(NormalAdhesion::name) + " of the squared distance"; }
    [[nodiscard]] double unit(const ContactRange& range) const
    {
        const double extent = (2 * range.dmin + range.dhat) * range.dhat;
        return extent * extent;
    }

    LawTerm operator()(double squared_distance, const ContactRange& range) const
    {
        const auto& [dhat_p, Y, eps_c] = parameters;
        const NormalAdhesion law = NormalAdhesion::of_squared_distance(dhat_p, range.dhat, Y, eps_c, range.dmin);
        return law(squared_distance - range.dmin * range.dmin);
    }
};

} // namespace abut
