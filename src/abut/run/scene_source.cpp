#include "abut/run/scene_source.hpp"

#include "abut/io/file.hpp"
#include "abut/io/json_object.hpp"
#include "abut/io/scene_json.hpp"

#include <nlohmann/json.hpp>

namespace abut {

namespace fs = std::filesystem;

namespace {

/// Writes the numbers of presets beside their names, so that a run can be repeated whatever presets become.
void spell_out_presets(nlohmann::json& json, const Scene& scene)
{
    for (std::size_t k = 0; k < scene.objects.size(); ++k) {
        const SceneObject& object = scene.objects[k];
        if (object.preset.empty())
            continue;
        nlohmann::json& material = json["objects"][k]["material"];
        const auto spell = [&](const char* key, const nlohmann::json& value) {
            if (!material.contains(key))
                material[key] = value;
        };
        if (object.kind != ObjectKind::rod)
            spell("model", to_string(object.model.value()));
        spell("youngs_modulus", object.youngs_modulus);
        if (!object.rod.shear_modulus)
            spell("poisson_ratio", object.poisson_ratio);
        spell("density", object.density);
        if (object.kind == ObjectKind::shell)
            spell("thickness", object.thickness);
        for (const auto& [key, modulus] :
             {std::pair{"warp", object.weave.warp}, std::pair{"weft", object.weave.weft},
              std::pair{"shear", object.weave.shear}})
            if (modulus)
                spell(key, *modulus);
    }
}

/// Writes what each object is, where the scene leaves it to the mesh.
void spell_out_kinds(nlohmann::json& json, const Scene& scene)
{
    for (std::size_t k = 0; k < scene.objects.size(); ++k)
        json["objects"][k]["kind"] = to_string(scene.objects[k].kind);
}

SceneSource source_of(nlohmann::json json, const std::string& name, const SceneFiles& files)
{
    SceneSource source{.scene = scene_from_json(json, name, files), .json = nullptr};
    make_files_absolute(json, files.folder);
    spell_out_presets(json, source.scene);
    spell_out_kinds(json, source.scene);
    for (const nlohmann::json* file : files_of_scene(json))
        source.files.emplace_back(file->get<std::string>());
    source.json = std::make_shared<const nlohmann::json>(std::move(json));
    return source;
}

} // namespace

SceneSource read_scene_source(const fs::path& path, const std::vector<std::string>& settings)
{
    SceneSource source = source_of(read_scene_json(path, settings), path.string(), {.folder = path.parent_path()});
    source.files.push_back(path);
    return source;
}

SceneSource read_scene_to_show(const fs::path& path)
{
    SceneSource source =
        source_of(read_scene_json(path), path.string(), {.folder = path.parent_path(), .keeps_inverted = true});
    source.files.push_back(path);
    return source;
}

SceneSource parse_scene_source(
    std::string_view text, const std::string& name, const fs::path& folder, const std::vector<std::string>& settings)
{
    nlohmann::json json = parse_json(text, name);
    apply_settings(json, settings);
    return source_of(std::move(json), name, {.folder = folder});
}

std::vector<nlohmann::json*> files_of_scene(nlohmann::json& scene)
{
    std::vector<nlohmann::json*> files;
    if (scene.contains("objects") && scene["objects"].is_array())
        for (nlohmann::json& object : scene["objects"])
            if (object.is_object() && object.contains("geometry") && object["geometry"].is_object() &&
                object["geometry"].contains("file") && object["geometry"]["file"].is_string())
                files.push_back(&object["geometry"]["file"]);
    return files;
}

void make_files_absolute(nlohmann::json& scene, const fs::path& folder)
{
    for (nlohmann::json* file : files_of_scene(scene)) {
        const fs::path path = file->get<std::string>();
        *file = absolute_name(path.is_absolute() ? path : folder / path);
    }
}

} // namespace abut
