#pragma once

#include "abut/contact/friction/tangential_collisions.hpp"
#include "collision_set.hpp"

namespace abut::python {

using SharedTangentialCollisions = SharedCollisions<TangentialCollisions>;

/// FrictionCoefficients::validate, and that the mesh's materials have rows in the tables.
void validate_friction(const FrictionCoefficients& friction, const CollisionMesh& mesh);

} // namespace abut::python
