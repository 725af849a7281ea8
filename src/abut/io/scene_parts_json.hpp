#pragma once
// Parts of a scene from JSON, each in a file of its own; scene_from_json puts them together.

#include "abut/io/scene_json.hpp"
#include "abut/io/scene_reader.hpp"
#include "abut/sim/scene.hpp"

#include <filesystem>
#include <set>

namespace abut {

/// The mesh of a geometry: from a file or a shape (scene_shapes_json.cpp).
[[nodiscard]] MeshData read_geometry(SceneReader json, const SceneFiles& files);

/// Appends an object to the scene, and a script for the vertices that it fixes (scene_objects_json.cpp). `names` are
/// those of the objects so far.
void read_object(SceneReader& json, const SceneFiles& files, std::set<std::string>& names, Scene& scene);

/// Name and coefficients of a surface, of a material that is of an object or a plane (scene_objects_json.cpp).
[[nodiscard]] SurfaceMaterial read_surface(SceneReader& material);

/// The loads on an object of this kind (scene_loads_json.cpp).
void read_loads(SceneReader& json, const std::string& kind, SceneObject& object);

/// The axis of a rotation; in the plane it is z, and need not be given.
[[nodiscard]] Vec3 read_axis(SceneReader& json, Eigen::Index dim);

/// The vertices of an object that a selection names (scene_scripts_json.cpp).
[[nodiscard]] std::vector<int> read_selection(SceneReader& json, const std::string& key, const SceneObject& object);

[[nodiscard]] VertexScript read_script(SceneReader json, const std::vector<SceneObject>& objects);

[[nodiscard]] SceneStitches read_stitches(SceneReader json, const std::vector<SceneObject>& objects);

/// Comes after the objects and planes: some models reject some of them (scene_contact_json.cpp).
void read_contact(SceneReader& json, Scene& scene);

} // namespace abut
