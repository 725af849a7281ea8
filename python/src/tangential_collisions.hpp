#pragma once

#include "abut/contact/friction/tangential_collisions.hpp"
#include "mesh_size.hpp"

#include <memory>

namespace abut::python {

/// As SharedNormalCollisions.
struct SharedTangentialCollisions {
    std::shared_ptr<const TangentialCollisions> set = std::make_shared<const TangentialCollisions>();
    MeshSize mesh_size{};

    /// The set, if it fits the mesh.
    [[nodiscard]] std::shared_ptr<const TangentialCollisions> for_mesh(const CollisionMesh& mesh) const
    {
        if (!set->empty())
            mesh_size.require(mesh);
        return set;
    }
};

/// FrictionCoefficients::validate, and that the mesh's materials have rows in the tables.
void validate_friction(const FrictionCoefficients& friction, const CollisionMesh& mesh);

} // namespace abut::python
