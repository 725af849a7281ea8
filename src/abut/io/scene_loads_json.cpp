// Loads on objects from JSON, and stitches between them.

#include "abut/base/error.hpp"
#include "abut/io/scene_parts_json.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace abut {

namespace {

/// Rejects a load that objects of this kind cannot have.
void refuse_for_kind(SceneReader& json, const std::string& key, const std::string& kind, const char* why)
{
    if (json.has(key) && !json.key(key).is_for(kind))
        json.reject_value(key, fmt::format("an object of kind '{}' has none, as {}; leave it out", kind, why));
}

std::optional<ScenePressure> read_pressure(std::optional<SceneReader> json)
{
    if (!json)
        return std::nullopt;
    if (json->has("value") == json->has("gas"))
        json->reject_value("", "give \"value\", a constant pressure, or \"gas\", one that follows the volume");
    ScenePressure pressure;
    if (std::optional<SceneReader> gas = json->object("gas")) {
        pressure.is_gas = true;
        pressure.ambient = gas->number("ambient");
        pressure.value = gas->number("initial");
        if (!(pressure.ambient + pressure.value > 0))
            gas->reject_value(
                "initial", fmt::format(
                               "{} is not above -{}, the pressure outside, so that there would be no gas",
                               pressure.value, pressure.ambient));
        gas->finish();
    } else
        pressure.value = json->optional_number("value").value_or(0);
    json->finish();
    return pressure;
}

SceneDamping read_damping(std::optional<SceneReader> json, const std::string& kind)
{
    SceneDamping damping;
    if (!json)
        return damping;
    refuse_for_kind(*json, "stiffness", kind, "it has no elasticity");
    damping.mass = json->number("mass");
    if (kind != "points")
        damping.stiffness = json->number("stiffness");
    json->finish();
    return damping;
}

std::optional<SceneDrag> read_drag(std::optional<SceneReader> json, Eigen::Index dim)
{
    if (!json)
        return std::nullopt;
    SceneDrag drag;
    drag.coefficient = json->number("coefficient");
    drag.density = json->number("density");
    drag.wind = json->vector("wind", dim);
    json->finish();
    return drag;
}

/// The numbers of two objects from an array of their names.
std::array<int, 2> read_two_objects(SceneReader& json, const std::vector<SceneObject>& objects)
{
    const nlohmann::json* names = json.take("objects");
    if (names == nullptr)
        json.reject_value("objects", "missing; stitches need the names of two objects");
    if (!names->is_array() || names->size() != 2 || !(*names)[0].is_string() || !(*names)[1].is_string())
        json.reject_value("objects", "expected an array of two names");
    std::array<int, 2> found{};
    for (std::size_t k = 0; k < 2; ++k) {
        const std::string name = (*names)[k];
        std::vector<std::string> known;
        for (const SceneObject& object : objects)
            known.push_back(object.name);
        const auto at = std::find(known.begin(), known.end(), name);
        if (at == known.end())
            json.reject_value("objects", fmt::format("'{}' is not one of {}", name, fmt::join(known, ", ")));
        found[k] = static_cast<int>(at - known.begin());
    }
    return found;
}

/// An array of [i, j], checked against the objects' sizes.
std::vector<std::pair<int, int>>
read_vertex_pairs(SceneReader& json, const SceneObject& object, const SceneObject& other)
{
    const nlohmann::json* list = json.take("vertices");
    if (!list->is_array() || list->empty())
        json.reject_value("vertices", "expected an array of pairs [i, j] that is not empty");
    std::vector<std::pair<int, int>> pairs;
    for (std::size_t k = 0; k < list->size(); ++k) {
        const nlohmann::json& pair = (*list)[k];
        const std::string key = fmt::format("vertices/{}", k);
        if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number_integer() || !pair[1].is_number_integer())
            json.reject_value(key, "expected two numbers of vertices, [i, j]");
        for (const auto& [at, of] : {std::pair{0, &object}, std::pair{1, &other}})
            if (const auto v = pair[at].get<std::int64_t>(); v < 0 || v >= of->mesh.vertices.rows())
                json.reject_value(
                    key, fmt::format(
                             "{} is not the number of a vertex of '{}', which has {}", v, of->name,
                             of->mesh.vertices.rows()));
        pairs.emplace_back(pair[0].get<int>(), pair[1].get<int>());
    }
    return pairs;
}

/// Each chosen vertex of `object` with the nearest of `other`, where that is within `distance`.
std::vector<std::pair<int, int>>
nearest_pairs(const SceneObject& object, std::span<const int> chosen, const SceneObject& other, double distance)
{
    const Positions &X = object.mesh.vertices, &Y = other.mesh.vertices;
    std::vector<std::pair<int, int>> pairs;
    for (const int v : chosen) {
        Eigen::Index nearest = 0;
        const double squared = (Y.rowwise() - X.row(v)).rowwise().squaredNorm().minCoeff(&nearest);
        if (std::sqrt(squared) <= distance)
            pairs.emplace_back(v, static_cast<int>(nearest));
    }
    return pairs;
}

} // namespace

SceneStitches read_stitches(SceneReader json, const std::vector<SceneObject>& objects)
{
    SceneStitches stitches;
    stitches.source = json.pointer();
    const auto [first, second] = read_two_objects(json, objects);
    stitches.object = first;
    stitches.other = second;
    const SceneObject &object = objects[static_cast<std::size_t>(first)],
                      &other = objects[static_cast<std::size_t>(second)];
    if (json.has("vertices") == json.has("nearest"))
        json.reject_value("", "give \"vertices\", pairs of their numbers, or \"nearest\", a distance [m]");
    if (json.has("vertices")) {
        if (json.has("select"))
            json.reject_value("select", "\"vertices\" says which they are already; leave it out");
        stitches.vertices = read_vertex_pairs(json, object, other);
    } else {
        if (first == second)
            json.reject_value(
                "nearest", "the nearest vertex of the same object is the vertex itself; give \"vertices\"");
        const double distance = json.optional_number("nearest").value_or(0);
        const std::vector<int> chosen = read_selection(json, "select", object);
        stitches.vertices = nearest_pairs(object, chosen, other, distance);
        if (stitches.vertices.empty())
            json.reject_value(
                "nearest",
                fmt::format(
                    "none of {} vertices of '{}' has one of '{}' within {} m; move them together or raise it",
                    chosen.size(), object.name, other.name, distance));
    }
    const std::optional<double> stiffness = json.optional_number("stiffness");
    if (!stiffness)
        json.reject_value("stiffness", "missing; a stitch needs a stiffness [N/m]");
    stitches.stiffness = *stiffness;
    stitches.rest_length = json.number("rest_length");
    json.finish();
    return stitches;
}

void read_loads(SceneReader& json, const std::string& kind, SceneObject& object)
{
    refuse_for_kind(json, "pressure", kind, "it has no inside; shells that are closed and solids with hollows do");
    object.pressure = read_pressure(json.object("pressure"));
    refuse_for_kind(json, "damping", kind, "scripts alone move it");
    object.damping = read_damping(json.object("damping"), kind);
    refuse_for_kind(json, "drag", kind, "air acts on surfaces of bodies that can move");
    object.drag = read_drag(json.object("drag"), object.mesh.vertices.cols());
}

} // namespace abut
