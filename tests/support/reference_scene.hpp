#pragma once
// The reference toolkit's moving scenes: a mesh, the start and the end of a step, and what it computed for them.

#include "abut/mesh/collision_mesh.hpp"
#include "support/reference_data.hpp"

namespace abut::test {

inline constexpr const char* reference_scene_names[]{
    "v01_ccd_cubes_fall", "v02_ccd_cubes_free", "v03_ccd_tri_vertex_face", "v05_ccd_2d",
    "v07_ccd_initially_intersecting"};

struct ReferenceScene {
    CollisionMesh mesh;
    Positions X0, X1;
    nlohmann::json queries; ///< each with its parameters and its `result`
};

ReferenceScene read_reference_scene(const std::string& name);

} // namespace abut::test
