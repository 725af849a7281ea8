#pragma once
// How stiff a barrier should be: IPC's initial value and its adaptation, and a suggestion that says why.

#include "abut/contact/barrier_potential.hpp"

namespace abut {

struct InitialStiffnessOptions {
    double bbox_diagonal;              ///< of the scene [m], > 0
    double dhat;                       ///< [m], > 0
    double dmin = 0;                   ///< [m], >= 0
    double average_mass;               ///< of a vertex [kg], > 0
    Eigen::VectorXd energy_gradient{}; ///< of everything but the barrier [N]

    /// Of a barrier with stiffness 1, of the same size; zero where nothing is in contact.
    Eigen::VectorXd barrier_gradient{};

    std::shared_ptr<const NormalLaw> law = normal_law("clamped_log", DistanceKind::squared);
    double min_stiffness_scale = 1e11; ///< IPC's factor of the lower bound, > 0
};

struct StiffnessRange {
    double stiffness; ///< to start with
    double min, max;  ///< bounds for its adaptation
};

/// The stiffness at which the barrier's gradient balances the other forces best, in the least-squares sense, between
/// bounds: the lower one keeps the barrier's Hessian above the mass matrix's at the gap 1e-8 bbox_diagonal, the upper
/// is 100 times that. Li et al., "Incremental potential contact", 2020, supplement.
[[nodiscard]] StiffnessRange initial_barrier_stiffness(const InitialStiffnessOptions& options);

struct StiffnessUpdateOptions {
    double previous_distance;     ///< smallest distance before the step [m]
    double distance;              ///< and after it
    double stiffness;             ///< now
    double max_stiffness;         ///< never above
    double bbox_diagonal;         ///< [m]
    double dmin = 0;              ///< [m]
    double relative_limit = 1e-9; ///< gaps below this share of the diagonal count as too small
};

/// Twice the stiffness, up to its maximum, where the smallest gap is too small, was so before, and still shrinks; else
/// the stiffness.
[[nodiscard]] double update_barrier_stiffness(const StiffnessUpdateOptions& options);

struct StiffnessSuggestionOptions {
    double dhat;               ///< [m], > 0
    double dmin = 0;           ///< [m], >= 0
    double mass;               ///< of a typical vertex in contact [kg], > 0
    double dt;                 ///< time step [s], > 0; infinite for a static problem
    double youngs_modulus = 0; ///< of the softer body in contact [Pa], >= 0; 0: rigid or none
    double edge_length = 0;    ///< typical, of the mesh [m], > 0 where youngs_modulus is
    double weight = 1;         ///< typical weight of a collision: 1, or with area weighting a vertex's rest area
    bool use_physical_barrier = false;
    double gap = 0.5; ///< where the barrier should be as stiff as what presses on it, as a share of dhat, in (0, 1)

    std::shared_ptr<const NormalLaw> law = normal_law("clamped_log", DistanceKind::squared);
};

struct StiffnessSuggestion {
    double stiffness;        ///< for BarrierPotential
    double inertia;          ///< mass / dt² [N/m]
    double elasticity;       ///< youngs_modulus edge_length [N/m]
    double barrier;          ///< curvature of a barrier of stiffness 1 at the gap, along the distance
    std::string explanation; ///< a few sentences with these numbers
};

/// The stiffness at which a contact, at the given gap, is as stiff as the inertia of a vertex over a time step or the
/// elasticity of its element, whichever is more. Stiffer contacts make linear systems ill-conditioned, softer ones let
/// gaps become tiny before they carry a load.
[[nodiscard]] StiffnessSuggestion suggest_stiffness(const StiffnessSuggestionOptions& options);

} // namespace abut
