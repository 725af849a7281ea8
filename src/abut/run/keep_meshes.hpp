#pragma once
// Results hold the meshes of their scene, so that they can be moved to another folder or machine.

#include "abut/run/result_folder.hpp"

namespace abut {

/// Copies the meshes that scene.json names outside the folder to OUT/meshes, each file once, and lets scene.json name
/// the copies. scene.json changes last: whoever is killed before has results that name the originals, and calls this
/// again. Rejects copies that are not the meshes of `scene`, because a file has changed since it was read. The folder
/// is open for writing.
void keep_meshes(const ResultFolder& results, const Scene& scene);

} // namespace abut
