#pragma once
// Scenes as JSON files; docs/scenes.md lists every key. Unknown keys, wrong types and values out of range are errors
// that name the JSON pointer.

#include "abut/sim/scene.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>

namespace abut {

/// The newest format this program reads.
inline constexpr int scene_format = 1;

/// How the files of a scene are read.
struct SceneFiles {
    std::filesystem::path folder; ///< where relative names are looked for
    bool keeps_inverted = false;  ///< as MshOptions::keeps_inverted
};

/// Reads a scene; files it names are looked for beside it. `settings` are "contact.dhat=1e-3" and the like, applied to
/// the text before it is read.
[[nodiscard]] Scene read_scene(const std::filesystem::path& path, const std::vector<std::string>& settings = {});

/// Puts "contact.dhat=1e-3" and the like into the JSON of a scene.
void apply_settings(nlohmann::json& scene, const std::vector<std::string>& settings);

/// The same from text; `folder` is where files are looked for.
[[nodiscard]] Scene parse_scene(
    std::string_view text, const std::string& name, const std::filesystem::path& folder,
    const std::vector<std::string>& settings = {});

/// A scene's file as JSON, settings applied, and a scene from such JSON; `name` is for errors.
[[nodiscard]] nlohmann::json
read_scene_json(const std::filesystem::path& path, const std::vector<std::string>& settings = {});
[[nodiscard]] Scene scene_from_json(const nlohmann::json& root, const std::string& name, const SceneFiles& files);

} // namespace abut
