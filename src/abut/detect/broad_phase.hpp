#pragma once
// The trees of a mesh, and the pairs of its elements whose boxes overlap and that may collide.

#include "abut/base/assert.hpp"
#include "abut/detect/bvh.hpp"
#include "abut/detect/candidate_lanes.hpp"
#include "abut/detect/candidates.hpp"
#include "abut/math/corners8.hpp"

#include <array>
#include <bit>
#include <type_traits>

namespace abut {

/// What the trees are for.
enum class TreeUse : std::uint8_t {
    contact,       ///< all candidate kinds
    intersections, ///< edges and faces, in space; without the tree of all vertices
};

/// Row i of a mesh's edges or faces.
template <typename Elements>
[[nodiscard]] std::array<int, Elements::ColsAtCompileTime> corners_of(const Elements& elements, int i)
{
    std::array<int, Elements::ColsAtCompileTime> corners;
    for (int k = 0; k < Elements::ColsAtCompileTime; ++k)
        corners[k] = elements(i, k);
    return corners;
}

/// Boxes and trees over what a mesh's candidate kinds need.
class BroadPhaseTrees {
public:
    explicit BroadPhaseTrees(TreeUse use = TreeUse::contact) : use_(use) {}
    BroadPhaseTrees(const BroadPhaseTrees&) = delete;
    BroadPhaseTrees& operator=(const BroadPhaseTrees&) = delete;

    /// Boxes around X, or around the way from X0 to X1. The elements are sorted the first time; later calls for the
    /// same mesh refit the trees, which is enough while things move within a step.
    void build(const CollisionMesh& mesh, const Positions& X, double inflation);
    void build(const CollisionMesh& mesh, const Positions& X0, const Positions& X1, double inflation);

    MeshBoxes boxes;
    Bvh vertices, edges, faces;
    Bvh codim_vertices, codim_edges, edge_partners;
    std::vector<Corners8<2>> edge_corners; ///< of the blocks of the tree of edges, in 3D
    std::vector<Corners8<3>> face_corners; ///< of the blocks of the tree of faces

private:
    void build_trees(const CollisionMesh& mesh);
    TreeUse use_;
    bool is_sorted_ = false;
    Vec3 origin_ = Vec3::Zero(); // of all trees, since they were sorted
};

/// Decides by topology and filter which pairs of elements are candidates.
class PairRules {
public:
    explicit PairRules(const CollisionMesh& mesh)
        : mesh_(mesh), is_filtered_(!mesh.filter().is_trivial()), has_joined_(mesh.filter().joins())
    {}

    /// Is there more to a pair than that its elements have no vertex in common?
    [[nodiscard]] bool is_filtered() const { return is_filtered_; }
    [[nodiscard]] bool vertex_vertex(int i, int j) const { return allowed(std::array{i}, std::array{j}); }
    /// Planes never move, so that what never moves either is no pair with them.
    [[nodiscard]] bool plane_vertex(int v) const { return !is_filtered_ || !mesh_.filter().is_inert(v); }
    [[nodiscard]] bool edge_vertex(int e, int v) const { return allowed(corners_of(mesh_.edges(), e), std::array{v}); }
    [[nodiscard]] bool edge_edge(int a, int b) const
    {
        return allowed(corners_of(mesh_.edges(), a), corners_of(mesh_.edges(), b));
    }
    [[nodiscard]] bool face_vertex(int f, int v) const { return allowed(corners_of(mesh_.faces(), f), std::array{v}); }
    [[nodiscard]] bool edge_face(int e, int f) const
    {
        return allowed(corners_of(mesh_.edges(), e), corners_of(mesh_.faces(), f));
    }

private:
    /// No common vertex, none joined to one of the other, and some vertex of one may collide with some of the other.
    template <std::size_t M, std::size_t N>
    [[nodiscard]] bool allowed(const std::array<int, M>& a, const std::array<int, N>& b) const
    {
        for (const int i : a)
            for (const int j : b)
                if (i == j)
                    return false;
        if (!is_filtered_)
            return true;
        if (has_joined_)
            for (const int i : a)
                for (const int j : b)
                    if (mesh_.filter().are_joined(i, j))
                        return false;
        for (const int i : a)
            for (const int j : b)
                if (mesh_.can_collide(i, j))
                    return true;
        return false;
    }

    const CollisionMesh& mesh_;
    bool is_filtered_, has_joined_;
};

/// Shows a visitor the candidates among these that are allowed, which matters where pairs are filtered, and that
/// overlap where they are not sure to: all at once if it takes CandidateLanes, else pair by pair.
template <PairKind kind, typename Allows, typename Overlap, typename Visit>
void visit_lanes(
    CandidateLanes<kind> found, unsigned sure, bool is_filtered, Allows&& allows, Overlap&& overlap, Visit&& visit)
{
    for (unsigned rest = is_filtered ? found.lanes : found.lanes & ~sure; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const auto [i, j] = found.pair(lane);
        if ((is_filtered && !allows(i, j)) || ((sure >> lane & 1) == 0 && !overlap(i, j)))
            found.lanes &= ~(1u << lane);
    }
    if constexpr (std::is_invocable_v<Visit, const CandidateLanes<kind>&>) {
        if (found.lanes != 0)
            visit(found);
    } else
        found.for_each_pair(visit);
}

/// The kinds of candidates that the mesh has: calls run(kind, num_first, num_blocks, visit_blocks) for each, where
/// visit_blocks(begin, end, visit) calls visit(i, j) for every candidate (i, j) of that kind in these of num_blocks
/// blocks of the trees, and i < num_first; a visitor that takes CandidateLanes gets these instead. Over all blocks each
/// candidate comes once. The kind is a KindConstant.
template <typename Run>
void for_each_candidate_kind(const CollisionMesh& mesh, const BroadPhaseTrees& trees, Run&& run)
{
    using enum PairKind;
    const PairRules rules(mesh);
    const MeshBoxes& boxes = trees.boxes;
    const std::vector<Box>& vertex_boxes = boxes.vertices;
    const ElementBoxes edge_boxes = boxes.edges(mesh), face_boxes = boxes.faces(mesh);
    const auto& loose_vertices = mesh.codim_vertices();
    const auto& loose_edges = mesh.codim_edges();
    const auto no_lanes = [](int, int) { return 0u; };
    // The elements of a block of a tree over some of the mesh's
    const auto selected = [](const Bvh& tree, int node, unsigned lanes, const std::vector<int>& ids) {
        std::array<int, 8> elements{};
        for (; lanes != 0; lanes &= lanes - 1) {
            const int lane = std::countr_zero(lanes);
            elements[lane] = ids[tree.block_elements(node)[lane]];
        }
        return elements;
    };
    const auto allows_edge_vertex = [&](int e, int v) { return rules.edge_vertex(e, v); };
    const auto edge_meets_vertex = [&](int e, int v) { return edge_boxes[e].overlaps(vertex_boxes[v]); };
    // Most boxes that overlap belong to neighbours. Of edges and faces these are left out first, eight at once; without
    // a filter there are no other rules for them.
    if (mesh.dim() == 2) {
        run(KindConstant<edge_vertex>(), mesh.num_edges(), trees.vertices.num_blocks(),
            [&](int begin, int end, auto&& visit) {
                trees.edges.for_each_overlap_by_place(
                    trees.vertices, begin, end, no_lanes, [&](int p, int node, unsigned lanes, unsigned sure) {
                        const CandidateLanes<edge_vertex> found{
                            trees.vertices.element(p), trees.edges.block_elements(node), lanes};
                        visit_lanes(found, sure, true, allows_edge_vertex, edge_meets_vertex, visit);
                    });
            });
    } else {
        ABUT_ASSERT(static_cast<int>(trees.face_corners.size()) == trees.faces.num_blocks());
        ABUT_ASSERT(static_cast<int>(trees.edge_corners.size()) == trees.edges.num_blocks());
        run(KindConstant<face_vertex>(), mesh.num_faces(), trees.vertices.num_blocks(),
            [&](int begin, int end, auto&& visit) {
                const auto is_corner = [&](int p, int node) {
                    return trees.face_corners[node].common_mask(std::array{trees.vertices.element(p)});
                };
                trees.faces.for_each_overlap_by_place(
                    trees.vertices, begin, end, is_corner, [&](int p, int node, unsigned lanes, unsigned sure) {
                        const CandidateLanes<face_vertex> found{
                            trees.vertices.element(p), trees.faces.block_elements(node), lanes};
                        visit_lanes(
                            found, sure, rules.is_filtered(), [&](int f, int v) { return rules.face_vertex(f, v); },
                            [&](int f, int v) { return face_boxes[f].overlaps(vertex_boxes[v]); }, visit);
                    });
            });
        run(KindConstant<edge_edge>(), mesh.num_edges(), trees.edges.num_blocks(),
            [&](int begin, int end, auto&& visit) {
                const auto have_common = [&](int p, int node) {
                    return trees.edge_corners[node].common_mask(trees.edge_corners[p / 8].lane(p % 8));
                };
                trees.edges.for_each_overlap_within_by_place(
                    begin, end, have_common, [&](int p, int node, unsigned lanes, unsigned sure) {
                        const CandidateLanes<edge_edge> found{
                            trees.edges.element(p), trees.edges.block_elements(node), lanes};
                        visit_lanes(
                            found, sure, rules.is_filtered(), [&](int a, int b) { return rules.edge_edge(a, b); },
                            [&](int a, int b) { return edge_boxes[a].overlaps(edge_boxes[b]); }, visit);
                    });
            });
        const auto& partners = mesh.edge_partners();
        run(KindConstant<edge_vertex>(), mesh.num_edges(), trees.edge_partners.num_blocks(),
            [&](int begin, int end, auto&& visit) {
                trees.codim_edges.for_each_overlap_by_place(
                    trees.edge_partners, begin, end, no_lanes, [&](int p, int node, unsigned lanes, unsigned sure) {
                        const auto edges = selected(trees.codim_edges, node, lanes, loose_edges);
                        const CandidateLanes<edge_vertex> found{
                            partners[trees.edge_partners.element(p)], edges.data(), lanes};
                        visit_lanes(found, sure, true, allows_edge_vertex, edge_meets_vertex, visit);
                    });
            });
    }
    run(KindConstant<vertex_vertex>(), mesh.num_vertices(), trees.codim_vertices.num_blocks(),
        [&](int begin, int end, auto&& visit) {
            trees.codim_vertices.for_each_overlap_within_by_place(
                begin, end, no_lanes, [&](int p, int node, unsigned lanes, unsigned sure) {
                    const auto vertices = selected(trees.codim_vertices, node, lanes, loose_vertices);
                    const CandidateLanes<vertex_vertex> found{
                        loose_vertices[trees.codim_vertices.element(p)], vertices.data(), lanes};
                    visit_lanes(
                        found, sure, true, [&](int i, int j) { return rules.vertex_vertex(i, j); },
                        [&](int i, int j) { return vertex_boxes[i].overlaps(vertex_boxes[j]); }, visit);
                });
        });
}

} // namespace abut
