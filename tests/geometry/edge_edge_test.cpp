#include "support/distances.hpp"
#include "support/finite_differences.hpp"

#include <gtest/gtest.h>

namespace abut::test::edge_edge_test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// Two edges at an angle with the given sine, whose lines are closest at a random place inside, at or beyond their
/// ends, at a gap of anything from nothing to the edges' own length.
Mat<3, 4> edges_with_sine(double sine, int variant, RandomStream& random)
{
    const double cosine = std::sqrt(1 - sine * sine);
    const Vec3 along_a(1, 0, 0), along_b = (variant % 2 == 0 ? 1 : -1) * Vec3(cosine, sine, 0);
    const bool are_alike = variant / 2 % 2 == 0;
    const double length_a = are_alike ? 1 : std::pow(10, random.uniform(-3, 1));
    const double length_b = are_alike ? 1 : std::pow(10, random.uniform(-3, 1));
    double s = random.uniform(-0.2, 1.2), t = random.uniform(-0.2, 1.2), gap = 0;
    Vec3 shift = Vec3::Zero();
    switch (variant / 4 % 5) {
    case 0:
        break;
    case 1:
        gap = std::pow(10, random.uniform(-16, 0));
        break;
    case 2: // the lines cross at an end of a
        s = random.below(2);
        gap = std::pow(10, random.uniform(-16, 0));
        break;
    case 3: // they cross where two ends meet
        s = random.below(2) + 1e-8 * random.uniform(-1, 1);
        t = random.below(2) + 1e-8 * random.uniform(-1, 1);
        break;
    default:
        shift = random.uniform(-1, 1) * along_a;
    }
    const Vec3 on_b = shift + gap * Vec3::UnitZ();
    Mat<3, 4> X;
    X << -s * length_a * along_a, (1 - s) * length_a * along_a, on_b - t * length_b * along_b,
        on_b + (1 - t) * length_b * along_b;
    return random.below(4) == 0 ? X : random_rotation<3>(random) * X;
}

/// What the distance of edges may be wrong by. Crossing lines are placed along each other with an error of eps / sine
/// (observed: 0.5 of it), which shows where their ends face each other. Edges that count as parallel are as close as
/// their closest end, which two edges crossing in their middles miss by half the shorter one's rise over the other.
double edge_edge_tolerance(const Mat<3, 4>& X)
{
    const double sine = EdgeEdge::sine(X), rounding = 8 * eps * reach(X);
    const double shorter = std::min((X.col(1) - X.col(0)).norm(), (X.col(3) - X.col(2)).norm());
    // The sine itself is known to eps; at the threshold both may be the case.
    const bool may_cross = sine > 0.99 * std::sqrt(parallel_sine_squared);
    const bool may_be_parallel = sine < 1.01 * std::sqrt(parallel_sine_squared);
    return rounding +
           std::max(may_cross ? eps / sine * reach(X) : 0.0, may_be_parallel ? (sine + eps) * shorter / 2 : 0.0);
}

/// So close to where "parallel" begins that rounding decides on which side the edges are.
double sine_at_the_threshold(RandomStream& random)
{
    return std::sqrt(parallel_sine_squared) * (1 + std::pow(10, random.uniform(-10, -7)) * random.uniform(-1, 1));
}

double realised_distance(const Mat<3, 4>& X)
{
    const Vec2 u = edge_edge_coordinates(X.col(0), X.col(1), X.col(2), X.col(3));
    EXPECT_GE(u.minCoeff(), 0) << X;
    EXPECT_LE(u.maxCoeff(), 1) << X;
    return (X.col(0) + u[0] * (X.col(1) - X.col(0)) - X.col(2) - u[1] * (X.col(3) - X.col(2))).norm();
}

TEST(EdgeEdge, NearlyParallelEdgesStayCloseToTheExactDistance)
{
    RandomStream random(50);
    double worst = 0;
    const auto check = [&](double sine, int variant) {
        const Mat<3, 4> X = edges_with_sine(sine, variant, random);
        const double expected = square_root(EdgeEdge::exact_squared_distance(X)), tolerance = edge_edge_tolerance(X);
        const auto D = EdgeEdge::squared_distance(X, Order::hessian);
        EXPECT_NEAR(std::sqrt(D.value), expected, tolerance) << "sine " << sine << " variant " << variant << '\n' << X;
        EXPECT_TRUE(D.gradient.allFinite()) << X;
        EXPECT_TRUE(D.hessian.allFinite()) << X;
        EXPECT_NEAR(realised_distance(X), expected, tolerance) << "sine " << sine << " variant " << variant << '\n'
                                                               << X;
        worst = std::max(worst, std::abs(std::sqrt(D.value) - expected) / reach(X));
    };
    for (int i = 0; i < 300; ++i) {
        check(0, i);
        for (int exponent = 0; exponent <= 16; ++exponent)
            check(std::pow(10, -exponent) * random.uniform(0.5, 1), i);
    }
    for (int i = 0; i < 1000; ++i)
        check(sine_at_the_threshold(random), i);
    EXPECT_LE(worst, 1.5e-8) << "sqrt(eps), the worst of both errors at any angle";
}

TEST(EdgeEdge, ParallelEdgesAreNeverClosestInside)
{
    RandomStream random(51);
    for (int i = 0; i < 300; ++i) {
        EXPECT_NE(EdgeEdge::feature(edges_with_sine(0, i, random)), EdgeEdgeFeature::a_b);
        EXPECT_NE(EdgeEdge::feature(edges_with_sine(1e-9, i, random)), EdgeEdgeFeature::a_b);
    }
}

/// Ties between the ends of parallel edges are decided by a fixed order, not by rounding, wherever the edges lie.
TEST(EdgeEdge, TiesOfParallelEdgesDoNotDependOnRounding)
{
    RandomStream random(52);
    Mat<3, 4> overlapping, staggered, opposed;
    overlapping << 0, 1, 0.25, 0.75, 0, 0, 0, 0, 0, 0, 1, 1;
    staggered << 0, 1, -0.5, 0.5, 0, 0, 0, 0, 0, 0, 1, 1;
    opposed << 0, 1, 3, -2, 0, 0, 0, 0, 0, 0, 1, 1;
    for (int i = 0; i < 100; ++i) {
        const Mat<3, 3> motion = std::pow(10, random.uniform(-6, 6)) * random_rotation<3>(random);
        const Vec3 translation = motion * random_points<3>(random);
        const auto feature = [&](const Mat<3, 4>& X) {
            return EdgeEdge::feature((motion * X).colwise() + translation);
        };
        EXPECT_EQ(feature(overlapping), EdgeEdgeFeature::a_b0) << "both ends of b are as close: the first";
        EXPECT_EQ(feature(staggered), EdgeEdgeFeature::a_b1) << "b1 and a0 are as close: the end of b";
        EXPECT_EQ(feature(opposed), EdgeEdgeFeature::a1_b) << "both ends of a are as close: the one nearer to b0";
    }
}

TEST(EdgeEdge, EdgesOfLengthZeroArePoints)
{
    const Vec3 a(0, 0, 1), b0(-1, 0, 0), b1(1, 0, 0), c(3, 4, 1);
    EXPECT_EQ(edge_edge_feature(a, a, b0, b1), EdgeEdgeFeature::a0_b);
    EXPECT_EQ(edge_edge_feature(b0, b1, a, a), EdgeEdgeFeature::a_b0);
    EXPECT_EQ(edge_edge_feature(a, a, c, c), EdgeEdgeFeature::a0_b0);
    EXPECT_EQ(edge_edge_squared_distance(a, a, b0, b1, Order::value).value, 1);
    EXPECT_EQ(edge_edge_squared_distance(b0, b1, a, a, Order::value).value, 1);
    EXPECT_EQ(edge_edge_squared_distance(a, a, c, c, Order::value).value, 25);
    EXPECT_EQ(edge_edge_coordinates(b0, b1, a, a), Vec2(0.5, 0));
}

TEST(EdgeEdge, CoordinatesLieInTheEdgesAndRealiseTheDistance)
{
    RandomStream random(53);
    const auto check = [](const Mat<3, 4>& X) {
        const double expected = square_root(EdgeEdge::exact_squared_distance(X));
        EXPECT_NEAR(realised_distance(X), expected, 16 * eps * reach(X)) << X;
    };
    for (const auto feature : EdgeEdge::features)
        for (int i = 0; i < 50; ++i)
            check(EdgeEdge::with_feature(feature, random));
    for (int i = 0; i < 500; ++i)
        check(random_grid_points<3, 4>(random, 1));
}

TEST(LineLine, MatchesFiniteDifferencesBeyondTheEndsOfTheEdges)
{
    RandomStream random(54);
    const auto lines = [](const Mat<3, 4>& X, Order order) {
        return line_line_squared_distance(X.col(0), X.col(1), X.col(2), X.col(3), order);
    };
    const auto coordinates = [](const Mat<3, 4>& X) {
        const auto closest = line_line_closest(X.col(0), X.col(1), X.col(2), X.col(3));
        return std::pair(closest.u, closest.coordinate_gradient());
    };
    for (int i = 0; i < 50; ++i) {
        Mat<3, 4> X;
        do
            X = random_points<3, 4>(random);
        while (EdgeEdge::sine(X) < 0.3 || (X.col(1) - X.col(0)).norm() < 0.5 || (X.col(3) - X.col(2)).norm() < 0.5);
        expect_derivatives_match_differences(lines, X);
        expect_jacobian_matches_differences(coordinates, X);
    }
}

/// Two formulas decide whether lines are parallel, one for the feature and one for the closest points. Edges that the
/// first finds closest inside must keep both coordinates in the second, or the closest point on b would stay at its
/// end.
TEST(LineLine, StaysCrossingWhereverEdgesAreClosestInside)
{
    RandomStream random(55);
    int num_inside = 0;
    for (int i = 0; i < 1000; ++i) {
        const double sine = sine_at_the_threshold(random);
        const Mat<3, 4> X = edges_with_sine(sine, i, random);
        if (EdgeEdge::feature(X) != EdgeEdgeFeature::a_b)
            continue;
        ++num_inside;
        EXPECT_GT(line_line_closest(X.col(0), X.col(1), X.col(2), X.col(3)).R_inverse(1, 1), 0) << X;
    }
    EXPECT_GT(num_inside, 100);
}

TEST(LineLine, HasAnOrthonormalBasisHoweverSmallTheAngle)
{
    RandomStream random(56);
    for (int i = 0; i < 200; ++i) {
        const Mat<3, 4> X = edges_with_sine(std::pow(10, random.uniform(-7.7, 0)), i, random);
        const auto Q = line_line_closest(X.col(0), X.col(1), X.col(2), X.col(3)).Q;
        EXPECT_LE((Q.transpose() * Q - Mat<2, 2>::Identity()).norm(), 4 * eps) << X;
    }
}

TEST(LineLine, ParallelLinesHaveTheirDistance)
{
    const Vec3 a0(0, 0, 0), a1(2, 2, 2), b0(1, 1, 4), b1(5, 5, 8);
    const auto D = line_line_squared_distance(a0, a1, b0, b1, Order::hessian);
    EXPECT_NEAR(D.value, 6, 16 * eps); // (1, 1, 4) less its mean
    EXPECT_TRUE(D.gradient.allFinite());
    EXPECT_TRUE(D.hessian.allFinite());
    EXPECT_TRUE(line_line_closest(a0, a1, b0, b1).coordinate_gradient().allFinite());
}

} // namespace
} // namespace abut::test::edge_edge_test
