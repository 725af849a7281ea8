// Objects of a scene from JSON: kind, place, material.

#include "abut/base/error.hpp"
#include "abut/elastic/material_presets.hpp"
#include "abut/io/scene_parts_json.hpp"

#include <algorithm>
#include <numbers>

namespace abut {

namespace {

/// `turn` is how it was turned.
MeshData placed(MeshData mesh, std::optional<SceneReader> json, Mat<3, 3>& turn)
{
    turn.setIdentity();
    if (!json)
        return mesh;
    const auto dim = mesh.vertices.cols();
    const double scale = json->number("scale");
    if (scale != 1)
        mesh = transformed(mesh, scale * Eigen::MatrixXd::Identity(dim, dim));
    if (std::optional<SceneReader> rotate = json->object("rotate")) {
        const std::optional<double> degrees = rotate->optional_number("degrees");
        if (!degrees)
            rotate->reject_value("degrees", "missing; a rotation needs an angle");
        const double angle = *degrees * std::numbers::pi / 180;
        const Vec3 axis = read_axis(*rotate, dim);
        rotate->finish();
        turn = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
        mesh = transformed(mesh, Eigen::MatrixXd(turn.topLeftCorner(dim, dim)));
    }
    const Vec3 offset = json->vector("translate", dim);
    json->finish();
    return dim == 2 ? translated(mesh, offset.head<2>()) : translated(mesh, offset);
}

constexpr std::array object_kinds{ObjectKind::solid, ObjectKind::shell,  ObjectKind::planar,
                                  ObjectKind::rod,   ObjectKind::points, ObjectKind::obstacle};

ObjectKind kind_of(SceneReader& json, const SceneObject& object)
{
    const MeshData& mesh = object.mesh;
    const bool is_flat = mesh.vertices.cols() == 2, has_faces = mesh.faces.rows() > 0;
    const bool has_edges_only = mesh.tets.rows() == 0 && !has_faces && mesh.edges.rows() > 0;
    if (has_edges_only && is_flat && !json.has("kind"))
        json.reject_value(
            "kind", fmt::format(
                        "missing; '{}' is a mesh of edges alone, and rods are in space, not in the plane. Give "
                        "\"points\" for loose vertices that nothing holds together, or \"obstacle\"",
                        object.name));
    const std::string usual = mesh.tets.rows() > 0   ? "solid"
                              : has_faces && is_flat ? "planar"
                              : has_faces            ? "shell"
                              : has_edges_only       ? "rod"
                                                     : "points";
    std::vector<std::string> words = json.key("kind").choices();
    const auto first = std::find(words.begin(), words.end(), usual);
    std::rotate(words.begin(), first, first + 1); // the first is the default
    const std::string word = json.JsonObject::word("kind", words);
    const ObjectKind kind = *std::find_if(
        object_kinds.begin(), object_kinds.end(), [&](ObjectKind each) { return to_string(each) == word; });
    const auto refuse = [&](const char* needs) {
        json.reject_value("kind", fmt::format("{}; this mesh makes '{}'", needs, usual));
    };
    if (kind == ObjectKind::solid && mesh.tets.rows() == 0)
        refuse(
            "a solid needs tetrahedra; make them with fTetWild or Gmsh and give the MSH file, or generate the shape");
    if (kind == ObjectKind::shell && (!has_faces || is_flat))
        refuse("a shell needs triangles in space");
    if (kind == ObjectKind::planar && (!has_faces || !is_flat))
        refuse("a planar body needs triangles in the plane");
    if (kind == ObjectKind::rod && (!has_edges_only || is_flat))
        refuse("a rod needs edges in space, and nothing but edges");
    return kind;
}

SceneStrainLimit read_strain_limit(SceneReader json)
{
    SceneStrainLimit limit;
    const std::optional<double> stretch = json.optional_number("stretch");
    if (!stretch)
        json.reject_value("stretch", "missing; a limit of 1.1 lets nothing become longer by a tenth");
    limit.stretch = *stretch;
    limit.from = json.number("from");
    if (!(limit.from < limit.stretch))
        json.reject_value(
            "from", fmt::format("{} is not below the stretch {} that it leads up to", limit.from, limit.stretch));
    limit.stiffness = json.optional_number("stiffness");
    json.finish();
    return limit;
}

Plasticity read_plasticity(SceneReader json)
{
    if (const auto given = json.JsonObject::optional_number("yield_stress", {}); given && !(*given > 0))
        json.reject_value(
            "yield_stress", fmt::format(
                                "{} is not a stress above 0 at which it yields [Pa]; give one, or leave \"plasticity\" "
                                "out for a material that stays elastic",
                                *given));
    const std::optional<double> yield_stress = json.optional_number("yield_stress");
    const double hardening = json.number("hardening"), viscosity = json.number("viscosity");
    json.finish();
    if (!yield_stress)
        json.reject_value("yield_stress", "missing; it is the stress in tension at which the material begins to flow");
    return {*yield_stress, hardening, viscosity};
}

/// The law of the material; the preset's where no other is given.
void read_model(SceneReader& material, const MaterialPreset* preset, SceneObject& object)
{
    const bool flows = object.plasticity && object.kind != ObjectKind::shell;
    if (material.has("model"))
        object.model = elastic_model(material.word("model"));
    else if (preset != nullptr)
        object.model = flows && !preset->is_woven() ? ElasticModel::hencky : preset->model;
    if (object.is_woven() && object.kind != ObjectKind::shell)
        material.reject_value(
            material.has("model") ? "model" : "preset",
            fmt::format(
                "{} is cloth, woven of threads, and '{}' is no shell; give it triangles in space, or {}",
                material.has("model") ? "baraff_witkin" : object.preset, object.name,
                material.has("model") ? "another model" : "another preset or a \"model\""));
    if (flows && object.model && object.model != ElasticModel::hencky)
        material.reject_value(
            "model", fmt::format(
                         "a {} of {} cannot flow, and there is a \"plasticity\"; take \"hencky\", or leave one of both "
                         "out",
                         to_string(object.kind), to_string(*object.model)));
}

/// Keys of cloth.
void read_weave(SceneReader& material, const MaterialPreset* preset, const Mat<3, 3>& turn, SceneObject& object)
{
    if (!object.is_woven()) {
        for (const char* key : {"warp", "weft", "shear", "warp_direction"})
            if (material.has(key))
                material.reject_value(
                    key, "only cloth of \"model\": \"baraff_witkin\" has it; give that model, or leave it out");
        return;
    }
    SceneWeave& weave = object.weave;
    if (preset != nullptr && preset->is_woven())
        weave = {.warp = preset->woven->warp, .weft = preset->woven->weft, .shear = preset->woven->shear};
    for (const auto& [key, modulus] :
         {std::pair{"warp", &weave.warp}, std::pair{"weft", &weave.weft}, std::pair{"shear", &weave.shear}})
        if (const std::optional<double> given = material.optional_number(key))
            *modulus = given;
    const Vec3 direction = material.vector("warp_direction", "a direction in space");
    if (!(direction.norm() > 0))
        material.reject_value("warp_direction", "it has no length");
    weave.warp_direction = turn * direction;
}

/// Keys of rods.
void read_rod(SceneReader& material, const Mat<3, 3>& turn, SceneObject& object)
{
    SceneRod& rod = object.rod;
    const Vec2 half_axes = material.number_or_two("radius");
    rod.section = {half_axes[0], half_axes[1]};
    rod.shear_modulus = material.optional_number("shear_modulus");
    if (rod.shear_modulus && material.has("poisson_ratio"))
        material.reject_value("shear_modulus", "there is a poisson_ratio as well; give one or the other");
    rod.is_straight = material.word("rest") == "straight";
    rod.rest_twist = material.number("rest_twist");
    if (!material.has("section_axis"))
        return;
    const Vec3 axis = material.vector("section_axis", "a direction in space");
    if (!(axis.norm() > 0))
        material.reject_value("section_axis", "it has no length");
    rod.axis = turn * axis;
}

/// A name that others refer to; empty where it is left out.
std::string read_name(SceneReader& json, const char* key)
{
    const std::string name = json.string(key, "");
    if (name.empty() && json.has(key))
        json.reject_value(key, "it is empty; give a name or leave it out");
    return name;
}

/// No material means the same as an empty one: all defaults. `turn` is how the mesh was turned.
void read_material(std::optional<SceneReader> json, const Mat<3, 3>& turn, SceneObject& object)
{
    static const nlohmann::json nothing = nlohmann::json::object();
    SceneReader material = json ? *json : SceneReader(nothing, "", "objects[].material");
    const std::string kind = std::string(to_string(object.kind));
    material.use_variant(kind);
    for (const std::string& key : material.names_of_others())
        if (material.has(key))
            material.reject_value(key, fmt::format("an object of kind '{}' has none; leave it out", kind));
    object.surface = read_surface(material);
    if (object.kind == ObjectKind::obstacle) {
        material.finish();
        return;
    }
    if (object.kind == ObjectKind::points) {
        object.point_mass = material.number("point_mass");
        material.finish();
        return;
    }
    const MaterialPreset* preset = nullptr;
    if (material.has("preset")) {
        object.preset = material.word("preset");
        preset = find_preset(object.preset);
    }
    if (std::optional<SceneReader> plasticity = material.object("plasticity"))
        object.plasticity = read_plasticity(*plasticity);
    if (object.kind != ObjectKind::rod)
        read_model(material, preset, object);
    else if (preset != nullptr && preset->is_woven())
        material.reject_value(
            "preset",
            fmt::format(
                "{} is cloth, and '{}' is a rod; give it another preset, or moduli", object.preset, object.name));
    const auto number = [&](const char* key, std::optional<double> of_preset) {
        const std::optional<double> given = material.optional_number(key);
        return given ? *given : of_preset ? *of_preset : material.number(key);
    };
    const auto of_preset = [&](double MaterialPreset::*value) {
        return preset != nullptr ? std::optional(preset->*value) : std::nullopt;
    };
    object.youngs_modulus = number("youngs_modulus", of_preset(&MaterialPreset::youngs_modulus));
    object.poisson_ratio = number("poisson_ratio", of_preset(&MaterialPreset::poisson_ratio));
    object.density = number("density", of_preset(&MaterialPreset::density));
    if (object.kind == ObjectKind::shell)
        object.thickness = number("thickness", preset != nullptr ? preset->thickness : std::nullopt);
    else if (object.kind == ObjectKind::planar)
        object.thickness = material.number("thickness");
    if (object.kind == ObjectKind::rod)
        read_rod(material, turn, object);
    if (object.kind == ObjectKind::shell)
        object.has_bending = material.boolean("bending");
    if (object.kind == ObjectKind::shell)
        read_weave(material, preset, turn, object);
    if (object.kind == ObjectKind::shell)
        if (std::optional<SceneReader> limit = material.object("strain_limit"))
            object.strain_limit = read_strain_limit(*limit);
    material.finish();
}

/// What moves it besides contact, at the start and after it.
void read_motion(SceneReader& json, Eigen::Index dim, SceneObject& object)
{
    if (object.kind == ObjectKind::obstacle)
        for (const char* key : {"angular_velocity", "gravity_scale", "force"})
            if (json.has(key))
                json.reject_value(
                    key, "an obstacle has no mass and follows no force; leave it out, or move it by one of "
                         "\"scripts\"");
    object.angular_velocity = json.vector("angular_velocity", "a spin");
    if (dim == 2 && (object.angular_velocity.x() != 0 || object.angular_velocity.y() != 0))
        json.reject_value("angular_velocity", "in the plane everything turns about z; give [0, 0, spin]");
    object.gravity_scale = json.number("gravity_scale");
    object.force = json.vector("force", dim);
}

} // namespace

SurfaceMaterial read_surface(SceneReader& material)
{
    SurfaceMaterial surface;
    surface.name = read_name(material, "name");
    surface.mu = material.optional_number("mu");
    surface.mu_k = material.optional_number("mu_k");
    if (surface.mu_k && !surface.mu)
        material.reject_value("mu_k", "there is no mu beside it; give both, or mu alone");
    return surface;
}

Vec3 read_axis(SceneReader& json, Eigen::Index dim)
{
    const Vec3 axis = dim == 2 ? json.JsonObject::vector("axis", Vec3::UnitZ()) : json.vector("axis", dim);
    if (!(axis.norm() > 0))
        json.reject_value("axis", "it has no length");
    if (dim == 2 && (axis.x() != 0 || axis.y() != 0))
        json.reject_value("axis", "in the plane everything turns about z; leave it out or give [0, 0, 1]");
    return axis;
}

void read_object(SceneReader& json, const SceneFiles& files, std::set<std::string>& names, Scene& scene)
{
    SceneObject object;
    object.name = json.string("name", fmt::format("object{}", scene.objects.size()));
    std::optional<SceneReader> geometry = json.object("geometry");
    if (!geometry)
        json.reject_value("geometry", "missing; an object needs a geometry");
    Mat<3, 3> turn;
    object.mesh = placed(read_geometry(*geometry, files), json.object("transform"), turn);
    const Eigen::Index dim = object.mesh.vertices.cols();
    if (!scene.objects.empty() && dim != scene.objects[0].mesh.vertices.cols())
        json.reject_value(
            "geometry",
            fmt::format(
                "a mesh in {} dimensions, but the first object has {}", dim, scene.objects[0].mesh.vertices.cols()));
    object.kind = kind_of(json, object);
    read_material(json.object("material"), turn, object);
    object.contact_group = read_name(json, "contact_group");
    object.contact_thickness = json.optional_number("contact_thickness");
    if (object.kind == ObjectKind::obstacle && json.has("velocity"))
        json.reject_value(
            "velocity", "an obstacle has none at the start; move it by one of \"scripts\" with this velocity");
    object.velocity = json.vector("velocity", dim);
    read_motion(json, dim, object);
    read_loads(json, std::string(to_string(object.kind)), object);
    if (!names.insert(object.name).second)
        json.reject_value("name", fmt::format("'{}' is the name of another object", object.name));
    if (json.take("fix") != nullptr) {
        VertexScript fixed;
        fixed.object = static_cast<int>(scene.objects.size());
        fixed.vertices = read_selection(json, "fix", object);
        fixed.source = json.pointer("fix");
        if (object.kind == ObjectKind::rod && json.has("fix_frame"))
            fixed.holds_frames = json.boolean("fix_frame", true);
        scene.scripts.push_back(std::move(fixed));
    }
    if (json.has("fix_frame") && (object.kind != ObjectKind::rod || !json.has("fix")))
        json.reject_value(
            "fix_frame", object.kind != ObjectKind::rod ? "only rods have frames; leave it out"
                                                        : "there is no \"fix\" that holds vertices; give both");
    json.finish();
    scene.objects.push_back(std::move(object));
}

} // namespace abut
