// Objects of a scene from JSON: kind, place, material.

#include "abut/base/error.hpp"
#include "abut/io/scene_parts_json.hpp"

#include <algorithm>
#include <numbers>

namespace abut {

namespace {

MeshData placed(MeshData mesh, std::optional<SceneReader> json)
{
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
        const Mat<3, 3> turn = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
        mesh = transformed(mesh, Eigen::MatrixXd(turn.topLeftCorner(dim, dim)));
    }
    const Vec3 offset = json->vector("translate", dim);
    json->finish();
    return dim == 2 ? translated(mesh, offset.head<2>()) : translated(mesh, offset);
}

constexpr std::array object_kinds{
    std::pair{"solid", ObjectKind::solid}, std::pair{"shell", ObjectKind::shell},
    std::pair{"planar", ObjectKind::planar}, std::pair{"points", ObjectKind::points},
    std::pair{"obstacle", ObjectKind::obstacle}};

std::string name_of(ObjectKind kind)
{
    return std::find_if(object_kinds.begin(), object_kinds.end(), [&](const auto& each) { return each.second == kind; })
        ->first;
}

ObjectKind kind_of(SceneReader& json, const SceneObject& object)
{
    const MeshData& mesh = object.mesh;
    const bool is_rod = mesh.tets.rows() == 0 && mesh.faces.rows() == 0 && mesh.edges.rows() > 0;
    if (is_rod && !json.has("kind"))
        json.reject_value(
            "kind",
            fmt::format(
                "missing; '{}' is a mesh of edges alone, and rods that resist stretching and bending do not exist "
                "yet. Give \"points\" for loose vertices that nothing holds together, or \"obstacle\"",
                object.name));
    const std::string usual = mesh.tets.rows() > 0                                 ? "solid"
                              : mesh.vertices.cols() == 2 && mesh.faces.rows() > 0 ? "planar"
                              : mesh.faces.rows() > 0                              ? "shell"
                                                                                   : "points";
    std::vector<std::string> words = json.key("kind").choices();
    const auto first = std::find(words.begin(), words.end(), usual);
    std::rotate(words.begin(), first, first + 1); // the first is the default
    const std::string word = json.JsonObject::word("kind", words);
    const ObjectKind kind = std::find_if(object_kinds.begin(), object_kinds.end(), [&](const auto& each) {
                                return each.first == word;
                            })->second;
    const bool is_flat = mesh.vertices.cols() == 2, has_faces = mesh.faces.rows() > 0;
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
    return kind;
}

/// No material means the same as an empty one: all defaults.
void read_material(std::optional<SceneReader> json, SceneObject& object)
{
    if (object.kind == ObjectKind::obstacle)
        return;
    static const nlohmann::json nothing = nlohmann::json::object();
    SceneReader material = json ? *json : SceneReader(nothing, "", "objects[].material");
    const std::string kind = name_of(object.kind);
    material.use_variant(kind);
    for (const std::string& key : material.names_of_others())
        if (material.has(key))
            material.reject_value(key, fmt::format("an object of kind '{}' has none; leave it out", kind));
    if (object.kind == ObjectKind::points) {
        object.point_mass = material.number("point_mass");
        material.finish();
        return;
    }
    if (material.has("model"))
        object.model = elastic_model(material.word("model"));
    object.youngs_modulus = material.number("youngs_modulus");
    object.poisson_ratio = material.number("poisson_ratio");
    object.density = material.number("density");
    if (object.kind != ObjectKind::solid)
        object.thickness = material.number("thickness");
    if (object.kind == ObjectKind::shell)
        object.has_bending = material.boolean("bending");
    material.finish();
}

} // namespace

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
    object.mesh = placed(read_geometry(*geometry, files), json.object("transform"));
    const Eigen::Index dim = object.mesh.vertices.cols();
    if (!scene.objects.empty() && dim != scene.objects[0].mesh.vertices.cols())
        json.reject_value(
            "geometry",
            fmt::format(
                "a mesh in {} dimensions, but the first object has {}", dim, scene.objects[0].mesh.vertices.cols()));
    object.kind = kind_of(json, object);
    if (object.kind == ObjectKind::obstacle && json.has("material"))
        json.reject_value("material", "an obstacle has none, as it does not give way; leave it out");
    read_material(json.object("material"), object);
    if (object.kind == ObjectKind::obstacle && json.has("velocity"))
        json.reject_value(
            "velocity", "an obstacle has none at the start; move it by one of \"scripts\" with this velocity");
    object.velocity = json.vector("velocity", dim);
    read_loads(json, name_of(object.kind), object);
    if (!names.insert(object.name).second)
        json.reject_value("name", fmt::format("'{}' is the name of another object", object.name));
    if (json.take("fix") != nullptr) {
        VertexScript fixed;
        fixed.object = static_cast<int>(scene.objects.size());
        fixed.vertices = read_selection(json, "fix", object);
        fixed.source = json.pointer("fix");
        scene.scripts.push_back(std::move(fixed));
    }
    json.finish();
    scene.objects.push_back(std::move(object));
}

} // namespace abut
