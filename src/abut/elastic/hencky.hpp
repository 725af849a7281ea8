#pragma once
// Hencky's energy: quadratic in logarithmic strain; and the same of materials that flow.
//
// Notation: e_i = ln sigma_i the principal logarithmic strains, e their sum, d_i = e_i - e / 3 their deviator, K =
// lambda
// + 2/3 mu. The energy density and Kirchhoff's stresses are
//
//   phi = K/2 e² + mu |d|²,   tau_i = dphi / de_i = K e + 2 mu d_i,
//
// infinite where a stretch is not positive. Hencky, "Über die Form des Elastizitätsgesetzes bei ideal elastischen
// Stoffen", 1928. With the lambda of plane stress two stretches are exactly those of a sheet that is free across.
//
// **Flow.** Of a deformation F the part F_e = F F_p⁻¹ is elastic. F_p stays within a step; sigma are the stretches of
// this trial F_e. Von Mises' stress of it is q = 2 mu √(3/2) |d|, its stiffness against flow k = 3 mu, and
// plasticity.hpp gives the equivalent plastic strain da of the step. Flow goes along d, which is what makes the energy
// least among all flows without change of volume, since isotropy leaves the principal directions alone (Ortiz, Stainier
// 1999, section 5):
//
//   phi  = K/2 e² + mu |d|² - max(f, 0) da / 2
//   tau_i = K e + 2 m d_i,                        m = mu (1 - 3 mu da / q)
//   dtau_i / de_j = K - 2/3 m + 2 m delta_ij - 36 mu⁴ Y / ((3 mu + slope) q³) d_i d_j
//
// with the last term only where it flows. This is the consistent tangent of Simo, "Algorithms for static and dynamic
// multiplicative plasticity", 1992. F_p after the step is exp(da N) F_p in the principal frame, N_i = √(3/2) d_i / |d|,
// whose determinant is 1 as N has no trace.
//
// **Across two directions** (see isotropic.hpp), with D = (sigma_i - sigma_j) / (sigma_i + sigma_j), since
// tau_i - tau_j = 2 m (e_i - e_j) and e_i - e_j = 2 artanh D:
//
//   flip_ij  = (2 m artanh(D) / D - (tau_i + tau_j) / 2) / (sigma_i sigma_j)
//   twist_ij = ((tau_i + tau_j) / 2 - m (e_i - e_j) D) / (sigma_i sigma_j)

#include "abut/elastic/isotropic.hpp"

namespace abut {

/// phi of an elastic material; what stretch_energy() does for ElasticModel::hencky.
template <int D>
void hencky_energy(const LameLanes& lame, const Lanes (&sigma)[D], Order order, StretchTerm<D>& phi);

/// What a material that flows is where a step starts, one per lane.
struct FlowLanes {
    Lanes yield; ///< [Pa]
    Lanes slope; ///< [Pa]
    Lanes third; ///< of two stretches: the elastic logarithmic strain across their plane, which stays within a step
};

/// The same of one that flows. sigma are those of the trial F_e. Stays above the elastic energy after the step by what
/// flow takes; the energy of hardening counts from where the step starts.
template <int D>
void flow_energy(
    const LameLanes& lame, const FlowLanes& flow, const Lanes (&sigma)[D], Order order, StretchTerm<D>& phi);

/// Plastic strain of a step, one per lane.
template <int D>
struct FlowTerm {
    Lanes equivalent;   ///< da
    Lanes principal[D]; ///< da N_i
    Lanes stress;       ///< q [Pa]
    Lanes volumetric;   ///< K/2 e² [J/m³]
};

template <int D>
FlowTerm<D> flow_of(const LameLanes& lame, const FlowLanes& flow, const Lanes (&sigma)[D]);

} // namespace abut
