#include "abut/base/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace abut::test {
namespace {

TEST(RandomStream, IsAPureFunctionOfSeedAndStream)
{
    RandomStream a(5, 7), b(5, 7);
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(a.next_bits(), b.next_bits());
}

/// The same numbers on every platform, and in every version: scenes depend on them.
TEST(RandomStream, DrawsThePinnedNumbers)
{
    RandomStream random(1, 2);
    EXPECT_EQ(random.next_bits(), 15234751897250297732u);
    EXPECT_EQ(random.next_bits(), 14956336671121928606u);
    EXPECT_EQ(random.uniform(), 0x1.8eeec245ba7bdp-1);
    EXPECT_EQ(random.below(1000), 296u);
}

TEST(RandomStream, StreamsAndSeedsDoNotShareNumbers)
{
    std::set<std::uint64_t> seen;
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        for (std::uint64_t stream = 0; stream < 20; ++stream) {
            RandomStream random(seed, stream);
            for (int i = 0; i < 20; ++i)
                seen.insert(random.next_bits());
        }
    EXPECT_EQ(seen.size(), 20u * 20u * 20u);
}

TEST(RandomStream, UniformFillsItsRangeEvenly)
{
    RandomStream random(3);
    constexpr int num_bins = 10, num_samples = 100000;
    std::array<int, num_bins> count{};
    for (int i = 0; i < num_samples; ++i) {
        const double x = random.uniform();
        ASSERT_GE(x, 0);
        ASSERT_LT(x, 1);
        ++count[static_cast<int>(x * num_bins)];
        const double y = random.uniform(-3, 5);
        ASSERT_GE(y, -3);
        ASSERT_LT(y, 5);
    }
    for (const int c : count)
        EXPECT_NEAR(c, num_samples / num_bins, 500); // five standard deviations, sqrt(n p (1 - p)) = 95
}

TEST(RandomStream, BelowReachesEveryNumberBelow)
{
    RandomStream random(4);
    for (const std::uint32_t n : {1u, 2u, 7u}) {
        std::set<std::uint32_t> seen;
        for (int i = 0; i < 200; ++i)
            seen.insert(random.below(n));
        EXPECT_EQ(seen.size(), n);
        EXPECT_EQ(*seen.rbegin(), n - 1);
    }
    std::uint32_t largest = 0;
    for (int i = 0; i < 1000; ++i)
        largest = std::max(largest, random.below(~0u));
    EXPECT_GT(largest, 0xf0000000u) << "large ranges do not overflow";
}

} // namespace
} // namespace abut::test
