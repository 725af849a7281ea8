#include "abut/linear/block_elimination.hpp"

#include <algorithm>
#include <numeric>

namespace abut {

BlockGraph graph_of_free_blocks(const BlockPattern& pattern, const std::vector<std::uint8_t>& is_fixed)
{
    std::vector<int> number(pattern.num_rows(), -1);
    int count = 0;
    for (int block = 0; block < pattern.num_rows(); ++block)
        if (is_fixed[block] == 0)
            number[block] = count++;
    BlockGraph graph;
    graph.starts.reserve(count + 1);
    for (int block = 0; block < pattern.num_rows(); ++block) {
        if (number[block] < 0)
            continue;
        for (const BlockPattern::Mirrored& below : pattern.mirrored(block))
            if (number[below.column] >= 0)
                graph.neighbours.push_back(number[below.column]);
        for (const int other : pattern.columns(block))
            if (other != block && number[other] >= 0)
                graph.neighbours.push_back(number[other]);
        graph.starts.push_back(static_cast<std::int64_t>(graph.neighbours.size()));
    }
    return graph;
}

namespace {

std::vector<int> places_of(std::span<const int> order)
{
    std::vector<int> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        place[order[k]] = static_cast<int>(k);
    return place;
}

} // namespace

std::vector<int> elimination_tree(const BlockGraph& graph, std::span<const int> order)
{
    const std::vector<int> place = places_of(order);
    std::vector<int> parent(order.size(), -1), root(order.size(), -1); // the latter with shortened paths
    for (int k = 0; k < static_cast<int>(order.size()); ++k)
        for (const int other : graph.of(order[k]))
            for (int at = place[other]; at >= 0 && at < k;) {
                const int next = root[at];
                root[at] = k;
                if (next < 0)
                    parent[at] = k;
                at = next;
            }
    return parent;
}

FactorCounts count_factor(const BlockGraph& graph, std::span<const int> order)
{
    // Row k of the factor has a block in every column on the ways from its neighbours up to k.
    const std::vector<int> place = places_of(order), parent = elimination_tree(graph, order);
    std::vector<std::int64_t> in_column(order.size(), 1);
    std::vector<int> seen(order.size(), -1);
    for (int k = 0; k < static_cast<int>(order.size()); ++k) {
        seen[k] = k;
        for (const int other : graph.of(order[k]))
            for (int at = place[other]; at < k && seen[at] != k; at = parent[at]) {
                seen[at] = k;
                ++in_column[at];
            }
    }
    FactorCounts counts;
    for (const std::int64_t count : in_column) {
        counts.entries += static_cast<double>(count);
        counts.multiplications += 0.5 * static_cast<double>(count) * static_cast<double>(count);
    }
    return counts;
}

MendedOrder mended_order(const BlockGraph& graph, std::span<const int> order, std::span<const int> tree)
{
    const int nodes = static_cast<int>(order.size());
    const std::vector<int> place = places_of(order);
    // A tree that is walked once down gives every place the range of its descendants: by counting from the top.
    std::vector<int> subtree(nodes, 1), first(nodes, 0);
    for (int k = 0; k < nodes; ++k)
        if (tree[k] >= 0)
            subtree[tree[k]] += subtree[k];
    std::vector<int> next(nodes, 0);
    int roots = 0;
    for (int k = nodes - 1; k >= 0; --k) {
        int& at = tree[k] >= 0 ? next[tree[k]] : roots;
        first[k] = at;
        at += subtree[k];
        next[k] = first[k] + 1;
    }
    const auto is_above = [&](int above, int below) {
        return first[above] <= first[below] && first[below] < first[above] + subtree[above];
    };
    // Edges between branches, by their lower end
    std::vector<int> num_broken(nodes, 0);
    const auto for_each_broken = [&](auto&& visit) {
        for (int k = 0; k < nodes; ++k)
            for (const int other : graph.of(order[k]))
                if (const int at = place[other]; at > k && !is_above(at, k))
                    visit(k, at);
    };
    for_each_broken([&](int a, int b) {
        ++num_broken[a];
        ++num_broken[b];
    });
    std::vector<int> target(nodes);
    std::iota(target.begin(), target.end(), 0);
    for_each_broken([&](int a, int b) {
        const int moving = num_broken[a] >= num_broken[b] ? a : b, staying = moving == a ? b : a;
        if (target[moving] > moving && (target[moving] == nodes || is_above(target[moving], staying)))
            return; // high enough already
        int meet = tree[moving];
        while (meet >= 0 && !is_above(meet, staying))
            meet = tree[meet];
        target[moving] = std::max(target[moving], meet < 0 ? nodes : meet);
    });
    // Those that move come right before where branches meet, or to the end, in their old order.
    std::vector<int> sorted(nodes);
    std::iota(sorted.begin(), sorted.end(), 0);
    std::stable_sort(sorted.begin(), sorted.end(), [&](int a, int b) {
        if (target[a] != target[b])
            return target[a] < target[b];
        return (target[a] > a) > (target[b] > b);
    });
    MendedOrder kept{{order.begin(), order.end()}, count_factor(graph, order)}, mended;
    if (std::is_sorted(sorted.begin(), sorted.end()))
        return kept;
    mended.order.reserve(nodes);
    for (const int k : sorted)
        mended.order.push_back(order[k]);
    mended.counts = count_factor(graph, mended.order);
    return mended.counts.entries < kept.counts.entries ? mended : kept;
}

} // namespace abut
