#include "abut/detect/rest_gaps.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/detect/candidates.hpp"
#include "abut/detect/measured_pair.hpp"
#include "abut/detect/pair_offset.hpp"
#include "abut/mesh/validate.hpp"

#include <numbers>
#include <queue>

namespace abut {

namespace {

/// Ways along edges are longer than those across faces, by up to a third on usual meshes: so pairs count as near up to
/// this many thicknesses, where those that matter end at pi / 2.
constexpr double farthest_way = 2;

/// Of dhat, which moving a body as one may add to the gaps within it.
constexpr double rounding = 1e-6;

/// The vertices that are no farther from each vertex, along edges, than `farthest_way` times its thickness; sorted.
IndexLists vertices_along_edges(const CollisionMesh& mesh, const std::vector<double>& radii)
{
    const Positions& X = mesh.rest_positions();
    std::vector<std::vector<int>> reached(mesh.num_vertices());
    const std::size_t vertices_per_task = std::max<std::size_t>(1024, reached.size() / 64);
    parallel_ranges(reached.size(), vertices_per_task, [&](std::size_t begin, std::size_t end) {
        constexpr double unknown = std::numeric_limits<double>::infinity();
        std::vector<double> ways(reached.size(), unknown);
        using Place = std::pair<double, int>;
        std::priority_queue<Place, std::vector<Place>, std::greater<>> next;
        for (std::size_t v = begin; v < end; ++v) {
            const double farthest = farthest_way * 2 * radii[v];
            if (farthest == 0)
                continue;
            std::vector<int>& found = reached[v];
            const auto reach = [&](int vertex, double way) {
                if (way > farthest || way >= ways[vertex])
                    return;
                if (ways[vertex] == unknown)
                    found.push_back(vertex);
                ways[vertex] = way;
                next.emplace(way, vertex);
            };
            reach(static_cast<int>(v), 0);
            while (!next.empty()) {
                const auto [way, at] = next.top();
                next.pop();
                if (way > ways[at])
                    continue;
                for (const int e : mesh.vertex_edges(at)) {
                    const int other = mesh.edges()(e, 0) == at ? mesh.edges()(e, 1) : mesh.edges()(e, 0);
                    reach(other, way + (X.row(at) - X.row(other)).norm());
                }
            }
            for (const int vertex : found)
                ways[vertex] = unknown;
            std::sort(found.begin(), found.end());
        }
    });
    IndexLists lists;
    for (const std::vector<int>& list : reached) {
        lists.items.insert(lists.items.end(), list.begin(), list.end());
        lists.offsets.push_back(static_cast<int>(lists.items.size()));
    }
    return lists;
}

/// Calls visit(corners of the first element, of the second, squared distance) for pairs at rest.
template <typename Visit>
void visit_pairs(const Candidates& candidates, const CollisionMesh& mesh, Visit&& visit)
{
    const Positions& rest = mesh.rest_positions();
    const ConstPositions X = rest;
    constexpr double no_limit = std::numeric_limits<double>::infinity();
    for (const auto& [i, j] : candidates.vv)
        visit(std::array{i}, std::array{j}, (X.row(i) - X.row(j)).squaredNorm());
    for (const auto& [e, v] : candidates.ev)
        visit(
            std::array{v}, corners_of(mesh.edges(), e),
            mesh.dim() == 2 ? measure_edge_vertex<2>(mesh, X, e, v).squared_distance
                            : measure_edge_vertex<3>(mesh, X, e, v).squared_distance);
    for (const auto& [a, b] : candidates.ee)
        visit(
            corners_of(mesh.edges(), a), corners_of(mesh.edges(), b),
            measure_edge_edge(mesh, X, a, b, no_limit).squared_distance);
    for (const auto& [f, v] : candidates.fv)
        visit(
            std::array{v}, corners_of(mesh.faces(), f), measure_face_vertex(mesh, X, f, v, no_limit).squared_distance);
}

} // namespace

RestGaps find_rest_gaps(const CollisionMesh& mesh, std::vector<double> radii, const RestGapsOptions& options)
{
    if (!(options.dhat > 0 && options.dhat <= max_coordinate))
        reject("dhat: {} is not a positive distance up to {} m", options.dhat, max_coordinate);
    if (!(options.dmin >= 0 && options.dmin <= max_coordinate))
        reject("dmin: {} is not a distance between 0 and {} m", options.dmin, max_coordinate);
    if (!options.solids.empty() && options.solids.size() != static_cast<std::size_t>(mesh.num_vertices()))
        reject(
            "solids: {} entries for {} vertices; give one per vertex, or none", options.solids.size(),
            mesh.num_vertices());
    RestGaps found;
    const auto& bodies = mesh.body_ids();
    found.num_pairs.assign(bodies.empty() ? 0 : *std::max_element(bodies.begin(), bodies.end()) + 1, 0);
    if (ContactOffsets(radii).empty()) // after it has checked them
        return found;

    // Pairs within half a circle of their thickness: boxes grow by pi / 2 of each radius.
    std::vector<double> wide = radii;
    for (double& radius : wide)
        radius *= std::numbers::pi / 2;
    Candidates candidates;
    candidates.build(mesh.with_offsets(ContactOffsets(std::move(wide))), mesh.rest_positions(), 0);

    const IndexLists along = vertices_along_edges(mesh, radii);
    const auto is_near = [&](int i, int j) {
        if (!options.solids.empty() && options.solids[i] >= 0 && options.solids[i] == options.solids[j])
            return true;
        const auto list = along[i];
        return std::binary_search(list.begin(), list.end(), j);
    };
    // Vertices of curves: in no face, and in the plane no outline of a body.
    std::vector<std::uint8_t> is_loose(mesh.num_vertices());
    for (int v = 0; v < mesh.num_vertices(); ++v)
        is_loose[v] = mesh.vertex_faces(v).empty() && (options.solids.empty() || options.solids[v] < 0);
    const Positions& X = mesh.rest_positions();
    std::vector<VertexPairOffset> pairs;
    visit_pairs(candidates, mesh, [&](const auto& a, const auto& b, double squared_distance) {
        const double thickness = radii[a[0]] + radii[b[0]], distance = std::sqrt(squared_distance);
        if (distance >= std::numbers::pi / 2 * thickness || bodies[a[0]] != bodies[b[0]])
            return;
        bool near = false;
        for (const int i : a)
            for (const int j : b)
                near = near || is_near(i, j);
        if (!near)
            return;
        const double bent = thickness * std::sin(distance / thickness);
        const double apart = distance - options.dmin - (1 + rounding) * options.dhat; // so that nothing presses at rest
        const bool is_curve = is_loose[a[0]] != 0 && is_loose[b[0]] != 0;
        const double offset = std::max(0.0, std::min({bent, apart, is_curve ? distance : distance / 2}));
        found.num_pairs[bodies[a[0]]] += distance < thickness + options.dmin;
        // The vertices of the two that are nearest to each other stand for the pair: others are farther apart, and so
        // are other pairs of elements that they belong to.
        VertexPairOffset own{-1, -1, offset};
        double nearest = INFINITY;
        for (const int i : a)
            for (const int j : b)
                if (const double squared = (X.row(i) - X.row(j)).squaredNorm(); squared < nearest) {
                    nearest = squared;
                    own.first = std::min(i, j);
                    own.second = std::max(i, j);
                }
        pairs.push_back(own);
    });
    found.offsets = ContactOffsets(std::move(radii), std::move(pairs));
    return found;
}

} // namespace abut
