#include "abut/contact/ogc/displacement_bounds.hpp"

#include "abut/base/atomic_min.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/mesh/validate.hpp"

#include <algorithm>

namespace abut {

namespace {

constexpr std::size_t pairs_per_task = 8192, vertices_per_task = 4096;

} // namespace

ElementDistances find_element_distances(const NearPairs& pairs, const CollisionMesh& mesh, double query_radius)
{
    if (!(query_radius > 0 && query_radius <= max_coordinate))
        reject("query_radius: {} is not a positive distance up to {} m", query_radius, max_coordinate);
    ElementDistances distances;
    distances.query_radius = query_radius;
    // Squares until the end: their order is that of the distances.
    const double farthest = query_radius * query_radius;
    distances.vertices.assign(mesh.num_vertices(), farthest);
    distances.edges.assign(mesh.num_edges(), farthest);
    distances.faces.assign(mesh.num_faces(), farthest);
    const auto lower = [](const DetectedPairs& list, std::vector<double>* first, std::vector<double>& second) {
        parallel_for(list.size(), pairs_per_task, [&](std::size_t k) {
            if (first != nullptr)
                atomic_min((*first)[list.pairs[k][0]], list.squared_distances[k]);
            atomic_min(second[list.pairs[k][1]], list.squared_distances[k]);
        });
    };
    lower(pairs.vv, &distances.vertices, distances.vertices);
    lower(pairs.ev, &distances.edges, distances.vertices);
    lower(pairs.ee, &distances.edges, distances.edges);
    lower(pairs.fv, &distances.faces, distances.vertices);
    if (!mesh.planes().empty()) {
        distances.planes.assign(mesh.num_vertices(), farthest);
        lower(pairs.pv, nullptr, distances.planes);
    }
    for (std::vector<double>* list : {&distances.vertices, &distances.edges, &distances.faces, &distances.planes})
        for (double& squared : *list)
            squared = squared < farthest ? std::sqrt(squared) : query_radius;
    return distances;
}

double rounding_margin(const ConstPositions& X)
{
    // Closest points are sums of a few products of coordinates, each of which loses eps / 2 of its size.
    return 32 * std::numeric_limits<double>::epsilon() * X.cwiseAbs().maxCoeff();
}

Eigen::VectorXd displacement_bounds(
    const ElementDistances& distances, const CollisionMesh& mesh, const ConstPositions& X,
    const DisplacementBoundsOptions& options)
{
    validate_positions(X, mesh.num_vertices(), mesh.dim(), "X");
    if (!(options.relaxation > 0 && options.relaxation < 0.5))
        reject("relaxation: {} is not a share between 0 and 0.5, both excluded", options.relaxation);
    if (!(options.dmin >= 0 && options.dmin <= max_coordinate))
        reject("dmin: {} is not a distance between 0 and {} m", options.dmin, max_coordinate);
    if (distances.vertices.size() != static_cast<std::size_t>(mesh.num_vertices()) ||
        distances.edges.size() != static_cast<std::size_t>(mesh.num_edges()) ||
        distances.faces.size() != static_cast<std::size_t>(mesh.num_faces()))
        reject("distances: found for another mesh; find them for this one");
    const double margin = rounding_margin(X);
    Eigen::VectorXd bounds(mesh.num_vertices());
    parallel_for(bounds.size(), vertices_per_task, [&](std::size_t i) {
        const auto v = static_cast<int>(i);
        double distance = distances.vertices[v];
        for (const int e : mesh.vertex_edges(v))
            distance = std::min(distance, distances.edges[e]);
        for (const int f : mesh.vertex_faces(v))
            distance = std::min(distance, distances.faces[f]);
        double gap = distance - options.dmin;
        if (!distances.planes.empty()) // they stand still: both halves of the gap are the vertex's
            gap = std::min(gap, 2 * (distances.planes[v] - options.dmin));
        bounds[v] = std::max(0.0, options.relaxation * gap - margin);
    });
    return bounds;
}

} // namespace abut
