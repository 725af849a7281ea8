#include "abut/math/corners8.hpp"

#include <gtest/gtest.h>

namespace abut::test {

TEST(Corners8, MarksTheLanesWithACommonCorner)
{
    Corners8<3> faces;
    faces.set(0, {0, 1, 2});
    faces.set(1, {2, 3, 4});
    faces.set(6, {5, 6, 0});
    EXPECT_EQ(faces.common_mask(std::array{2}), 0b0000011u);
    EXPECT_EQ(faces.common_mask(std::array{6, 4}), 0b1000010u);
    EXPECT_EQ(faces.common_mask(std::array{7, 8, 9}), 0u);
    EXPECT_EQ(faces.lane(1), (std::array{2, 3, 4}));
}

} // namespace abut::test
