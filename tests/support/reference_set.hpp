#pragma once
// The reference toolkit's potentials: its scenes, the collision set and potential that a query asks for, and its rules
// where Abut's differ.

#include "abut/contact/barrier_potential.hpp"
#include "abut/contact/gcp/smooth_contact_parameters.hpp"
#include "abut/contact/normal_collisions_builder.hpp"
#include "support/reference_data.hpp"

#include <algorithm>

namespace abut::test {

struct ReferenceMesh {
    CollisionMesh mesh;
    Positions X;
    bool has_ties; ///< exact ties: the kinds of pairs are decided by rounding
    nlohmann::json queries;
};

/// Reversed edges: the pairs of edges of a set come in the other order.
ReferenceMesh read_reference_mesh(const std::string& name, bool reverse_edges = false);

/// The scenes that have queries of a model, in order. Throws where none has.
std::vector<std::string> reference_scenes(const std::string& model);

/// In space the reference toolkit takes a vertex for interior as soon as one of its edges has two faces.
ConvergentRules reference_rules(const CollisionMesh& mesh);

NormalCollisionsOptions reference_options(const nlohmann::json& query);

NormalCollisions reference_set(const ReferenceMesh& scene, const NormalCollisionsOptions& options);

/// The vector that the oracle multiplies its Hessians by.
Eigen::VectorXd probe(Eigen::Index n);

void expect_near_relative(const Eigen::VectorXd& actual, const Eigen::VectorXd& expected, double tolerance);

BarrierPotential reference_barrier(const nlohmann::json& query);

SmoothContactParameters reference_smooth_parameters(const nlohmann::json& query);

} // namespace abut::test
