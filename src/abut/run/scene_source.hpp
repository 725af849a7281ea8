#pragma once
// A scene together with the JSON that it was read from, which the results of a run keep.

#include "abut/sim/scene.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <memory>

namespace abut {

struct SceneSource {
    Scene scene;
    std::shared_ptr<const nlohmann::json> json; ///< settings applied, files by absolute names
    std::vector<std::filesystem::path> files{}; ///< that it was read from: the scene and its meshes
};

/// As read_scene() and parse_scene() read it.
[[nodiscard]] SceneSource
read_scene_source(const std::filesystem::path& path, const std::vector<std::string>& settings = {});
/// The same for those who show it: tetrahedra without positive volume are no error.
[[nodiscard]] SceneSource read_scene_to_show(const std::filesystem::path& path);
[[nodiscard]] SceneSource parse_scene_source(
    std::string_view text, const std::string& name, const std::filesystem::path& folder,
    const std::vector<std::string>& settings = {});

/// The values of a scene's JSON that name files.
[[nodiscard]] std::vector<nlohmann::json*> files_of_scene(nlohmann::json& scene);

/// Makes the names of a scene's files absolute, so that it can be moved; relative ones are in `folder`.
void make_files_absolute(nlohmann::json& scene, const std::filesystem::path& folder);

} // namespace abut
