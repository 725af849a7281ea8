#include "abut/contact/ogc/surroundings.hpp"

#include "abut/base/atomic_min.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/detect/box.hpp"
#include "abut/detect/found_pairs.hpp"
#include "abut/detect/measure_lanes.hpp"
#include "abut/detect/measured_pair.hpp"
#include "abut/detect/pair_offset.hpp"
#include "abut/mesh/validate.hpp"

#include <algorithm>

namespace abut {

namespace {

constexpr std::size_t blocks_per_task = 64, pairs_per_batch = 512;

double square(double x) { return x * x; }

class Look {
public:
    Look(const CollisionMesh& mesh, const Positions& X, const SurroundingsOptions& options)
        : mesh_(mesh), X_(X), options_(options), squared_range_(options.range * options.range)
    {
        // Squares until the end: their order is that of the distances.
        const double farthest = options.query_radius * options.query_radius;
        ElementDistances& distances = surroundings_.distances;
        distances.query_radius = options.query_radius;
        distances.vertices.assign(mesh.num_vertices(), farthest);
        distances.edges.assign(mesh.num_edges(), farthest);
        distances.faces.assign(mesh.num_faces(), farthest);
    }

    template <int Dim>
    void look_at_elements(BroadPhaseTrees& trees)
    {
        trees.build(mesh_, X_, options_.query_radius / 2);
        const ConstPositions X = X_;
        ElementDistances& distances = surroundings_.distances;
        for_each_candidate_kind(mesh_, trees, [&](auto kind, int num_first, int num_blocks, auto&& visit_blocks) {
            std::vector<double>& first = kind == PairKind::vertex_vertex ? distances.vertices
                                         : kind == PairKind::face_vertex ? distances.faces
                                                                         : distances.edges;
            std::vector<double>& second = kind == PairKind::edge_edge ? distances.edges : distances.vertices;
            std::vector<std::vector<FoundPair>> parts((num_blocks + blocks_per_task - 1) / blocks_per_task);
            // What others lower meanwhile is a limit all the same: of a far pair nobody needs to know.
            const auto limit_of = [&](const IndexPair& pair) {
                return std::max({squared_range_, atomic_value(first[pair[0]]), atomic_value(second[pair[1]])});
            };
            const auto note = [&](std::vector<FoundPair>& part, const IndexPair& pair, const MeasuredPair& measured) {
                atomic_min(first[pair[0]], measured.squared_distance);
                atomic_min(second[pair[1]], measured.squared_distance);
                if (measured.squared_distance < squared_range_)
                    part.push_back({pair, measured.squared_distance, measured.feature});
            };
            const auto look_at_each = [&](int begin, int end, std::vector<FoundPair>& part) {
                visit_blocks(begin, end, [&](int i, int j) {
                    const double limit = limit_of({i, j}), offset = pair_offset(mesh_, kind, i, j);
                    MeasuredPair measured = measure_pair<Dim>(
                        kind, mesh_, X, i, j, offset == 0 ? limit : square(std::sqrt(limit) + offset));
                    measured.squared_distance = squared_gap(measured.squared_distance, offset);
                    note(part, {i, j}, measured);
                });
            };
            const auto look_at_many = [&](int begin, int end, std::vector<FoundPair>& part) {
                IndexPair pairs[pairs_per_batch];
                const IndexPair *asked[pairs_per_batch], *near[pairs_per_batch];
                std::size_t count = 0;
                for (std::size_t k = 0; k < pairs_per_batch; ++k)
                    asked[k] = &pairs[k];
                const auto measure_batch = [&] {
                    if constexpr (Dim == 3 && (kind == PairKind::edge_edge || kind == PairKind::face_vertex))
                        measure_lanes::measure<decltype(kind)::value>(
                            mesh_, X, std::span(asked, count), near, limit_of,
                            [&](const IndexPair& pair, const MeasuredPair& measured) { note(part, pair, measured); });
                    count = 0;
                };
                visit_blocks(begin, end, [&](int i, int j) {
                    pairs[count++] = {i, j};
                    if (count == pairs_per_batch)
                        measure_batch();
                });
                measure_batch();
            };
            const bool in_lanes =
                Dim == 3 && mesh_.offsets().empty() && (kind == PairKind::edge_edge || kind == PairKind::face_vertex);
            parallel_ranges(
                static_cast<std::size_t>(num_blocks), blocks_per_task, [&](std::size_t begin, std::size_t end) {
                    std::vector<FoundPair>& part = parts[begin / blocks_per_task];
                    if (in_lanes)
                        look_at_many(static_cast<int>(begin), static_cast<int>(end), part);
                    else
                        look_at_each(static_cast<int>(begin), static_cast<int>(end), part);
                });
            surroundings_.pairs[kind] = sorted_pairs(parts, num_first);
        });
    }

    void look_at_planes()
    {
        ElementDistances& distances = surroundings_.distances;
        if (!mesh_.planes().empty())
            distances.planes.assign(mesh_.num_vertices(), options_.query_radius);
        for (std::size_t plane = 0; plane < mesh_.planes().size(); ++plane)
            for (int v = 0; v < mesh_.num_vertices(); ++v) {
                const double distance =
                    std::max(0.0, signed_distance(mesh_.planes()[plane], lifted(X_, v)) - mesh_.offsets().radius(v));
                distances.planes[v] = std::min(distances.planes[v], distance);
                if (distance * distance < squared_range_) {
                    surroundings_.pairs.pv.pairs.push_back({static_cast<int>(plane), v});
                    surroundings_.pairs.pv.squared_distances.push_back(distance * distance);
                    surroundings_.pairs.pv.features.push_back(0);
                }
            }
    }

    Surroundings finish()
    {
        ElementDistances& distances = surroundings_.distances;
        const double farthest = options_.query_radius * options_.query_radius;
        for (std::vector<double>* list : {&distances.vertices, &distances.edges, &distances.faces})
            for (double& squared : *list)
                squared = squared < farthest ? std::sqrt(squared) : options_.query_radius;
        return std::move(surroundings_);
    }

private:
    const CollisionMesh& mesh_;
    const Positions& X_;
    SurroundingsOptions options_;
    double squared_range_;
    Surroundings surroundings_;
};

} // namespace

Surroundings
look_around(const CollisionMesh& mesh, const Positions& X, const SurroundingsOptions& options, BroadPhaseTrees& trees)
{
    validate_positions(X, mesh.num_vertices(), mesh.dim(), "X");
    if (!(options.range > 0 && options.range <= max_coordinate))
        reject("range: {} is not a positive distance up to {} m", options.range, max_coordinate);
    if (!(options.query_radius >= options.range && options.query_radius <= max_coordinate))
        reject(
            "query_radius: {} m is not between the range, {} m, and {} m", options.query_radius, options.range,
            max_coordinate);
    Look look(mesh, X, options);
    if (mesh.dim() == 2)
        look.look_at_elements<2>(trees);
    else
        look.look_at_elements<3>(trees);
    look.look_at_planes();
    return look.finish();
}

} // namespace abut
