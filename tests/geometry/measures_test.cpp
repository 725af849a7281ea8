#include "abut/geometry/measures.hpp"

#include "support/finite_differences.hpp"
#include "support/random_points.hpp"

#include <gtest/gtest.h>

namespace abut::test::measures_test {
namespace {

template <int Dim>
void expect_edge_length_matches_differences()
{
    RandomStream random(70);
    const auto length = [](const Mat<Dim, 2>& X, Order order) { return edge_length<Dim>(X.col(0), X.col(1), order); };
    for (int i = 0; i < 20; ++i) {
        const Vec<Dim> e0 = random_points<Dim>(random);
        Mat<Dim, 2> X;
        X << e0, e0 + random.uniform(0.2, 1) * random_direction<Dim>(random);
        expect_derivatives_match_differences(length, X);
    }
}

TEST(Measures, EdgeLengthMatchesFiniteDifferences)
{
    expect_edge_length_matches_differences<2>();
    expect_edge_length_matches_differences<3>();
    EXPECT_EQ(edge_length<2>(Vec2(1, 1), Vec2(4, 5), Order::value).value, 5);
}

TEST(Measures, TriangleAreaMatchesFiniteDifferences)
{
    RandomStream random(71);
    const auto area = [](const Mat<3, 3>& X, Order order) {
        return triangle_area(X.col(0), X.col(1), X.col(2), order);
    };
    for (int i = 0; i < 20; ++i) {
        Mat<3, 3> X;
        do
            X = random_points<3, 3>(random);
        while (area(X, Order::value).value < 0.2);
        expect_derivatives_match_differences(area, X);
    }
    EXPECT_EQ(triangle_area(Vec3(0, 0, 1), Vec3(0, 3, 1), Vec3(4, 0, 1), Order::value).value, 6);
}

TEST(Measures, SignedTriangleAreaMatchesFiniteDifferences)
{
    RandomStream random(72);
    const auto area = [](const Mat<2, 3>& X, Order order) {
        return signed_triangle_area(X.col(0), X.col(1), X.col(2), order);
    };
    for (int i = 0; i < 20; ++i)
        expect_derivatives_match_differences(area, random_points<2, 3>(random));
    EXPECT_EQ(signed_triangle_area(Vec2(0, 0), Vec2(3, 0), Vec2(0, 4), Order::value).value, 6) << "counter-clockwise";
    EXPECT_EQ(signed_triangle_area(Vec2(0, 0), Vec2(0, 4), Vec2(3, 0), Order::value).value, -6) << "clockwise";
}

TEST(Measures, SignedTetVolumeMatchesFiniteDifferences)
{
    RandomStream random(73);
    const auto volume = [](const Mat<3, 4>& X, Order order) {
        return signed_tet_volume(X.col(0), X.col(1), X.col(2), X.col(3), order);
    };
    for (int i = 0; i < 20; ++i)
        expect_derivatives_match_differences(volume, random_points<3, 4>(random));
    const Vec3 o(1, 1, 1), x(4, 1, 1), y(1, 3, 1), z(1, 1, 2);
    EXPECT_EQ(signed_tet_volume(o, x, y, z, Order::value).value, 1);
    EXPECT_EQ(signed_tet_volume(o, y, x, z, Order::value).value, -1);
}

TEST(Measures, DerivativesAreZeroWhereTheMeasureIs)
{
    const Vec3 a(1, 2, 3), b(2, 4, 6), c(3, 6, 9);
    const auto length = edge_length<3>(a, a, Order::hessian);
    EXPECT_EQ(length.value, 0);
    EXPECT_EQ(length.gradient.norm(), 0);
    EXPECT_EQ(length.hessian.norm(), 0);
    const auto area = triangle_area(a, b, c, Order::hessian);
    EXPECT_EQ(area.value, 0);
    EXPECT_EQ(area.gradient.norm(), 0);
    EXPECT_EQ(area.hessian.norm(), 0);
}

TEST(Measures, CrossMatrixMultipliesAsTheCrossProduct)
{
    const Vec3 a(1, 2, 3), b(-4, 5, 7);
    EXPECT_EQ(cross_matrix(a) * b, a.cross(b));
    EXPECT_EQ(cross(Vec2(1, 2), Vec2(3, 5)), -1);
}

} // namespace
} // namespace abut::test::measures_test
