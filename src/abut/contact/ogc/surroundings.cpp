#include "abut/contact/ogc/surroundings.hpp"

#include "abut/base/atomic_min.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/detect/box.hpp"
#include "abut/geometry/edge_edge.hpp"
#include "abut/geometry/point_triangle.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace abut {

namespace {

constexpr std::size_t blocks_per_task = 64, firsts_per_task = 4096;
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Measured {
    double squared_distance;
    std::uint8_t feature = 0;
};

// Most pairs are farther apart than the range and than the nearest that their elements have met so far, and most of
// these are separated by a plane across the line between the centres of their elements, which a few products tell. The
// margin is far above the rounding of this test and of the distances, so that what is left out never depends on who
// came first.
constexpr Measured is_far{infinity};
constexpr double far_margin = 1 + 1e-9;

/// The distance of a pair of one kind; perhaps infinite where it is above the limit.
template <int Dim>
class Measure {
public:
    Measure(const CollisionMesh& mesh, const Positions& X) : mesh_(mesh), X_(X) {}

    [[nodiscard]] Measured operator()(PairKind kind, int i, int j, double squared_limit) const
    {
        if (kind == PairKind::vertex_vertex)
            return {(at(i) - at(j)).squaredNorm()};
        if (kind == PairKind::edge_vertex)
            return edge_vertex(i, j);
        if constexpr (Dim == 3)
            return kind == PairKind::edge_edge ? edge_edge(i, j, squared_limit) : face_vertex(i, j, squared_limit);
        return is_far;
    }

private:
    [[nodiscard]] Vec<Dim> at(int v) const { return point<Dim>(X_, v); }

    [[nodiscard]] Measured edge_vertex(int e, int v) const
    {
        const Vec<Dim> p = at(v), e0 = at(mesh_.edges()(e, 0)), e1 = at(mesh_.edges()(e, 1));
        const PointEdgeFeature feature = point_edge_feature<Dim>(p, e0, e1);
        return {
            point_edge_squared_distance<Dim>(p, e0, e1, feature, Order::value).value,
            static_cast<std::uint8_t>(feature)};
    }

    [[nodiscard]] Measured edge_edge(int a, int b, double squared_limit) const requires(Dim == 3)
    {
        const Vec3 a0 = at(mesh_.edges()(a, 0)), a1 = at(mesh_.edges()(a, 1)), b0 = at(mesh_.edges()(b, 0)),
                   b1 = at(mesh_.edges()(b, 1));
        const Vec3 between = a0 + a1 - b0 - b1; // twice the line between the centres
        const double gap = between.squaredNorm() - std::abs(between.dot(a1 - a0)) - std::abs(between.dot(b1 - b0));
        if (gap > 0 && gap * gap > far_margin * 4 * squared_limit * between.squaredNorm())
            return is_far;
        const EdgeEdgeFeature feature = edge_edge_feature(a0, a1, b0, b1);
        return {edge_edge_squared_distance(a0, a1, b0, b1, feature), static_cast<std::uint8_t>(feature)};
    }

    [[nodiscard]] Measured face_vertex(int f, int v, double squared_limit) const requires(Dim == 3)
    {
        const Vec3 p = at(v), t0 = at(mesh_.faces()(f, 0)), t1 = at(mesh_.faces()(f, 1)), t2 = at(mesh_.faces()(f, 2));
        const Vec3 between = 3 * p - t0 - t1 - t2; // three times the line between the centres
        const double gap = std::min({between.dot(p - t0), between.dot(p - t1), between.dot(p - t2)});
        if (gap > 0 && gap * gap > far_margin * squared_limit * between.squaredNorm())
            return is_far;
        const PointTriangleFeature feature = point_triangle_feature(p, t0, t1, t2);
        return {
            point_triangle_squared_distance(p, t0, t1, t2, feature, Order::value).value,
            static_cast<std::uint8_t>(feature)};
    }

    const CollisionMesh& mesh_;
    const Positions& X_;
};

struct FoundPair {
    IndexPair pair;
    Measured measured;
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

DetectedPairs& list_of(NearPairs& pairs, PairKind kind)
{
    switch (kind) {
    case PairKind::vertex_vertex:
        return pairs.vv;
    case PairKind::edge_vertex:
        return pairs.ev;
    case PairKind::edge_edge:
        return pairs.ee;
    default:
        return pairs.fv;
    }
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
        const Measure<Dim> measure(mesh_, X_);
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
                            const double limit =
                                std::max({squared_range_, atomic_value(first[i]), atomic_value(second[j])});
                            const Measured measured = measure(kind, i, j, limit);
                            atomic_min(first[i], measured.squared_distance);
                            atomic_min(second[j], measured.squared_distance);
                            if (measured.squared_distance < squared_range_)
                                part.push_back({{i, j}, measured});
                        });
                });
            list_of(surroundings_.pairs, kind) = sorted(parts, num_first);
        });
    }

    void look_at_planes()
    {
        ElementDistances& distances = surroundings_.distances;
        if (!mesh_.planes().empty())
            distances.planes.assign(mesh_.num_vertices(), options_.query_radius);
        for (std::size_t plane = 0; plane < mesh_.planes().size(); ++plane)
            for (int v = 0; v < mesh_.num_vertices(); ++v) {
                const double distance = std::max(0.0, signed_distance(mesh_.planes()[plane], lifted(X_, v)));
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
    Look look(mesh, X, options);
    if (mesh.dim() == 2)
        look.look_at_elements<2>(trees);
    else
        look.look_at_elements<3>(trees);
    look.look_at_planes();
    return look.finish();
}

} // namespace abut
