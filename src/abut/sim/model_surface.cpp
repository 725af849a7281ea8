// The surface of all bodies, as contact sees it.

#include "abut/mesh/topology.hpp"
#include "abut/sim/model.hpp"

#include <algorithm>

namespace abut {

void build_surface(Model& model)
{
    std::vector<bool> is_included(model.num_vertices(), false), is_obstacle(model.num_vertices(), false);
    std::vector<int> body_ids(model.num_vertices());
    MeshData surface;
    surface.vertices = model.rest;
    const auto add = [&](auto& all, const auto& elements, int start) {
        const Eigen::Index before = all.rows();
        all.conservativeResize(before + elements.rows(), all.cols());
        all.bottomRows(elements.rows()) = elements.array() + start;
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
            add(surface.faces, boundary_faces(object.mesh.tets), start);
        else if (model.dim() == 2 && object.mesh.faces.rows() > 0)
            add(surface.edges, boundary_edges(object.mesh.faces), start);
        else
            add(surface.faces, object.mesh.faces, start);
        add(surface.edges, object.mesh.edges, start);
    }
    for (const int v : surface.faces.reshaped())
        is_included[v] = true;
    // In the plane, vertices inside a body are no part of its outline.
    if (model.dim() == 2) {
        for (std::size_t k = 0; k < model.scene.objects.size(); ++k)
            if (model.scene.objects[k].mesh.faces.rows() > 0)
                std::fill(
                    is_included.begin() + model.object_starts[k], is_included.begin() + model.object_starts[k + 1],
                    false);
        for (const int v : surface.edges.reshaped())
            is_included[v] = true;
    }
    CollisionMeshOptions options;
    options.body_ids = body_ids;
    options.filter = CollisionFilter::static_obstacles(is_obstacle);
    options.planes = model.scene.planes;
    model.mesh.emplace(
        CollisionMesh::build_from_selection(model.rest, is_included, surface.edges, surface.faces, options));
    model.surface.emplace(*model.mesh);
}

} // namespace abut
