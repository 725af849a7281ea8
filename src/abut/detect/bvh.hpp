#pragma once
// A linear bounding volume hierarchy: elements sorted along a Morton curve, in blocks of eight, with a tree of eight
// children per node above the blocks. The tree is implicit (node k of a level has the children 8k ... 8k + 7 of the
// level below), so that building and refitting are plain loops over arrays and a node's children are tested by one SIMD
// test.
//
// After Lauterbach et al., "Fast BVH construction on GPUs", 2009, with a fixed fan-out instead of splits at the codes'
// bits.

#include "abut/base/assert.hpp"
#include "abut/base/buffer.hpp"
#include "abut/detect/box.hpp"
#include "abut/math/box8.hpp"

#include <bit>
#include <span>

namespace abut {

class Bvh {
public:
    /// Sorts the boxes and builds the tree. Trees that are queried with each other have the same origin, best in the
    /// middle of things: single precision is finest near it. Of two elements that are both inert (one flag per element,
    /// or no flags at all) overlaps may be left out. `bounds` is around all boxes, if that is known.
    void build(
        const ElementBoxes& boxes, const Vec3& origin, std::span<const std::uint8_t> is_inert = {},
        const Box* bounds = nullptr);

    /// Takes new boxes of the same elements and keeps the order: faster than build(), and as good while things moved
    /// little.
    void refit(const ElementBoxes& boxes);

    [[nodiscard]] int size() const { return static_cast<int>(order_.size()); }
    [[nodiscard]] int num_blocks() const { return levels_.empty() ? 0 : static_cast<int>(levels_[0].size()); }

    /// The element at a place along the curve. Block k has the places 8k ... 8k + 7.
    [[nodiscard]] int element(int place) const
    {
        ABUT_ASSERT(place >= 0 && place < size());
        return order_[place];
    }

    /// Calls visit(p, q, is_sure) for places p in the blocks [begin, end) of `queries` and places q of this tree whose
    /// elements' boxes overlap as floats: for all pairs whose boxes overlap but those of two inert elements, of which
    /// some may come too. Where is_sure holds, they overlap as doubles as well. exclude(p, node) is a mask of places in
    /// block `node` that are left out: one test for eight pairs. Eight blocks that are one node of their tree share
    /// their way down.
    template <typename Exclude, typename Visit>
    void for_each_overlap_by_place(const Bvh& queries, int begin, int end, Exclude&& exclude, Visit&& visit) const
    {
        visit_blocks<false>(queries, begin, end, exclude, visit);
    }
    /// The same for one block, with elements instead of places, and without a mask: visit(element of queries, element).
    template <typename Visit>
    void for_each_overlap(const Bvh& queries, int block, Visit&& visit) const
    {
        const auto by_element = [&](int p, int q, bool) { visit(queries.element(p), element(q)); };
        visit_blocks<false>(queries, block, block + 1, none, by_element);
    }

    /// Calls visit(p, q, is_sure) for every pair of places of this tree whose elements' boxes overlap and of which the
    /// first, p < q, is in the blocks [begin, end): over all blocks, each unordered pair once. Leaves out as above.
    template <typename Exclude, typename Visit>
    void for_each_overlap_within_by_place(int begin, int end, Exclude&& exclude, Visit&& visit) const
    {
        visit_blocks<true>(*this, begin, end, exclude, visit);
    }
    /// The same for one block, with elements instead of places, and without a mask.
    template <typename Visit>
    void for_each_overlap_within(int block, Visit&& visit) const
    {
        const auto by_element = [&](int p, int q, bool) { visit(element(p), element(q)); };
        visit_blocks<true>(*this, block, block + 1, none, by_element);
    }

private:
    static constexpr auto none = [](int, int) { return 0u; };

    /// Consecutive blocks of queries below one node of their tree.
    struct QueryGroup {
        int begin, end;
        BoxF blocks[8]; // around each of them
        BoxF bounds;    // around all
        bool is_inert;
    };
    [[nodiscard]] QueryGroup query_group(int begin, int end) const;

    template <bool is_within, typename Exclude, typename Visit>
    void visit_blocks(const Bvh& queries, int begin, int end, Exclude& exclude, Visit& visit) const;
    template <bool is_within, typename Exclude, typename Visit>
    void visit_group(const Bvh& queries, const QueryGroup& group, Exclude& exclude, Visit& visit) const;
    template <bool is_within, typename Exclude, typename Visit>
    void visit_block_pair(const Bvh& queries, int block, int node, Exclude& exclude, Visit& visit) const;

    std::vector<int> order_;           // element at each place along the curve
    std::vector<Buffer<Box8>> levels_; // [0]: blocks of elements; each next level: blocks of the blocks below
    std::vector<std::vector<std::uint8_t>> inert_; // as levels_: a bit for each lane below which all elements are inert
    Vec3 origin_ = Vec3::Zero();
    // Boxes that overlap by this much overlap without rounding, too: what both were grown by, twice. Infinite where
    // numbers are so large that floats end.
    float sure_margin_ = 0;

    void set_leaf_blocks(const ElementBoxes& boxes);
    void set_inner_blocks();
    void set_sure_margin();
    void set_inert(std::span<const std::uint8_t> is_inert);
};

template <bool is_within, typename Exclude, typename Visit>
void Bvh::visit_blocks(const Bvh& queries, int begin, int end, Exclude& exclude, Visit& visit) const
{
    ABUT_ASSERT(begin >= 0 && end <= queries.num_blocks());
    if (levels_.empty())
        return;
    for (int next; begin < end; begin = next) {
        next = std::min(end, (begin / 8 + 1) * 8);
        visit_group<is_within>(queries, queries.query_group(begin, next), exclude, visit);
    }
}

template <bool is_within, typename Exclude, typename Visit>
void Bvh::visit_group(const Bvh& queries, const QueryGroup& group, Exclude& exclude, Visit& visit) const
{
    const int first_block = is_within ? group.begin : 0;
    if (levels_.size() == 1) {
        for (int block = group.begin; block < group.end; ++block)
            visit_block_pair<is_within>(queries, block, 0, exclude, visit);
        return;
    }
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
        if (level > 1) {
            unsigned mask = children.overlap_mask(group.bounds);
            if (group.is_inert)
                mask &= ~unsigned(inert_[level][node]);
            for (; mask != 0; mask &= mask - 1) {
                const int child = 8 * node + std::countr_zero(mask);
                // The last block of elements below this child.
                const std::int64_t last = ((static_cast<std::int64_t>(child) + 1) << (3 * (level - 1))) - 1;
                if (last >= first_block) {
                    ABUT_ASSERT(top < static_cast<int>(std::size(stack)));
                    stack[top++] = {level - 1, child};
                }
            }
            continue;
        }
        for (int block = group.begin; block < group.end; ++block) {
            unsigned mask = children.overlap_mask(group.blocks[block - group.begin]);
            if (is_within && block > 8 * node)
                mask = block >= 8 * node + 8 ? 0 : mask & (~0u << (block - 8 * node));
            for (; mask != 0; mask &= mask - 1)
                visit_block_pair<is_within>(queries, block, 8 * node + std::countr_zero(mask), exclude, visit);
        }
    }
}

template <bool is_within, typename Exclude, typename Visit>
void Bvh::visit_block_pair(const Bvh& queries, int block, int node, Exclude& exclude, Visit& visit) const
{
    const Box8 &query = queries.levels_[0][block], &elements = levels_[0][node];
    std::uint64_t hits = elements.overlap_masks(query);
    if (is_within && node == block)
        hits &= 0x0080c0e0f0f8fcfeULL; // of lane k those above k
    if (queries.inert_[0][block] == 0xff)
        hits &= ~(0x0101010101010101ULL * inert_[0][node]);
    while (hits != 0) {
        const int k = std::countr_zero(hits) / 8, p = 8 * block + k;
        unsigned lanes = hits >> 8 * k & 0xff;
        hits &= ~(std::uint64_t{0xff} << 8 * k);
        lanes &= ~exclude(p, node);
        if (lanes == 0)
            continue;
        const unsigned sure = elements.overlap_mask(query.lane(k).shrunk(std::max(sure_margin_, queries.sure_margin_)));
        for (; lanes != 0; lanes &= lanes - 1) {
            const int lane = std::countr_zero(lanes);
            visit(p, 8 * node + lane, (sure >> lane & 1) != 0);
        }
    }
}

} // namespace abut
