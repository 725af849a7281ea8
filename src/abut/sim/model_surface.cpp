// The surface of all bodies, as contact sees it.

#include "abut/mesh/topology.hpp"
#include "abut/sim/contact_materials.hpp"
#include "abut/sim/stitch_energy.hpp"

#include <algorithm>

namespace abut {

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
    model.mesh.emplace(CollisionMesh::build_from_selection(
        model.rest, is_included, Eigen::Map<const Edges>(edges.data(), rows(edges, 2), 2),
        Eigen::Map<const Faces>(faces.data(), rows(faces, 3), 3), options));
    model.surface.emplace(*model.mesh);
    explain_stitches(model);
}

} // namespace abut
