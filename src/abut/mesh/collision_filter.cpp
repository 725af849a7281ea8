#include "abut/mesh/collision_filter.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"

#include <algorithm>

namespace abut {

namespace {

using Rule = CollisionFilter::Rule;
using Pair = std::pair<int, int>;

void validate_table(std::size_t size, int num_vertices, const char* name)
{
    if (static_cast<int>(size) != num_vertices)
        reject("{}: {} entries for a mesh of {} vertices; give one per vertex", name, size, num_vertices);
}

/// Does the table have an entry for vertex i? Meshes have validated that there is one per vertex.
template <typename Table>
[[maybe_unused]] bool has_entry(const Table& table, int i)
{
    return i >= 0 && static_cast<std::size_t>(i) < table.size();
}

/// A sorted set of unordered pairs.
class PairSet {
public:
    explicit PairSet(std::span<const Pair> pairs)
    {
        pairs_.reserve(pairs.size());
        for (const Pair& pair : pairs)
            pairs_.push_back(std::minmax(pair.first, pair.second));
        std::sort(pairs_.begin(), pairs_.end());
    }
    [[nodiscard]] bool contains(int i, int j) const
    {
        return std::binary_search(pairs_.begin(), pairs_.end(), Pair(std::minmax(i, j)));
    }
    void validate(int num_vertices, const char* name) const
    {
        for (const Pair& pair : pairs_)
            if (pair.first < 0 || pair.second >= num_vertices)
                reject(
                    "{}: pair ({}, {}) is out of range; the vertices are numbered 0 to {}", name, pair.first,
                    pair.second, num_vertices - 1);
    }

private:
    std::vector<Pair> pairs_;
};

struct StaticObstacles : Rule {
    std::vector<bool> is_static;
    [[nodiscard]] bool allows(int i, int j) const override
    {
        ABUT_ASSERT(has_entry(is_static, i) && has_entry(is_static, j));
        return !(is_static[i] && is_static[j]);
    }
    [[nodiscard]] bool is_inert(int i) const override
    {
        ABUT_ASSERT(has_entry(is_static, i));
        return is_static[i];
    }
    void validate(int num_vertices) const override { validate_table(is_static.size(), num_vertices, "is_static"); }
};

struct DifferentBodies : Rule {
    std::vector<int> body_ids;
    [[nodiscard]] bool allows(int i, int j) const override
    {
        ABUT_ASSERT(has_entry(body_ids, i) && has_entry(body_ids, j));
        return body_ids[i] != body_ids[j] || body_ids[i] < 0;
    }
    void validate(int num_vertices) const override { validate_table(body_ids.size(), num_vertices, "body_ids"); }
};

struct Patches : Rule {
    Patches(std::vector<int> ids, std::span<const Pair> pairs) : patch_ids(std::move(ids)), colliding(pairs) {}
    std::vector<int> patch_ids;
    PairSet colliding;
    [[nodiscard]] bool allows(int i, int j) const override
    {
        ABUT_ASSERT(has_entry(patch_ids, i) && has_entry(patch_ids, j));
        return colliding.contains(patch_ids[i], patch_ids[j]);
    }
    void validate(int num_vertices) const override { validate_table(patch_ids.size(), num_vertices, "patch_ids"); }
};

struct OnlyPairs : Rule {
    explicit OnlyPairs(std::span<const Pair> vertex_pairs) : pairs(vertex_pairs) {}
    PairSet pairs;
    [[nodiscard]] bool allows(int i, int j) const override { return pairs.contains(i, j); }
    void validate(int num_vertices) const override { pairs.validate(num_vertices, "vertex_pairs"); }
};

struct Joined : Rule {
    explicit Joined(std::span<const Pair> vertex_pairs) : pairs(vertex_pairs) {}
    PairSet pairs;
    [[nodiscard]] bool allows(int i, int j) const override { return !pairs.contains(i, j); }
    [[nodiscard]] bool are_joined(int i, int j) const override { return pairs.contains(i, j); }
    [[nodiscard]] bool joins() const override { return true; }
    void validate(int num_vertices) const override { pairs.validate(num_vertices, "vertex_pairs"); }
};

struct Callable : Rule {
    std::function<bool(int, int)> can_collide;
    [[nodiscard]] bool allows(int i, int j) const override { return can_collide(i, j); }
};

struct Both : Rule {
    std::shared_ptr<const Rule> a, b;
    [[nodiscard]] bool allows(int i, int j) const override { return a->allows(i, j) && b->allows(i, j); }
    // Vertices that are inert only in b do not count: one of them may collide with one that is inert only in a.
    [[nodiscard]] bool is_inert(int i) const override { return a->is_inert(i); }
    [[nodiscard]] bool are_joined(int i, int j) const override { return a->are_joined(i, j) || b->are_joined(i, j); }
    [[nodiscard]] bool joins() const override { return a->joins() || b->joins(); }
    void validate(int num_vertices) const override
    {
        a->validate(num_vertices);
        b->validate(num_vertices);
    }
};

struct Not : Rule {
    std::shared_ptr<const Rule> a; // null: everything collides, so now nothing does
    [[nodiscard]] bool allows(int i, int j) const override { return a && !a->allows(i, j); }
    void validate(int num_vertices) const override
    {
        if (a)
            a->validate(num_vertices);
    }
};

struct Renumbered : Rule {
    std::shared_ptr<const Rule> a;
    std::vector<int> old_index;
    [[nodiscard]] bool allows(int i, int j) const override
    {
        ABUT_ASSERT(has_entry(old_index, i) && has_entry(old_index, j));
        return a->allows(old_index[i], old_index[j]);
    }
    [[nodiscard]] bool is_inert(int i) const override
    {
        ABUT_ASSERT(has_entry(old_index, i));
        return a->is_inert(old_index[i]);
    }
    [[nodiscard]] bool are_joined(int i, int j) const override
    {
        ABUT_ASSERT(has_entry(old_index, i) && has_entry(old_index, j));
        return a->are_joined(old_index[i], old_index[j]);
    }
    [[nodiscard]] bool joins() const override { return a->joins(); }
    void validate(int num_vertices) const override { validate_table(old_index.size(), num_vertices, "kept"); }
};

} // namespace

CollisionFilter CollisionFilter::static_obstacles(std::vector<bool> is_static)
{
    auto rule = std::make_shared<StaticObstacles>();
    rule->is_static = std::move(is_static);
    return CollisionFilter(rule);
}

CollisionFilter CollisionFilter::different_bodies(std::vector<int> body_ids)
{
    auto rule = std::make_shared<DifferentBodies>();
    rule->body_ids = std::move(body_ids);
    return CollisionFilter(rule);
}

CollisionFilter CollisionFilter::patches(std::vector<int> patch_ids, std::span<const Pair> colliding_patches)
{
    return CollisionFilter(std::make_shared<Patches>(std::move(patch_ids), colliding_patches));
}

CollisionFilter CollisionFilter::except_pairs(std::span<const Pair> vertex_pairs) { return !only_pairs(vertex_pairs); }

CollisionFilter CollisionFilter::joined(std::span<const Pair> vertex_pairs)
{
    return CollisionFilter(std::make_shared<Joined>(vertex_pairs));
}

CollisionFilter CollisionFilter::only_pairs(std::span<const Pair> vertex_pairs)
{
    return CollisionFilter(std::make_shared<OnlyPairs>(vertex_pairs));
}

CollisionFilter CollisionFilter::callable(std::function<bool(int, int)> can_collide)
{
    if (!can_collide)
        reject("can_collide: the callable is empty");
    auto rule = std::make_shared<Callable>();
    rule->can_collide = std::move(can_collide);
    return CollisionFilter(rule);
}

void CollisionFilter::validate(int num_vertices) const
{
    if (rule_)
        rule_->validate(num_vertices);
}

CollisionFilter CollisionFilter::renumbered(std::span<const int> kept) const
{
    if (!rule_)
        return {};
    auto rule = std::make_shared<Renumbered>();
    rule->a = rule_;
    rule->old_index.assign(kept.begin(), kept.end());
    return CollisionFilter(rule);
}

CollisionFilter operator&(const CollisionFilter& a, const CollisionFilter& b)
{
    if (!a.rule_ || !b.rule_)
        return a.rule_ ? a : b;
    auto rule = std::make_shared<Both>();
    rule->a = a.rule_;
    rule->b = b.rule_;
    return CollisionFilter(rule);
}

CollisionFilter operator|(const CollisionFilter& a, const CollisionFilter& b)
{
    if (!a.rule_ || !b.rule_)
        return {};
    return !((!a) & (!b));
}

CollisionFilter operator!(const CollisionFilter& a)
{
    auto rule = std::make_shared<Not>();
    rule->a = a.rule_;
    return CollisionFilter(rule);
}

} // namespace abut
