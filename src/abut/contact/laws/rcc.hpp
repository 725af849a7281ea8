#pragma once
// The intensity of a bond, from 0, none, to 1, whole, as it changes in time: the model of Raous, Cangemi and Cocou in
// the linear form of "Augmented Incremental Potential Contact for Sticky Interactions", section 3.2.
//
//   beta   intensity                          d   gap [m]                  s   sliding since the bond was made [m]
//   p      pressure across [Pa], < 0 a pull    C_N, C_T, eta, W, r, p_0     as below
//
//   pulled,  p < 0:   beta' = min(W − (C_N d² + C_T s²) beta, 0) / eta                               (eq. 8)
//   pressed, p > 0:   beta' = r max(p − p_0 beta, 0) + min(W − C_T s² beta, 0) / eta                 (eq. 9)
//
// Over a time step p, d and s are taken as fixed, as in the paper. Then the right side is piecewise linear in beta and
// falls with it, and evolved_intensity() is its exact solution. The paper takes one explicit step instead (eq. 7),
// whose beta jumps past its limit, to be cut off at 0, as soon as (C_N d² + C_T s²) dt > eta; both agree for short
// steps.

#include <algorithm>
#include <cmath>

namespace abut {

struct RccParameters {
    double c_n = 0; ///< C_N, stiffness of a whole bond across, per area [Pa/m], >= 0; 0: there are no bonds
    double c_t = 0; ///< C_T, along [Pa/m], >= 0
    double eta = 1; ///< viscosity of letting go [Pa s m], > 0
    double w = 1;   ///< W, energy per area up to which a whole bond stays whole [J/m²], > 0
    double r = 0;   ///< rate of bonding [1/(Pa s)], >= 0
    double p_0 = 1; ///< pressure that makes a whole bond [Pa], > 0

    /// How far a whole bond stretches, across and along, before it begins to let go [m].
    [[nodiscard]] double stretch() const { return std::sqrt(w / c_n); }
    [[nodiscard]] double slip() const { return std::sqrt(w / c_t); }

    bool operator==(const RccParameters&) const = default;
};

/// The intensity of a bond after `time` [s], from beta in [0, 1].
inline double
evolved_intensity(const RccParameters& bond, double beta, double gap, double slip, double pressure, double time)
{
    // beta' = up max(a − beta, 0) − down max(beta − b, 0)
    const bool is_pressed = pressure > 0;
    const double stored = (is_pressed ? 0 : bond.c_n * gap * gap) + bond.c_t * slip * slip; // of a whole bond, twice
    const double down = stored / bond.eta, b = down > 0 ? bond.w / stored : INFINITY;
    const double up = is_pressed ? bond.r * bond.p_0 : 0, a = up > 0 ? pressure / bond.p_0 : -INFINITY;
    const auto towards = [](double from, double limit, double rate, double for_time) {
        return limit + (from - limit) * std::exp(-rate * for_time);
    };
    const auto settled = [&] {
        if (!(b < a)) // each of the two acts by itself, or none
            return beta < a ? towards(beta, a, up, time) : beta > b ? towards(beta, b, down, time) : beta;
        // Between b and a both act, which beta reaches and does not leave.
        const double both = up + down, limit = (up * a + down * b) / both;
        if (beta < b) {
            const double until = std::log((a - beta) / (a - b)) / up;
            return until < time ? towards(b, limit, both, time - until) : towards(beta, a, up, time);
        }
        if (beta > a) {
            const double until = std::log((beta - b) / (a - b)) / down;
            return until < time ? towards(a, limit, both, time - until) : towards(beta, b, down, time);
        }
        return towards(beta, limit, both, time);
    };
    return std::clamp(settled(), 0.0, 1.0);
}

} // namespace abut
