#pragma once
// A linear bounding volume hierarchy: elements sorted along a Morton curve, in blocks of eight, with a tree of eight
// children per node above the blocks. The tree is implicit (node k of a level has the children 8k ... 8k + 7 of the
// level below), so that building and refitting are plain loops over arrays and a node's children are tested by one SIMD
// test.
//
// After Lauterbach et al., "Fast BVH construction on GPUs", 2009, with a fixed fan-out instead of splits at the codes'
// bits.

#include "abut/base/assert.hpp"
#include "abut/detect/box.hpp"
#include "abut/math/box8.hpp"

#include <bit>
#include <span>

namespace abut {

class Bvh {
public:
    /// Sorts the boxes and builds the tree. The boxes must stay in place while the tree is used. Trees that are queried
    /// with each other have the same origin, best in the middle of things: single precision is finest near it. Of two
    /// elements that are both inert (one flag per element, or no flags at all) overlaps may be left out.
    void build(std::span<const Box> boxes, const Vec3& origin, std::span<const std::uint8_t> is_inert = {});

    /// Takes new boxes of the same elements and keeps the order: faster than build(), and as good while things moved
    /// little.
    void refit(std::span<const Box> boxes);

    [[nodiscard]] int size() const { return static_cast<int>(order_.size()); }
    [[nodiscard]] int num_blocks() const { return levels_.empty() ? 0 : static_cast<int>(levels_[0].size()); }

    /// The element at a place along the curve. Block k has the places 8k ... 8k + 7.
    [[nodiscard]] int element(int place) const
    {
        ABUT_ASSERT(place >= 0 && place < size());
        return order_[place];
    }

    /// Calls visit(p, q) for places p in block `block` of `queries` and places q of this tree whose elements' boxes
    /// overlap: for all pairs but those of two inert elements, of which some may come too. exclude(p, node) is a mask
    /// of places in block `node` that are left out: one test for eight pairs.
    template <typename Exclude, typename Visit>
    void for_each_overlap_by_place(const Bvh& queries, int block, Exclude&& exclude, Visit&& visit) const
    {
        traverse(queries, block, 0, exclude, visit);
    }
    /// The same with elements instead of places, and without a mask.
    template <typename Visit>
    void for_each_overlap(const Bvh& queries, int block, Visit&& visit) const
    {
        for_each_overlap_by_place(queries, block, none, [&](int p, int q) { visit(queries.element(p), element(q)); });
    }

    /// Calls visit(p, q) for every pair of places of this tree whose elements' boxes overlap and of which the first,
    /// p < q, is in block `block`: over all blocks, each unordered pair once. Leaves out as above.
    template <typename Exclude, typename Visit>
    void for_each_overlap_within_by_place(int block, Exclude&& exclude, Visit&& visit) const
    {
        traverse(*this, block, block, exclude, visit);
    }
    /// The same with elements instead of places, and without a mask.
    template <typename Visit>
    void for_each_overlap_within(int block, Visit&& visit) const
    {
        for_each_overlap_within_by_place(block, none, [&](int p, int q) { visit(element(p), element(q)); });
    }

private:
    static constexpr auto none = [](int, int) { return 0u; };

    /// Finds overlaps of one block of queries with this tree's blocks from `first_block` on.
    template <typename Exclude, typename Visit>
    void traverse(const Bvh& queries, int block, int first_block, Exclude& exclude, Visit& visit) const;

    std::span<const Box> boxes_;
    std::vector<int> order_;                // element at each place along the curve
    std::vector<std::vector<Box8>> levels_; // [0]: blocks of elements; each next level: blocks of the blocks below
    std::vector<std::vector<std::uint8_t>> inert_; // as levels_: a bit for each lane below which all elements are inert
    Vec3 origin_ = Vec3::Zero();
    void set_leaf_blocks();
    void set_inner_blocks();
    void set_inert(std::span<const std::uint8_t> is_inert);
};

template <typename Exclude, typename Visit>
void Bvh::traverse(const Bvh& queries, int block, int first_block, Exclude& exclude, Visit& visit) const
{
    if (levels_.empty())
        return;
    ABUT_ASSERT(block >= 0 && block < queries.num_blocks());
    const Box8& query = queries.levels_[0][block];
    const BoxF bounds = query.bounds();
    const bool is_query_inert = queries.inert_[0][block] == 0xff;
    struct Entry {
        int level, node;
    };
    Entry stack[8 * 12]; // at most seven siblings wait at each of the eleven levels that 2^31 elements have
    int top = 0;
    stack[top++] = {static_cast<int>(levels_.size()) - 1, 0};
    while (top > 0) {
        const auto [level, node] = stack[--top];
        ABUT_ASSERT(node < static_cast<int>(levels_[level].size())); // empty lanes overlap nothing
        const Box8& children = levels_[level][node];
        unsigned mask = children.overlap_mask(bounds);
        if (is_query_inert)
            mask &= ~unsigned(inert_[level][node]);
        if (level > 0) {
            for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
                const int child = 8 * node + std::countr_zero(rest);
                // The last block of elements below this child.
                const std::int64_t last = ((static_cast<std::int64_t>(child) + 1) << (3 * (level - 1))) - 1;
                if (last >= first_block) {
                    ABUT_ASSERT(top < static_cast<int>(std::size(stack)));
                    stack[top++] = {level - 1, child};
                }
            }
            continue;
        }
        if (mask == 0 || node < first_block)
            continue;
        // Of the queries, those that overlap the whole block; empty lanes do not.
        unsigned lanes = levels_.size() > 1 ? query.overlap_mask(levels_[1][node / 8].lane(node % 8))
                                            : query.overlap_mask(children.bounds());
        for (; lanes != 0; lanes &= lanes - 1) {
            const int k = std::countr_zero(lanes);
            unsigned hits = mask & children.overlap_mask(query.lane(k));
            if (&queries == this && node == block)
                hits &= ~((2u << k) - 1);
            if (hits != 0)
                hits &= ~exclude(8 * block + k, node);
            for (; hits != 0; hits &= hits - 1)
                visit(8 * block + k, 8 * node + std::countr_zero(hits));
        }
    }
}

} // namespace abut
