// Bodies of a scene as one mesh with masses, and the scripts that their vertices follow.

#include "abut/base/error.hpp"
#include "abut/elastic/lumped_masses.hpp"
#include "abut/sim/model.hpp"

namespace abut {

namespace {

void join_meshes(Model& model)
{
    MeshData all;
    model.object_starts = {0};
    std::vector<std::string> names;
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k) {
        const SceneObject& object = model.scene.objects[k];
        if (object.mesh.vertices.rows() == 0)
            reject("{}: the mesh is empty", field_of_object(k, "geometry"));
        if (k > 0 && object.mesh.vertices.cols() != all.vertices.cols())
            reject(
                "{}: a mesh in {} dimensions, but the first object has {}", field_of_object(k, "geometry"),
                object.mesh.vertices.cols(), all.vertices.cols());
        append(all, object.mesh);
        model.object_starts.push_back(static_cast<int>(all.vertices.rows()));
        names.push_back(object.name);
    }
    model.rest = std::move(all.vertices);
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

void require_elements(const SceneObject& object, std::size_t k, int dim)
{
    if (object.kind == ObjectKind::solid && object.mesh.tets.rows() == 0)
        reject("{}: a solid needs tetrahedra, and this mesh has none", field_of_object(k, "geometry"));
    if (object.kind == ObjectKind::shell && (object.mesh.faces.rows() == 0 || dim != 3))
        reject("{}: a shell needs triangles in space", field_of_object(k, "geometry"));
    if (object.kind == ObjectKind::planar && (object.mesh.faces.rows() == 0 || dim != 2))
        reject("{}: a planar body needs triangles in two dimensions", field_of_object(k, "geometry"));
}

Eigen::VectorXd masses_of(const SceneObject& object, std::size_t k)
{
    switch (object.kind) {
    case ObjectKind::solid:
        return lumped_masses(object.mesh.vertices, object.mesh.tets, object.density);
    case ObjectKind::shell:
    case ObjectKind::planar:
        return lumped_masses(object.mesh.vertices, object.mesh.faces, object.density, object.thickness);
    case ObjectKind::points:
        require_positive(object.point_mass, field_of_object(k, "point_mass"));
        return Eigen::VectorXd::Constant(object.mesh.vertices.rows(), object.point_mass);
    case ObjectKind::obstacle:
        break;
    }
    return Eigen::VectorXd::Zero(object.mesh.vertices.rows());
}

void add_body(Model& model, std::size_t k)
{
    const SceneObject& object = model.scene.objects[k];
    const int start = model.object_starts[k], size = model.object_starts[k + 1] - start;
    if (!has_mass(object)) {
        for (int v = start; v < start + size; ++v)
            model.is_static[v] = model.script_of[v] < 0 || !model.scene.scripts[model.script_of[v]].is_moving();
        return;
    }
    for (int v = start; v < start + size; ++v)
        model.start.v.row(v) = object.velocity.head(model.dim()).transpose();
    require_positive(object.density, field_of_object(k, "density"));
    require_positive(object.thickness, field_of_object(k, "thickness"));
    require_elements(object, k, model.dim());
    model.masses.segment(start, size) = masses_of(object, k);
    for (int v = 0; v < size; ++v)
        if (!(model.masses[start + v] > 0))
            reject(
                "{}: vertex {} is in no element, so it has no mass; remove it or make it an object of kind 'points'",
                field_of_object(k, "geometry"), v);
}

} // namespace

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
