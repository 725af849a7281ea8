#pragma once
// The trees of a mesh, and the pairs of its elements whose boxes overlap and that may collide.

#include "abut/base/assert.hpp"
#include "abut/detect/bvh.hpp"
#include "abut/detect/candidates.hpp"
#include "abut/math/corners8.hpp"

#include <array>

namespace abut {

/// What the trees are for.
enum class TreeUse : std::uint8_t {
    contact,       ///< all candidate kinds
    intersections, ///< without the tree of all vertices
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

/// The kinds of candidates that the mesh has: calls run(kind, num_first, num_blocks, visit_blocks) for each, where
/// visit_blocks(begin, end, visit) calls visit(i, j) for every candidate (i, j) of that kind in these of num_blocks
/// blocks of the trees, and i < num_first. Over all blocks each candidate comes once. The kind is a KindConstant.
template <typename Run>
void for_each_candidate_kind(const CollisionMesh& mesh, const BroadPhaseTrees& trees, Run&& run)
{
    const PairRules rules(mesh);
    const MeshBoxes& boxes = trees.boxes;
    const std::vector<Box>& vertex_boxes = boxes.vertices;
    const ElementBoxes edge_boxes = boxes.edges(mesh), face_boxes = boxes.faces(mesh);
    const auto& loose_vertices = mesh.codim_vertices();
    const auto& loose_edges = mesh.codim_edges();
    const auto none = [](int, int) { return 0u; };
    const auto overlap = [](bool is_sure, const ElementBoxes& first, int i, const ElementBoxes& second, int j) {
        return is_sure || first[i].overlaps(second[j]);
    };
    if (mesh.dim() == 2) {
        run(KindConstant<PairKind::edge_vertex>(), mesh.num_edges(), trees.vertices.num_blocks(),
            [&](int begin, int end, auto&& visit) {
                trees.edges.for_each_overlap_by_place(
                    trees.vertices, begin, end, none, [&](int p, int q, bool is_sure) {
                        const int e = trees.edges.element(q), v = trees.vertices.element(p);
                        if (rules.edge_vertex(e, v) && overlap(is_sure, edge_boxes, e, vertex_boxes, v))
                            visit(e, v);
                    });
            });
    } else {
        ABUT_ASSERT(static_cast<int>(trees.face_corners.size()) == trees.faces.num_blocks());
        ABUT_ASSERT(static_cast<int>(trees.edge_corners.size()) == trees.edges.num_blocks());
        // Most boxes that overlap belong to neighbours, so that these are left out first, eight at once. Without a
        // filter there are no other rules.
        run(KindConstant<PairKind::face_vertex>(), mesh.num_faces(), trees.vertices.num_blocks(),
            [&](int begin, int end, auto&& visit) {
                const auto is_corner = [&](int p, int node) {
                    return trees.face_corners[node].common_mask(std::array{trees.vertices.element(p)});
                };
                trees.faces.for_each_overlap_by_place(
                    trees.vertices, begin, end, is_corner, [&](int p, int q, bool is_sure) {
                        const int f = trees.faces.element(q), v = trees.vertices.element(p);
                        if ((!rules.is_filtered() || rules.face_vertex(f, v)) &&
                            overlap(is_sure, face_boxes, f, vertex_boxes, v))
                            visit(f, v);
                    });
            });
        run(KindConstant<PairKind::edge_edge>(), mesh.num_edges(), trees.edges.num_blocks(),
            [&](int begin, int end, auto&& visit) {
                const auto have_common = [&](int p, int node) {
                    return trees.edge_corners[node].common_mask(trees.edge_corners[p / 8].lane(p % 8));
                };
                trees.edges.for_each_overlap_within_by_place(begin, end, have_common, [&](int p, int q, bool is_sure) {
                    const int a = trees.edges.element(p), b = trees.edges.element(q);
                    if ((!rules.is_filtered() || rules.edge_edge(a, b)) &&
                        overlap(is_sure, edge_boxes, a, edge_boxes, b))
                        visit(std::min(a, b), std::max(a, b));
                });
            });
        const auto& partners = mesh.edge_partners();
        run(KindConstant<PairKind::edge_vertex>(), mesh.num_edges(), trees.edge_partners.num_blocks(),
            [&](int begin, int end, auto&& visit) {
                trees.codim_edges.for_each_overlap_by_place(
                    trees.edge_partners, begin, end, none, [&](int p, int q, bool is_sure) {
                        const int e = loose_edges[trees.codim_edges.element(q)];
                        const int v = partners[trees.edge_partners.element(p)];
                        if (rules.edge_vertex(e, v) && overlap(is_sure, edge_boxes, e, vertex_boxes, v))
                            visit(e, v);
                    });
            });
    }
    run(KindConstant<PairKind::vertex_vertex>(), mesh.num_vertices(), trees.codim_vertices.num_blocks(),
        [&](int begin, int end, auto&& visit) {
            trees.codim_vertices.for_each_overlap_within_by_place(begin, end, none, [&](int p, int q, bool is_sure) {
                const int a = loose_vertices[trees.codim_vertices.element(p)];
                const int b = loose_vertices[trees.codim_vertices.element(q)];
                const int i = std::min(a, b), j = std::max(a, b);
                if (rules.vertex_vertex(i, j) && overlap(is_sure, vertex_boxes, i, vertex_boxes, j))
                    visit(i, j);
            });
        });
}

} // namespace abut
