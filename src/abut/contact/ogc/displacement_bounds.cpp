#include "abut/contact/ogc/displacement_bounds.hpp"

#include "abut/base/atomic_min.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/detect/box.hpp"
#include "abut/geometry/edge_edge.hpp"
#include "abut/geometry/point_triangle.hpp"
#include "abut/mesh/validate.hpp"

#include <algorithm>
#include <array>

namespace abut {

namespace {

constexpr std::size_t pairs_per_task = 8192, vertices_per_task = 4096, blocks_per_task = 64;

// Most pairs are farther apart than the nearest that their elements have met so far, and most of these are separated by
// a plane across the line between the centres of their elements, which a few products tell. The margin is far above the
// rounding of this test and of the distances, so that what is left out never depends on who came first.
constexpr double far_margin = 1 + 1e-9;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Exact where it is below `limit`; else perhaps infinite.
double edge_edge_squared_distance(const std::array<Vec3, 4>& x, double limit)
{
    const Vec3 a = x[1] - x[0], b = x[3] - x[2];
    const Vec3 between = x[0] + x[1] - x[2] - x[3]; // twice the line between the centres
    const double gap = between.squaredNorm() - std::abs(between.dot(a)) - std::abs(between.dot(b));
    if (gap > 0 && gap * gap > far_margin * 4 * limit * between.squaredNorm())
        return infinity;
    return edge_edge_squared_distance(x[0], x[1], x[2], x[3], edge_edge_feature(x[0], x[1], x[2], x[3]));
}

double point_triangle_squared_distance(const std::array<Vec3, 4>& x, double limit)
{
    const Vec3 between = 3 * x[0] - x[1] - x[2] - x[3]; // three times the line between the centres
    const double gap = std::min({between.dot(x[0] - x[1]), between.dot(x[0] - x[2]), between.dot(x[0] - x[3])});
    if (gap > 0 && gap * gap > far_margin * limit * between.squaredNorm())
        return infinity;
    return point_triangle_squared_distance(x[0], x[1], x[2], x[3], Order::value).value;
}

template <int Dim>
double squared_distance(const CollisionMesh& mesh, const Positions& X, PairKind kind, int i, int j, double limit)
{
    const auto at = [&](int v) { return Vec<Dim>(point<Dim>(X, v)); };
    const auto end = [&](int e, int k) { return at(mesh.edges()(e, k)); };
    if (kind == PairKind::vertex_vertex)
        return (at(i) - at(j)).squaredNorm();
    if (kind == PairKind::edge_vertex)
        return point_edge_squared_distance<Dim>(at(j), end(i, 0), end(i, 1), Order::value).value;
    if constexpr (Dim == 3) {
        if (kind == PairKind::edge_edge)
            return edge_edge_squared_distance({end(i, 0), end(i, 1), end(j, 0), end(j, 1)}, limit);
        const auto corner = [&](int k) { return at(mesh.faces()(i, k)); };
        return point_triangle_squared_distance({at(j), corner(0), corner(1), corner(2)}, limit);
    }
    return infinity;
}

double distance_to_planes(const CollisionMesh& mesh, const Positions& X, int v, double query_radius)
{
    double distance = query_radius;
    for (const Plane& plane : mesh.planes())
        distance = std::min(distance, std::max(0.0, signed_distance(plane, lifted(X, v))));
    return distance;
}

} // namespace

ElementDistances find_element_distances(const NearPairs& pairs, const CollisionMesh& mesh, double query_radius)
{
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

void look_farther(
    ElementDistances& distances, const CollisionMesh& mesh, const Positions& X, double query_radius,
    BroadPhaseTrees& trees)
{
    // Squared distances of the elements that look farther; the others have one that nothing is below.
    constexpr double is_settled = -1;
    const auto start = [&](const std::vector<double>& list) {
        std::vector<double> squares(list.size());
        for (std::size_t i = 0; i < list.size(); ++i)
            squares[i] = list[i] < distances.query_radius ? is_settled : query_radius * query_radius;
        return squares;
    };
    std::vector<double> vertices = start(distances.vertices), edges = start(distances.edges),
                        faces = start(distances.faces);
    const auto is_open = [](double square) { return square != is_settled; };
    const bool is_any_open = std::any_of(vertices.begin(), vertices.end(), is_open) ||
                             std::any_of(edges.begin(), edges.end(), is_open) ||
                             std::any_of(faces.begin(), faces.end(), is_open);
    if (is_any_open) {
        trees.build(mesh, X, query_radius / 2);
        for_each_candidate_kind(mesh, trees, [&](PairKind kind, int, int num_blocks, auto&& visit_block) {
            const bool starts_with_vertex = kind == PairKind::vertex_vertex, has_face = kind == PairKind::face_vertex;
            std::vector<double>& first = starts_with_vertex ? vertices : has_face ? faces : edges;
            std::vector<double>& second = kind == PairKind::edge_edge ? edges : vertices;
            // Asked beside the numbers that other threads lower.
            const auto is_open_in = [&](const std::vector<double>& squares) {
                std::vector<std::uint8_t> flags(squares.size());
                std::transform(squares.begin(), squares.end(), flags.begin(), is_open);
                return flags;
            };
            const std::vector<std::uint8_t> first_is_open = is_open_in(first), second_is_open = is_open_in(second);
            parallel_for(static_cast<std::size_t>(num_blocks), blocks_per_task, [&](std::size_t block) {
                visit_block(static_cast<int>(block), [&](int i, int j) {
                    if (!first_is_open[i] && !second_is_open[j])
                        return;
                    const double limit = std::max(atomic_value(first[i]), atomic_value(second[j]));
                    const double squared = mesh.dim() == 2 ? squared_distance<2>(mesh, X, kind, i, j, limit)
                                                           : squared_distance<3>(mesh, X, kind, i, j, limit);
                    atomic_min(first[i], squared);
                    atomic_min(second[j], squared);
                });
            });
        });
    }
    const auto finish = [&](const std::vector<double>& squares, std::vector<double>& list) {
        for (std::size_t i = 0; i < list.size(); ++i)
            if (is_open(squares[i]))
                list[i] = squares[i] < query_radius * query_radius ? std::sqrt(squares[i]) : query_radius;
    };
    finish(vertices, distances.vertices);
    finish(edges, distances.edges);
    finish(faces, distances.faces);
    for (std::size_t v = 0; v < distances.planes.size(); ++v)
        if (distances.planes[v] == distances.query_radius)
            distances.planes[v] = distance_to_planes(mesh, X, static_cast<int>(v), query_radius);
    distances.query_radius = query_radius;
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
