#include "abut/detect/intersections.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/base/ranks.hpp"
#include "abut/detect/broad_phase.hpp"
#include "abut/geometry/edge_edge.hpp"
#include "abut/geometry/point_triangle.hpp"
#include "abut/geometry/predicates.hpp"
#include "abut/mesh/validate.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>

namespace abut {

namespace {

using Kind = IntersectionKind;

/// The exact tests, and a point where a pair that passed one meets.
class ElementTests {
public:
    ElementTests(const CollisionMesh& mesh, const Positions& X) : mesh_(mesh), X_(X) {}

    [[nodiscard]] bool intersects(Kind kind, int i, int j) const
    {
        if (mesh_.dim() == 2) {
            const auto p = [&](int v) { return Vec2(X_(v, 0), X_(v, 1)); };
            switch (kind) {
            case Kind::edge_edge:
                return segments_intersect(p(end(i, 0)), p(end(i, 1)), p(end(j, 0)), p(end(j, 1)));
            case Kind::edge_vertex:
                return segments_intersect(p(end(i, 0)), p(end(i, 1)), p(j), p(j));
            default:
                return p(i) == p(j);
            }
        }
        const auto p = [&](int v) { return Vec3(point<3>(X_, v)); };
        switch (kind) {
        case Kind::edge_face:
            return segment_intersects_triangle(
                p(end(i, 0)), p(end(i, 1)), p(corner(j, 0)), p(corner(j, 1)), p(corner(j, 2)));
        case Kind::edge_edge:
            return segments_intersect_3d(p(end(i, 0)), p(end(i, 1)), p(end(j, 0)), p(end(j, 1)));
        case Kind::face_vertex:
            return segment_intersects_triangle(p(j), p(j), p(corner(i, 0)), p(corner(i, 1)), p(corner(i, 2)));
        case Kind::edge_vertex:
            return segments_intersect_3d(p(end(i, 0)), p(end(i, 1)), p(j), p(j));
        default:
            return p(i) == p(j);
        }
    }

    [[nodiscard]] Vec3 location(Kind kind, int i, int j) const
    {
        switch (kind) {
        case Kind::edge_face:
            return edge_face_location(i, j);
        case Kind::edge_edge: {
            const Vec3 a0 = lifted(end(i, 0)), a1 = lifted(end(i, 1));
            return a0 + edge_edge_coordinates(a0, a1, lifted(end(j, 0)), lifted(end(j, 1)))[0] * (a1 - a0);
        }
        default:
            return lifted(j);
        }
    }

private:
    [[nodiscard]] int end(int e, int k) const { return mesh_.edges()(e, k); }
    [[nodiscard]] int corner(int f, int k) const { return mesh_.faces()(f, k); }
    [[nodiscard]] Vec3 lifted(int v) const { return abut::lifted(X_, v); }

    /// The segment's point in the plane of the face. For coplanar pairs: of the segment's ends and its closest points
    /// to the face's edges, the one that is closest to the face.
    [[nodiscard]] Vec3 edge_face_location(int e, int f) const
    {
        const Vec3 p = lifted(end(e, 0)), q = lifted(end(e, 1));
        const Vec3 a = lifted(corner(f, 0)), b = lifted(corner(f, 1)), c = lifted(corner(f, 2));
        const Vec3 n = (b - a).cross(c - a);
        const double hp = n.dot(p - a), hq = n.dot(q - a);
        std::array<double, 6> shares{0, 1, 0, 0, 0, 0};
        shares[2] = hp != hq ? std::clamp(hp / (hp - hq), 0.0, 1.0) : 0;
        shares[3] = edge_edge_coordinates(p, q, a, b)[0];
        shares[4] = edge_edge_coordinates(p, q, b, c)[0];
        shares[5] = edge_edge_coordinates(p, q, c, a)[0];
        Vec3 best = p;
        double best_squared = std::numeric_limits<double>::infinity();
        for (const double share : shares) {
            const Vec3 at = p + share * (q - p);
            const double squared = point_triangle_squared_distance(at, a, b, c, Order::value).value;
            if (squared < best_squared) {
                best_squared = squared;
                best = at;
            }
        }
        return best;
    }

    const CollisionMesh& mesh_;
    const Positions& X_;
};

/// Calls found(kind, i, j) for every intersection, from several threads; ends early once `is_over`. Of several ranks
/// each looks at its share.
template <typename FoundCall>
void search(const CollisionMesh& mesh, const Positions& X, std::atomic<bool>& is_over, FoundCall&& found)
{
    constexpr std::size_t blocks_per_task = 64;
    BroadPhaseTrees trees(TreeUse::intersections);
    trees.build(mesh, X, 0);
    const PairRules rules(mesh);
    const ElementTests tests(mesh, X);
    const std::vector<Box>& vertex_boxes = trees.boxes.vertices;
    const ElementBoxes edge_boxes = trees.boxes.edges(mesh), face_boxes = trees.boxes.faces(mesh);
    // Eight blocks of queries at a time, which share their way down a tree
    const auto run = [&](const Bvh& queries, auto&& visit_blocks) {
        const OwnRange own = own_range(static_cast<std::size_t>(queries.num_blocks()));
        parallel_ranges(own.size(), blocks_per_task, [&](std::size_t begin, std::size_t end) {
            const std::size_t last = own.begin + end;
            for (std::size_t block = own.begin + begin; block < last && !is_over.load(std::memory_order_relaxed);
                 block += 8)
                visit_blocks(static_cast<int>(block), static_cast<int>(std::min(last, block + 8)));
        });
    };
    const auto none = [](int, int) { return 0u; };
    const auto by_elements = [](const Bvh& tree, const Bvh& queries, auto& visit) {
        return [&](int p, int node, unsigned lanes, unsigned) {
            for (; lanes != 0; lanes &= lanes - 1)
                visit(queries.element(p), tree.element(8 * node + std::countr_zero(lanes)));
        };
    };
    const auto overlaps = [&](const Bvh& tree, const Bvh& queries, int begin, int end, auto&& visit) {
        tree.for_each_overlap_by_place(queries, begin, end, none, by_elements(tree, queries, visit));
    };
    const auto overlaps_within = [&](const Bvh& tree, int begin, int end, auto&& visit) {
        tree.for_each_overlap_within_by_place(begin, end, none, by_elements(tree, tree, visit));
    };
    const auto test = [&](Kind kind, int i, int j, bool is_allowed, const Box& a, const Box& b) {
        if (is_allowed && a.overlaps(b) && tests.intersects(kind, i, j))
            found(kind, i, j);
    };
    const auto& loose_vertices = mesh.codim_vertices();
    const auto& loose_edges = mesh.codim_edges();
    const OwnRange own_vertices = own_range(static_cast<std::size_t>(mesh.num_vertices()));
    for (std::size_t i = 0; i < mesh.planes().size(); ++i)
        parallel_for(own_vertices.size(), 4096, [&](std::size_t k) {
            const std::size_t v = own_vertices.begin + k;
            if (!is_over.load(std::memory_order_relaxed) && rules.plane_vertex(static_cast<int>(v)) &&
                side_of_plane(mesh.planes()[i], lifted(X, static_cast<Eigen::Index>(v))) < 0)
                found(Kind::plane_vertex, static_cast<int>(i), static_cast<int>(v));
        });
    if (mesh.dim() == 2) {
        run(trees.edges, [&](int begin, int end) {
            overlaps_within(trees.edges, begin, end, [&](int a, int b) {
                test(
                    Kind::edge_edge, std::min(a, b), std::max(a, b), rules.edge_edge(a, b), edge_boxes[a],
                    edge_boxes[b]);
            });
        });
    } else {
        // Most edges and faces whose boxes overlap have a corner in common.
        const auto have_common = [&](int p, int node) {
            return trees.face_corners[node].common_mask(trees.edge_corners[p / 8].lane(p % 8));
        };
        run(trees.edges, [&](int begin, int end) {
            const auto visit = [&](int e, int f) {
                const bool is_allowed = !rules.is_filtered() || rules.edge_face(e, f);
                test(Kind::edge_face, e, f, is_allowed, edge_boxes[e], face_boxes[f]);
            };
            trees.faces.for_each_overlap_by_place(
                trees.edges, begin, end, have_common, by_elements(trees.faces, trees.edges, visit));
        });
        run(trees.codim_edges, [&](int begin, int end) {
            overlaps_within(trees.codim_edges, begin, end, [&](int i, int j) {
                const int a = std::min(loose_edges[i], loose_edges[j]), b = std::max(loose_edges[i], loose_edges[j]);
                test(Kind::edge_edge, a, b, rules.edge_edge(a, b), edge_boxes[a], edge_boxes[b]);
            });
        });
        run(trees.codim_vertices, [&](int begin, int end) {
            overlaps(trees.faces, trees.codim_vertices, begin, end, [&](int i, int f) {
                const int v = loose_vertices[i];
                test(Kind::face_vertex, f, v, rules.face_vertex(f, v), face_boxes[f], vertex_boxes[v]);
            });
        });
    }
    // A vertex on an edge of a face is on the face, so that in space only loose edges are left.
    run(trees.codim_vertices, [&](int begin, int end) {
        const auto test_edge = [&](int e, int v) {
            test(Kind::edge_vertex, e, v, rules.edge_vertex(e, v), edge_boxes[e], vertex_boxes[v]);
        };
        if (mesh.dim() == 2)
            overlaps(
                trees.edges, trees.codim_vertices, begin, end, [&](int i, int e) { test_edge(e, loose_vertices[i]); });
        else
            overlaps(trees.codim_edges, trees.codim_vertices, begin, end, [&](int i, int e) {
                test_edge(loose_edges[e], loose_vertices[i]);
            });
        overlaps_within(trees.codim_vertices, begin, end, [&](int i, int j) {
            const int a = std::min(loose_vertices[i], loose_vertices[j]);
            const int b = std::max(loose_vertices[i], loose_vertices[j]);
            test(Kind::vertex_vertex, a, b, rules.vertex_vertex(a, b), vertex_boxes[a], vertex_boxes[b]);
        });
    });
}

/// What all ranks have found, without places.
std::vector<Intersection> of_all_ranks_together(const std::vector<Intersection>& own)
{
    if (ranks().size() == 1)
        return own;
    struct Found {
        Kind kind;
        IndexPair pair;
    };
    std::vector<Found> found;
    for (const Intersection& each : own)
        found.push_back({each.kind, each.pair});
    std::vector<Intersection> all;
    for (const Found& each : joined_over_ranks(std::move(found)))
        all.push_back({each.kind, each.pair, Vec3::Zero()});
    return all;
}

} // namespace

std::vector<Intersection>
find_intersections(const CollisionMesh& mesh, const ConstPositions& X_given, std::int64_t max_count)
{
    validate_positions(X_given, mesh.num_vertices(), mesh.dim(), "X");
    if (max_count < 0)
        reject("max_count: {} is negative", max_count);
    const Positions X = X_given;
    std::mutex mutex;
    std::vector<Intersection> all;
    std::atomic<bool> is_over{false};
    search(mesh, X, is_over, [&](Kind kind, int i, int j) {
        const std::lock_guard lock(mutex);
        if (static_cast<std::int64_t>(all.size()) >= max_count)
            is_over = true;
        else
            all.push_back({kind, {i, j}, Vec3::Zero()});
    });
    all = of_all_ranks_together(all);
    if (any_rank(is_over) || static_cast<std::int64_t>(all.size()) > max_count)
        throw LimitReached(fmt::format("intersections: more than {}; is the mesh folded onto itself?", max_count));
    // Threads arrive in any order; the sorted list is the same for all.
    std::sort(all.begin(), all.end(), [](const Intersection& a, const Intersection& b) {
        return std::tuple(a.kind, a.pair) < std::tuple(b.kind, b.pair);
    });
    ABUT_ASSERT(std::adjacent_find(all.begin(), all.end(), [](const Intersection& a, const Intersection& b) {
                    return a.kind == b.kind && a.pair == b.pair;
                }) == all.end());
    const ElementTests tests(mesh, X);
    parallel_for(all.size(), 1024, [&](std::size_t k) {
        all[k].location = tests.location(all[k].kind, all[k].pair[0], all[k].pair[1]);
    });
    return all;
}

bool has_intersections(const CollisionMesh& mesh, const ConstPositions& X)
{
    validate_positions(X, mesh.num_vertices(), mesh.dim(), "X");
    std::atomic<bool> is_over{false};
    search(mesh, Positions(X), is_over, [&](Kind, int, int) { is_over = true; });
    return any_rank(is_over);
}

} // namespace abut
