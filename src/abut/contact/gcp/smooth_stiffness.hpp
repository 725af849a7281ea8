#pragma once
// How stiff a geometric contact potential should be: a suggestion that says why.

#include "abut/contact/gcp/smooth_contact_parameters.hpp"
#include "abut/contact/stiffness.hpp"

namespace abut {

struct SmoothStiffnessOptions {
    SmoothContactParameters params;
    int dim;                   ///< 2 or 3
    double feature_length;     ///< L: typical edge length of the surfaces [m], > 0; not used where params have one L
    double mass;               ///< of a typical vertex in contact [kg], > 0
    double dt;                 ///< time step [s], > 0; infinite for a static problem
    double youngs_modulus = 0; ///< of the softer body in contact [Pa], >= 0; 0: rigid or none
    double edge_length = 0;    ///< typical, of the elements behind the surface [m], > 0 where youngs_modulus is
    double gap = 0.5;          ///< where a pair should be as stiff as what presses on it, as a share of dhat, in (0, 1)
};

/// The same as suggest_stiffness() for GCP. A pair whose elements have edges of length L weighs W = L⁴, in the plane
/// L²; at half of its extent dhat a pair of stiffness 1 has the curvature W p'' = W (2/dhat)^r (r + 1)(r + 6) / dhat².
/// Adaptive extents are smaller, and make pairs stiffer at half of theirs.
[[nodiscard]] StiffnessSuggestion suggest_smooth_stiffness(const SmoothStiffnessOptions& options);

} // namespace abut
