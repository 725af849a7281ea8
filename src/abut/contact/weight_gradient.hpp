#pragma once
// How the weight of a collision depends on the rest positions.

#include "abut/contact/normal_collisions.hpp"

namespace abut {

/// Calls add(vertex, derivative of the term's weight by the vertex's rest position), possibly several times a vertex.
/// Nothing where weights are constant.
void for_each_weight_gradient(
    const NormalCollisions& collisions, std::size_t term, const CollisionMesh& mesh,
    const std::function<void(int vertex, const Vec3& by_rest_position)>& add);

} // namespace abut
