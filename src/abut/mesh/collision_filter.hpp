#pragma once
// Which vertices may collide with which. Filters are values that combine with &, | and !; a pair of elements is kept
// when any vertex of one may collide with any vertex of the other, and no vertex of one is joined to one of the other.
// A filter without rules lets everything collide.

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace abut {

class CollisionFilter {
public:
    /// Everything may collide.
    CollisionFilter() = default;

    /// Two vertices of static obstacles do not collide. One flag per vertex.
    static CollisionFilter static_obstacles(std::vector<bool> is_static);

    /// Vertices of one body do not collide with each other. One id per vertex; a negative id is no body.
    static CollisionFilter different_bodies(std::vector<int> body_ids);

    /// Vertices collide by the patches they belong to: only the listed pairs of patches may. One id per vertex; order
    /// in a pair does not matter, and a patch collides with itself only where (p, p) is listed.
    static CollisionFilter patches(std::vector<int> patch_ids, std::span<const std::pair<int, int>> colliding_patches);

    /// The listed pairs of vertices do not collide; everything else does. Order in a pair does not matter.
    static CollisionFilter except_pairs(std::span<const std::pair<int, int>> vertex_pairs);

    /// The listed pairs of vertices are joined, as by a stitch: their elements count as neighbours, so that two
    /// elements of which one has the one vertex and one the other never collide. Order in a pair does not matter.
    static CollisionFilter joined(std::span<const std::pair<int, int>> vertex_pairs);

    /// Only the listed pairs of vertices collide.
    static CollisionFilter only_pairs(std::span<const std::pair<int, int>> vertex_pairs);

    /// Asks the callable, with the mesh's own vertex indices. It must be symmetric and free of side effects, and is
    /// called from several threads.
    static CollisionFilter callable(std::function<bool(int, int)> can_collide);

    [[nodiscard]] bool operator()(int vertex_i, int vertex_j) const
    {
        return !rule_ || rule_->allows(vertex_i, vertex_j);
    }

    /// Are the two vertices joined? Then no element of the one collides with an element of the other.
    [[nodiscard]] bool are_joined(int vertex_i, int vertex_j) const
    {
        return rule_ && rule_->are_joined(vertex_i, vertex_j);
    }
    /// Is there any such pair, so that it must be asked?
    [[nodiscard]] bool joins() const { return rule_ && rule_->joins(); }

    /// Does it let everything collide, so that it need not be asked?
    [[nodiscard]] bool is_trivial() const { return !rule_; }

    /// Is the vertex inert? Two inert vertices are known never to collide. Those of static obstacles are inert,
    /// and planes are too.
    [[nodiscard]] bool is_inert(int vertex) const { return rule_ && rule_->is_inert(vertex); }

    /// Checks that every table has an entry for each of `num_vertices` vertices.
    void validate(int num_vertices) const;

    /// The filter for a mesh that keeps the vertices `kept` of this filter's mesh and renumbers them.
    [[nodiscard]] CollisionFilter renumbered(std::span<const int> kept) const;

    friend CollisionFilter operator&(const CollisionFilter& a, const CollisionFilter& b);
    friend CollisionFilter operator|(const CollisionFilter& a, const CollisionFilter& b);
    friend CollisionFilter operator!(const CollisionFilter& a);

    class Rule {
    public:
        virtual ~Rule() = default;
        [[nodiscard]] virtual bool allows(int i, int j) const = 0;
        [[nodiscard]] virtual bool is_inert(int /*i*/) const { return false; }
        [[nodiscard]] virtual bool are_joined(int /*i*/, int /*j*/) const { return false; }
        [[nodiscard]] virtual bool joins() const { return false; }
        virtual void validate(int /*num_vertices*/) const {}
    };

private:
    explicit CollisionFilter(std::shared_ptr<const Rule> rule) : rule_(std::move(rule)) {}
    std::shared_ptr<const Rule> rule_;
};

} // namespace abut
