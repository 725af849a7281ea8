// The surface of all bodies, as contact sees it.

#include "abut/base/error.hpp"
#include "abut/detect/rest_gaps.hpp"
#include "abut/mesh/topology.hpp"
#include "abut/sim/contact_materials.hpp"
#include "abut/sim/contact_model.hpp"
#include "abut/sim/rods.hpp"
#include "abut/sim/stitch_energy.hpp"

#include <algorithm>
#include <numeric>

namespace abut {

namespace {

/// Of each vertex: a number that it shares with all that are connected to it by tetrahedra, in the plane by triangles;
/// −1 where it is part of none.
std::vector<int> filled_pieces(const Model& model)
{
    std::vector<int> parents(model.num_vertices());
    std::iota(parents.begin(), parents.end(), 0);
    const auto root = [&](int v) {
        while (parents[v] != v)
            v = parents[v] = parents[parents[v]];
        return v;
    };
    std::vector<int> pieces(parents.size(), -1);
    const auto connect = [&](const auto& elements, int start) {
        for (Eigen::Index i = 0; i < elements.rows(); ++i)
            for (Eigen::Index k = 0; k < elements.cols(); ++k) {
                parents[root(start + elements(i, k))] = root(start + elements(i, 0));
                pieces[start + elements(i, k)] = 0;
            }
    };
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k) {
        const MeshData& data = model.scene.objects[k].mesh;
        connect(data.tets, model.object_starts[k]);
        if (model.dim() == 2)
            connect(data.faces, model.object_starts[k]);
    }
    for (std::size_t v = 0; v < pieces.size(); ++v)
        if (pieces[v] == 0)
            pieces[v] = root(static_cast<int>(v));
    return pieces;
}

/// Gives the surface its offsets, where objects have a thickness, and says which pairs keep their gap at rest.
void offset_surface(Model& model)
{
    const auto& objects = model.scene.objects;
    if (std::none_of(objects.begin(), objects.end(), [](const SceneObject& o) { return contact_thickness(o) > 0; }))
        return;
    const CollisionMesh& mesh = *model.mesh;
    std::vector<double> radii(mesh.num_vertices());
    RestGapsOptions options{.dmin = model.scene.contact.dmin, .dhat = model.parameters.dhat, .solids = {}};
    const std::vector<int> pieces = filled_pieces(model);
    for (int v = 0; v < mesh.num_vertices(); ++v) {
        radii[v] = contact_thickness(objects[mesh.body_ids()[v]]) / 2;
        options.solids.push_back(pieces[mesh.to_full_vertex_id(v)]);
    }
    RestGaps gaps = find_rest_gaps(mesh, std::move(radii), options);
    for (std::size_t k = 0; k < objects.size() && k < gaps.num_pairs.size(); ++k)
        if (gaps.num_pairs[k] > 0)
            model.choices.push_back(
                {field_of_object(k, "contact_thickness"), static_cast<double>(gaps.num_pairs[k]),
                 fmt::format(
                     "pairs of elements of '{}' that are nearer along its shape at rest than its thickness of {:.4g} m "
                     "keep their gap at rest instead",
                     objects[k].name, contact_thickness(objects[k]))});
    model.mesh.emplace(mesh.with_offsets(std::move(gaps.offsets)));
}

void warn_of_thin_rods(Model& model)
{
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k)
        if (const SceneObject& object = model.scene.objects[k]; object.kind == ObjectKind::rod)
            model.warnings.push_back(fmt::format(
                "{}: the model '{}' keeps no distance, so that the rod '{}' meets others at its centre line, not at "
                "its "
                "radius; take another contact.model if that matters",
                field_of_object(k, "material.radius"), model.scene.contact.model, object.name));
}

} // namespace

double contact_thickness(const SceneObject& object)
{
    return object.contact_thickness.value_or(object.kind == ObjectKind::rod ? section_thickness(object) : 0);
}

void build_surface(Model& model)
{
    std::vector<bool> is_included(model.num_vertices(), false), is_obstacle(model.num_vertices(), false);
    std::vector<int> body_ids(model.num_vertices());
    std::vector<int> edges, faces; // corners one behind the other
    const auto add = [](std::vector<int>& all, const auto& elements, int start) {
        for (Eigen::Index k = 0; k < elements.size(); ++k)
            all.push_back(elements.data()[k] + start);
    };
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k) {
        const SceneObject& object = model.scene.objects[k];
        const int start = model.object_starts[k];
        for (int v = start; v < model.object_starts[k + 1]; ++v) {
            body_ids[v] = static_cast<int>(k);
            is_obstacle[v] = model.is_static[v] != 0;
            is_included[v] = object.mesh.tets.rows() == 0; // of solids only the surface
        }
        if (object.mesh.tets.rows() > 0)
            add(faces, boundary_faces(object.mesh.tets), start);
        else if (model.dim() == 2 && object.mesh.faces.rows() > 0)
            add(edges, boundary_edges(object.mesh.faces), start);
        else
            add(faces, object.mesh.faces, start);
        add(edges, object.mesh.edges, start);
    }
    for (const int v : faces)
        is_included[v] = true;
    // In the plane, vertices inside a body are no part of its outline.
    if (model.dim() == 2) {
        for (std::size_t k = 0; k < model.scene.objects.size(); ++k)
            if (model.scene.objects[k].mesh.faces.rows() > 0)
                std::fill(
                    is_included.begin() + model.object_starts[k], is_included.begin() + model.object_starts[k + 1],
                    false);
        for (const int v : edges)
            is_included[v] = true;
    }
    const auto rows = [](const std::vector<int>& all, int corners) {
        return static_cast<Eigen::Index>(all.size()) / corners;
    };
    CollisionMeshOptions options;
    options.body_ids = body_ids;
    options.filter = CollisionFilter::static_obstacles(is_obstacle) & group_filter(model);
    if (!model.scene.stitches.empty()) // after those of obstacles, whose inert vertices count
        options.filter = options.filter & CollisionFilter::joined(stitched_vertices(model));
    if (model.parameters.materials)
        for (std::size_t k = 0; k < model.scene.objects.size(); ++k)
            options.material_ids.insert(
                options.material_ids.end(), model.object_starts[k + 1] - model.object_starts[k],
                model.parameters.materials->of_object[k]);
    options.planes = model.scene.planes;
    const ContactModel* contact =
        model.scene.contact.is_enabled() ? &contact_models().at(model.scene.contact.model, "contact.model") : nullptr;
    options.use_curve_vertices = contact != nullptr && contact->pairs_curve_vertices;
    model.mesh.emplace(CollisionMesh::build_from_selection(
        model.rest, is_included, Eigen::Map<const Edges>(edges.data(), rows(edges, 2), 2),
        Eigen::Map<const Faces>(faces.data(), rows(faces, 3), 3), options));
    if (contact != nullptr && contact->keeps_distance)
        offset_surface(model);
    else if (contact != nullptr)
        warn_of_thin_rods(model);
    model.surface.emplace(*model.mesh);
    explain_stitches(model);
}

} // namespace abut
