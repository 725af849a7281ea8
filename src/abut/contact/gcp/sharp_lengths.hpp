#pragma once
// L at creases and corners, which stays as it is when a mesh is refined. Huang et al. 2025, 5.3.6.
//
// In the limit of meshes a crease is a curve with the weight L ds and a corner a point with the weight L². So the edges
// of a crease have the given L, and weigh L times their length; corners have it, and weigh L². The paper wants the same
// L at vertices along a crease; their number grows as the mesh is refined, and so would the sum of their weights.
// Here they have L across the crease and the length of edges along it: a weight of L times the mean length of their
// sharp edges, which is what edges of the crease weigh.

#include "abut/contact/gcp/smooth_contact_parameters.hpp"
#include "abut/mesh/sharp_features.hpp"

namespace abut {

/// The parameters with FeatureLength::per_element for this mesh: `length` [m], > 0, at its sharp features, and what L
/// was so far elsewhere.
[[nodiscard]] SmoothContactParameters with_sharp_length(
    const SmoothContactParameters& params, const CollisionMesh& mesh, const SharpFeatures& features, double length);

} // namespace abut
