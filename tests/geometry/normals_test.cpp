#include "abut/geometry/normals.hpp"

#include "support/finite_differences.hpp"
#include "support/random_points.hpp"

#include <gtest/gtest.h>

namespace abut::test::normals_test {
namespace {

TEST(Normals, TriangleNormalMatchesFiniteDifferences)
{
    RandomStream random(80);
    const auto normal = [](const Mat<3, 3>& X) {
        const auto n = triangle_normal(X.col(0), X.col(1), X.col(2));
        return std::pair(n.value, n.jacobian);
    };
    for (int i = 0; i < 20; ++i) {
        Mat<3, 3> X;
        do
            X = random_points<3, 3>(random);
        while (triangle_area(X.col(0), X.col(1), X.col(2), Order::value).value < 0.3);
        expect_jacobian_matches_differences(normal, X);
    }
}

TEST(Normals, EdgeNormalMatchesFiniteDifferences)
{
    RandomStream random(81);
    const auto normal = [](const Mat<2, 2>& X) {
        const auto n = edge_normal(X.col(0), X.col(1));
        return std::pair(n.value, n.jacobian);
    };
    for (int i = 0; i < 20; ++i) {
        Mat<2, 2> X = random_points<2, 2>(random);
        X.col(1) = X.col(0) + random.uniform(0.3, 1) * random_direction<2>(random);
        expect_jacobian_matches_differences(normal, X);
    }
}

TEST(Normals, PointOutOfCounterClockwiseBoundaries)
{
    EXPECT_EQ(triangle_normal(Vec3(0, 0, 5), Vec3(2, 0, 5), Vec3(0, 3, 5)).value, Vec3(0, 0, 1));
    EXPECT_EQ(edge_normal(Vec2(0, 0), Vec2(2, 0)).value, Vec2(0, -1)) << "the bottom of a square";
    EXPECT_EQ(edge_normal(Vec2(2, 0), Vec2(2, 2)).value, Vec2(1, 0)) << "its right side";
}

TEST(Normals, OfDegenerateElementsAreZero)
{
    const auto n = triangle_normal(Vec3(0, 0, 0), Vec3(1, 1, 1), Vec3(2, 2, 2));
    EXPECT_EQ(n.value.norm(), 0);
    EXPECT_EQ(n.jacobian.norm(), 0);
    const auto m = edge_normal(Vec2(1, 2), Vec2(1, 2));
    EXPECT_EQ(m.value.norm(), 0);
    EXPECT_EQ(m.jacobian.norm(), 0);
}

} // namespace
} // namespace abut::test::normals_test
