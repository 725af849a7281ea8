#pragma once
// Measures of elements at rest, which weigh the paper's pairs.

#include "abut/contact/gcp/smooth_contact_parameters.hpp"
#include "abut/detect/pair_kinds.hpp"
#include "abut/mesh/collision_mesh.hpp"

namespace abut::gcp {

/// The rest length of an edge [m].
[[nodiscard]] double length_of_edge(const CollisionMesh& mesh, int e);

/// L of an edge and of a vertex [m].
[[nodiscard]] double width_of_edge(const CollisionMesh& mesh, const SmoothContactParameters& params, int e);
[[nodiscard]] double width_of_vertex(const CollisionMesh& mesh, const SmoothContactParameters& params, int v);

/// The product of the measures of a pair's two elements [m⁴; in the plane m²]. A plane counts as if it were meshed as
/// the surface above it.
[[nodiscard]] double
rest_weight(PairKind kind, const IndexPair& elements, const CollisionMesh& mesh, const SmoothContactParameters& params);

} // namespace abut::gcp
