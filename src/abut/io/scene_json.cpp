#include "abut/io/scene_json.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/io/json_object.hpp"
#include "abut/io/msh.hpp"
#include "abut/io/obj.hpp"
#include "abut/mesh/generators.hpp"
#include "abut/sim/contact_model.hpp"
#include "abut/sim/integrator.hpp"
#include "abut/solver/linear_solvers.hpp"

#include <algorithm>
#include <numbers>

namespace abut {

namespace {

constexpr int most = 100'000'000; // of any count in a scene

using Object = JsonObject;

/// A vector of so many numbers, 2 or 3; `of` says whose.
Vec3 vector_of(Object& json, const char* key, const Vec3& fallback, Eigen::Index count, const char* of)
{
    const nlohmann::json* value = json.take(key);
    if (value != nullptr && value->is_array() && static_cast<Eigen::Index>(value->size()) == 5 - count)
        json.reject_value(key, fmt::format("{} has {} numbers; {} needs {}", value->dump(), 5 - count, of, count));
    return json.vector(key, fallback);
}

/// A point or vector of a scene with so many dimensions.
Vec3 vector_in(Object& json, const char* key, const Vec3& fallback, Eigen::Index dim)
{
    return vector_of(json, key, fallback, dim, dim == 2 ? "a scene in the plane" : "a scene in space");
}

/// The axis of a rotation; in the plane it is z, and need not be given.
Vec3 axis_in(Object& json, const Vec3& fallback, Eigen::Index dim)
{
    const Vec3 axis = dim == 2 ? json.vector("axis", Vec3::UnitZ()) : vector_in(json, "axis", fallback, dim);
    if (!(axis.norm() > 0))
        json.reject_value("axis", "it has no length");
    if (dim == 2 && (axis.x() != 0 || axis.y() != 0))
        json.reject_value("axis", "in the plane everything turns about z; leave it out or give [0, 0, 1]");
    return axis;
}

std::array<int, 3> three(Object& json, const char* key, std::array<int, 3> fallback)
{
    const std::vector<int> given = json.integers(key, 1);
    if (given.empty())
        return fallback;
    if (given.size() != 3)
        json.reject_value(key, "expected three whole numbers");
    return {given[0], given[1], given[2]};
}

MeshData generated(Object& json)
{
    const std::string name = json.word(
        "generate", {"tet_box", "tet_ball", "mat", "tet_cone", "tet_torus", "tet_prism", "box", "cloth", "plane_grid",
                     "icosphere", "cylinder", "torus", "revolved", "rod", "helix", "rectangle", "polygon"});
    const auto positive = [&](const char* key, double fallback) {
        return json.number(key, fallback, Object::positive());
    };
    if (name == "tet_box")
        return generate::tet_box(
            {.size = vector_of(json, "size", Vec3::Ones(), 3, "a box"),
             .subdivisions = three(json, "subdivisions", {4, 4, 4})});
    if (name == "tet_ball")
        return generate::tet_ball({.radius = positive("radius", 1), .shells = json.integer("shells", 6, 1, most)});
    if (name == "mat")
        return generate::mat(
            {.width = positive("width", 1),
             .thickness = positive("thickness", 0.02),
             .cells = json.integer("cells", 40, 1, most),
             .layers = json.integer("layers", 1, 1, most)});
    if (name == "tet_cone")
        return generate::tet_cone(
            {.radius = positive("radius", 0.5),
             .height = positive("height", 1),
             .segments = json.integer("segments", 8, 3, most),
             .subdivisions = json.integer("subdivisions", 4, 1, most)});
    if (name == "tet_torus")
        return generate::tet_torus(
            {.major_radius = positive("major_radius", 1),
             .minor_radius = positive("minor_radius", 0.4),
             .major_segments = json.integer("major_segments", 24, 3, most),
             .minor_segments = json.integer("minor_segments", 8, 3, most),
             .rings = json.integer("rings", 1, 1, most)});
    if (name == "tet_prism")
        return generate::tet_prism(
            {.corners = json.points("corners", generate::TetPrismOptions().corners),
             .depth = positive("depth", 1),
             .subdivisions = json.integer("subdivisions", 1, 1, most),
             .layers = json.integer("layers", 1, 1, most)});
    if (name == "revolved")
        return generate::revolved(
            {.profile = json.points("profile", generate::RevolvedOptions().profile),
             .segments = json.integer("segments", 32, 3, most)});
    if (name == "polygon")
        return generate::polygon(
            {.corners = json.points("corners", generate::PolygonOptions().corners),
             .subdivisions = json.integer("subdivisions", 1, 1, most)});
    if (name == "box")
        return generate::box(
            {.size = vector_of(json, "size", Vec3::Ones(), 3, "a box"),
             .subdivisions = three(json, "subdivisions", {1, 1, 1})});
    if (name == "cloth" || name == "plane_grid") {
        const Vec3 size = vector_of(json, "size", Vec3(1, 1, 0), 2, "a sheet");
        std::vector<int> cells = json.integers("cells", 1);
        if (cells.empty())
            cells = {10, 10};
        if (cells.size() != 2)
            json.reject_value("cells", "expected two whole numbers");
        const generate::GridOptions options{.size = size.head<2>(), .cells = {cells[0], cells[1]}};
        return name == "cloth" ? generate::cloth(options) : generate::plane_grid(options);
    }
    if (name == "icosphere")
        return generate::icosphere(
            {.radius = positive("radius", 1), .subdivisions = json.integer("subdivisions", 3, 0, 12)});
    if (name == "cylinder")
        return generate::cylinder(
            {.radius = positive("radius", 0.5),
             .height = positive("height", 1),
             .segments = json.integer("segments", 32, 3, most),
             .rings = json.integer("rings", 8, 1, most),
             .closed = json.boolean("closed", true),
             .cap_rings = json.integer("cap_rings", 4, 1, most)});
    if (name == "torus")
        return generate::torus(
            {.major_radius = positive("major_radius", 1),
             .minor_radius = positive("minor_radius", 0.4),
             .major_segments = json.integer("major_segments", 48, 3, most),
             .minor_segments = json.integer("minor_segments", 24, 3, most)});
    if (name == "rod")
        return generate::rod({.length = positive("length", 1), .segments = json.integer("segments", 10, 1, most)});
    if (name == "helix")
        return generate::helix(
            {.radius = positive("radius", 0.1),
             .pitch = positive("pitch", 0.1),
             .turns = positive("turns", 5),
             .segments = json.integer("segments", 200, 1, most)});
    // A rectangle in the plane: a sheet seen from above, with x and y.
    const Vec3 size = vector_of(json, "size", Vec3(1, 1, 0), 2, "a rectangle");
    std::vector<int> cells = json.integers("cells", 1);
    if (cells.empty())
        cells = {4, 4};
    if (cells.size() != 2)
        json.reject_value("cells", "expected two whole numbers");
    const MeshData sheet = generate::plane_grid({.size = size.head<2>(), .cells = {cells[0], cells[1]}});
    MeshData flat;
    flat.vertices.resize(sheet.vertices.rows(), 2);
    flat.vertices.col(0) = sheet.vertices.col(0);
    flat.vertices.col(1) = -sheet.vertices.col(2); // so that triangles that face +y turn counter-clockwise
    flat.faces = sheet.faces;
    return flat;
}

/// Runs read(); what it throws gets the place in front.
template <typename Read>
MeshData read_at(const std::string& pointer, Read&& read)
{
    const auto placed = [&](const Error& error) {
        const std::string what = error.what();
        return what.starts_with(pointer) ? what : pointer + ": " + what;
    };
    try {
        return read();
    } catch (const InvalidInput& error) {
        throw InvalidInput(placed(error));
    } catch (const LimitReached& error) {
        throw LimitReached(placed(error));
    } catch (const InputOutput& error) {
        throw InputOutput(placed(error));
    }
}

MeshData read_geometry(Object json, const std::filesystem::path& folder)
{
    MeshData mesh;
    if (json.has("file")) {
        const std::filesystem::path file = json.string("file", "");
        const std::filesystem::path path = file.is_absolute() ? file : folder / file;
        std::string extension = file.extension().string();
        std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) {
            return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : char(c);
        });
        if (extension != ".obj" && extension != ".msh")
            json.reject_value(
                "file", fmt::format("'{}' ends neither in .obj nor in .msh (Gmsh); give one of these", file.string()));
        mesh = read_at(json.pointer("file"), [&] { return extension == ".msh" ? read_msh(path) : read_obj(path); });
    } else if (json.has("generate"))
        mesh = read_at(json.pointer(), [&] { return generated(json); });
    else
        reject("{}: {}", json.pointer(), "a geometry needs \"file\" (an OBJ or MSH file) or \"generate\" (a shape)");
    json.finish();
    return mesh;
}

MeshData placed(MeshData mesh, std::optional<Object> json)
{
    if (!json)
        return mesh;
    const auto dim = mesh.vertices.cols();
    const double scale = json->number("scale", 1, Object::positive());
    if (scale != 1)
        mesh = transformed(mesh, scale * Eigen::MatrixXd::Identity(dim, dim));
    if (std::optional<Object> rotate = json->object("rotate")) {
        if (!rotate->has("degrees"))
            rotate->reject_value("degrees", "missing; a rotation needs an angle");
        const double angle = rotate->number("degrees", 0, {}) * std::numbers::pi / 180;
        const Vec3 axis = axis_in(*rotate, Vec3::UnitZ(), dim);
        rotate->finish();
        const Mat<3, 3> turn = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
        mesh = transformed(mesh, Eigen::MatrixXd(turn.topLeftCorner(dim, dim)));
    }
    const Vec3 offset = vector_in(*json, "translate", Vec3::Zero(), dim);
    json->finish();
    return dim == 2 ? translated(mesh, offset.head<2>()) : translated(mesh, offset);
}

constexpr std::array object_kinds{
    ObjectKind::solid, ObjectKind::shell, ObjectKind::planar, ObjectKind::points, ObjectKind::obstacle};

std::string_view to_string(ObjectKind kind)
{
    switch (kind) {
    case ObjectKind::solid:
        return "solid";
    case ObjectKind::shell:
        return "shell";
    case ObjectKind::planar:
        return "planar";
    case ObjectKind::points:
        return "points";
    case ObjectKind::obstacle:
        break;
    }
    return "obstacle";
}

ObjectKind kind_of(Object& json, const MeshData& mesh)
{
    const std::string usual = mesh.tets.rows() > 0                                 ? "solid"
                              : mesh.vertices.cols() == 2 && mesh.faces.rows() > 0 ? "planar"
                              : mesh.faces.rows() > 0                              ? "shell"
                                                                                   : "points";
    std::vector<std::string> words{usual};
    for (const ObjectKind kind : object_kinds)
        if (to_string(kind) != usual)
            words.emplace_back(to_string(kind));
    const std::string word = json.word("kind", words);
    const ObjectKind kind = *std::find_if(
        object_kinds.begin(), object_kinds.end(), [&](ObjectKind each) { return to_string(each) == word; });
    const bool is_flat = mesh.vertices.cols() == 2, has_faces = mesh.faces.rows() > 0;
    const auto refuse = [&](const char* needs) {
        json.reject_value("kind", fmt::format("{}; this mesh makes '{}'", needs, usual));
    };
    if (kind == ObjectKind::solid && mesh.tets.rows() == 0)
        refuse("a solid needs tetrahedra");
    if (kind == ObjectKind::shell && (!has_faces || is_flat))
        refuse("a shell needs triangles in space");
    if (kind == ObjectKind::planar && (!has_faces || !is_flat))
        refuse("a planar body needs triangles in the plane");
    return kind;
}

void read_material(std::optional<Object> json, SceneObject& object)
{
    if (object.kind == ObjectKind::shell)
        object.model = ElasticModel::fixed_corotated;
    if (object.kind == ObjectKind::planar)
        object.thickness = 1;
    if (!json)
        return;
    const std::string_view kind = to_string(object.kind);
    const auto refuse = [&](std::initializer_list<const char*> keys) {
        for (const char* key : keys)
            if (json->has(key))
                json->reject_value(key, fmt::format("an object of kind '{}' has none; leave it out", kind));
    };
    if (object.kind == ObjectKind::points) {
        refuse({"model", "youngs_modulus", "poisson_ratio", "density", "thickness", "bending"});
        object.point_mass = json->number("point_mass", object.point_mass, Object::positive());
        json->finish();
        return;
    }
    refuse({"point_mass"});
    if (object.kind != ObjectKind::shell)
        refuse({"bending"});
    if (object.kind == ObjectKind::solid)
        refuse({"thickness"});
    std::vector<std::string> models{std::string(to_string(object.model))};
    for (const ElasticModel model :
         {ElasticModel::neo_hookean, ElasticModel::stable_neo_hookean, ElasticModel::fixed_corotated,
          ElasticModel::stvk}) {
        const bool is_for_shells = model == ElasticModel::fixed_corotated || model == ElasticModel::stvk;
        if (model != object.model && (object.kind != ObjectKind::shell || is_for_shells))
            models.emplace_back(to_string(model));
    }
    object.model = elastic_model(json->word("model", models));
    object.youngs_modulus = json->number("youngs_modulus", object.youngs_modulus, Object::positive());
    object.poisson_ratio = json->number("poisson_ratio", object.poisson_ratio, {.above = -1, .below = 0.5});
    object.density = json->number("density", object.density, Object::positive());
    if (object.kind != ObjectKind::solid)
        object.thickness = json->number("thickness", object.thickness, Object::positive());
    if (object.kind == ObjectKind::shell)
        object.has_bending = json->boolean("bending", object.has_bending);
    json->finish();
}

/// The vertices of an object that a selection names.
std::vector<int> selected(Object& json, const char* key, const SceneObject& object)
{
    const nlohmann::json* value = json.take(key);
    std::vector<int> vertices;
    const Positions& X = object.mesh.vertices;
    const Eigen::Index dim = X.cols();
    const auto keep_if = [&](auto&& is_in) {
        for (int v = 0; v < X.rows(); ++v) {
            Vec3 x = Vec3::Zero();
            x.head(dim) = X.row(v);
            if (is_in(x))
                vertices.push_back(v);
        }
    };
    if (value == nullptr || (value->is_string() && *value == "all")) {
        keep_if([](const Vec3&) { return true; });
        return vertices;
    }
    Object select(*value, json.pointer(key));
    if (std::optional<Object> box = select.object("box")) {
        const Vec3 lo = vector_in(*box, "min", Vec3::Constant(-INFINITY), dim),
                   hi = vector_in(*box, "max", Vec3::Constant(INFINITY), dim);
        box->finish();
        keep_if([&](const Vec3& x) { return (x.array() >= lo.array()).all() && (x.array() <= hi.array()).all(); });
    } else if (std::optional<Object> sphere = select.object("sphere")) {
        const Vec3 centre = vector_in(*sphere, "centre", Vec3::Zero(), dim);
        const double radius = sphere->number("radius", 1, Object::positive());
        sphere->finish();
        keep_if([&](const Vec3& x) { return (x - centre).norm() <= radius; });
    } else if (std::optional<Object> half = select.object("half_space")) {
        const Vec3 point = vector_in(*half, "point", Vec3::Zero(), dim),
                   normal = vector_in(*half, "normal", Vec3::UnitY(), dim);
        half->finish();
        keep_if([&](const Vec3& x) { return normal.dot(x - point) >= 0; });
    } else if (select.has("indices")) {
        vertices = select.integers("indices", 0);
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

VertexScript read_script(Object json, const std::vector<SceneObject>& objects)
{
    const std::string name = json.string("object", "");
    VertexScript script;
    script.source = json.pointer();
    const auto found =
        std::find_if(objects.begin(), objects.end(), [&](const SceneObject& each) { return each.name == name; });
    if (found == objects.end()) {
        std::vector<std::string> names;
        for (const SceneObject& object : objects)
            names.push_back(object.name);
        json.reject_value("object", fmt::format("'{}' is not one of {}", name, fmt::join(names, ", ")));
    }
    script.object = static_cast<int>(found - objects.begin());
    script.vertices = selected(json, "select", *found);
    const Eigen::Index dim = found->mesh.vertices.cols();
    script.velocity = vector_in(json, "velocity", Vec3::Zero(), dim);
    bool turns = false; // is there an angle or a rate?
    if (std::optional<Object> rotate = json.object("rotate")) {
        script.axis = axis_in(*rotate, Vec3::UnitY(), dim);
        script.centre = vector_in(*rotate, "centre", Vec3::Zero(), dim);
        turns = rotate->has("degrees_per_second");
        script.angular_velocity = rotate->number("degrees_per_second", 0, {}) * std::numbers::pi / 180;
        rotate->finish();
    }
    double last = -INFINITY;
    if (const nlohmann::json* keyframes = json.take("keyframes");
        keyframes != nullptr && keyframes->is_array() && keyframes->empty())
        json.reject_value("keyframes", "it is empty; give a keyframe or leave it out");
    for (Object& each : json.objects("keyframes")) {
        Keyframe keyframe;
        if (!each.has("time"))
            each.reject_value("time", "missing; a keyframe needs a time [s]");
        keyframe.time = each.number("time", 0, {});
        if (!(keyframe.time > last))
            each.reject_value(
                "time", fmt::format("{} is not above {}, that of the keyframe before", keyframe.time, last));
        last = keyframe.time;
        keyframe.translation = vector_in(each, "translate", Vec3::Zero(), dim);
        if (each.has("degrees") && !json.has("rotate"))
            each.reject_value(
                "degrees", "there is no axis to turn about; add \"rotate\" with \"axis\" and \"centre\" to the script");
        turns = turns || each.has("degrees");
        keyframe.angle = each.number("degrees", 0, {}) * std::numbers::pi / 180;
        each.finish();
        script.keyframes.push_back(keyframe);
    }
    if (!script.keyframes.empty() && (script.velocity != Vec3::Zero() || script.angular_velocity != 0))
        json.reject_value("keyframes", "there is a velocity or rotation rate as well; give one or the other");
    if (json.has("rotate") && !turns)
        json.reject_value("rotate", "nothing turns; give it degrees_per_second, or degrees to the keyframes");
    script.release_time = json.number("release", INFINITY, Object::not_negative());
    json.finish();
    return script;
}

/// The keys of the model gcp, and those that do not go with it.
void read_smooth_contact(Object& contact, const std::string& model, Scene& scene)
{
    if (model != "gcp") {
        for (const char* key :
             {"alpha_t", "beta_t", "alpha_n", "beta_n", "exponent", "variant", "exterior_test", "adaptive_dhat",
              "adaptive_dhat_ratio", "feature_length"})
            if (contact.has(key))
                contact.reject_value(key, fmt::format("only the model 'gcp' has it, and this is '{}'", model));
        return;
    }
    if (scene.contact.dmin > 0)
        contact.reject_value("dmin", "the model 'gcp' keeps no distance; leave it out or take another model");
    if (contact.has("area_weighting"))
        contact.reject_value("area_weighting", "the model 'gcp' has measures of its own; leave it out");
    if (scene.contact.adhesion)
        contact.reject_value("adhesion", "there is none with the model 'gcp'; leave it out or take another model");
    SceneSmoothContact& gcp = scene.contact.gcp;
    gcp.variant = contact.word("variant", {"paper", "toolkit"}) == "toolkit" ? SmoothContactVariant::toolkit
                                                                             : SmoothContactVariant::paper;
    if (gcp.variant == SmoothContactVariant::toolkit && !scene.planes.empty())
        contact.reject_value(
            "variant", "the toolkit's formulas know no planes; take the paper's, or an obstacle as floor");
    if (gcp.variant == SmoothContactVariant::toolkit)
        for (std::size_t k = 0; k < scene.objects.size(); ++k)
            if (scene.objects[k].has_loose_parts())
                reject(
                    "/objects/{}/geometry: it has loose points or edges, of which the toolkit's formulas know none; "
                    "take the paper's (/contact/variant)",
                    k);
    gcp.alpha_t = contact.number("alpha_t", gcp.alpha_t, {.above = 0, .at_most = 1});
    gcp.beta_t = contact.number("beta_t", gcp.beta_t, {.above = -gcp.alpha_t, .at_most = 1});
    gcp.alpha_n = contact.number("alpha_n", gcp.alpha_n, {.at_least = 0, .at_most = 1});
    gcp.beta_n = contact.number("beta_n", gcp.beta_n, {.above = -gcp.alpha_n, .at_most = 1});
    if (!(gcp.alpha_n + gcp.beta_n > 0))
        contact.reject_value("alpha_n", "0 needs a beta_n above 0, or the test has no width");
    gcp.exponent = contact.integer("exponent", 0, 0, most);
    if (gcp.exponent > 16)
        contact.reject_value("exponent", fmt::format("{} is out of range; it must be 16 at most", gcp.exponent));
    gcp.use_exterior_test = contact.boolean("exterior_test", gcp.variant == SmoothContactVariant::paper);
    gcp.use_adaptive_dhat = contact.boolean("adaptive_dhat", gcp.use_adaptive_dhat);
    if (!gcp.use_adaptive_dhat && contact.has("adaptive_dhat_ratio"))
        contact.reject_value(
            "adaptive_dhat_ratio", "adaptive_dhat is false, so nothing uses it; leave one of them out");
    gcp.adaptive_dhat_ratio = contact.number("adaptive_dhat_ratio", gcp.adaptive_dhat_ratio, {.above = 0, .below = 1});
    const nlohmann::json* length = contact.take("feature_length");
    if (length != nullptr && *length != "edge_length") {
        if (length->is_string())
            contact.reject_value(
                "feature_length",
                fmt::format("expected \"edge_length\" or a length for all elements [m], got {}", length->dump()));
        gcp.feature_length = contact.optional_number("feature_length", Object::positive());
    }
}

} // namespace

void apply_settings(nlohmann::json& root, const std::vector<std::string>& settings)
{
    for (const std::string& setting : settings) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos || equals == 0)
            reject("--set {}: expected key.key=value", setting);
        const std::string text = setting.substr(equals + 1);
        nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
        if (value.is_discarded())
            value = text; // a word
        // Objects grow where a key is missing; arrays do not.
        nlohmann::json* at = &root;
        const std::string path = setting.substr(0, equals);
        for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
            end = path.find('.', begin);
            const std::string key = path.substr(begin, end - begin);
            if (at->is_array()) {
                const bool is_index = !key.empty() && key.size() < 10 &&
                                      std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
                if (!is_index || std::stoul(key) >= at->size())
                    reject("--set {}: the array has {} elements, and none is '{}'", setting, at->size(), key);
                at = &(*at)[std::stoul(key)];
            } else if (at->is_object() || at->is_null())
                at = &(*at)[key];
            else
                reject("--set {}: '{}' is a key of something that is no object", setting, key);
        }
        *at = value;
    }
}

Scene scene_from_json(const nlohmann::json& root, const std::string& name, const std::filesystem::path& folder)
{
    try {
        Object json(root, "");
        const int format = json.integer("format", 0, 0, most);
        if (format == 0)
            json.reject_value("format", fmt::format("missing; add \"format\": {}", scene_format));
        if (format > scene_format)
            json.reject_value(
                "format", fmt::format("{} is newer than {}, the newest this program reads", format, scene_format));
        Scene scene;
        scene.name = json.string("name", std::filesystem::path(name).stem().string());
        for (Object& each : json.objects("objects")) {
            SceneObject object;
            object.name = each.string("name", fmt::format("object{}", scene.objects.size()));
            std::optional<Object> geometry = each.object("geometry");
            if (!geometry)
                each.reject_value("geometry", "missing; an object needs a geometry");
            object.mesh = placed(read_geometry(*geometry, folder), each.object("transform"));
            if (!scene.objects.empty() && object.mesh.vertices.cols() != scene.objects[0].mesh.vertices.cols())
                each.reject_value(
                    "geometry", fmt::format(
                                    "a mesh in {} dimensions, but the first object has {}", object.mesh.vertices.cols(),
                                    scene.objects[0].mesh.vertices.cols()));
            object.kind = kind_of(each, object.mesh);
            if (object.kind == ObjectKind::obstacle && each.has("material"))
                each.reject_value("material", "an obstacle has none, as it does not give way; leave it out");
            read_material(each.object("material"), object);
            if (object.kind == ObjectKind::obstacle && each.has("velocity"))
                each.reject_value(
                    "velocity", "an obstacle has none at the start; move it by one of \"scripts\" with this velocity");
            object.velocity = vector_in(each, "velocity", Vec3::Zero(), object.mesh.vertices.cols());
            for (const SceneObject& other : scene.objects)
                if (other.name == object.name)
                    each.reject_value("name", fmt::format("'{}' is the name of another object", object.name));
            std::optional<VertexScript> fixed;
            if (each.has("fix")) {
                fixed.emplace();
                fixed->object = static_cast<int>(scene.objects.size());
                fixed->vertices = selected(each, "fix", object);
                fixed->source = each.pointer("fix");
            } else
                (void)each.take("fix");
            each.finish();
            scene.objects.push_back(std::move(object));
            if (fixed)
                scene.scripts.push_back(*fixed);
        }
        if (scene.objects.empty())
            json.reject_value("objects", "the scene has none; give at least one");
        const Eigen::Index dim = scene.objects[0].mesh.vertices.cols();
        scene.gravity = vector_in(json, "gravity", scene.gravity, dim);
        for (Object& each : json.objects("planes")) {
            scene.planes.push_back(
                {vector_in(each, "point", Vec3::Zero(), dim), vector_in(each, "normal", Vec3::UnitY(), dim)});
            each.finish();
        }
        for (Object& each : json.objects("scripts"))
            scene.scripts.push_back(read_script(each, scene.objects));
        if (std::optional<Object> contact = json.object("contact")) {
            std::vector<std::string> models = contact_models().names();
            models.emplace_back("none");
            const std::string model = contact->word("model", models);
            scene.contact.model = model;
            const ContactModel* preset = contact_models().find(model);
            scene.contact.use_area_weighting =
                contact->boolean("area_weighting", preset != nullptr && preset->weights_by_area);
            scene.contact.dhat = contact->optional_number("dhat", Object::positive());
            scene.contact.dmin = contact->number("dmin", 0, Object::not_negative());
            scene.contact.stiffness = contact->optional_number("stiffness", Object::positive());
            if (std::optional<Object> friction = contact->object("friction")) {
                scene.contact.mu = friction->number("mu", 0, Object::not_negative());
                scene.contact.mu_k = friction->optional_number("mu_k", Object::not_negative());
                scene.contact.eps_v = friction->optional_number("eps_v", Object::positive());
                friction->finish();
            }
            if (std::optional<Object> adhesion = contact->object("adhesion")) {
                SceneAdhesion& bonds = scene.contact.adhesion.emplace();
                bonds.critical_strain = adhesion->number("critical_strain", bonds.critical_strain, Object::positive());
                bonds.youngs_modulus = adhesion->optional_number("youngs_modulus", Object::positive());
                bonds.dhat_p = adhesion->optional_number("dhat_p", Object::positive());
                bonds.dhat_a = adhesion->optional_number("dhat_a", Object::positive());
                bonds.of_squared_distance = adhesion->word("distance", {"plain", "squared"}) == "squared";
                bonds.mu_a = adhesion->number("mu_a", 0, Object::not_negative());
                bonds.eps_a = adhesion->optional_number("eps_a", Object::positive());
                adhesion->finish();
            }
            read_smooth_contact(*contact, model, scene);
            contact->finish();
        }
        if (std::optional<Object> time = json.object("time")) {
            scene.time.dt = time->number("dt", scene.time.dt, Object::positive());
            scene.time.steps = time->integer("steps", scene.time.steps, 0, most);
            scene.time.integrator = time->word("integrator", integrators().names());
            time->finish();
            if (!std::isfinite(scene.time.dt * scene.time.steps))
                json.reject_value(
                    "time", fmt::format("{} steps of {} s are no finite time", scene.time.steps, scene.time.dt));
        }
        if (std::optional<Object> solver = json.object("solver")) {
            scene.solver.tolerance = solver->optional_number("tolerance", Object::positive());
            const std::string norm = solver->word("norm", {"largest", "root_mean_square", "relative"});
            scene.solver.norm = norm == "largest"            ? ConvergenceNorm::largest
                                : norm == "root_mean_square" ? ConvergenceNorm::root_mean_square
                                                             : ConvergenceNorm::relative;
            scene.solver.max_iterations = solver->integer("max_iterations", scene.solver.max_iterations, 1, most);
            scene.solver.max_seconds = solver->number("max_seconds", INFINITY, Object::positive());
            scene.solver.friction_iterations =
                solver->integer("friction_iterations", scene.solver.friction_iterations, 1, 1000);
            scene.solver.max_blocked_steps =
                solver->integer("max_blocked_steps", scene.solver.max_blocked_steps, 1, most);
            scene.solver.linear = solver->word("linear", linear_solvers().names());
            solver->finish();
        }
        if (std::optional<Object> output = json.object("output")) {
            scene.frame_every = output->integer("every", 1, 1, most);
            output->finish();
        }
        const std::string verify = json.word("verify", {"frame", "step", "off"});
        scene.verify = verify == "frame" ? Verify::frame : verify == "step" ? Verify::step : Verify::off;
        json.finish();
        return scene;
    } catch (const InvalidInput& error) {
        throw InvalidInput(name + " " + error.what());
    } catch (const LimitReached& error) {
        throw LimitReached(name + " " + error.what());
    } catch (const InputOutput& error) {
        throw InputOutput(name + " " + error.what());
    }
}

Scene parse_scene(
    std::string_view text, const std::string& name, const std::filesystem::path& folder,
    const std::vector<std::string>& settings)
{
    nlohmann::json root = parse_json(text, name);
    apply_settings(root, settings);
    return scene_from_json(root, name, folder);
}

nlohmann::json read_scene_json(const std::filesystem::path& path, const std::vector<std::string>& settings)
{
    constexpr std::uintmax_t max_bytes = 64 << 20;
    nlohmann::json root = parse_json(read_file(path, max_bytes), path.string());
    apply_settings(root, settings);
    return root;
}

Scene read_scene(const std::filesystem::path& path, const std::vector<std::string>& settings)
{
    return scene_from_json(read_scene_json(path, settings), path.string(), path.parent_path());
}

} // namespace abut
