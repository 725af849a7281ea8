#pragma once

#include "abut/contact/normal_collisions.hpp"
#include "collision_set.hpp"

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

using SharedNormalCollisions = SharedCollisions<NormalCollisions>;

} // namespace abut::python
