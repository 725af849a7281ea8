#pragma once
// What is simulated, as plain data: bodies, scripts, contact, time. Built by hand or read from a file; a Simulation is
// made from it.

#include "abut/contact/friction/friction_coefficients.hpp"
#include "abut/contact/gcp/smooth_contact_parameters.hpp"
#include "abut/contact/gipc/hessian_mode.hpp"
#include "abut/contact/normal_collisions.hpp"
#include "abut/elastic/material.hpp"
#include "abut/elastic/plasticity.hpp"
#include "abut/elastic/rod_section.hpp"
#include "abut/mesh/mesh_data.hpp"

#include <array>
#include <optional>
#include <string>

namespace abut {

enum class ObjectKind : std::uint8_t {
    solid,    ///< tetrahedra
    shell,    ///< triangles in space that stretch and bend
    planar,   ///< triangles in the plane (2D), plane strain
    rod,      ///< edges in space that stretch, bend and twist
    points,   ///< vertices without elements
    obstacle, ///< a surface or curve that moves by script or not at all
};
/// "solid", "shell" and so on, as in scenes.
[[nodiscard]] std::string_view to_string(ObjectKind kind);

/// How far a shell can be stretched; see strain_limit.hpp.
struct SceneStrainLimit {
    double stretch = 1.1;              ///< that no triangle reaches, > from
    double from = 1;                   ///< from which on it is resisted, >= 1
    std::optional<double> stiffness{}; ///< [Pa], > 0; the modulus of the sheet where left out
};

/// How shells of baraff_witkin are woven; see woven_elasticity.hpp. What is left out follows from the moduli of the
/// object, as of an isotropic sheet.
struct SceneWeave {
    std::optional<double> warp{};        ///< [Pa], > 0; youngs_modulus where left out
    std::optional<double> weft{};        ///< [Pa], > 0; youngs_modulus where left out
    std::optional<double> shear{};       ///< [Pa], >= 0; youngs_modulus / (2 (1 + poisson_ratio)) where left out
    Vec3 warp_direction = Vec3::UnitX(); ///< in the rest shape, of any length but 0
};

/// What rods are besides their moduli; see rod_elasticity.hpp.
struct SceneRod {
    RodSection section{1e-3, 1e-3};        ///< half axes [m], > 0
    std::optional<double> shear_modulus{}; ///< [Pa], > 0; youngs_modulus / (2 (1 + poisson_ratio)) where left out
    bool is_straight = false;              ///< at rest, and without twist; else curved as the mesh is
    double rest_twist = 0;                 ///< at rest, more than that [rad/m]
    /// Where the first half axis points, at the first edge of each rod; the part across the edge counts. Zero: chosen.
    Vec3 axis = Vec3::Zero();
};

/// What friction and adhesion ask of a surface.
struct SurfaceMaterial {
    std::string name{};           ///< by which SceneContact::pairs call it; several surfaces may share it, empty: none
    std::optional<double> mu{};   ///< friction, blended with that of the other side, >= 0
    std::optional<double> mu_k{}; ///< kinetic, if other than mu, >= 0

    bool operator==(const SurfaceMaterial&) const = default;
};

/// What presses from inside on a closed shell, or on the hollows of a solid, each by itself.
struct ScenePressure {
    double value = 0;        ///< above what is outside, of gas at the start [Pa]; negative: it sucks
    bool is_gas = false;     ///< does it follow p V = const? Otherwise it stays as it is.
    double ambient = 101325; ///< of gas: absolute pressure outside [Pa], > 0
};

/// Rayleigh's damping: forces −(mass M + stiffness K) v.
struct SceneDamping {
    double mass = 0;      ///< [1/s], >= 0
    double stiffness = 0; ///< [s], >= 0
};

/// Air that resists.
struct SceneDrag {
    double coefficient = 1;   ///< of drag, for a flow across the surface, >= 0
    double density = 1.2;     ///< of the air [kg/m³], > 0
    Vec3 wind = Vec3::Zero(); ///< velocity of the air [m/s]
};

struct SceneObject {
    std::string name;
    ObjectKind kind = ObjectKind::solid;
    MeshData mesh; ///< at rest, where it starts [m]

    // Material; obstacles have none.
    /// Where left out: neo_hookean, with plasticity hencky, of a shell ContactModel::shell_model. Shells take any but
    /// stable_neo_hookean, and they alone baraff_witkin.
    std::optional<ElasticModel> model{};
    double youngs_modulus = 1e5; ///< [Pa], > 0
    /// Where it yields. Solids and planar bodies flow, and have the model hencky then; shells and rods yield in
    /// bending.
    std::optional<Plasticity> plasticity{};
    double poisson_ratio = 0.4; ///< in (-1, 0.5)
    double density = 1000;      ///< [kg/m³], > 0
    double thickness = 1e-3;    ///< of shells; of planar bodies across the plane [m], > 0
    bool has_bending = true;    ///< of shells
    double point_mass = 1e-3;   ///< of points [kg], > 0
    SurfaceMaterial surface{};  ///< of obstacles too
    /// By which SceneContact::ignore calls it; several objects may share it. Empty: it collides with everything.
    std::string contact_group{};
    /// Contact keeps surfaces apart that stand off from its elements by half of this [m], >= 0; where left out 0, of
    /// rods twice the radius.
    std::optional<double> contact_thickness{};

    // Of shells alone
    std::optional<SceneStrainLimit> strain_limit{};
    SceneWeave
        weave{}; ///< where the model is baraff_witkin; youngs_modulus and poisson_ratio are then those of bending

    SceneRod rod{}; ///< of rods alone

    std::string preset{}; ///< that a file names; its numbers are above

    [[nodiscard]] bool is_woven() const { return model == ElasticModel::baraff_witkin; }
    /// How stiff it is in its stiffest direction [Pa].
    [[nodiscard]] double stiffest_modulus() const;

    Vec3 velocity = Vec3::Zero(); ///< at the start [m/s]
    /// At the start, about the centre of mass, added to the velocity [rad/s]; in the plane its z counts, the rest is 0.
    Vec3 angular_velocity = Vec3::Zero();

    // Loads; obstacles have none.
    double gravity_scale = 1;                ///< factor on the scene's gravity; 0: weightless, negative: rises
    Vec3 force = Vec3::Zero();               ///< on the whole of it, spread over its vertices by mass [N]
    std::optional<ScenePressure> pressure{}; ///< of shells and solids
    SceneDamping damping{};
    std::optional<SceneDrag> drag{}; ///< of solids, shells and planar bodies

    /// Are there vertices outside of all elements, or in space edges that are no part of faces? Contact sees them as
    /// loose points and loose edges.
    [[nodiscard]] bool has_loose_parts() const;
};

/// Where a script wants its vertices at a time, as a motion from their start; between keyframes it is interpolated, and
/// beyond the first and last it stays.
struct Keyframe {
    double time = 0;                 ///< [s]
    Vec3 translation = Vec3::Zero(); ///< [m]
    double angle = 0;                ///< about the script's axis [rad]
};

/// Vertices of an object that are held, or moved along a given way.
struct VertexScript {
    int object = 0;
    std::vector<int> vertices{};       ///< of the object; empty: all
    Vec3 velocity = Vec3::Zero();      ///< translation [m/s]
    Vec3 axis = Vec3::UnitY();         ///< of a rotation
    Vec3 centre = Vec3::Zero();        ///< of a rotation, at the start; it is translated too [m]
    double angular_velocity = 0;       ///< [rad/s], by the right-hand rule
    std::vector<Keyframe> keyframes{}; ///< by rising time; added to the motions above
    double release_time = INFINITY;    ///< from then on the vertices are free [s]
    /// Of rods: are the frames of edges held too, whose two vertices it has? Where left out they are; true besides
    /// demands that there are some.
    std::optional<bool> holds_frames{};
    std::string source{}; ///< where a file has it, for messages; "scripts[k]" where left out

    [[nodiscard]] bool is_moving() const
    {
        return velocity != Vec3::Zero() || angular_velocity != 0 || !keyframes.empty();
    }
    /// By which angle it has turned at time t [rad], about its axis.
    [[nodiscard]] double angle(double t) const;
    /// Where a vertex that starts at x0 should be at time t.
    [[nodiscard]] Vec3 position(const Vec3& x0, double t) const;
};

/// Springs between vertices of two objects, or of one. Contacts between the elements at their two ends are left out.
struct SceneStitches {
    int object = 0, other = 0;
    std::vector<std::pair<int, int>> vertices{}; ///< of the one and the other
    double stiffness = 0;                        ///< of each spring [N/m], > 0
    double rest_length = 0;                      ///< [m], >= 0
    std::string source{};                        ///< where a file has them, for messages; "stitches[k]" if left out
};

/// L at the sharp features of the surface; see sharp_features().
struct SceneSharpLength {
    double length = 0;             ///< [m], > 0
    std::optional<double> angle{}; ///< by which the surface turns there, in (0, pi); default_sharp_angle where left out
};

/// What the model "gcp" is told; see SmoothContactParameters.
struct SceneSmoothContact {
    SmoothContactVariant variant = SmoothContactVariant::paper;
    double alpha_t = 0.5, beta_t = 0;        ///< supports of the local minimum test
    double alpha_n = 0.1, beta_n = 0;        ///< supports of the exterior test
    int exponent = 0;                        ///< of the barrier; 0: the dimension less one
    std::optional<bool> use_exterior_test{}; ///< yes, with the toolkit's formulas no, where left out
    /// Smaller extents where elements are close at the start: the start is then free of contact forces.
    bool use_adaptive_dhat = true;
    double adaptive_dhat_ratio = 0.5; ///< at most this share of the distance at the start, in (0, 1)
    /// L: the width that edges and vertices stand for, the same everywhere [m], > 0; the lengths of edges where left
    /// out.
    std::optional<double> feature_length{};
    std::optional<SceneSharpLength> sharp_length{}; ///< L at sharp features, where it is another one
};

/// How friction resists.
enum class FrictionModel : std::uint8_t {
    smoothed, ///< by speed: what should stick creeps
    anchored, ///< by springs from anchors that contacts remember: what should stick does
};

/// Bonds whose intensity changes in time: RccParameters, those left out chosen from c_n and w.
struct SceneRcc {
    std::optional<double> c_n{}, c_t{}; ///< [Pa/m], >= 0
    std::optional<double> eta{};        ///< [Pa s m], > 0
    std::optional<double> w{};          ///< [J/m²], > 0
    std::optional<double> r{};          ///< [1/(Pa s)], >= 0
    std::optional<double> p_0{};        ///< [Pa], > 0
};

/// How surfaces stick.
enum class AdhesionModel : std::uint8_t {
    variational, ///< by their distance alone
    rcc,         ///< by bonds that contacts remember, of an intensity that changes in time
};

/// Surfaces that stick.
struct SceneAdhesion {
    std::optional<double> strength{};       ///< the largest pull [Pa], > 0, in place of critical_strain
    double critical_strain = 0.1;           ///< at which the material lets go, > 0
    std::optional<double> youngs_modulus{}; ///< [Pa]; that of the softest body where left out
    std::optional<double> dhat_p{};         ///< distance of the strongest pull [m]; dhat where left out
    std::optional<double> dhat_a{};         ///< distance at which bonds end [m]; 2 dhat_p where left out
    bool of_squared_distance = false;       ///< does the law see squared distances?
    double mu_a = 0;                        ///< of tangential adhesion, >= 0
    std::optional<double> eps_a{};          ///< [m/s]; eps_v where left out
    AdhesionModel model = AdhesionModel::variational;
    SceneRcc rcc{};       ///< of the model rcc, in place of all above but dhat_a; c_n and w are needed
    double intensity = 0; ///< of the model rcc: that of bonds of all that is within reach at the start, in [0, 1]
};

/// What two materials do where they meet, in place of what holds for all.
struct ScenePair {
    std::array<std::string, 2> materials; ///< the same one twice is allowed
    /// >= 0
    struct Friction {
        double mu = 0;
        std::optional<double> mu_k{};
    };
    /// Those of SceneContact::adhesion, or the defaults, where left out.
    struct Adhesion {
        std::optional<double> critical_strain{}; ///< >= 0; 0: these two do not stick
        std::optional<double> youngs_modulus{};  ///< [Pa], > 0; that of the softer of the two where left out
        std::optional<double> strength{};        ///< the largest pull [Pa], >= 0, in place of these two
        std::optional<double> mu_a{};            ///< >= 0
        SceneRcc rcc{};                          ///< in place of all above, with the model rcc
    };
    std::optional<Friction> friction{};
    std::optional<Adhesion> adhesion{};
};

struct SceneContact {
    std::string model = "ipc"; ///< one of contact_models(), or "none"
    bool use_area_weighting = false;
    std::optional<double> dhat{};      ///< [m]; chosen from the scene where left out
    double dmin = 0;                   ///< [m]; 0 with gcp
    std::optional<double> stiffness{}; ///< chosen from masses, time step and material where left out, and adapted
    /// Those of the model where left out.
    std::optional<std::string> law{};       ///< one of ContactModel::laws
    std::optional<HessianMode> hessian{};   ///< which second derivatives Newton sees
    std::optional<double> hessian_filter{}; ///< of analytic ones: BarrierPotentialOptions::hessian_filter
    double mu = 0;                          ///< friction, of pairs and sides that say nothing else
    std::optional<double> mu_k{};           ///< kinetic coefficient, if other than mu
    std::optional<double> eps_v{};          ///< [m/s]; chosen from the scene where left out
    FrictionModel friction_model = FrictionModel::smoothed;
    std::optional<double> slip{};      ///< of anchored friction: elastic slip before sliding [m]; chosen where left out
    BlendRule blend = BlendRule::mean; ///< how the SurfaceMaterial::mu of two sides become one
    std::optional<SceneAdhesion> adhesion{};
    std::vector<ScenePair> pairs{};
    /// Pairs of contact groups that do not collide; one with itself: neither its bodies with each other, nor with
    /// themselves.
    std::vector<std::array<std::string, 2>> ignore{};
    SceneSmoothContact gcp{}; ///< of the model "gcp"

    [[nodiscard]] bool is_enabled() const { return model != "none"; }
};

struct SceneTime {
    double dt = 0.01;                          ///< [s], > 0
    int steps = 100;                           ///< >= 0
    std::string integrator = "implicit_euler"; ///< one of integrators()

    /// Is a step that does not converge, or in which bodies would move too far, taken as several smaller ones?
    bool is_adaptive = false;
    int max_substeps = 64;              ///< of one step, >= 2; powers of two are used
    std::optional<double> max_motion{}; ///< in one of them, as predicted [m], > 0; half the extent where left out
};

/// How the speed of Newton's step is measured, which ends a solve where it is small.
enum class ConvergenceNorm : std::uint8_t {
    largest,          ///< of any vertex [m/s]
    root_mean_square, ///< over free vertices [m/s]
    relative,         ///< of any vertex, in extents of the bodies a second
};

struct SceneSolver {
    std::string method = "newton"; ///< "newton", or "vbd" for vertex block descent
    /// Of block descent: exactly so many sweeps per solve, >= 1.
    std::optional<int> iterations{};
    /// Of block descent: a solve ends where forces are down to this share of what they were, > 0 and < 1.
    std::optional<double> residual{};
    /// Of block descent: each vertex goes so many times as far as its own minimum, >= 1 and < 2.
    std::optional<double> relaxation{};
    /// A step is solved where Newton's step, over dt, is slower than this, in the unit of the norm; chosen from the
    /// scene where left out.
    std::optional<double> tolerance{};
    ConvergenceNorm norm = ConvergenceNorm::largest;
    int max_iterations = 1000;
    double max_seconds = INFINITY; ///< of one step
    int friction_iterations = 1;   ///< how often friction is lagged anew within a step, >= 1
    /// A step is lagged anew, so often at most, until what is lagged changes forces by this share at most; each time
    /// where left out.
    std::optional<double> friction_tolerance{};
    int max_blocked_steps = 100; ///< so many steps in a row may a script be held back, >= 1
    /// Where Newton's method converges slowly, use less of the projection that makes Hessians positive definite.
    bool mix_hessians = true;
    std::string linear = "auto"; ///< how linear systems are solved: one of linear_solvers()
    /// Of conjugate gradients: "auto", "block_jacobi", "incomplete_cholesky", "schwarz" or "contact".
    std::string preconditioner = "auto";
    /// Where iterative methods end, as a share of the right side, > 0 and < 1; where left out, so that Newton's method
    /// takes as many iterations as with exact solutions.
    std::optional<double> linear_tolerance{};
};

enum class Verify : std::uint8_t { off, frame, step };

struct Scene {
    std::string name = "scene";
    Vec3 gravity = Vec3(0, -9.81, 0); ///< [m/s²]
    std::vector<SceneObject> objects;
    std::vector<Plane> planes;                    ///< static half-spaces
    std::vector<SurfaceMaterial> plane_materials; ///< of the first planes; the others have none
    std::vector<VertexScript> scripts;
    std::vector<SceneStitches> stitches{};
    SceneContact contact;
    SceneTime time;
    SceneSolver solver;
    Verify verify = Verify::frame;
    int frame_every = 1;          ///< steps per frame, >= 1
    int frame_pieces = 0;         ///< files per frame with an index beside them, >= 0; 0: one file
    double report_megabytes = 40; ///< of the frames that the report plays, about, >= 0 [MB]

    /// Is the state after this step kept, by the rhythm of frames?
    [[nodiscard]] bool is_frame(int step) const { return step % frame_every == 0; }
};

} // namespace abut
