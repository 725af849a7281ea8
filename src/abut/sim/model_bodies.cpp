// Bodies of a scene as one mesh with masses, and the scripts that their vertices follow.

#include "abut/base/error.hpp"
#include "abut/elastic/lumped_masses.hpp"
#include "abut/mesh/topology.hpp"
#include "abut/mesh/validate.hpp"
#include "abut/sim/rods.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut {

namespace {

void join_meshes(Model& model)
{
    model.object_starts = {0};
    std::vector<std::string> names;
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k) {
        const SceneObject& object = model.scene.objects[k];
        if (object.mesh.vertices.rows() == 0)
            reject("{}: the mesh is empty", field_of_object(k, "geometry"));
        const Eigen::Index dim = model.scene.objects[0].mesh.vertices.cols();
        if (object.mesh.vertices.cols() != dim)
            reject(
                "{}: a mesh in {} dimensions, but the first object has {}", field_of_object(k, "geometry"),
                object.mesh.vertices.cols(), dim);
        constexpr Eigen::Index limit = std::numeric_limits<int>::max();
        if (object.mesh.vertices.rows() > limit - model.object_starts.back())
            throw LimitReached(
                fmt::format("{}: with its vertices the scene has more than {}", field_of_object(k, "geometry"), limit));
        model.object_starts.push_back(model.object_starts.back() + static_cast<int>(object.mesh.vertices.rows()));
        names.push_back(object.name);
    }
    // One allocation: growing with each object would be quadratic in their number.
    model.rest.resize(model.object_starts.back(), model.scene.objects[0].mesh.vertices.cols());
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k) {
        const Positions& vertices = model.scene.objects[k].mesh.vertices;
        model.rest.middleRows(model.object_starts[k], vertices.rows()) = vertices;
    }
    model.layout = BlockLayout(model.num_vertices(), model.dim());
    model.names.emplace(std::move(names), model.object_starts);
}

void assign_script(Model& model, std::size_t s)
{
    const VertexScript& script = model.scene.scripts[s];
    const auto name = [&](const char* key) {
        return script.source.empty() ? fmt::format("scripts[{}].{}", s, key) : script.source;
    };
    if (script.object < 0 || script.object >= static_cast<int>(model.scene.objects.size()))
        reject("{}: there is no object {}", name("object"), script.object);
    if (!(script.axis.norm() > 0))
        reject("{}: an axis of length zero", name("axis"));
    for (std::size_t k = 1; k < script.keyframes.size(); ++k)
        if (!(script.keyframes[k].time > script.keyframes[k - 1].time))
            reject("{}[{}]: its time is not above that of the keyframe before", name("keyframes"), k);
    const int start = model.object_starts[script.object], size = model.object_starts[script.object + 1] - start;
    const auto assign = [&](int vertex) {
        if (vertex < 0 || vertex >= size)
            reject("{}: vertex {} of an object with {} vertices", name("vertices"), vertex, size);
        if (model.script_of[start + vertex] >= 0)
            reject(
                "{}: vertex {} of '{}' already follows {}; select each vertex once", name("vertices"), vertex,
                model.scene.objects[script.object].name, model.name_of_script(model.script_of[start + vertex]));
        model.script_of[start + vertex] = static_cast<int>(s);
    };
    if (script.vertices.empty())
        for (int v = 0; v < size; ++v)
            assign(v);
    for (const int v : script.vertices)
        assign(v);
}

/// Bending is between two faces.
void require_two_faces(const SceneObject& object)
{
    const EdgeTopology topology =
        build_edge_topology(Edges(0, 2), object.mesh.faces, static_cast<int>(object.mesh.vertices.rows()));
    for (Eigen::Index e = 0; e < topology.edges.rows(); ++e)
        if (const std::size_t count = topology.edge_faces[e].size(); count > 2)
            reject(
                "the edge of vertices {} and {} of '{}' belongs to {} faces, but a shell bends between two; part the "
                "mesh there, or give its material \"bending\": false",
                topology.edges(e, 0), topology.edges(e, 1), object.name, count);
}

void require_elements(const SceneObject& object, std::size_t k, int dim)
{
    if (object.kind == ObjectKind::solid && object.mesh.tets.rows() == 0)
        reject(
            "{}: a solid needs tetrahedra, and this mesh has none; make them with fTetWild or Gmsh and give the MSH "
            "file, generate the shape, or choose the kind 'shell'",
            field_of_object(k, "geometry"));
    if (object.kind == ObjectKind::shell && (object.mesh.faces.rows() == 0 || dim != 3))
        reject("{}: a shell needs triangles in space", field_of_object(k, "geometry"));
    if (object.kind == ObjectKind::shell && object.has_bending)
        require_two_faces(object);
    if (object.kind == ObjectKind::planar && (object.mesh.faces.rows() == 0 || dim != 2))
        reject("{}: a planar body needs triangles in two dimensions", field_of_object(k, "geometry"));
    if (object.kind == ObjectKind::rod)
        check_rod(object, k, dim);
}

void check_plasticity(const SceneObject& object, std::size_t k)
{
    if (!object.plasticity)
        return;
    const auto& [yield_stress, hardening, viscosity] = *object.plasticity;
    const auto field = [&](const char* name) { return field_of_object(k, "plasticity") + name; };
    if (object.kind == ObjectKind::points || object.kind == ObjectKind::obstacle)
        reject(
            "{}: '{}' is of kind '{}', which has no material; leave it out", field(""), object.name,
            to_string(object.kind));
    if (!(yield_stress > 0 && std::isfinite(yield_stress)))
        reject(
            "{}: {} is not a stress above 0 at which it yields [Pa]; leave plasticity out for a material that stays "
            "elastic",
            field(".yield_stress"), yield_stress);
    for (const auto& [value, name] : {std::pair{hardening, ".hardening"}, std::pair{viscosity, ".viscosity"}})
        if (!(value >= 0 && std::isfinite(value)))
            reject("{}: {} is not a finite number >= 0", field(name), value);
    const bool flows = object.kind == ObjectKind::solid || object.kind == ObjectKind::planar;
    if (flows && object.model.value_or(ElasticModel::hencky) != ElasticModel::hencky)
        reject(
            "{}: a {} of the model {} cannot flow; give it the model hencky, or leave one of both out", field(""),
            to_string(object.kind), to_string(*object.model));
    if (object.kind == ObjectKind::shell && !object.has_bending)
        reject(
            "{}: a shell yields in bending, and '{}' does not resist it; leave \"bending\": false or plasticity out",
            field(""), object.name);
}

Eigen::VectorXd masses_of(const SceneObject& object, std::size_t k)
{
    switch (object.kind) {
    case ObjectKind::solid:
        return lumped_masses(object.mesh.vertices, object.mesh.tets, object.density);
    case ObjectKind::shell:
    case ObjectKind::planar:
        return lumped_masses(object.mesh.vertices, object.mesh.faces, object.density, object.thickness);
    case ObjectKind::rod:
        return rod_masses(object);
    case ObjectKind::points:
        require_positive(object.point_mass, field_of_object(k, "point_mass"));
        return Eigen::VectorXd::Constant(object.mesh.vertices.rows(), object.point_mass);
    case ObjectKind::obstacle:
        break;
    }
    return Eigen::VectorXd::Zero(object.mesh.vertices.rows());
}

void require_finite(const Vec3& value, const std::string& field)
{
    if (!value.allFinite())
        reject("{}: not all of its numbers are finite", field);
}

void check_loads(const SceneObject& object, std::size_t k)
{
    if (!std::isfinite(object.gravity_scale))
        reject("{}: {} is not a finite number", field_of_object(k, "gravity_scale"), object.gravity_scale);
    require_finite(object.force, field_of_object(k, "force"));
    if (const double thickness = object.contact_thickness.value_or(0); !(thickness >= 0 && thickness <= max_coordinate))
        reject("{}: {} is not a thickness from 0 on [m]", field_of_object(k, "contact_thickness"), thickness);
    if (has_mass(object))
        return;
    const auto refuse = [&](bool is_given, const char* name) {
        if (is_given)
            reject("{}: an obstacle has no mass and follows no force; leave it out", field_of_object(k, name));
    };
    refuse(object.gravity_scale != 1, "gravity_scale");
    refuse(object.force != Vec3::Zero(), "force");
    refuse(object.angular_velocity != Vec3::Zero(), "angular_velocity");
}

/// v + omega x (X - c), with c the centre of mass.
void set_start_velocities(Model& model, std::size_t k)
{
    const SceneObject& object = model.scene.objects[k];
    const int start = model.object_starts[k], size = model.object_starts[k + 1] - start;
    const Vec3& omega = object.angular_velocity;
    require_finite(object.velocity, field_of_object(k, "velocity"));
    require_finite(omega, field_of_object(k, "angular_velocity"));
    if (model.dim() == 2 && (omega.x() != 0 || omega.y() != 0))
        reject("{}: in the plane everything turns about z; leave x and y at 0", field_of_object(k, "angular_velocity"));
    for (int v = start; v < start + size; ++v)
        model.start.v.row(v) = object.velocity.head(model.dim()).transpose();
    if (omega == Vec3::Zero())
        return;
    // Weights that sum to 1, so that far away or tiny bodies lose no digits
    const double mass = model.masses.segment(start, size).sum();
    const Vec3 first = lifted(model.rest, start);
    Vec3 centre = Vec3::Zero();
    for (int v = start; v < start + size; ++v)
        centre += model.masses[v] / mass * (lifted(model.rest, v) - first);
    for (int v = start; v < start + size; ++v)
        model.start.v.row(v) += omega.cross(lifted(model.rest, v) - first - centre).head(model.dim()).transpose();
}

void add_body(Model& model, std::size_t k)
{
    const SceneObject& object = model.scene.objects[k];
    const int start = model.object_starts[k], size = model.object_starts[k + 1] - start;
    check_loads(object, k);
    if (!has_mass(object)) {
        check_plasticity(object, k);
        for (int v = start; v < start + size; ++v)
            model.is_static[v] = model.script_of[v] < 0 || !model.scene.scripts[model.script_of[v]].is_moving();
        return;
    }
    require_positive(object.density, field_of_object(k, "density"));
    require_positive(object.thickness, field_of_object(k, "thickness"));
    require_elements(object, k, model.dim());
    check_plasticity(object, k);
    model.masses.segment(start, size) = masses_of(object, k);
    set_start_velocities(model, k);
    for (int v = start; v < start + size; ++v)
        if (model.script_of[v] >= 0) {
            const VertexScript& script = model.scene.scripts[model.script_of[v]];
            model.is_static[v] = !script.is_moving() && std::isinf(script.release_time);
        }
    for (int v = 0; v < size; ++v)
        if (!(model.masses[start + v] > 0))
            reject(
                "{}: vertex {} is in no element, so it has no mass; remove it or make it an object of kind 'points'",
                field_of_object(k, "geometry"), v);
}

} // namespace

MeshData joined_mesh(const Scene& scene)
{
    // One allocation per array, as above
    MeshData all;
    const auto join = [&](auto member, bool is_index) {
        Eigen::Index count = 0, end = 0, first_vertex = 0;
        for (const SceneObject& object : scene.objects)
            count += (object.mesh.*member).rows();
        (all.*member).resize(count, (scene.objects.front().mesh.*member).cols());
        for (const SceneObject& object : scene.objects) {
            const auto& own = object.mesh.*member;
            (all.*member).middleRows(end, own.rows()) = own;
            if (is_index)
                (all.*member).middleRows(end, own.rows()).array() += static_cast<int>(first_vertex);
            end += own.rows();
            first_vertex += object.mesh.vertices.rows();
        }
    };
    join(&MeshData::vertices, false);
    join(&MeshData::edges, true);
    join(&MeshData::faces, true);
    join(&MeshData::tets, true);
    return all;
}

bool Model::can_move(std::size_t object) const
{
    return std::find(is_static.begin() + object_starts[object], is_static.begin() + object_starts[object + 1], 0) !=
           is_static.begin() + object_starts[object + 1];
}

void build_bodies(Model& model)
{
    join_meshes(model);
    const int n = model.num_vertices();
    model.start = {.x = model.rest, .v = Positions::Zero(n, model.dim())};
    model.masses = Eigen::VectorXd::Zero(n);
    model.is_static.assign(n, 0);
    model.script_of.assign(n, -1);
    for (std::size_t s = 0; s < model.scene.scripts.size(); ++s)
        assign_script(model, s);
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k)
        add_body(model, k);
}

} // namespace abut
