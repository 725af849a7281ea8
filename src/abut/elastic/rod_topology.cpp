#include "abut/elastic/rod_topology.hpp"

#include "abut/base/error.hpp"
#include "abut/mesh/index_lists.hpp"
#include "abut/mesh/validate.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace abut {

namespace {

IndexLists edges_of_vertices(const Edges& edges, int num_vertices)
{
    validate_elements(edges, 2, num_vertices, "edges");
    for (int e = 0; e < edges.rows(); ++e)
        if (edges(e, 0) == edges(e, 1))
            reject("edges: row {} leads from vertex {} to itself; remove it", e, edges(e, 0));
    IndexLists around = rows_by_corner(edges, num_vertices);
    for (int v = 0; v < num_vertices; ++v) {
        std::vector<std::pair<int, int>> ends; // other vertex, edge
        for (const int e : around[v])
            ends.emplace_back(edges(e, 0) + edges(e, 1) - v, e);
        std::sort(ends.begin(), ends.end());
        for (std::size_t k = 1; k < ends.size(); ++k)
            if (ends[k].first == ends[k - 1].first)
                reject(
                    "edges: rows {} and {} both join the vertices {} and {}; remove one", ends[k - 1].second,
                    ends[k].second, v, ends[k].first);
    }
    return around;
}

/// Marks the edges of parts in which a vertex has three edges or more.
std::vector<bool> find_branched(const Edges& edges, const IndexLists& around)
{
    std::vector<bool> is_branched(edges.rows(), false);
    std::vector<int> open;
    const auto mark = [&](int e) {
        if (!is_branched[e]) {
            is_branched[e] = true;
            open.push_back(e);
        }
    };
    for (std::size_t v = 0; v < around.size(); ++v)
        if (around[v].size() > 2)
            for (const int e : around[v])
                mark(e);
    while (!open.empty()) {
        const int e = open.back();
        open.pop_back();
        for (const int v : {edges(e, 0), edges(e, 1)})
            for (const int next : around[v])
                mark(next);
    }
    return is_branched;
}

/// Goes along rods, which have two edges at most at a vertex.
class Walk {
public:
    Walk(RodTopology& all, const IndexLists& around) : all_(all), around_(around) {}

    /// The chain of this edge, in its direction; edges are turned to it.
    RodChain chain_of(int edge)
    {
        int first = edge;
        while (const auto before = next(first, all_.directed(first, 0))) {
            turn(*before, all_.directed(first, 0), 1);
            first = *before;
            if (first == edge) // a loop, which begins with this edge
                break;
        }
        RodChain chain{.edges = {first}};
        while (const auto after = next(chain.edges.back(), all_.directed(chain.edges.back(), 1))) {
            if (*after == first) {
                chain.is_closed = true;
                break;
            }
            turn(*after, all_.directed(chain.edges.back(), 1), 0);
            chain.edges.push_back(*after);
        }
        return chain;
    }

private:
    [[nodiscard]] std::optional<int> next(int edge, int vertex) const
    {
        for (const int e : around_[vertex])
            if (e != edge)
                return e;
        return std::nullopt;
    }
    /// So that this end of the edge is the vertex.
    void turn(int edge, int vertex, int end)
    {
        if (all_.directed(edge, end) != vertex)
            std::swap(all_.directed(edge, 0), all_.directed(edge, 1));
    }

    RodTopology& all_;
    const IndexLists& around_;
};

RodJoint joint_of(const Edges& edges, int first, int second, int vertex)
{
    const auto other = [&](int e) { return edges(e, 0) + edges(e, 1) - vertex; };
    return {{first, second}, {other(first), vertex, other(second)}};
}

} // namespace

RodTopology rod_topology(const Edges& edges, int num_vertices)
{
    const IndexLists around = edges_of_vertices(edges, num_vertices);
    RodTopology all;
    all.directed = edges;
    all.is_branched = find_branched(edges, around);
    std::vector<bool> is_done = all.is_branched;
    Walk walk(all, around);
    for (int e = 0; e < edges.rows(); ++e) {
        if (is_done[e])
            continue;
        RodChain chain = walk.chain_of(e);
        for (const int own : chain.edges)
            is_done[own] = true;
        const std::size_t count = chain.edges.size();
        for (std::size_t k = 0; k + (chain.is_closed ? 0 : 1) < count; ++k)
            all.joints.push_back(
                joint_of(all.directed, chain.edges[k], chain.edges[(k + 1) % count], all.directed(chain.edges[k], 1)));
        all.chains.push_back(std::move(chain));
    }
    for (int v = 0; v < num_vertices; ++v) {
        const std::span<const int> own = around[v];
        if (own.size() > 2)
            all.branch_points.push_back(v);
        if (own.empty() || !all.is_branched[own.front()])
            continue;
        for (std::size_t i = 0; i < own.size(); ++i)
            for (std::size_t j = i + 1; j < own.size(); ++j)
                all.corners.push_back(joint_of(edges, own[i], own[j], v));
    }
    return all;
}

} // namespace abut
