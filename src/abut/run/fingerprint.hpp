#pragma once
// What tells whether the objects of a scene are still those that a run began with: OUT/meshes.json.

#include "abut/run/result_folder.hpp"

namespace abut {

/// Records the meshes and masses of the objects.
void write_fingerprints(const ResultFolder& results, const Simulation& simulation);

/// Rejects a scene whose meshes, by positions at the start and connectivity, are not those of the run, naming the
/// object. Results without the file, as of another version, pass.
void check_meshes_of_run(const ResultFolder& results, const Scene& scene);
/// The same for the masses.
void check_masses_of_run(const ResultFolder& results, const Simulation& simulation);

/// The scene of results, with the meshes that it had when the run began; rejects others.
[[nodiscard]] Scene scene_of_run(const ResultFolder& results);

} // namespace abut
