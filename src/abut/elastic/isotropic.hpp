#pragma once
// Energy densities of isotropic materials as functions of the principal stretches, with all that the Hessian by the
// deformation gradient needs.
//
// Notation: sigma_i the principal stretches, of which the smallest is negative where the element is inverted,
// e_i = sigma_i - 1, J = Π sigma_i, I = Σ sigma_i², E_i = (sigma_i² - 1) / 2 Green's strain, mu and lambda the Lamé
// parameters. A function of two stretches is that of three with sigma_3 = 1: plane strain. Sheets, which are free to
// change their thickness, take the same function with the mu and lambda of plane stress. phi_i is the derivative of
// the energy density phi by sigma_i; sigma_k is the stretch that a pair (i, j) leaves over, 1 if there are two only.
//
//   neo-Hookean         mu/2 (I - 3) - mu ln J + lambda/2 (ln J)²,  infinite for J <= 0
//   stable neo-Hookean  2/3 mu (I - 3 - ln((I + 1) / 4)) - mu (J - 1) + (lambda + 5/6 mu)/2 (J - 1)²
//   fixed corotated     mu Σ e_i² + lambda/2 (J - 1)²
//   StVK                mu Σ E_i² + lambda/2 (Σ E_i)²
//   Hencky              see hencky.hpp
//
// Fixed corotated: Stomakhin, Howes, Schroeder, Teran, "Energetically consistent invertible elasticity", 2012.
// Stable neo-Hookean: Smith, de Goes, Kim, "Stable neo-Hookean flesh simulation", 2018, Eq. 14 with their rest-stable
// alpha = 1 + mu'/lambda' - mu'/(4 lambda') and, for agreement with linear elasticity (their Section 3.4),
// mu' = 4/3 mu and lambda' = lambda + 5/6 mu. We write it with the square expanded about J = 1 and without its value at
// rest: the energy is 0 there, and nothing is divided by lambda'.
//
// Second derivatives across two principal directions (see deformation.hpp) are the divided differences
//
//   flip_ij = (phi_i - phi_j) / (sigma_i - sigma_j),   twist_ij = (phi_i + phi_j) / (sigma_i + sigma_j),
//
// written here with the division carried out, so that nothing is lost where stretches meet:
//
//   neo-Hookean         mu ∓ (lambda ln J - mu) / (sigma_i sigma_j)
//   stable neo-Hookean  4/3 mu I / (I + 1) ∓ q sigma_k,   q = (lambda + 5/6 mu) (J - 1) - mu
//   fixed corotated     2 mu - lambda (J - 1) sigma_k,    2 mu (1 - 2 / (sigma_i + sigma_j)) + lambda (J - 1) sigma_k
//   StVK                lambda Σ E + mu (sigma_i² ± sigma_i sigma_j + sigma_j² - 1)
//
// with the upper sign for flips. All values are computed from e_i instead of sigma_i, with an error of eps times the
// strain instead of eps: near the rest shape that is what a line search can still see.

#include "abut/elastic/lane_matrix.hpp"
#include "abut/elastic/material.hpp"
#include "abut/math/psd_projection.hpp"

namespace abut {

/// Where two stretches cancel (and in sheets, where one is zero) the fixed corotated energy has a kink, at which its
/// curvature goes to minus infinity as one over the distance. Smaller distances are replaced by this one, so that the
/// Hessian stays finite.
inline constexpr double smallest_stretch_sum = 1e-8;

/// An energy density of D stretches, one per lane. What was not asked for stays unset.
template <int D>
struct StretchTerm {
    static constexpr int num_pairs = D * (D - 1) / 2;

    Lanes value;
    Lanes first[D];                     ///< phi_i
    SymmetricLanes<D> second;           ///< phi_ij
    Lanes flip[num_pairs];              ///< of the pairs in the order of pair_corners
    Lanes twist[num_pairs];             ///< likewise
    Lanes out_of_plane[D == 2 ? 2 : 1]; ///< phi_i / sigma_i, for sheets in space; only with D = 2 and not of
                                        ///< stable_neo_hookean
};

/// The stretches i, j of pair k: in space the two other than k; in the plane there is one pair.
template <int D>
struct PairCorners {
    int i, j;
    constexpr explicit PairCorners(int k) : i(D == 2 ? 0 : (k + 1) % 3), j(D == 2 ? 1 : (k + 2) % 3) {}
};

/// mu and lambda, one per lane.
struct LameLanes {
    Lanes mu, lambda;
};

/// phi and, up to `order`, its derivatives. In lanes where the value is infinite the derivatives are not defined.
template <int D>
void stretch_energy(
    ElasticModel model, const LameLanes& lame, const Lanes (&sigma)[D], Order order, StretchTerm<D>& phi);

} // namespace abut
