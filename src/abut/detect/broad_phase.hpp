#pragma once
// The trees of a mesh, and the pairs of its elements whose boxes overlap and that may collide.

#include "abut/detect/bvh.hpp"

#include <array>

namespace abut {

/// What the trees are for.
enum class TreeUse : std::uint8_t {
    contact,       ///< all candidate kinds
    intersections, ///< without the tree of all vertices
};

/// Boxes and trees over what a mesh's candidate kinds need. Immovable: the trees point to the boxes.
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
    Bvh codim_vertices, codim_edges;
    std::vector<Box> codim_vertex_boxes, codim_edge_boxes;

private:
    void build_trees(const CollisionMesh& mesh);
    TreeUse use_;
    bool is_sorted_ = false;
};

/// Decides by topology and filter which pairs of elements are candidates.
class PairRules {
public:
    explicit PairRules(const CollisionMesh& mesh) : mesh_(mesh), is_filtered_(!mesh.filter().is_trivial()) {}

    [[nodiscard]] bool vertex_vertex(int i, int j) const
    {
        return i != j && (!is_filtered_ || mesh_.can_collide(i, j));
    }
    [[nodiscard]] bool edge_vertex(int e, int v) const { return allowed(row(mesh_.edges(), e), std::array{v}); }
    [[nodiscard]] bool edge_edge(int a, int b) const { return allowed(row(mesh_.edges(), a), row(mesh_.edges(), b)); }
    [[nodiscard]] bool face_vertex(int f, int v) const { return allowed(row(mesh_.faces(), f), std::array{v}); }
    [[nodiscard]] bool edge_face(int e, int f) const { return allowed(row(mesh_.edges(), e), row(mesh_.faces(), f)); }

private:
    template <typename Elements>
    static std::array<int, Elements::ColsAtCompileTime> row(const Elements& elements, int i)
    {
        std::array<int, Elements::ColsAtCompileTime> corners;
        for (int k = 0; k < Elements::ColsAtCompileTime; ++k)
            corners[k] = elements(i, k);
        return corners;
    }

    /// No common vertex, and some vertex of one may collide with some vertex of the other.
    template <std::size_t M, std::size_t N>
    bool allowed(const std::array<int, M>& a, const std::array<int, N>& b) const
    {
        for (const int i : a)
            for (const int j : b)
                if (i == j)
                    return false;
        if (!is_filtered_)
            return true;
        for (const int i : a)
            for (const int j : b)
                if (mesh_.can_collide(i, j))
                    return true;
        return false;
    }

    const CollisionMesh& mesh_;
    bool is_filtered_;
};

} // namespace abut
