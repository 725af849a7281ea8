#pragma once

#include "collision_set.hpp"

namespace abut::python {

template <>
inline constexpr EnumNames enum_names<CollisionSetType>{
    "CollisionSetType", "IPC CONVERGENT OGC",
    "Which pairs count: IPC, every candidate; CONVERGENT, what several elements share counts once, so that the sum "
    "over a surface does not depend on its mesh; OGC, elements that are closest among their neighbours, so that forces "
    "are "
    "normals of the surface."};

using SharedNormalCollisions = SharedCollisions<NormalCollisions>;

} // namespace abut::python
