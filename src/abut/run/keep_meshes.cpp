#include "abut/run/keep_meshes.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/run/output_name.hpp"
#include "abut/run/scene_source.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace abut {

namespace fs = std::filesystem;

namespace {

/// The name of a file, with a number where another has it already. Capitals make no difference, as on some systems.
std::string free_name(const fs::path& file, std::set<std::string>& taken)
{
    const std::string stem = file.stem().string(), extension = file.extension().string();
    std::string name = stem + extension;
    for (int number = 2;; ++number) {
        std::string lower = name;
        std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
        if (taken.insert(lower).second)
            return name;
        name = fmt::format("{}-{}{}", stem, number, extension);
    }
}

/// The copy appears in one piece.
void copy_whole(const fs::path& from, const fs::path& to)
{
    fs::path part = to;
    part += ".part";
    std::error_code error;
    fs::create_directories(to.parent_path(), error);
    if (!error)
        fs::copy_file(from, part, fs::copy_options::overwrite_existing, error);
    if (!error)
        fs::rename(part, to, error);
    if (error)
        throw InputOutput(fmt::format("{}: cannot be copied to {}: {}", from.string(), to.string(), error.message()));
}

/// Reads the objects of files once more, from the copies that `json` names, and compares them with those of the scene.
void check_copies(const nlohmann::json& json, const ResultFolder& results, const Scene& scene)
{
    nlohmann::json objects = nlohmann::json::array();
    std::vector<const SceneObject*> expected;
    for (std::size_t k = 0; k < scene.objects.size(); ++k)
        if (const nlohmann::json& object = json.at("objects").at(k); object.at("geometry").contains("file")) {
            objects.push_back(object);
            expected.push_back(&scene.objects[k]);
        }
    const nlohmann::json part{{"format", json.at("format")}, {"objects", objects}};
    const Scene copied = scene_from_json(part, results.scene_path().string(), {.folder = results.folder()});
    for (std::size_t k = 0; k < expected.size(); ++k)
        if (!(copied.objects[k].mesh == expected[k]->mesh))
            reject(
                "{}: the mesh of '{}' has changed since the scene was read; read the scene again once its files stay "
                "as "
                "they are",
                results.scene_path().string(), expected[k]->name);
}

} // namespace

void keep_meshes(const ResultFolder& results, const Scene& scene)
{
    nlohmann::json json = read_scene_json(results.scene_path());
    std::map<fs::path, std::string> copies; // by the absolute name of the original
    std::set<std::string> taken;
    std::vector<std::pair<nlohmann::json*, fs::path>> outside;
    for (nlohmann::json* file : files_of_scene(json)) {
        const fs::path path = absolute_name(results.folder() / file->get<std::string>());
        if (is_inside(path, results.folder()))
            (void)free_name(path.filename(), taken);
        else
            outside.emplace_back(file, path);
    }
    for (const auto& [file, path] : outside) {
        auto [copy, is_new] = copies.try_emplace(path);
        if (is_new) {
            copy->second = "meshes/" + free_name(path.filename(), taken);
            copy_whole(path, results.folder() / copy->second);
        }
        *file = copy->second;
    }
    if (outside.empty())
        return;
    check_copies(json, results, scene);
    write_file(results.scene_path(), json.dump(2) + "\n");
}

} // namespace abut
