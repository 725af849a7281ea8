// Orders of elimination: counted against elimination done by hand, and mended.

#include "abut/linear/block_elimination.hpp"

#include "abut/base/random.hpp"
#include "abut/linear/direct_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace abut::test {

namespace {

using Edges = std::vector<std::array<int, 2>>;

BlockPattern pattern_of(int nodes, const Edges& edges)
{
    Stencils stencils;
    for (int node = 0; node < nodes; ++node)
        stencils.add(std::array{node});
    for (const std::array<int, 2>& edge : edges)
        stencils.add(edge);
    return {BlockLayout(nodes, 3), stencils};
}

BlockGraph graph_of(int nodes, const Edges& edges)
{
    return graph_of_free_blocks(pattern_of(nodes, edges), std::vector<std::uint8_t>(nodes, 0));
}

Edges grid_edges(int width, int height, int first = 0)
{
    Edges edges;
    for (int i = 0; i < width; ++i)
        for (int j = 0; j < height; ++j) {
            if (i + 1 < width)
                edges.push_back({first + i * height + j, first + (i + 1) * height + j});
            if (j + 1 < height)
                edges.push_back({first + i * height + j, first + i * height + j + 1});
        }
    return edges;
}

Edges random_edges(int nodes, int count, std::uint64_t seed)
{
    RandomStream random(seed);
    Edges edges;
    for (int k = 0; k < count; ++k) {
        const int a = static_cast<int>(random.uniform(0, nodes - 1e-9));
        const int b = static_cast<int>(random.uniform(0, nodes - 1e-9));
        if (a != b)
            edges.push_back({a, b});
    }
    return edges;
}

/// Nested dissection of a grid by hand: the middle column last, then the halves.
void dissect(int begin, int end, int height, int first, std::vector<int>& order)
{
    if (begin >= end)
        return;
    const int middle = (begin + end) / 2;
    dissect(begin, middle, height, first, order);
    dissect(middle + 1, end, height, first, order);
    for (int j = 0; j < height; ++j)
        order.push_back(first + middle * height + j);
}

/// What elimination does, done: neighbours of an eliminated node become each other's.
FactorCounts counts_by_elimination(const BlockGraph& graph, const std::vector<int>& order, std::vector<int>& tree)
{
    std::vector<int> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        place[order[k]] = static_cast<int>(k);
    std::vector<std::set<int>> later(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        for (const int other : graph.of(order[k]))
            if (place[other] > static_cast<int>(k))
                later[k].insert(place[other]);
    FactorCounts counts;
    tree.assign(order.size(), -1);
    for (std::size_t k = 0; k < order.size(); ++k) {
        const double count = 1.0 + static_cast<double>(later[k].size());
        counts.entries += count;
        counts.multiplications += count * count / 2;
        if (later[k].empty())
            continue;
        tree[k] = *later[k].begin();
        for (const int a : later[k])
            if (a != tree[k])
                later[tree[k]].insert(a);
    }
    return counts;
}

TEST(BlockElimination, CountsWhatEliminationLeaves)
{
    for (int seed = 0; seed < 20; ++seed) {
        const int nodes = 5 + 7 * seed;
        const BlockGraph graph = graph_of(nodes, random_edges(nodes, 2 * nodes, seed));
        std::vector<int> order(nodes);
        std::iota(order.begin(), order.end(), 0);
        std::reverse(order.begin() + nodes / 3, order.end());
        std::vector<int> tree;
        const FactorCounts expected = counts_by_elimination(graph, order, tree), found = count_factor(graph, order);
        EXPECT_EQ(found.entries, expected.entries);
        EXPECT_EQ(found.multiplications, expected.multiplications);
        EXPECT_EQ(elimination_tree(graph, order), tree);
    }
    EXPECT_EQ(count_factor(BlockGraph(), {}).entries, 0);
}

TEST(BlockElimination, LeavesFixedBlocksOut)
{
    std::vector<std::uint8_t> is_fixed(6, 0);
    is_fixed[2] = 1;
    const BlockGraph graph = graph_of_free_blocks(pattern_of(6, grid_edges(6, 1)), is_fixed);
    EXPECT_EQ(graph.size(), 5);
    EXPECT_EQ(std::vector<int>(graph.of(1).begin(), graph.of(1).end()), std::vector<int>{0});
    EXPECT_EQ(std::vector<int>(graph.of(2).begin(), graph.of(2).end()), std::vector<int>{3});
}

TEST(MendedOrder, IsTheSameWhereNoEdgeIsNew)
{
    const BlockGraph graph = graph_of(60, grid_edges(12, 5));
    std::vector<int> order;
    dissect(0, 12, 5, 0, order);
    EXPECT_EQ(mended_order(graph, order, elimination_tree(graph, order)).order, order);
    EXPECT_TRUE(mended_order(BlockGraph(), {}, {}).order.empty());
}

TEST(MendedOrder, FillsInLessThanTheOrderThatItMends)
{
    // A long sheet whose ends touch: a few nodes of one end move up to the middle column, where the branches meet.
    constexpr int width = 63, height = 9;
    Edges edges = grid_edges(width, height);
    std::vector<int> order;
    dissect(0, width, height, 0, order);
    const std::vector<int> tree = elimination_tree(graph_of(width * height, edges), order);
    for (const int j : {2, 3, 4})
        for (const int k : {2, 3, 4})
            edges.push_back({j, (width - 1) * height + k});
    const BlockGraph after = graph_of(width * height, edges);
    const MendedOrder mended = mended_order(after, order, tree);
    EXPECT_EQ(mended.counts.entries, count_factor(after, mended.order).entries);
    EXPECT_LT(mended.counts.entries, count_factor(after, order).entries);
    // All but one side of what touches stay in the order that they had.
    std::vector<int> stay = mended.order, stayed = order;
    const auto is_at_contact = [&](int node) { return node < height || node >= (width - 1) * height; };
    std::erase_if(stay, is_at_contact);
    std::erase_if(stayed, is_at_contact);
    EXPECT_EQ(stay, stayed);
}

TEST(MendedOrder, IsAnOrderWhateverEdgesCome)
{
    const Edges grid = grid_edges(10, 10);
    const BlockGraph before = graph_of(100, grid);
    std::vector<int> order;
    dissect(0, 10, 10, 0, order);
    const std::vector<int> tree = elimination_tree(before, order);
    for (int seed = 0; seed < 30; ++seed) {
        Edges edges = random_edges(100, 5 * seed, seed);
        edges.insert(edges.end(), grid.begin(), grid.end());
        const BlockGraph after = graph_of(100, edges);
        const MendedOrder found = mended_order(after, order, tree);
        EXPECT_LE(found.counts.entries, count_factor(after, order).entries);
        std::vector<int> mended = found.order;
        std::sort(mended.begin(), mended.end());
        std::vector<int> all(100);
        std::iota(all.begin(), all.end(), 0);
        EXPECT_EQ(mended, all);
    }
}

} // namespace

} // namespace abut::test
