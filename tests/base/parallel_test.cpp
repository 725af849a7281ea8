#include "abut/base/parallel.hpp"

#include "abut/base/error.hpp"
#include "abut/base/random.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <set>
#include <stdexcept>

namespace abut::test {
namespace {

/// Every test leaves the number of threads as it found it.
class Parallel : public ::testing::Test {
protected:
    void TearDown() override { set_num_threads(0); }
};

TEST_F(Parallel, ForVisitsEachIndexOnce)
{
    for (const int threads : {1, 2, 4}) {
        set_num_threads(threads);
        for (const std::size_t n : {0u, 1u, 7u, 8u, 9u, 1000u}) {
            std::vector<std::atomic<int>> visits(n);
            parallel_for(n, 8, [&](std::size_t i) { ++visits.at(i); });
            for (std::size_t i = 0; i < n; ++i)
                EXPECT_EQ(visits[i], 1) << "index " << i << " of " << n;
        }
    }
}

TEST_F(Parallel, RangesAreTheSameChunksForAnyNumberOfThreads)
{
    for (const int threads : {1, 2, 4}) {
        set_num_threads(threads);
        std::vector<std::size_t> end_of(100, 0);
        parallel_ranges(100, 16, [&](std::size_t begin, std::size_t end) { end_of.at(begin) = end; });
        for (std::size_t i = 0; i < 100; ++i)
            EXPECT_EQ(end_of[i], i % 16 == 0 ? std::min<std::size_t>(i + 16, 100) : 0);
    }
}

/// Terms of very different size: every other order of additions gives other bits.
TEST_F(Parallel, ReduceHasTheSameBitsForAnyNumberOfThreads)
{
    RandomStream random(1);
    std::vector<double> terms(10000);
    for (double& term : terms)
        term = random.uniform(-1, 1) * std::pow(10, random.uniform(-8, 8));
    const auto sum_of = [&](std::size_t begin, std::size_t end) {
        return std::accumulate(terms.begin() + begin, terms.begin() + end, 0.0);
    };
    double expected = 0;
    for (std::size_t begin = 0; begin < terms.size(); begin += 64)
        expected += sum_of(begin, std::min(begin + 64, terms.size()));
    ASSERT_NE(expected, sum_of(0, terms.size())) << "these terms do not show the order of additions";
    for (const int threads : {1, 2, 4}) {
        set_num_threads(threads);
        for (int repetition = 0; repetition < 10; ++repetition)
            EXPECT_EQ(parallel_reduce(terms.size(), 64, 0.0, sum_of, std::plus<>()), expected) << threads << " threads";
    }
    EXPECT_EQ(parallel_reduce(0, 64, 5.0, sum_of, std::plus<>()), 5) << "an empty sum is its start";
}

/// Threads that write bits of one word lose some. Chunks wait for each other two by two, so that both write at the same
/// time; a chunk that is alone, on a busy machine or with one core, gives up after a while.
TEST_F(Parallel, ReduceOfTruthValuesLosesNoChunk)
{
    constexpr std::size_t n = 64;
    set_num_threads(2);
    int num_lost = 0;
    for (int repetition = 0; repetition < 2000; ++repetition) {
        std::atomic<int> arrived = 0;
        const auto meet = [&] {
            const int until = (arrived++ / 2 + 1) * 2;
            for (int turn = 0; turn < 2000 && arrived.load() < until; ++turn) {
            }
            return false;
        };
        parallel_reduce(
            n, 1, true, [&](std::size_t, std::size_t) { return meet(); },
            [&](bool, bool chunk) {
                num_lost += chunk ? 1 : 0;
                return chunk;
            });
    }
    EXPECT_EQ(num_lost, 0);
}

/// The same for any number of cores: all results exist at once, each at an address of its own.
TEST_F(Parallel, ReduceKeepsEachChunkInAnObjectOfItsOwn)
{
    std::set<const bool*> addresses;
    parallel_reduce(
        100, 1, true, [](std::size_t, std::size_t) { return true; },
        [&](const bool& a, const bool& b) {
            addresses.insert(&b);
            return a && b;
        });
    EXPECT_EQ(addresses.size(), 100u);
}

TEST_F(Parallel, NumThreadsIsWhatWasSet)
{
    for (const int threads : {1, 2, 4}) {
        set_num_threads(threads);
        EXPECT_EQ(num_threads(), threads);
    }
    set_num_threads(0);
    EXPECT_GE(num_threads(), 1);
}

TEST_F(Parallel, NumThreadsOutOfRangeIsRejected)
{
    set_num_threads(2);
    for (const int threads : {-1, 1025, 5000}) {
        try {
            set_num_threads(threads);
            FAIL() << threads << " was accepted";
        } catch (const InvalidInput& error) {
            EXPECT_NE(std::string(error.what()).find(std::to_string(threads)), std::string::npos) << error.what();
        }
    }
    EXPECT_EQ(num_threads(), 2) << "a rejected number changes nothing";
}

TEST_F(Parallel, ExceptionsReachTheCaller)
{
    for (const int threads : {1, 2, 4}) {
        set_num_threads(threads);
        const auto fail_at_500 = [](std::size_t i) {
            if (i == 500)
                throw std::domain_error("500");
        };
        EXPECT_THROW(parallel_for(1000, 8, fail_at_500), std::domain_error) << threads << " threads";
    }
}

} // namespace
} // namespace abut::test
