#pragma once
// Sheets stacked closely, of any number of faces: what detection and contact are timed on as they grow.

#include "abut/mesh/collision_mesh.hpp"

namespace abut::bench {

struct Layers {
    CollisionMesh mesh;
    Positions start, end;
    double dhat;
};

/// Four sheets of about `num_faces` faces in all, with edges of 1 cm and gaps of 2.5 mm, half of dhat; the end of the
/// step turns the order of the sheets around, so that every one is driven through its neighbours.
[[nodiscard]] Layers make_layers(int num_faces);

} // namespace abut::bench
