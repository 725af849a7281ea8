#include "abut/linear/iterative/row_order.hpp"

#include "abut/linear/block_elimination.hpp"
#include "abut/linear/own_random_numbers.hpp"

#include <algorithm>
#include <numeric>

#ifdef ABUT_WITH_METIS
#include <metis.h>
#endif

namespace abut {

#ifdef ABUT_WITH_METIS
namespace {

/// The part of each node, 2^k of them: parts whose numbers share their leading digits were one part before. Empty where
/// METIS does not succeed.
std::vector<int> bisected(const BlockGraph& graph)
{
    idx_t nodes = graph.size(), constraints = 1, parts = 1, cut = 0;
    // METIS' parts differ in size; those beyond the largest aggregate are cut later.
    while (std::int64_t(parts) * largest_aggregate * 7 / 8 < nodes)
        parts *= 2;
    std::vector<int> part(nodes, 0);
    if (parts == 1)
        return part;
    static_assert(sizeof(idx_t) == sizeof(int));
    std::vector<idx_t> starts(graph.starts.begin(), graph.starts.end());
    std::vector<idx_t> columns(graph.neighbours);
    std::array<idx_t, METIS_NOPTIONS> options{};
    METIS_SetDefaultOptions(options.data());
    options[METIS_OPTION_NUMBERING] = 0;
    options[METIS_OPTION_SEED] = 1;
    const OwnRandomNumbers guard;
    const int status = METIS_PartGraphRecursive(
        &nodes, &constraints, starts.data(), columns.data(), nullptr, nullptr, nullptr, &parts, nullptr, nullptr,
        options.data(), &cut, part.data());
    return status == METIS_OK ? part : std::vector<int>();
}

} // namespace
#endif

std::vector<int> greedy_aggregates(std::span<const std::int64_t> starts, std::span<const int> columns, int most)
{
    const int nodes = static_cast<int>(starts.size()) - 1;
    std::vector<int> aggregate(nodes, -1), front;
    int count = 0;
    for (int seed = 0; seed < nodes; ++seed) {
        if (aggregate[seed] >= 0)
            continue;
        front.assign(1, seed);
        aggregate[seed] = count;
        for (std::size_t k = 0; k < front.size() && static_cast<int>(front.size()) < most; ++k)
            for (std::int64_t slot = starts[front[k]]; slot < starts[front[k] + 1]; ++slot)
                if (const int other = columns[slot]; aggregate[other] < 0 && static_cast<int>(front.size()) < most) {
                    aggregate[other] = count;
                    front.push_back(other);
                }
        ++count;
    }
    return aggregate;
}

RowOrder order_rows(const BlockPattern& lasting, const std::vector<std::uint8_t>& is_fixed, Bisection method)
{
    std::vector<int> free;
    for (int block = 0; block < lasting.num_rows(); ++block)
        if (is_fixed[block] == 0)
            free.push_back(block);
    const BlockGraph graph = graph_of_free_blocks(lasting, is_fixed);
    std::vector<int> part;
#ifdef ABUT_WITH_METIS
    if (method == Bisection::metis)
        part = bisected(graph);
#else
    (void)method;
#endif
    if (part.empty())
        part = greedy_aggregates(graph.starts, graph.neighbours, largest_aggregate);

    RowOrder order;
    std::vector<int> sorted(free.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    std::stable_sort(sorted.begin(), sorted.end(), [&](int a, int b) { return part[a] < part[b]; });
    for (std::size_t k = 0; k < sorted.size(); ++k) {
        const bool is_next = k == 0 || part[sorted[k]] != part[sorted[k - 1]];
        if (is_next || static_cast<int>(k) - order.aggregate_starts.back() == largest_aggregate)
            order.aggregate_starts.push_back(static_cast<int>(k));
        order.blocks.push_back(free[sorted[k]]);
    }
    order.aggregate_starts.push_back(static_cast<int>(sorted.size()));
    order.in_contact.assign(sorted.size(), 0);
    return order;
}

} // namespace abut
