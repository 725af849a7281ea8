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
#include "abut/math/set_bits.hpp"

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

    [[nodiscard]] int size() const { return static_cast<int>(size_); }
    [[nodiscard]] int num_blocks() const { return levels_.empty() ? 0 : static_cast<int>(levels_[0].size()); }

    /// The element at a place along the curve. Block k has the places 8k ... 8k + 7.
    [[nodiscard]] int element(int place) const
    {
        ABUT_ASSERT(place >= 0 && place < size());
        return order_[place];
    }

    /// The elements at the places 8 node ... 8 node + 7; what is beyond the last is no element.
    [[nodiscard]] const int* block_elements(int node) const { return order_.data() + 8 * std::size_t(node); }

    /// Calls visit(p, node, lanes, sure) for places p in the blocks [begin, end) of `queries` and blocks `node` of this
    /// tree: bit k of `lanes`, which is not 0, is set where the boxes of the elements at p and at place 8 node + k
    /// overlap as floats. So come all pairs whose boxes overlap but those of two inert elements, of which some may come
    /// too. Those with a bit in `sure`, which may have others, overlap as doubles as well. exclude(p, node) is a mask
    /// of lanes that are left out. Eight blocks that are one node of their tree share their way down.
    template <typename Exclude, typename Visit>
    void for_each_overlap_by_place(const Bvh& queries, int begin, int end, Exclude&& exclude, Visit&& visit) const
    {
        visit_blocks<false>(queries, begin, end, exclude, visit);
    }
    /// The same for one block, pair by pair, with elements instead of places, and without a mask: visit(element of
    /// queries, element).
    template <typename Visit>
    void for_each_overlap(const Bvh& queries, int block, Visit&& visit) const
    {
        auto by_element = by_elements(queries, visit);
        visit_blocks<false>(queries, block, block + 1, none, by_element);
    }

    /// The same for pairs of places p < 8 node + k of this tree, p in the blocks [begin, end): over all blocks, each
    /// unordered pair once.
    template <typename Exclude, typename Visit>
    void for_each_overlap_within_by_place(int begin, int end, Exclude&& exclude, Visit&& visit) const
    {
        visit_blocks<true>(*this, begin, end, exclude, visit);
    }
    /// The same for one block, pair by pair, with elements instead of places, and without a mask.
    template <typename Visit>
    void for_each_overlap_within(int block, Visit&& visit) const
    {
        auto by_element = by_elements(*this, visit);
        visit_blocks<true>(*this, block, block + 1, none, by_element);
    }

private:
    static constexpr auto none = [](int, int) { return 0u; };
    template <typename Visit>
    [[nodiscard]] auto by_elements(const Bvh& queries, Visit& visit) const
    {
        return [&](int p, int node, unsigned lanes, unsigned) {
            for (; lanes != 0; lanes &= lanes - 1)
                visit(queries.element(p), element(8 * node + std::countr_zero(lanes)));
        };
    }

    /// Consecutive blocks of queries below one node of their tree.
    struct QueryGroup {
        int begin, end;
        Box8 blocks; // lane k around block k of the node
        BoxF bounds; // around all
        bool is_inert;
    };
    [[nodiscard]] QueryGroup query_group(int begin, int end) const;

    template <bool is_within, typename Exclude, typename Visit>
    class Walk;
    template <bool is_within, typename Exclude, typename Visit>
    void visit_blocks(const Bvh& queries, int begin, int end, Exclude& exclude, Visit& visit) const;

    std::size_t size_ = 0;
    std::vector<int> order_;           // element at each place along the curve; -1 beyond the last, to a full block
    std::vector<Buffer<Box8>> levels_; // [0]: blocks of elements; each next level: blocks of the blocks below
    std::vector<std::vector<std::uint8_t>> inert_; // as levels_: a bit for each lane below which all elements are inert
    bool has_inert_ = false;
    Vec3 origin_ = Vec3::Zero();
    // Boxes that overlap by this much overlap without rounding, too: what both were grown by, twice. Infinite where
    // numbers are so large that floats end.
    float sure_margin_ = 0;

    void set_leaf_blocks(const ElementBoxes& boxes);
    void set_inner_blocks();
    void set_sure_margin();
    void set_inert(std::span<const std::uint8_t> is_inert);
};

/// Down a tree with groups of blocks. What is found on one floor waits in a list until the list is full, and then goes
/// down to the next all at once: blocks that overlap, elements that overlap a block, elements that overlap. Each step
/// is a plain loop without a branch for what overlaps and what does not, which no processor can foresee.
template <bool is_within, typename Exclude, typename Visit>
class Bvh::Walk {
public:
    Walk(const Bvh& tree, const Bvh& queries, Exclude& exclude, Visit& visit)
        : tree_(tree), queries_(queries), exclude_(exclude), visit_(visit),
          has_inert_(tree.has_inert_ && queries.has_inert_),
          sure_margin_(std::max(tree.sure_margin_, queries.sure_margin_))
    {}

    void go(const QueryGroup& group)
    {
        if (tree_.levels_.size() == 1) {
            for (int block = group.begin; block < group.end; ++block)
                add_block_pairs(block, 0, 1);
            return;
        }
        const int first_block = is_within ? group.begin : 0;
        struct Entry {
            int level, node;
        };
        Entry stack[8 * 12]; // at most seven siblings wait at each of the eleven levels that 2^31 elements have
        int top = 0;
        stack[top++] = {static_cast<int>(tree_.levels_.size()) - 1, 0};
        while (top > 0) {
            const auto [level, node] = stack[--top];
            ABUT_ASSERT(node < static_cast<int>(tree_.levels_[level].size())); // empty lanes overlap nothing
            unsigned mask = tree_.levels_[level][node].overlap_mask(group.bounds);
            if (group.is_inert)
                mask &= ~unsigned(tree_.inert_[level][node]);
            if (level == 1) {
                look_at_children(group, node, mask);
                continue;
            }
            for (; mask != 0; mask &= mask - 1) {
                const int child = 8 * node + std::countr_zero(mask);
                // The last block of elements below this child.
                const std::int64_t last = ((static_cast<std::int64_t>(child) + 1) << (3 * (level - 1))) - 1;
                if (last >= first_block) {
                    ABUT_ASSERT(top < static_cast<int>(std::size(stack)));
                    stack[top++] = {level - 1, child};
                }
            }
        }
    }

    /// After the last group.
    void finish()
    {
        find_rows();
        num_pairs_ = 0;
    }

private:
    static constexpr std::size_t most_pairs = 128;

    /// The blocks of a group and those below a node, of which the mask has those that are near the group.
    void look_at_children(const QueryGroup& group, int node, unsigned near)
    {
        if (near == 0)
            return;
        // Most blocks have not been looked at for a while: they are asked for before they are needed.
        for (unsigned rest = near; rest != 0; rest &= rest - 1)
            tree_.levels_[0][8 * node + std::countr_zero(rest)].prefetch();
        const Box8& children = tree_.levels_[1][node];
        for (int block = group.begin; block < group.end; ++block) {
            const unsigned later = is_within ? 0xffu << std::clamp(block - 8 * node, 0, 8) : 0xffu;
            add_block_pairs(block, 8 * node, near & later & children.overlap_mask(group.blocks, block % 8));
        }
    }

    void add_block_pairs(int block, int first_node, unsigned mask)
    {
        const std::size_t count = store_set_bits(mask, first_node, nodes_ + num_pairs_);
        for (std::size_t k = 0; k < 8; ++k)
            blocks_[num_pairs_ + k] = block;
        num_pairs_ += count;
        if (num_pairs_ > most_pairs - 8)
            finish();
    }

    /// Elements of a block that overlap the other block at all: half of them do not.
    void find_rows()
    {
        std::size_t num_rows = 0;
        for (std::size_t pair = 0; pair < num_pairs_; ++pair) {
            const int block = blocks_[pair], node = nodes_[pair];
            const unsigned some = tree_.levels_.size() == 1
                                      ? 0xffu >> std::max(0, 8 * block + 8 - queries_.size())
                                      : queries_.levels_[0][block].overlap_mask(tree_.levels_[1][node / 8], node % 8);
            const std::size_t count = store_set_bits(some, 8 * block, places_ + num_rows);
            for (std::size_t k = 0; k < 8; ++k)
                row_nodes_[num_rows + k] = node;
            num_rows += count;
        }
        find_overlaps(num_rows);
    }

    /// Elements of a block that overlap one element.
    void find_overlaps(std::size_t num_rows)
    {
        const Box8 *const query_blocks = queries_.levels_[0].data(), *const blocks = tree_.levels_[0].data();
        std::size_t num_found = 0;
        for (std::size_t row = 0; row < num_rows; ++row) {
            const int p = places_[row], node = row_nodes_[row];
            unsigned lanes = blocks[node].overlap_mask(query_blocks[p / 8], p % 8);
            if constexpr (is_within)
                lanes &= node == p / 8 ? 0xfeu << p % 8 : 0xffu;
            if (has_inert_ && queries_.inert_[0][p / 8] == 0xff)
                lanes &= ~unsigned(tree_.inert_[0][node]);
            lanes &= ~exclude_(p, node);
            places_[num_found] = p;
            row_nodes_[num_found] = node;
            lanes_[num_found] = lanes;
            num_found += lanes != 0 ? 1 : 0;
        }
        for (std::size_t k = 0; k < num_found; ++k) {
            const int p = places_[k], node = row_nodes_[k];
            visit_(p, node, lanes_[k], blocks[node].overlap_mask(query_blocks[p / 8].lane(p % 8).shrunk(sure_margin_)));
        }
    }

    const Bvh &tree_, &queries_;
    Exclude& exclude_;
    Visit& visit_;
    bool has_inert_;
    float sure_margin_;
    std::size_t num_pairs_ = 0;
    int blocks_[most_pairs], nodes_[most_pairs];             // pairs of blocks
    int places_[8 * most_pairs], row_nodes_[8 * most_pairs]; // elements and blocks
    unsigned lanes_[8 * most_pairs];
};

template <bool is_within, typename Exclude, typename Visit>
void Bvh::visit_blocks(const Bvh& queries, int begin, int end, Exclude& exclude, Visit& visit) const
{
    ABUT_ASSERT(begin >= 0 && end <= queries.num_blocks());
    if (levels_.empty() || begin >= end)
        return;
    Walk<is_within, Exclude, Visit> walk(*this, queries, exclude, visit);
    for (int next; begin < end; begin = next) {
        next = std::min(end, (begin / 8 + 1) * 8);
        walk.go(queries.query_group(begin, next));
    }
    walk.finish();
}

} // namespace abut
