// Each term is with exactly one rank, and ranks have about as much to do as each other.

#include "abut/solver/term_shares.hpp"

#include "support/lone_rank.hpp"

#include <gtest/gtest.h>

namespace abut::test::term_shares_test {
namespace {

/// |x_v - x_w|² / 2 for neighbours on a line.
class Springs final : public Energy {
public:
    explicit Springs(int num_vertices, EnergyRole role = EnergyRole::elastic) : role_(role)
    {
        for (int v = 0; v + 1 < num_vertices; ++v)
            stencils_.add(std::array{v, v + 1});
    }
    [[nodiscard]] std::string_view name() const override { return "springs"; }
    [[nodiscard]] EnergyRole role() const override { return role_; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& x, const TermOutput& out) const override
    {
        for (std::size_t k = 0; k < stencils_.size(); ++k)
            if (out.values != nullptr)
                out.values[k] = (x.block(stencils_[k][0]) - x.block(stencils_[k][1])).squaredNorm() / 2;
    }

private:
    EnergyRole role_;
    Stencils stencils_;
};

TEST(TermShares, every_term_is_with_one_rank)
{
    constexpr int num_vertices = 101, size = 3;
    const BlockLayout layout(num_vertices, 3);
    for (const EnergyRole role : {EnergyRole::elastic, EnergyRole::contact}) {
        Springs springs(num_vertices, role);
        const std::array<Energy*, 1> energies{&springs};
        std::vector<int> seen(num_vertices, 0);
        for (int rank = 0; rank < size; ++rank) {
            const LoneRank lone(rank, size, num_vertices);
            TermShares shares(layout, energies);
            const Stencils& own = shares.own_terms(springs).stencils();
            EXPECT_LE(own.size(), 1.1 * num_vertices / size);
            for (std::size_t k = 0; k < own.size(); ++k)
                ++seen[own[k][0]];
        }
        for (int v = 0; v + 1 < num_vertices; ++v)
            EXPECT_EQ(seen[v], 1);
    }
}

TEST(TermShares, one_rank_has_the_energy_itself)
{
    Springs springs(5);
    const std::array<Energy*, 1> energies{&springs};
    TermShares shares(BlockLayout(5, 3), energies);
    EXPECT_FALSE(shares.is_shared());
    EXPECT_EQ(&shares.own_terms(springs), &springs);
}

} // namespace
} // namespace abut::test::term_shares_test
