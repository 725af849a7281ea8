#pragma once

#include "abut/contact/normal_collisions.hpp"
#include "enums.hpp"
#include "mesh_size.hpp"

#include <memory>

namespace abut::python {

template <>
struct EnumNames<CollisionSetType> {
    static constexpr auto type = "CollisionSetType";
    static constexpr auto members = "IPC CONVERGENT OGC";
    static constexpr auto doc =
        "Which pairs count: IPC, every candidate; CONVERGENT, what several elements share counts once, so that the sum "
        "over a surface does not depend on its mesh; OGC, elements that are closest among their neighbours, so that "
        "forces "
        "are normals of the surface.";
};

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
