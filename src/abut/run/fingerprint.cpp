#include "abut/run/fingerprint.hpp"

#include "abut/base/checksum.hpp"
#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/io/json_object.hpp"
#include "abut/io/scene_json.hpp"

#include <cmath>

namespace abut {

namespace {

/// Bytes of numbers, rounded to 2^-26 of the largest (1.5e-8): another machine's last bits are not another mesh. The
/// unit is a power of two that does not jump at the round sizes that meshes have.
void append_rounded(std::string& bytes, const Eigen::Ref<const Eigen::VectorXd>& values)
{
    const double largest = values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0;
    const int exponent = largest > 0 ? static_cast<int>(std::floor(std::log2(largest) + 0.37)) : 0;
    const auto append = [&](std::int64_t number) {
        bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
    };
    append(exponent);
    for (const double value : values)
        append(std::llround(std::ldexp(value, 26 - exponent)));
}

std::string fingerprint(const MeshData& mesh)
{
    std::string bytes;
    append_rounded(bytes, mesh.vertices.reshaped<Eigen::RowMajor>());
    const auto append_elements = [&](const auto& elements) {
        const auto count = static_cast<std::int64_t>(elements.rows());
        bytes.append(reinterpret_cast<const char*>(&count), sizeof(count));
        bytes.append(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(int));
    };
    append_elements(mesh.edges);
    append_elements(mesh.faces);
    append_elements(mesh.tets);
    return fmt::format("{:016x}", checksum(bytes));
}

std::string fingerprint_of_masses(const Simulation& simulation, std::size_t object)
{
    const std::vector<int>& starts = simulation.object_starts();
    std::string bytes;
    append_rounded(bytes, simulation.masses().segment(starts[object], starts[object + 1] - starts[object]));
    return fmt::format("{:016x}", checksum(bytes));
}

/// The entry of each object; nothing where there is no file.
std::vector<nlohmann::json> read_fingerprints(const ResultFolder& results, const Scene& scene)
{
    std::error_code ignored;
    const std::filesystem::path path = results.meshes_path();
    if (!std::filesystem::exists(path, ignored))
        return {};
    constexpr std::uintmax_t max_bytes = 1 << 30;
    const nlohmann::json list = parse_json(read_file(path, max_bytes), path.string());
    const auto is_entry = [](const nlohmann::json& entry) {
        return entry.is_object() && entry.contains("mesh") && entry["mesh"].is_string() && entry.contains("masses") &&
               entry["masses"].is_string();
    };
    if (!list.is_array() || !std::all_of(list.begin(), list.end(), is_entry))
        reject("{}: not what a run wrote; restore it or remove it", path.string());
    if (list.size() != scene.objects.size())
        reject(
            "{}: the scene has {} objects, but those of the run were {}; restore it, or run it anew",
            results.scene_path().string(), scene.objects.size(), list.size());
    return {list.begin(), list.end()};
}

} // namespace

void write_fingerprints(const ResultFolder& results, const Simulation& simulation)
{
    nlohmann::json list = nlohmann::json::array();
    const std::vector<SceneObject>& objects = simulation.scene().objects;
    for (std::size_t k = 0; k < objects.size(); ++k)
        list.push_back(
            {{"name", objects[k].name},
             {"mesh", fingerprint(objects[k].mesh)},
             {"masses", fingerprint_of_masses(simulation, k)}});
    write_file(results.meshes_path(), list.dump(2) + "\n");
}

void check_meshes_of_run(const ResultFolder& results, const Scene& scene)
{
    const std::vector<nlohmann::json> known = read_fingerprints(results, scene);
    for (std::size_t k = 0; k < known.size(); ++k) {
        if (known[k]["mesh"] == fingerprint(scene.objects[k].mesh))
            continue;
        const nlohmann::json json = read_scene_json(results.scene_path());
        const nlohmann::json& geometry = json.at("objects").at(k).at("geometry");
        const std::string file =
            geometry.contains("file")
                ? fmt::format(" ({})", absolute_name(results.folder() / geometry["file"].get<std::string>()))
                : "";
        reject(
            "{}: the mesh of '{}'{} is not the one that the run began with; restore it, or run the scene anew",
            results.scene_path().string(), scene.objects[k].name, file);
    }
}

void check_masses_of_run(const ResultFolder& results, const Simulation& simulation)
{
    const Scene& scene = simulation.scene();
    const std::vector<nlohmann::json> known = read_fingerprints(results, scene);
    for (std::size_t k = 0; k < known.size(); ++k)
        if (known[k]["masses"] != fingerprint_of_masses(simulation, k))
            reject(
                "{}: the masses of '{}' are not those that the run began with; restore its material, or run the scene "
                "anew",
                results.scene_path().string(), scene.objects[k].name);
}

Scene scene_of_run(const ResultFolder& results)
{
    Scene scene = read_scene(results.scene_path());
    check_meshes_of_run(results, scene);
    return scene;
}

} // namespace abut
