#include "support/distances.hpp"
#include "support/finite_differences.hpp"

#include <gtest/gtest.h>

namespace abut::test::point_triangle_test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// A sliver of length 1 and the given height with a point where its shape matters: over its interior, beside it, at a
/// corner, straight out from an end of an edge, anywhere. Corners come in every order, rotated or along the axes.
Mat<3, 4> sliver_stencil(double height, int variant, RandomStream& random)
{
    const double tip = variant % 3 == 0   ? random.uniform(0, 1)                    // a flat cap
                       : variant % 3 == 1 ? random.uniform(-2 * height, 2 * height) // a needle
                                          : random.uniform(-1, 2);
    Mat<3, 3> t;
    t << 0, 1, tip, 0, 0, height, 0, 0, 0;
    const double u = random.uniform(), v = random.uniform(0, 1 - u), step = std::pow(10, random.uniform(-16, 0));
    const Vec3 inside = t * Vec3(1 - u - v, u, v);
    const int corner = static_cast<int>(random.below(3)), next = (corner + 1) % 3;
    Vec3 p;
    switch (variant / 3 % 6) {
    case 0:
        p = inside;
        break;
    case 1:
        p = inside + step * Vec3::UnitZ();
        break;
    case 2:
        p = inside + random.uniform(-1, 1) * height * Vec3::UnitY() + step * Vec3::UnitZ();
        break;
    case 3:
        p = t.col(corner) + step * random_direction<3>(random);
        break;
    case 4:
        p = t.col(random.below(2) == 0 ? corner : next) +
            step * random.uniform(-1, 1) * (t.col(next) - t.col(corner)).cross(Vec3::UnitZ()).stableNormalized();
        break;
    default:
        p = random_points<3>(random);
    }
    const int first = static_cast<int>(random.below(3)), second = (first + 1 + static_cast<int>(random.below(2))) % 3;
    Mat<3, 4> X;
    X << p, t.col(first), t.col(second), t.col(3 - first - second);
    return random.below(2) == 0 ? X : random_rotation<3>(random) * X;
}

/// What a sliver's distance may be wrong by. The closest features are found to rounding (observed: 3 eps), except that
/// a triangle too flat to have a normal counts as its edges: nowhere is its interior farther from them than half its
/// height.
double sliver_tolerance(const Mat<3, 4>& X)
{
    const Vec3 u = X.col(2) - X.col(1), v = X.col(3) - X.col(1);
    const double area = u.cross(v).norm();
    const double rounding = 8 * eps * reach(X);
    const double sine = area / (u.norm() * v.norm());
    if (sine * sine > parallel_sine_squared)
        return rounding;
    return rounding + area / std::max({u.norm(), v.norm(), (u - v).norm()}) / 2;
}

Vec3 closest_point(const Mat<3, 4>& X)
{
    const Vec3 coordinates = point_triangle_coordinates(X.col(0), X.col(1), X.col(2), X.col(3));
    EXPECT_GE(coordinates.minCoeff(), 0) << X;
    EXPECT_NEAR(coordinates.sum(), 1, 4 * eps) << X;
    return X.rightCols<3>() * coordinates;
}

TEST(PointTriangle, SliversFindTheClosestFeature)
{
    RandomStream random(40);
    for (int exponent = 0; exponent <= 17; ++exponent)
        for (int i = 0; i < 360; ++i) {
            const double height = exponent == 17 ? 0 : std::pow(10, -exponent) * random.uniform(0.5, 2);
            const Mat<3, 4> X = sliver_stencil(height, i, random);
            const double expected = square_root(PointTriangle::exact_squared_distance(X)),
                         tolerance = sliver_tolerance(X);
            const auto D = PointTriangle::squared_distance(X, Order::hessian);
            ASSERT_NEAR(std::sqrt(D.value), expected, tolerance) << "height " << height << " variant " << i << '\n'
                                                                 << X;
            ASSERT_TRUE(D.gradient.allFinite()) << X;
            ASSERT_TRUE(D.hessian.allFinite()) << X;
            ASSERT_NEAR((X.col(0) - closest_point(X)).norm(), expected, tolerance) << "height " << height << '\n' << X;
        }
}

/// Points straight out from the end of a needle's edge, which rounding once put inside the triangle, at distance zero.
TEST(PointTriangle, PointsBesideTheTipOfANeedleAreOutside)
{
    struct Case {
        Vec3 tip, p;
    };
    const Vec3 t0(0, 0, 0), t1(0, 1e-14, 0);
    for (const Case& c :
         {Case{{1.04, 0.6, 0}, {1.0414400000000001, 0.5975039999999999, 0}},
          Case{{0.54, -0.8, 0}, {0.5330400000000001, -0.804698, 0}}, Case{{0.79, 0.7, 0}, {0.79105, 0.698815, 0}},
          Case{{1.21, 0.3, 0}, {1.21078, 0.296854, 0}}, Case{{0.65, 0.8, 0}, {0.65688, 0.7944100000000001, 0}},
          Case{{1.06, -0.3, 0}, {1.05895, -0.30371, 0}}}) {
        const double expected = (c.p - c.tip).norm(); // the needle is straight: its tip is closest, up to rounding
        EXPECT_NEAR(
            std::sqrt(point_triangle_squared_distance(c.p, t0, t1, c.tip, Order::value).value), expected, 8 * eps);
        EXPECT_NEAR(
            std::sqrt(point_triangle_squared_distance(c.p, c.tip, t0, t1, Order::value).value), expected, 8 * eps);
        EXPECT_NEAR(
            std::sqrt(point_triangle_squared_distance(c.p, t1, c.tip, t0, Order::value).value), expected, 8 * eps);
    }
}

TEST(PointTriangle, CoordinatesLieInTheTriangleAndRealiseTheDistance)
{
    RandomStream random(41);
    const auto check = [](const Mat<3, 4>& X) {
        const double expected = square_root(PointTriangle::exact_squared_distance(X));
        EXPECT_NEAR((X.col(0) - closest_point(X)).norm(), expected, 8 * eps * reach(X)) << X;
    };
    for (const auto feature : PointTriangle::features)
        for (int i = 0; i < 50; ++i)
            check(PointTriangle::with_feature(feature, random));
    for (int i = 0; i < 500; ++i)
        check(random_grid_points<3, 4>(random, 1));
}

/// A triangle without area is the segment or the point that its corners span.
TEST(PointTriangle, CollapsedTrianglesAreTheirEdges)
{
    const Vec3 a(0, 0, 0), b(1, 0, 0), c(3, 0, 0), p(2, 1, 0);
    EXPECT_EQ(point_triangle_feature(p, a, b, c), PointTriangleFeature::e1);
    EXPECT_EQ(point_triangle_squared_distance(p, a, b, c, Order::value).value, 1);
    EXPECT_EQ(point_triangle_feature(p, b, b, b), PointTriangleFeature::t0);
    EXPECT_EQ(point_triangle_squared_distance(p, b, b, b, Order::value).value, 2);
    EXPECT_EQ(point_triangle_coordinates(p, b, b, b), Vec3(1, 0, 0));
    EXPECT_EQ(point_plane_squared_distance(p, a, b, c, Order::value).value, 1) << "the distance to the line";
    EXPECT_EQ(point_plane_squared_distance(p, a, a, a, Order::value).value, 5) << "the distance to the point";
}

TEST(PointPlane, MatchesFiniteDifferencesOverTheWholePlane)
{
    RandomStream random(42);
    const auto plane = [](const Mat<3, 4>& X, Order order) {
        return point_plane_squared_distance(X.col(0), X.col(1), X.col(2), X.col(3), order);
    };
    const auto coordinates = [](const Mat<3, 4>& X) {
        const auto closest = point_plane_closest(X.col(0), X.col(1), X.col(2), X.col(3));
        return std::pair(closest.u, closest.coordinate_gradient());
    };
    for (const auto feature : PointTriangle::features)
        for (int i = 0; i < 10; ++i) {
            const Mat<3, 4> X = PointTriangle::with_feature(feature, random);
            expect_derivatives_match_differences(plane, X);
            expect_jacobian_matches_differences(coordinates, X);
        }
}

TEST(PointPlane, WeightsAndVectorAreTheDifferenceOfTheClosestPoints)
{
    RandomStream random(43);
    for (int i = 0; i < 100; ++i) {
        const Mat<3, 4> X = PointTriangle::with_feature(PointTriangleFeature::face, random);
        const auto closest = point_plane_closest(X.col(0), X.col(1), X.col(2), X.col(3));
        EXPECT_LE((X * closest.w - closest.r).norm(), 32 * eps);
        EXPECT_NEAR(closest.r.dot(X.col(2) - X.col(1)), 0, 32 * eps);
        EXPECT_NEAR(closest.r.dot(X.col(3) - X.col(1)), 0, 32 * eps);
    }
}

TEST(PointPlane, OfAFixedPlaneMatchesFiniteDifferences)
{
    RandomStream random(44);
    for (int i = 0; i < 10; ++i) {
        const Vec3 origin = random_points<3>(random), normal = random_direction<3>(random);
        const auto plane = [&](const Mat<3, 1>& p, Order order) {
            return point_plane_squared_distance(p, origin, normal, order);
        };
        expect_derivatives_match_differences(plane, random_points<3>(random));
    }
    EXPECT_EQ(point_plane_squared_distance(Vec3(5, 6, -3), Vec3(1, 2, 1), Vec3(0, 0, 1), Order::value).value, 16);
}

} // namespace
} // namespace abut::test::point_triangle_test
