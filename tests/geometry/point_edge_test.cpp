#include "support/distances.hpp"
#include "support/finite_differences.hpp"

#include <gtest/gtest.h>

namespace abut::test::point_edge_test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

TEST(PointEdge, FootPointsOnTheEndsBelongToTheEdge)
{
    const Vec2 e0(0, 0), e1(2, 0);
    EXPECT_EQ(point_edge_feature<2>(Vec2(0, 1), e0, e1), PointEdgeFeature::edge);
    EXPECT_EQ(point_edge_feature<2>(Vec2(2, 1), e0, e1), PointEdgeFeature::edge);
    EXPECT_EQ(point_edge_feature<2>(Vec2(-1e-300, 1), e0, e1), PointEdgeFeature::e0);
    EXPECT_EQ(point_edge_feature<2>(Vec2(std::nextafter(2.0, 3.0), 1), e0, e1), PointEdgeFeature::e1);
}

TEST(PointEdge, AnEdgeOfLengthZeroIsItsFirstEnd)
{
    const Vec3 p(1, 2, 3), e(4, 5, 6);
    EXPECT_EQ(point_edge_feature<3>(p, e, e), PointEdgeFeature::e0);
    EXPECT_EQ(point_edge_squared_distance<3>(p, e, e, Order::value).value, 27);
    EXPECT_EQ(point_edge_coordinate<3>(p, e, e), 0);
    const auto as_line = point_line_squared_distance<3>(p, e, e, Order::hessian);
    EXPECT_EQ(as_line.value, 27);
    EXPECT_TRUE(as_line.hessian.allFinite());
}

template <int Dim>
void expect_coordinate_realises_the_distance(const Mat<Dim, 3>& X)
{
    const Vec<Dim> p = X.col(0), e0 = X.col(1), e1 = X.col(2);
    const double u = point_edge_coordinate<Dim>(p, e0, e1);
    EXPECT_GE(u, 0);
    EXPECT_LE(u, 1);
    // One rounding more than the distance itself: the point on the edge.
    const double realised = (e0 + u * (e1 - e0) - p).norm();
    EXPECT_NEAR(realised, square_root(PointEdge<Dim>::exact_squared_distance(X)), 8 * eps * reach(X)) << X;
}

TEST(PointEdge, TheCoordinateLiesInTheEdgeAndRealisesTheDistance)
{
    RandomStream random(30);
    for (int i = 0; i < 500; ++i) {
        const double length = std::pow(10, random.uniform(-16, 0));
        Mat<2, 3> X = random_points<2, 3>(random);
        X.col(2) = X.col(1) + length * random_direction<2>(random);
        expect_coordinate_realises_the_distance<2>(X);
        Mat<3, 3> Y = random_points<3, 3>(random);
        Y.col(0) = Y.col(2) + length * random_direction<3>(random);
        expect_coordinate_realises_the_distance<3>(Y);
        expect_coordinate_realises_the_distance<3>(random_grid_points<3, 3>(random, 1));
    }
}

TEST(PointLine, MatchesFiniteDifferencesBeyondTheEndsOfTheEdge)
{
    RandomStream random(31);
    for (const auto feature : PointEdge<3>::features)
        for (int i = 0; i < 10; ++i) {
            const auto line_2d = [](const Mat<2, 3>& X, Order order) {
                return point_line_squared_distance<2>(X.col(0), X.col(1), X.col(2), order);
            };
            const auto line_3d = [](const Mat<3, 3>& X, Order order) {
                return point_line_squared_distance<3>(X.col(0), X.col(1), X.col(2), order);
            };
            expect_derivatives_match_differences(line_2d, PointEdge<2>::with_feature(feature, random));
            expect_derivatives_match_differences(line_3d, PointEdge<3>::with_feature(feature, random));
        }
}

TEST(PointLine, CoordinateGradientMatchesFiniteDifferences)
{
    RandomStream random(32);
    for (const auto feature : PointEdge<3>::features)
        for (int i = 0; i < 10; ++i) {
            const auto in_plane = [](const Mat<2, 3>& X) {
                const auto closest = point_line_closest<2>(X.col(0), X.col(1), X.col(2));
                return std::pair(closest.u, closest.coordinate_gradient());
            };
            const auto in_space = [](const Mat<3, 3>& X) {
                const auto closest = point_line_closest<3>(X.col(0), X.col(1), X.col(2));
                return std::pair(closest.u, closest.coordinate_gradient());
            };
            expect_jacobian_matches_differences(in_plane, PointEdge<2>::with_feature(feature, random));
            expect_jacobian_matches_differences(in_space, PointEdge<3>::with_feature(feature, random));
        }
}

TEST(PointLine, WeightsAndVectorAreTheDifferenceOfTheClosestPoints)
{
    RandomStream random(33);
    for (int i = 0; i < 100; ++i) {
        const Mat<3, 3> X = PointEdge<3>::with_feature(PointEdgeFeature::edge, random);
        const auto closest = point_line_closest<3>(X.col(0), X.col(1), X.col(2));
        EXPECT_NEAR(closest.w.sum(), 0, 4 * eps);
        EXPECT_LE((X * closest.w - closest.r).norm(), 16 * eps);
        EXPECT_NEAR(closest.r.dot(X.col(2) - X.col(1)), 0, 16 * eps);
        EXPECT_EQ(closest.squared_distance(), closest.squared_distance(Order::value).value);
    }
}

} // namespace
} // namespace abut::test::point_edge_test
