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

inline ReferenceScene read_reference_scene(const std::string& name)
{
    const nlohmann::json scene = read_oracle(name);
    const auto elements_of = [&](const char* key, int corners) {
        return scene.at(key).empty() ? Elements(0, corners) : Elements(to_matrix(scene.at(key)).cast<int>());
    };
    return {
        CollisionMesh(Positions(to_matrix(scene.at("rest"))), elements_of("edges", 2), elements_of("faces", 3)),
        to_matrix(scene.at("vertices")), to_matrix(scene.at("vertices_t1")), scene.at("queries")};
}

} // namespace abut::test
