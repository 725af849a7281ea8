#pragma once

#include "abut/contact/normal_collisions.hpp"
#include "mesh_size.hpp"

#include <memory>

namespace abut::python {

/// Collisions as Python holds them. A build makes a new set and then takes it over, so that arrays of the old one stay
/// valid, other threads never see half a build, and a build that fails changes nothing.
struct SharedNormalCollisions {
    std::shared_ptr<const NormalCollisions> set = std::make_shared<const NormalCollisions>();
    MeshSize mesh_size{};

    /// The set, if it fits the mesh.
    [[nodiscard]] std::shared_ptr<const NormalCollisions> for_mesh(const CollisionMesh& mesh) const
    {
        if (!set->empty())
            mesh_size.require(mesh);
        return set;
    }
};

} // namespace abut::python
