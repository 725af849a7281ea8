#pragma once
// What is simulated, made from a scene and never changed again: bodies as one mesh, masses, the surface that contact
// sees, and what the scene left open, chosen and explained.

#include "abut/contact/adhesion/normal_adhesion_potential.hpp"
#include "abut/contact/laws/rcc.hpp"
#include "abut/sim/body_names.hpp"
#include "abut/sim/scene.hpp"
#include "abut/sim/surface_map.hpp"
#include "abut/solver/state.hpp"

#include <memory>
#include <variant>

namespace abut {

struct RodSet;

/// A value that the scene left open, and why it is what it is.
struct Choice {
    std::string name;
    std::variant<double, std::string> value; ///< a number or a word
    std::string reason;
};

/// Friction and adhesion by pairs of surfaces. Surfaces of one material and coefficient are one kind.
struct ContactMaterials {
    std::vector<int> of_object, of_plane; ///< kinds, from 0 on
    Eigen::MatrixXd mu_s, mu_k;           ///< of two kinds
    Eigen::MatrixXd pull;                 ///< factor on the adhesion of two kinds; empty: all stick alike, or none
    Eigen::MatrixXd mu_a;                 ///< of tangential adhesion, where there is any; else empty
    std::vector<RccParameters> rcc = {};  ///< of two kinds, row by row, where bonds of pairs differ in time; else empty
};

/// Bonds whose intensity changes in time.
struct RccModel {
    RccParameters usual;                      ///< of all pairs
    std::vector<RccParameters> of_pairs = {}; ///< in its place where it is not empty: of two materials, row by row
    std::vector<int> plane_materials = {};
    double dhat_p = 0;    ///< how far a bond is a spring; from there to dhat_a its pull fades [m]
    double dhat_a = 0;    ///< how far one reaches, beyond dmin [m]
    double intensity = 0; ///< at the start of all
};

/// The measures of contact and of solves, given by the scene or chosen.
struct ModelParameters {
    double extent = 1;    ///< of the bodies that can move, each by itself: docs/scenes.md, "What is chosen" [m]
    double spread = 1;    ///< of all of them together [m]
    double dhat = 0;      ///< [m]
    double eps_v = 0;     ///< [m/s]
    double slip = 0;      ///< elastic slip of anchored friction [m]
    double tolerance = 0; ///< of a step's speed [m/s]
    double stiffness = 0; ///< of contact, at the start
    std::optional<NormalAdhesionOptions> adhesion = {};
    std::optional<RccModel> rcc = {};               ///< beside adhesion, where intensities change in time
    std::optional<ContactMaterials> materials = {}; ///< none: friction and adhesion are the same for all pairs
    /// Of each object: Young's modulus times edges' length or thickness [N/m]; 0 of obstacles and points.
    std::vector<double> elasticities = {};
};

struct Model {
    Scene scene;
    ModelParameters parameters;
    std::vector<Choice> choices;
    /// What is legal, and most likely not meant: sentences that name the place and a cure.
    std::vector<std::string> warnings;

    // All objects, one behind the other
    Positions rest;                      ///< where they start [m]
    State start;                         ///< without what energies remember
    std::vector<int> object_starts;      ///< first vertex of each object, and their number at the end
    Eigen::VectorXd masses;              ///< of vertices, 0 of obstacles [kg]
    std::vector<std::uint8_t> is_static; ///< of vertices: never moves
    std::vector<int> script_of;          ///< of vertices: index of the script, −1 if there is none
    std::optional<BodyNames> names;
    BlockLayout layout;                 ///< of the unknowns: the vertices, and what energies add
    std::shared_ptr<const RodSet> rods; ///< null where there are none

    std::optional<CollisionMesh> mesh; ///< the surface that contact and the exact tests see
    std::optional<SurfaceMap> surface; ///< how it follows from the unknowns

    [[nodiscard]] int dim() const { return static_cast<int>(rest.cols()); }
    [[nodiscard]] int num_vertices() const { return static_cast<int>(rest.rows()); }
    /// Is there a vertex of the object that is not held for ever?
    [[nodiscard]] bool can_move(std::size_t object) const;
    /// Of the vertices of bodies that can move [kg].
    [[nodiscard]] double mean_mass() const;
    /// Where a file has it, or its number.
    [[nodiscard]] std::string name_of_script(int k) const;
};

/// Throws InvalidInput for values that can never be right.
[[nodiscard]] std::unique_ptr<const Model> make_model(Scene scene);

/// All objects as one mesh, one behind the other, where they start.
[[nodiscard]] MeshData joined_mesh(const Scene& scene);

/// "objects[3].density", for messages.
[[nodiscard]] std::string field_of_object(std::size_t object, const char* name);
/// Rejects what is no finite number above 0, naming the field.
void require_positive(double value, const std::string& field);
/// Of the surface that contact sees of it; 0 where there is none [m].
[[nodiscard]] double contact_thickness(const SceneObject& object);
/// Do its vertices have masses?
[[nodiscard]] bool has_mass(const SceneObject& object);
// The parts of make_model, in this order.
void build_bodies(Model& model);
void choose_parameters(Model& model);
void build_surface(Model& model);

} // namespace abut
