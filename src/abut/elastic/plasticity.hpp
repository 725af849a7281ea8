#pragma once
// How materials flow: von Mises' yield stress, linear hardening and viscosity, as one minimum per step.
//
// Notation: q a force by which something is loaded, such as von Mises' stress of a solid or the moment of a hinge, k
// its stiffness, so that an elastic change by t gives q = k t; a what has flowed so far, in the measure that q does
// work on, and da its growth during a step of dt. Y the force at which it yields for the first time, h how much harder
// it becomes per a, c its viscosity. A step minimises, besides the elastic energy (q - k da)² / (2 k),
//
//   Y da + h/2 ((a + da)² - a²) + c / (2 dt) da²,   da >= 0,
//
// Ortiz, Stainier, "The variational formulation of viscoplastic constitutive updates", 1999. What da minimises is
// known:
//
//   f = q - Y - h a,   da = max(f, 0) / (k + h + c / dt),
//
// and what is left is an energy of q alone, q² / (2 k) - max(f, 0) da / 2, whose derivatives are those of the stress
// after the return. It has one derivative more than it needs to be minimised; the second jumps where flow begins.

#include <limits>
#include <vector>

namespace abut {

/// A ductile material.
struct Plasticity {
    double yield_stress = 0; ///< in tension, von Mises [Pa], > 0
    double hardening = 0;    ///< growth of the yield stress by equivalent plastic strain [Pa], >= 0
    double viscosity = 0;    ///< stress above the yield stress by rate of that strain [Pa s], >= 0

    bool operator==(const Plasticity&) const = default;
};

/// Y, h and c of one force, in its units.
struct FlowResistance {
    double yield = std::numeric_limits<double>::infinity();
    double hardening = 0, viscosity = 0;
};

/// The law of one step, of one force.
struct FlowLaw {
    double yield = std::numeric_limits<double>::infinity(); ///< Y + h a where the step starts
    double slope = 0;                                       ///< h + c / dt

    /// da at the force q >= 0 that there would be without flow, for the stiffness k.
    [[nodiscard]] double flow(double q, double k) const { return q > yield ? (q - yield) / (k + slope) : 0; }
};

[[nodiscard]] inline FlowLaw flow_law(const FlowResistance& resistance, double a, double dt)
{
    return {resistance.yield + resistance.hardening * a, resistance.hardening + resistance.viscosity / dt};
}

/// What elements remember, whatever they are.
struct PlasticState {
    std::vector<double> deformation; ///< for good, so many numbers for each element
    std::vector<double> strain;      ///< equivalent plastic strain of each, which only grows
};

/// Where energy is, were a step to end at some positions [J].
struct FlowSums {
    double unflowed = 0; ///< what would be stored there without flow in this step: elastic, and in hardening
    double stored = 0;   ///< what is stored there
    double heat = 0;     ///< what flow has taken for good since the step began

    FlowSums& operator+=(const FlowSums& other)
    {
        unflowed += other.unflowed;
        stored += other.stored;
        heat += other.heat;
        return *this;
    }
};

/// Of one element with the elastic energy q² / (2 k) + `other` without flow, which flows by da.
[[nodiscard]] inline FlowSums
flow_sums(const FlowResistance& resistance, double q, double k, double other, double a, double da, double dt)
{
    const auto& [Y, h, c] = resistance;
    const double remaining = q - k * da;
    FlowSums sums{
        q * q / (2 * k) + other + h / 2 * a * a, remaining * remaining / (2 * k) + other + h / 2 * (a + da) * (a + da),
        0};
    if (da > 0)
        sums.heat = Y * da + c / dt * da * da;
    return sums;
}

} // namespace abut
