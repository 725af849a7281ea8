// The candidates of all ranks together are those of one.

#include "abut/detect/own_candidates.hpp"

#include "abut/mesh/generate/generators.hpp"
#include "support/lone_rank.hpp"
#include "support/random_meshes.hpp"

#include <gtest/gtest.h>

namespace abut::test::own_candidates_test {
namespace {

TEST(OwnCandidates, of_all_ranks_are_all_candidates_once)
{
    RandomStream random(7, 0);
    for (int index = 0; index < 20; ++index) {
        SoupOptions soup;
        soup.dim = index % 4 == 0 ? 2 : 3;
        const MovingMesh moving = random_soup(soup, random);
        constexpr double inflation = 0.05;
        Candidates whole;
        whole.build(moving.mesh, moving.X0, inflation);
        for (const int size : {2, 3}) {
            Candidates joined;
            for (int rank = 0; rank < size; ++rank) {
                const LoneRank lone(rank, size);
                const Candidates own = own_candidates(moving.mesh, moving.X0, inflation);
                for_each_kind(
                    [](PairKind, std::vector<IndexPair>& all, const std::vector<IndexPair>& some) {
                        all.insert(all.end(), some.begin(), some.end());
                    },
                    joined, own);
            }
            for_each_kind([](PairKind, std::vector<IndexPair>& all) { std::sort(all.begin(), all.end()); }, joined);
            EXPECT_EQ(joined, whole);
        }
    }
}

} // namespace
} // namespace abut::test::own_candidates_test
