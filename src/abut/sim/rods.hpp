#pragma once
// The rods of a model: all objects of kind `rod` as one set of edges, their sections, and the unknowns of their twist.
// docs/rods.md tells what they do, rod_elasticity.hpp how.
//
// Each edge of a rod that does not branch has one unknown besides its vertices: the arc a theta by which its material
// frame is turned against its reference frame, with a the larger half axis of its section [m]. What is remembered of
// the reference frames from step to step, and why, is in docs/decisions/0019-frames-of-rods.md.

#include "abut/elastic/rod_elasticity.hpp"
#include "abut/sim/energy_kinds.hpp"
#include "abut/sim/model.hpp"
#include "abut/solver/energy.hpp"

namespace abut {

struct RodSet {
    RodTopology topology;          ///< over the vertices of the model
    std::vector<int> objects;      ///< of each edge
    Positions directors;           ///< of each edge where it starts
    std::vector<int> arc_blocks;   ///< of each edge; -1 where it branches
    std::vector<int> arc_edges;    ///< of each arc
    Eigen::Index first_arc = 0;    ///< where arcs begin in State::others
    Eigen::VectorXd arc_masses;    ///< inertia against turning, over a² [kg]
    std::vector<double> arc_radii; ///< a of each edge [m]; 0 where it branches
    std::vector<int> clamps;       ///< of each arc: the script that holds its frame, -1 if there is none

    [[nodiscard]] Eigen::Index num_arcs() const { return static_cast<Eigen::Index>(arc_edges.size()); }
    /// Of arc k, among the blocks of the layout.
    [[nodiscard]] int arc_block(Eigen::Index k) const { return arc_blocks[arc_edges[k]]; }
};

/// How far apart the surfaces of two rods are less than their centre lines: twice the larger half axis [m].
[[nodiscard]] double section_thickness(const SceneObject& object);

/// E / (2 (1 + nu)), or what is given.
[[nodiscard]] double shear_modulus(const SceneObject& object);

/// Throws InvalidInput for what can never be a rod.
void check_rod(const SceneObject& object, std::size_t k, int dim);

/// Half of each edge's mass to each of its vertices [kg].
[[nodiscard]] Eigen::VectorXd rod_masses(const SceneObject& object);

/// Adds the rods of the scene, and their arcs to the unknowns.
void add_rods(Model& model);

/// Stretch, bending and twist of all rods; none where there are none.
[[nodiscard]] std::vector<std::unique_ptr<Energy>> make_rod_energies(const Model& model);
[[nodiscard]] std::vector<std::unique_ptr<Energy>> make_rod_energies_of(const Model& model, Flow flow);

/// Reference frames of a state: directors of all edges, one row each. Those of the start, carried along, where it
/// remembers none.
[[nodiscard]] Positions rod_directors(const Model& model, const State& state);

/// What frames show of rods, edge by edge in the order of the set; 0 where it branches.
struct RodTwists {
    std::vector<double> angle;  ///< theta [rad]
    std::vector<double> twist;  ///< against rest, mean of the joints at its ends [rad/m]
    std::vector<Vec3> director; ///< m1, where the first half axis points
};
[[nodiscard]] RodTwists rod_twists(const Model& model, const State& state);

} // namespace abut
