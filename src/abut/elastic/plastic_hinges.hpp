#pragma once
// Hinges of thin sheets that stay bent.
//
// Notation: that of hinge_bending.hpp. A hinge carries the moment M = |e| m, where m is that of the plate per length,
// which is bent to the curvature kappa = |e| theta / A. Where all of a section of thickness h has yielded at the stress
// Y
//
//   m = Y h² / 4,
//
// which is one and a half times the moment at which its surface begins to. It yields there all at once: the way between
// the two moments is not resolved. The factor 2/√3 of von Mises for plates so wide that they cannot narrow is left out.
// Beyond, hardening and viscosity act on the second moment of the section, as E does in the plate's stiffness: by the
// angle |e|² / A h³ / 12 times them. What has flowed is measured by the strain at the surface, h / 2 kappa.

#include "abut/elastic/hinge_bending.hpp"

namespace abut {

/// One term per hinge. States have the angle by which each is bent for good.
class PlasticHinges {
public:
    /// `thickness` and `materials` have one entry per hinge.
    PlasticHinges(
        HingeBending hinges, const ConstPositions& rest_positions, const std::vector<double>& thickness,
        const std::vector<Plasticity>& materials);

    [[nodiscard]] const Stencils& stencils() const { return hinges_.stencils(); }
    [[nodiscard]] std::size_t size() const { return stencils().size(); }

    [[nodiscard]] PlasticState initial() const;
    /// From here a step of dt starts. With `can_flow` false hinges are elastic about what has flowed.
    void begin_step(const PlasticState& state, double dt, bool can_flow = true);
    void evaluate(const ConstPositions& x, const TermOutput& out) const { hinges_.evaluate(x, out); }
    /// After a step to x.
    [[nodiscard]] PlasticState flowed(const ConstPositions& x) const;
    /// Over all hinges, at x.
    [[nodiscard]] FlowSums sums(const ConstPositions& x) const;

    /// Only these hinges, in this order, as they are now.
    [[nodiscard]] HingeBending subset(std::span<const int> terms) const { return hinges_.subset(terms); }

private:
    struct Hinge {
        double rest_angle;         // before any flow
        double strain_per_angle;   // at the surface
        FlowResistance resistance; // by the angle
    };
    [[nodiscard]] double flow_at(const ConstPositions& x, std::size_t hinge) const;

    HingeBending hinges_;
    std::vector<Hinge> flow_;
    std::vector<FlowLaw> laws_;
    PlasticState start_;
    double dt_ = 1;
};

} // namespace abut
