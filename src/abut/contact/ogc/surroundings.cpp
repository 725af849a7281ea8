#include "abut/contact/ogc/surroundings.hpp"

#include "abut/base/atomic_min.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/detect/box.hpp"
#include "abut/detect/measured_pair.hpp"
#include "abut/detect/pair_offset.hpp"
#include "abut/mesh/validate.hpp"

#include <algorithm>
#include <numeric>

namespace abut {

namespace {

constexpr std::size_t blocks_per_task = 64, firsts_per_task = 4096;

/// The distance of a pair of one kind; perhaps infinite where it is not below the limit.
template <int Dim>
MeasuredPair
measure(PairKind kind, const CollisionMesh& mesh, const ConstPositions& X, int i, int j, double squared_limit)
{
    if (kind == PairKind::vertex_vertex)
        return {(X.row(i) - X.row(j)).squaredNorm(), 0};
    if (kind == PairKind::edge_vertex)
        return measure_edge_vertex<Dim>(mesh, X, i, j);
    return kind == PairKind::edge_edge ? measure_edge_edge(mesh, X, i, j, squared_limit)
                                       : measure_face_vertex(mesh, X, i, j, squared_limit);
}

double square(double x) { return x * x; }

struct FoundPair {
    IndexPair pair;
    MeasuredPair measured;
};

/// The pairs that tasks found, sorted by first, then second element.
DetectedPairs sorted(const std::vector<std::vector<FoundPair>>& parts, int num_first)
{
    std::vector<std::size_t> starts(num_first + 1, 0);
    for (const auto& part : parts)
        for (const FoundPair& found : part)
            ++starts[found.pair[0] + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<FoundPair> all(starts.back());
    std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
    for (const auto& part : parts)
        for (const FoundPair& found : part)
            all[next[found.pair[0]]++] = found;
    DetectedPairs list;
    list.pairs.resize(all.size());
    list.squared_distances.resize(all.size());
    list.features.resize(all.size());
    parallel_for(static_cast<std::size_t>(num_first), firsts_per_task, [&](std::size_t i) {
        std::sort(all.begin() + starts[i], all.begin() + starts[i + 1], [](const FoundPair& a, const FoundPair& b) {
            return a.pair[1] < b.pair[1];
        });
        for (std::size_t k = starts[i]; k < starts[i + 1]; ++k) {
            list.pairs[k] = all[k].pair;
            list.squared_distances[k] = all[k].measured.squared_distance;
            list.features[k] = all[k].measured.feature;
        }
    });
    return list;
}

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
        for_each_candidate_kind(mesh_, trees, [&](PairKind kind, int num_first, int num_blocks, auto&& visit_block) {
            std::vector<double>& first = kind == PairKind::vertex_vertex ? distances.vertices
                                         : kind == PairKind::face_vertex ? distances.faces
                                                                         : distances.edges;
            std::vector<double>& second = kind == PairKind::edge_edge ? distances.edges : distances.vertices;
            std::vector<std::vector<FoundPair>> parts((num_blocks + blocks_per_task - 1) / blocks_per_task);
            parallel_ranges(
                static_cast<std::size_t>(num_blocks), blocks_per_task, [&](std::size_t begin, std::size_t end) {
                    std::vector<FoundPair>& part = parts[begin / blocks_per_task];
                    for (std::size_t block = begin; block < end; ++block)
                        visit_block(static_cast<int>(block), [&](int i, int j) {
                            // What others lower meanwhile is a limit all the same: of a far pair nobody needs to know.
                            const double limit =
                                std::max({squared_range_, atomic_value(first[i]), atomic_value(second[j])});
                            const double offset = pair_offset(mesh_, kind, i, j);
                            MeasuredPair measured = measure<Dim>(
                                kind, mesh_, X, i, j, offset == 0 ? limit : square(std::sqrt(limit) + offset));
                            measured.squared_distance = squared_gap(measured.squared_distance, offset);
                            atomic_min(first[i], measured.squared_distance);
                            atomic_min(second[j], measured.squared_distance);
                            if (measured.squared_distance < squared_range_)
                                part.push_back({{i, j}, measured});
                        });
                });
            surroundings_.pairs[kind] = sorted(parts, num_first);
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
