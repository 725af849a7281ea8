#include "abut/math/local_term.hpp"

#include <gtest/gtest.h>

namespace abut::test::local_term_test {
namespace {

TEST(LocalTerm, FlatGivesEachPointItsWeightTimesTheVector)
{
    const Vec<6> expected(Vec<6>{{10, 20, -30, -60, 0, 0}});
    EXPECT_EQ((flat<3, 2>(Vec3(1, -3, 0), Vec2(10, 20))), expected);
}

TEST(LocalTerm, ScatterMovesTheBlocksOfEachPointToItsPlace)
{
    LocalTerm<2, 2> pair;
    pair.value = 7;
    pair.gradient << 1, 2, 3, 4;
    pair.hessian << 11, 12, 13, 14, //
        21, 22, 23, 24,             //
        31, 32, 33, 34,             //
        41, 42, 43, 44;
    // Point 0 of the pair is point 3 of four, point 1 is point 1.
    const auto all = scatter<4, 2, 2>(pair, {3, 1}, Order::hessian);
    EXPECT_EQ(all.value, 7);
    EXPECT_EQ(all.gradient, (Vec<8>{{0, 0, 3, 4, 0, 0, 1, 2}}));
    Mat<8, 8> expected = Mat<8, 8>::Zero();
    expected.block<2, 2>(6, 6) << 11, 12, 21, 22;
    expected.block<2, 2>(6, 2) << 13, 14, 23, 24;
    expected.block<2, 2>(2, 6) << 31, 32, 41, 42;
    expected.block<2, 2>(2, 2) << 33, 34, 43, 44;
    EXPECT_EQ(all.hessian, expected);
}

TEST(LocalTerm, ScatterGoesNoFurtherThanTheOrderAskedFor)
{
    LocalTerm<1, 2> point;
    point.value = 3;
    EXPECT_EQ((scatter<2, 1, 2>(point, {1}, Order::value).value), 3);
    point.gradient << 5, 6;
    const auto all = scatter<2, 1, 2>(point, {1}, Order::gradient);
    EXPECT_EQ(all.value, 3);
    EXPECT_EQ(all.gradient, (Vec<4>{{0, 0, 5, 6}}));
}

TEST(LocalTerm, SetZeroClearsWhatTheOrderIncludes)
{
    LocalTerm<1, 2> term;
    term.value = 1;
    term.gradient << 2, 3;
    term.hessian << 4, 5, 6, 7;
    term.set_zero(Order::gradient);
    EXPECT_EQ(term.value, 0);
    EXPECT_EQ(term.gradient, Vec2(0, 0));
    EXPECT_EQ(term.hessian(1, 1), 7) << "beyond the order";
    term.set_zero(Order::hessian);
    EXPECT_EQ(term.hessian.norm(), 0);
}

TEST(Types, PointReadsARowOfARowMajorArray)
{
    Positions positions(2, 3);
    positions << 1, 2, 3, 4, 5, 6;
    EXPECT_EQ(point<3>(positions, 1), Vec3(4, 5, 6));
    const ConstPositions left_columns = positions.leftCols(2);
    EXPECT_EQ(point<2>(left_columns, 1), Vec2(4, 5)) << "a part of an array keeps the stride of the whole";
}

} // namespace
} // namespace abut::test::local_term_test
