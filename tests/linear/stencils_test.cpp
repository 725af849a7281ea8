#include "abut/linear/stencils.hpp"

#include <gtest/gtest.h>

#include <array>

namespace abut::test::stencils_test {

TEST(Stencils, ASubsetHasTheTermsAskedForInTheirOrder)
{
    Stencils all;
    all.add(std::array{4, 2});
    all.add(std::array{7});
    all.add(std::array{1, 0, 3});
    const Stencils part = all.subset(std::array{2, 0, 2});
    Stencils expected;
    expected.add(std::array{1, 0, 3});
    expected.add(std::array{4, 2});
    expected.add(std::array{1, 0, 3});
    EXPECT_EQ(part, expected); // offsets and the bound of vertices as well
    EXPECT_EQ(part.num_entries(), 8);
    EXPECT_EQ(part.num_blocks(), 15);
    EXPECT_EQ(part.vertex_bound(), 5);
}

TEST(Stencils, ASubsetOfNoneIsEmpty)
{
    Stencils all;
    all.add(std::array{4, 2});
    EXPECT_EQ(all.subset({}), Stencils());
    EXPECT_EQ(Stencils().subset({}), Stencils());
}

} // namespace abut::test::stencils_test
