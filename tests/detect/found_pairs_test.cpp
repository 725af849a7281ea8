// Lists that are put in order by counting.

#include "abut/detect/found_pairs.hpp"

#include "abut/base/random.hpp"

#include <gtest/gtest.h>

#include <set>

namespace abut::test::found_pairs_test {
namespace {

TEST(FoundPairs, RanksAreTheNumbersOfSmallerKeysInListsOfAnyLength)
{
    for (const std::size_t n : {0u, 1u, 2u, 7u, 8u, 9u, 31u, 32u, 33u, 40u, 64u, 65u, 511u, 512u, 513u, 3000u}) {
        RandomStream random(11, n);
        std::set<int> drawn;
        std::vector<int> keys;
        while (keys.size() < n) {
            const auto key = static_cast<int>(random.below(1u << 31));
            if (drawn.insert(key).second)
                keys.push_back(key);
        }
        if (n > 2) { // the ends of what keys can be
            drawn.erase(keys[1]);
            drawn.erase(keys[2]);
            keys[1] = 0;
            keys[2] = std::numeric_limits<int>::max();
            drawn.insert({keys[1], keys[2]});
        }
        const std::vector<int> sorted(drawn.begin(), drawn.end());
        std::vector<int> placed(n, -1);
        rank_items(
            std::span<const int>(keys), [](int key) { return key; },
            [&](std::size_t rank, int key) { placed.at(rank) = key; });
        EXPECT_EQ(placed, sorted) << n;
    }
}

TEST(FoundPairs, OfManyPartsAreSortedAndKeepWhatWasMeasured)
{
    // First elements with none, few, and more than 512 pairs
    RandomStream random(13, 0);
    constexpr int num_first = 40, num_second = 2000;
    std::set<IndexPair> all;
    std::vector<std::vector<FoundPair>> parts(37);
    for (int draw = 0; draw < 30000; ++draw) {
        const auto skewed = static_cast<int>(num_first * std::pow(random.uniform(0, 1), 6));
        const IndexPair pair{std::min(skewed, num_first - 2), static_cast<int>(random.below(num_second))};
        if (all.insert(pair).second)
            parts[random.below(37)].push_back(
                {pair, pair[0] + 0.001 * pair[1], static_cast<std::uint8_t>(pair[1] % 7)});
    }
    const DetectedPairs list = sorted_pairs(parts, num_first);
    EXPECT_EQ(list.pairs, std::vector<IndexPair>(all.begin(), all.end()));
    for (std::size_t k = 0; k < list.size(); ++k) {
        EXPECT_EQ(list.squared_distances[k], list.pairs[k][0] + 0.001 * list.pairs[k][1]);
        EXPECT_EQ(list.features[k], list.pairs[k][1] % 7);
    }
}

} // namespace
} // namespace abut::test::found_pairs_test
