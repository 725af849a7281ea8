#include "abut/base/suggest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace abut {
namespace {

TEST(NearestWord, FindsTyposAndNothingElse)
{
    const std::vector<std::string> words{"density", "friction", "dt", "demo"};
    EXPECT_EQ(nearest_word("denisty", words), "density") << "a swap";
    EXPECT_EQ(nearest_word("frction", words), "friction") << "a letter short";
    EXPECT_EQ(nearest_word("demos", words), "demo") << "a letter long";
    EXPECT_EQ(nearest_word("dq", words), "dt") << "one letter of two";
    EXPECT_EQ(nearest_word("gravity", words), "");
    EXPECT_EQ(nearest_word("", words), "");
    EXPECT_EQ(nearest_word(std::string(1 << 20, 'x'), words), "") << "long words cost nothing";
    EXPECT_EQ(nearest_word("x", {}), "");
}

} // namespace
} // namespace abut
