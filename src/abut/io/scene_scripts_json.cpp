// Selections of vertices and scripts that move them, from JSON.

#include "abut/base/error.hpp"
#include "abut/io/scene_parts_json.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numbers>

namespace abut {

namespace {

/// Is a point in the region that a selection has? Null where it has none.
std::function<bool(const Vec3&)> region_of(SceneReader& select, Eigen::Index dim)
{
    if (std::optional<SceneReader> box = select.object("box")) {
        const Vec3 lo = box->vector("min", dim, Vec3::Constant(-INFINITY)),
                   hi = box->vector("max", dim, Vec3::Constant(INFINITY));
        box->finish();
        return [=](const Vec3& x) { return (x.array() >= lo.array()).all() && (x.array() <= hi.array()).all(); };
    }
    if (std::optional<SceneReader> sphere = select.object("sphere")) {
        const Vec3 centre = sphere->vector("centre", dim);
        const double radius = sphere->number("radius");
        sphere->finish();
        return [=](const Vec3& x) { return (x - centre).norm() <= radius; };
    }
    if (std::optional<SceneReader> half = select.object("half_space")) {
        const Vec3 point = half->vector("point", dim), normal = half->vector("normal", dim);
        half->finish();
        return [=](const Vec3& x) { return normal.dot(x - point) >= 0; };
    }
    return nullptr;
}

int find_object(SceneReader& json, const std::vector<SceneObject>& objects)
{
    const std::string name = json.string("object", "");
    const auto found =
        std::find_if(objects.begin(), objects.end(), [&](const SceneObject& each) { return each.name == name; });
    if (found == objects.end()) {
        std::vector<std::string> names;
        for (const SceneObject& object : objects)
            names.push_back(object.name);
        json.reject_value("object", fmt::format("'{}' is not one of {}", name, fmt::join(names, ", ")));
    }
    return static_cast<int>(found - objects.begin());
}

/// The keyframes of a script; `turns` becomes true where one has an angle.
std::vector<Keyframe> read_keyframes(SceneReader& json, Eigen::Index dim, bool& turns)
{
    if (const nlohmann::json* list = json.take("keyframes"); list != nullptr && list->is_array() && list->empty())
        json.reject_value("keyframes", "it is empty; give a keyframe or leave it out");
    std::vector<Keyframe> keyframes;
    double last = -INFINITY;
    for (SceneReader& each : json.objects("keyframes")) {
        Keyframe keyframe;
        const std::optional<double> time = each.optional_number("time");
        if (!time)
            each.reject_value("time", "missing; a keyframe needs a time [s]");
        keyframe.time = *time;
        if (!(keyframe.time > last))
            each.reject_value(
                "time", fmt::format("{} is not above {}, that of the keyframe before", keyframe.time, last));
        last = keyframe.time;
        keyframe.translation = each.vector("translate", dim);
        if (each.has("degrees") && !json.has("rotate"))
            each.reject_value(
                "degrees", "there is no axis to turn about; add \"rotate\" with \"axis\" and \"centre\" to the script");
        turns = turns || each.has("degrees");
        keyframe.angle = each.number("degrees") * std::numbers::pi / 180;
        each.finish();
        keyframes.push_back(keyframe);
    }
    return keyframes;
}

} // namespace

std::vector<int> read_selection(SceneReader& json, const std::string& key, const SceneObject& object)
{
    const nlohmann::json* value = json.take(key);
    const Positions& X = object.mesh.vertices;
    std::vector<int> vertices;
    const auto keep_if = [&](const auto& is_in) {
        for (int v = 0; v < X.rows(); ++v)
            if (is_in(lifted(X, v)))
                vertices.push_back(v);
    };
    if (value == nullptr || (value->is_string() && *value == "all")) {
        keep_if([](const Vec3&) { return true; });
        return vertices;
    }
    SceneReader select = json.selection(*value, key);
    if (const auto is_in = region_of(select, X.cols()))
        keep_if(is_in);
    else if (select.has("indices")) {
        vertices = select.indices("indices");
        for (const int v : vertices)
            if (v >= X.rows())
                select.reject_value("indices", fmt::format("{} is not below the object's {} vertices", v, X.rows()));
    } else
        select.reject_value("", "a selection is \"all\", or has box, sphere, half_space or indices");
    select.finish();
    if (vertices.empty())
        json.reject_value(key, fmt::format("it selects none of the {} vertices of '{}'", X.rows(), object.name));
    return vertices;
}

VertexScript read_script(SceneReader json, const std::vector<SceneObject>& objects)
{
    VertexScript script;
    script.source = json.pointer();
    script.object = find_object(json, objects);
    const SceneObject& object = objects[static_cast<std::size_t>(script.object)];
    script.vertices = read_selection(json, "select", object);
    const Eigen::Index dim = object.mesh.vertices.cols();
    script.velocity = json.vector("velocity", dim);
    bool turns = false; // is there an angle or a rate?
    if (std::optional<SceneReader> rotate = json.object("rotate")) {
        script.axis = read_axis(*rotate, dim);
        script.centre = rotate->vector("centre", dim);
        turns = rotate->has("degrees_per_second");
        script.angular_velocity = rotate->number("degrees_per_second") * std::numbers::pi / 180;
        rotate->finish();
    }
    script.keyframes = read_keyframes(json, dim, turns);
    if (!script.keyframes.empty() && (script.velocity != Vec3::Zero() || script.angular_velocity != 0))
        json.reject_value("keyframes", "there is a velocity or rotation rate as well; give one or the other");
    if (json.has("rotate") && !turns)
        json.reject_value("rotate", "nothing turns; give it degrees_per_second, or degrees to the keyframes");
    if (json.has("frame")) {
        if (object.kind != ObjectKind::rod)
            json.reject_value("frame", fmt::format("'{}' is no rod and has no frames; leave it out", object.name));
        script.holds_frames = json.boolean("frame", true);
    }
    script.release_time = json.optional_number("release").value_or(INFINITY);
    json.finish();
    return script;
}

} // namespace abut
