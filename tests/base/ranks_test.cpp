// Shares of ranks cover everything once, and what the root alone does is told to all.

#include "abut/base/ranks.hpp"

#include "support/lone_rank.hpp"

#include <gtest/gtest.h>

namespace abut::test::ranks_test {
namespace {

TEST(Ranks, own_ranges_cover_everything_once)
{
    for (const int size : {1, 2, 3, 7})
        for (const std::size_t n : {0, 1, 5, 64, 65, 1000}) {
            std::size_t end = 0, end_of_chunks = 0;
            for (int rank = 0; rank < size; ++rank) {
                const LoneRank lone(rank, size);
                const OwnRange range = own_range(n), chunks = own_range(n, 64);
                EXPECT_EQ(range.begin, end);
                EXPECT_EQ(chunks.begin, end_of_chunks);
                EXPECT_TRUE(chunks.begin % 64 == 0 || chunks.size() == 0);
                EXPECT_LE(range.size(), n / size + 1);
                end = range.end;
                end_of_chunks = chunks.end;
            }
            EXPECT_EQ(end, n);
            EXPECT_EQ(end_of_chunks, n);
        }
}

TEST(Ranks, there_is_one_unless_someone_says_otherwise)
{
    EXPECT_EQ(ranks().size(), 1);
    double number = 3;
    ranks().sum({&number, 1});
    EXPECT_EQ(number, 3);
    EXPECT_TRUE(any_rank(true));
    EXPECT_FALSE(any_rank(false));
    EXPECT_EQ(joined_over_ranks(std::vector{1, 2}), (std::vector{1, 2}));
}

TEST(Ranks, a_solo_works_alone_and_ends)
{
    const LoneRank lone(1, 2);
    {
        const Solo solo;
        EXPECT_EQ(ranks().size(), 1);
    }
    EXPECT_EQ(ranks().size(), 2);
}

TEST(Ranks, others_throw_what_the_root_has_thrown)
{
    LoneRank lone(1, 2);
    bool is_called = false;
    const std::int32_t code = 7;
    const std::string words = "out.vtu: cannot write";
    lone.from_root.resize(sizeof(code) + words.size());
    std::memcpy(lone.from_root.data(), &code, sizeof(code));
    std::memcpy(lone.from_root.data() + sizeof(code), words.data(), words.size());
    try {
        on_root([&] { is_called = true; });
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), ExitCode::input_output);
        EXPECT_EQ(error.what(), words);
    }
    lone.from_root.clear();
    on_root([&] { is_called = true; });
    EXPECT_FALSE(is_called);
}

} // namespace
} // namespace abut::test::ranks_test
