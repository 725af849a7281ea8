#include "abut/contact/gcp/sharp_lengths.hpp"

#include "abut/base/error.hpp"
#include "abut/contact/gcp/element_measures.hpp"
#include "abut/mesh/validate.hpp"

#include <cmath>

namespace abut {

namespace {

/// Features of another mesh would be others here, or none.
void check_indices(const char* what, const std::vector<int>& indices, int count)
{
    for (const int i : indices)
        if (i < 0 || i >= count)
            reject("features: {} {} is none of the mesh's {}; find them on this mesh", what, i, count);
}

} // namespace

SmoothContactParameters with_sharp_length(
    const SmoothContactParameters& params, const CollisionMesh& mesh, const SharpFeatures& features, double length)
{
    params.validate(mesh);
    if (!(length > 0 && length <= max_coordinate))
        reject("length: {} is not a positive length up to {} m", length, max_coordinate);
    check_indices("edge", features.edges, mesh.num_edges());
    check_indices("vertex", features.corners, mesh.num_vertices());
    Eigen::VectorXd vertices(mesh.num_vertices()), edges(mesh.num_edges());
    for (int v = 0; v < mesh.num_vertices(); ++v)
        vertices[v] = gcp::width_of_vertex(mesh, params, v);
    for (int e = 0; e < mesh.num_edges(); ++e)
        edges[e] = gcp::width_of_edge(mesh, params, e);

    Eigen::VectorXd along = Eigen::VectorXd::Zero(mesh.num_vertices()), count = along; // sharp edges of a vertex
    for (const int e : features.edges) {
        edges[e] = length;
        for (const int v : {mesh.edges()(e, 0), mesh.edges()(e, 1)}) {
            along[v] += gcp::length_of_edge(mesh, e);
            ++count[v];
        }
    }
    for (int v = 0; v < mesh.num_vertices(); ++v)
        if (count[v] > 0)
            vertices[v] = std::sqrt(length * along[v] / count[v]);
    for (const int v : features.corners)
        vertices[v] = length;

    SmoothContactParameters result = params;
    result.feature_length = FeatureLength::per_element;
    result.vertex_lengths = std::move(vertices);
    result.edge_lengths = std::move(edges);
    return result;
}

} // namespace abut
