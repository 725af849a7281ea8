#include "abut/solver/term_shares.hpp"

#include "abut/base/ranks.hpp"
#include "abut/solver/divisible.hpp"

#include <algorithm>
#include <numeric>

namespace abut {

namespace {

/// Blocks that share a lasting term, with the number of these terms as weights.
NodeGraph graph_of(const BlockLayout& layout, std::span<Energy* const> energies)
{
    const auto num_blocks = static_cast<std::size_t>(layout.num_blocks());
    // Energies that tie much together at once, as enclosed gas does, would make the graph dense.
    constexpr std::size_t largest_stencil = 32;
    const auto for_each_term = [&](auto&& visit) {
        for (const Energy* energy : energies)
            if (!changes_terms(*energy))
                for (std::size_t term = 0; term < energy->stencils().size(); ++term)
                    if (const std::span<const int> blocks = energy->stencils()[term]; blocks.size() <= largest_stencil)
                        visit(blocks);
    };
    NodeGraph graph;
    graph.weights.assign(num_blocks, 1);
    std::vector<std::int64_t> next(num_blocks + 1, 0);
    for_each_term([&](std::span<const int> blocks) {
        for (const int block : blocks) {
            ++graph.weights[block];
            next[block + 1] += static_cast<std::int64_t>(blocks.size()) - 1;
        }
    });
    std::partial_sum(next.begin(), next.end(), next.begin());
    const std::vector<std::int64_t> begin = next;
    std::vector<int> all(static_cast<std::size_t>(next.back()));
    for_each_term([&](std::span<const int> blocks) {
        for (const int block : blocks)
            for (const int other : blocks)
                if (other != block)
                    all[next[block]++] = other;
    });
    graph.starts.assign(1, 0);
    for (std::size_t block = 0; block < num_blocks; ++block) {
        const auto first = all.begin() + begin[block], last = all.begin() + begin[block + 1];
        std::sort(first, last);
        graph.neighbours.insert(graph.neighbours.end(), first, std::unique(first, last));
        graph.starts.push_back(static_cast<std::int64_t>(graph.neighbours.size()));
    }
    return graph;
}

/// The lasting terms of a rank: of the ranks that have blocks of a term, the one with the fewest terms takes it.
std::vector<int> terms_of_rank(const Stencils& stencils, const std::vector<int>& owners, int rank, int num_ranks)
{
    std::vector<std::int64_t> counts(num_ranks, 0);
    std::vector<int> own;
    for (std::size_t term = 0; term < stencils.size(); ++term) {
        int taker = -1;
        for (const int block : stencils[term]) {
            const int owner = owners[block];
            if (taker < 0 || counts[owner] < counts[taker] || (counts[owner] == counts[taker] && owner < taker))
                taker = owner;
        }
        taker = std::max(taker, 0);
        ++counts[taker];
        if (taker == rank)
            own.push_back(static_cast<int>(term));
    }
    return own;
}

} // namespace

TermShares::TermShares(const BlockLayout& layout, std::span<Energy* const> energies)
{
    if (ranks().size() == 1)
        return;
    owners_ = ranks().partition(ranks().rank() == 0 ? graph_of(layout, energies) : NodeGraph());
    ranks().set_block_owners(owners_);
}

std::vector<int> TermShares::numbers_of(const Energy& energy) const
{
    if (!changes_terms(energy))
        return terms_of_rank(energy.stencils(), owners_, ranks().rank(), ranks().size());
    const OwnRange range = own_range(energy.stencils().size());
    std::vector<int> terms(range.size());
    std::iota(terms.begin(), terms.end(), static_cast<int>(range.begin));
    return terms;
}

std::unique_ptr<Energy> TermShares::part_of(const Energy& energy) const
{
    const auto* divisible = dynamic_cast<const Divisible*>(&energy);
    return is_shared() && divisible != nullptr ? divisible->part(numbers_of(energy)) : nullptr;
}

const Terms& TermShares::own_terms(const Energy& energy)
{
    if (!is_shared() || energy.stencils().empty() || std::find(parts_.begin(), parts_.end(), &energy) != parts_.end())
        return energy;
    auto known = std::find_if(own_.begin(), own_.end(), [&](const Own& each) { return each.of == &energy; });
    if (known == own_.end()) {
        own_.push_back({&energy, changes_terms(energy) || energy.role() == EnergyRole::script, nullptr});
        known = own_.end() - 1;
    }
    if (!known->terms)
        known->terms = energy.subset(numbers_of(energy));
    return *known->terms;
}

void TermShares::forget()
{
    for (Own& own : own_)
        own.terms.reset();
}

void TermShares::forget_changing()
{
    for (Own& own : own_)
        if (own.changes)
            own.terms.reset();
}

} // namespace abut
