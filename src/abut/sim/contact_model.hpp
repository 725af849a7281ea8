#pragma once
// Models of contact: each a named choice of pairs, law, Hessian, guard, stiffness and defaults, in a file of its own
// that fits on a screen (contact_ipc.cpp and those beside it). A model of one's own is one file and one line in
// contact_models().

#include "abut/base/registry.hpp"
#include "abut/contact/stiffness.hpp"
#include "abut/sim/contact_energy.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// Measures of the bodies that can move, from which parameters follow.
struct BodyMeasures {
    double extent = 0;                     ///< as in ModelParameters [m]
    double spread = 0;                     ///< as in ModelParameters [m]
    double finest_edge = INFINITY;         ///< mean edge of the surface with the shortest edges [m]
    double surface = 0;                    ///< area, in the plane length
    int surface_vertices = 0;              ///< of all surfaces together
    double edges_length = 0;               ///< of all edges of surfaces [m]
    Eigen::Index num_edges = 0;            ///< of these
    double hardest_modulus = 0;            ///< of the material that presses hardest: modulus times length [Pa]
    double hardest_length = 0;             ///< [m]
    std::vector<double> elasticities = {}; ///< as in ModelParameters
};

/// What keeps steps safe.
enum class GuardKind : std::uint8_t {
    ccd,    ///< one scale from continuous collision detection
    bounds, ///< one bound per vertex, around frozen pairs
};

struct ContactModel {
    /// One sentence, for help texts and pages.
    std::string summary;
    /// Pairs are found up to this many dhat beyond dmin, >= 1.
    double reach = 1;
    GuardKind guard = GuardKind::ccd;
    /// Of adhesion over its pairs, and of the barrier where that has a choice.
    HessianMode hessian_mode = HessianMode::exact;
    /// What SceneContact::law may name; where it is empty the model has its own.
    std::vector<std::string> laws = {};
    /// Does the scene choose SceneContact::hessian and hessian_filter?
    bool has_hessians = false;
    /// Can pairs be kept farther apart than 0? If not, nothing has a thickness.
    bool keeps_distance = true;
    /// CollisionMeshOptions::use_curve_vertices, which barriers need that fade where edges are parallel.
    bool pairs_curve_vertices = true;
    /// Where a file does not say: weigh pairs by area?
    bool weights_by_area = false;
    /// Of shells that leave it open. Where the barrier does not keep the triangles of a sheet from collapsing within
    /// their plane, their elasticity has to: neo_hookean.
    ElasticModel shell_model = ElasticModel::fixed_corotated;

    /// The barrier, at the stiffness that was chosen.
    std::function<std::variant<BarrierContactOptions, SmoothContactOptions>(const Model&)> energy;
    /// The stiffness where the scene gives none, with its reason.
    std::function<StiffnessSuggestion(const Model&, const BodyMeasures&, double dhat)> suggest_stiffness;
    /// Throws InvalidInput for what it cannot do; may be left out.
    std::function<void(const Scene&)> check = {};
    /// Adds choices and warnings that need the surface; may be left out.
    std::function<void(Model&)> explain = {};
    /// What else a failed step should say, where `nearest` is the smallest distance of any two elements [m] and
    /// `pressed` that of pairs with a barrier; may be left out.
    std::function<std::string(const Model&, double nearest, double pressed)> explain_failure = {};
};

/// By their names in scenes; "ipc" is the first.
[[nodiscard]] Registry<ContactModel>& contact_models();

/// A model of a barrier over a set of collisions.
struct BarrierModel {
    std::string summary;
    CollisionSetType set_type = CollisionSetType::ipc;
    std::string law = "clamped_log";
    std::vector<std::string> laws = {}; ///< that a scene may choose instead, of the same kind of distance
    DistanceKind distance = DistanceKind::squared;
    HessianMode hessian_mode = HessianMode::exact;
    bool has_hessians = false;
    double reach = 1;
    GuardKind guard = GuardKind::ccd;
    bool weights_by_area = false;
};
[[nodiscard]] ContactModel barrier_model(const BarrierModel& options);

/// Those of IPC and its kin.
inline const std::vector<std::string> logarithms{"clamped_log", "clamped_log_squared"};

// The models of Abut, one file each.
[[nodiscard]] ContactModel ipc_model();
[[nodiscard]] ContactModel convergent_ipc_model();
[[nodiscard]] ContactModel ogc_model();
[[nodiscard]] ContactModel gipc_model();
[[nodiscard]] ContactModel gcp_model();

} // namespace abut
