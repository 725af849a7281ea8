// The predicates against rational arithmetic. On grids of integers every kind of touching, overlap and degeneracy is
// common; on points moved by single ulps the floating-point filter has to give up.

#include "abut/geometry/predicates.hpp"

#include "support/exact_distance.hpp"
#include "support/random_points.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace abut::test::predicates_test {
namespace {

int exact_orientation(const Mat<2, 3>& X)
{
    const auto c = exact<2>(X.col(2)), u = minus(exact<2>(X.col(0)), c), v = minus(exact<2>(X.col(1)), c);
    return sgn(mpq_class(u[0] * v[1] - u[1] * v[0]));
}

int exact_orientation(const Mat<3, 4>& X)
{
    const auto a = exact<3>(X.col(0));
    return sgn(
        exact_determinant(minus(exact<3>(X.col(1)), a), minus(exact<3>(X.col(2)), a), minus(exact<3>(X.col(3)), a)));
}

/// Compares with the exact sign and checks that swapping two points changes it.
void expect_exact_orientation(const Mat<2, 3>& X)
{
    const Vec2 a = X.col(0), b = X.col(1), c = X.col(2);
    const int expected = exact_orientation(X);
    EXPECT_EQ(orientation(a, b, c), expected) << X;
    EXPECT_EQ(orientation(b, a, c), -expected) << X;
    EXPECT_EQ(orientation(b, c, a), expected) << X;
}

void expect_exact_orientation(const Mat<3, 4>& X)
{
    const Vec3 a = X.col(0), b = X.col(1), c = X.col(2), d = X.col(3);
    const int expected = exact_orientation(X);
    EXPECT_EQ(orientation(a, b, c, d), expected) << X;
    EXPECT_EQ(orientation(b, a, c, d), -expected) << X;
    EXPECT_EQ(orientation(a, b, d, c), -expected) << X;
    EXPECT_EQ(orientation(d, c, b, a), expected) << X;
}

/// Moves each coordinate by up to three ulps.
template <int Dim, int N>
Mat<Dim, N> nudged(Mat<Dim, N> X, RandomStream& random)
{
    for (double& coordinate : X.reshaped())
        for (std::uint32_t step = random.below(4); step > 0; --step)
            coordinate = std::nextafter(coordinate, random.below(2) == 0 ? -1e300 : 1e300);
    return X;
}

constexpr std::array scales{1.0, 1e-9, 1e-60, 1e-160, 1e-300, 1e9, 1e60, 1e93};

TEST(Orientation, HasTheDocumentedSigns)
{
    EXPECT_EQ(orientation(Vec2(0, 0), Vec2(1, 0), Vec2(0, 1)), 1) << "counter-clockwise";
    EXPECT_EQ(orientation(Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)), 1) << "counter-clockwise from d";
}

TEST(Orientation, IsExactForRandomPointsOfEverySize)
{
    RandomStream random(110);
    for (const double scale : scales)
        for (int i = 0; i < 200; ++i) {
            expect_exact_orientation(Mat<2, 3>(scale * random_points<2, 3>(random)));
            expect_exact_orientation(Mat<3, 4>(scale * random_points<3, 4>(random)));
        }
    expect_exact_orientation(Mat<3, 4>(1e100 * random_points<3, 4>(random))); // the documented limit
}

TEST(Orientation, IsExactForPointsOnALineOrPlaneUpToUlps)
{
    RandomStream random(111);
    int num_degenerate = 0;
    for (const double scale : scales)
        for (const double offset : {0.0, 1.0, 1e6})
            for (int i = 0; i < 100; ++i) {
                Mat<2, 3> X = scale * (random_points<2, 3>(random).array() + offset).matrix();
                X.col(2) = X.col(0) + random.uniform(-1, 2) * (X.col(1) - X.col(0));
                expect_exact_orientation(nudged(X, random));
                Mat<3, 4> Y = scale * (random_points<3, 4>(random).array() + offset).matrix();
                const double u = random.uniform(-1, 2), v = i % 3 == 0 ? 0 : random.uniform(-1, 2);
                Y.col(3) = Y.col(0) + u * (Y.col(1) - Y.col(0)) + v * (Y.col(2) - Y.col(0));
                expect_exact_orientation(nudged(Y, random));
                // Exactly flat: on a line through the origin, as doubling does not round.
                X.col(1) = 2 * X.col(0);
                X.col(2) = 4 * X.col(0);
                expect_exact_orientation(X);
                Y.col(1) = 2 * Y.col(0);
                Y.col(2) = 4 * Y.col(0);
                expect_exact_orientation(Y);
                num_degenerate += (exact_orientation(X) == 0) + (exact_orientation(Y) == 0);
            }
    EXPECT_EQ(num_degenerate, 2 * 100 * 3 * static_cast<int>(scales.size()));
}

/// Kettner et al., "Classroom examples of robustness problems in geometric computations", 2008: the signs of the
/// rounded determinant are wrong on a large part of this grid.
TEST(Orientation, IsExactOnTheClassroomGrid)
{
    constexpr double ulp = 0x1p-53;
    int num_wrong_without_care = 0;
    for (int i = 0; i < 32; ++i)
        for (int j = 0; j < 32; ++j) {
            Mat<2, 3> X;
            X << 0.5 + i * ulp, 12, 24, 0.5 + j * ulp, 12, 24;
            expect_exact_orientation(X);
            const double rounded = (12 - X(0, 0)) * (24 - X(1, 0)) - (12 - X(1, 0)) * (24 - X(0, 0));
            num_wrong_without_care += (rounded > 0) - (rounded < 0) != exact_orientation(X);
            Mat<3, 4> Y;
            Y << X.row(0), 3, X.row(1), 1, 0.5 + (i + j) % 7 * ulp, 12, 24, 2;
            expect_exact_orientation(Y);
        }
    EXPECT_GT(num_wrong_without_care, 100);
}

TEST(SegmentsIntersect, AgreesWithExactArithmeticOnAWholeGrid)
{
    int num_intersecting = 0;
    const auto grid_point = [](int i) { return Vec2(i % 3, i / 3); };
    for (int i = 0; i < 9 * 9 * 9 * 9; ++i) {
        const Vec2 a = grid_point(i % 9), b = grid_point(i / 9 % 9), c = grid_point(i / 81 % 9),
                   d = grid_point(i / 729);
        const bool expected = exact_segment_segment(exact<2>(a), exact<2>(b), exact<2>(c), exact<2>(d)) == 0;
        ASSERT_EQ(segments_intersect(a, b, c, d), expected) << a << '\n' << b << '\n' << c << '\n' << d;
        num_intersecting += expected;
    }
    EXPECT_GT(num_intersecting, 1000);
}

/// One segment ends on the other up to an ulp: only exact arithmetic can tell.
TEST(SegmentsIntersect, AgreesWithExactArithmeticWhereSegmentsAlmostTouch)
{
    RandomStream random(112);
    int num_intersecting = 0;
    for (int i = 0; i < 2000; ++i) {
        Mat<2, 4> X = random_points<2, 4>(random);
        X.col(2) = X.col(0) + random.uniform() * (X.col(1) - X.col(0));
        X = nudged(X, random);
        const bool expected =
            exact_segment_segment(exact<2>(X.col(0)), exact<2>(X.col(1)), exact<2>(X.col(2)), exact<2>(X.col(3))) == 0;
        EXPECT_EQ(segments_intersect(X.col(0), X.col(1), X.col(2), X.col(3)), expected) << X;
        EXPECT_EQ(segments_intersect(X.col(3), X.col(2), X.col(0), X.col(1)), expected) << X;
        num_intersecting += expected;
    }
    EXPECT_GT(num_intersecting, 500);
    EXPECT_LT(num_intersecting, 1500);
}

TEST(PointInTriangle, AgreesWithExactArithmeticOnAWholeGrid)
{
    int num_inside = 0;
    const auto grid_point = [](int i) { return Vec2(i % 3, i / 3); };
    for (int i = 0; i < 9 * 9 * 9 * 9; ++i) {
        const Vec2 p = grid_point(i % 9), a = grid_point(i / 9 % 9), b = grid_point(i / 81 % 9),
                   c = grid_point(i / 729);
        const bool expected = exact_point_triangle(exact<2>(p), exact<2>(a), exact<2>(b), exact<2>(c)) == 0;
        ASSERT_EQ(point_in_triangle(p, a, b, c), expected) << p << '\n' << a << '\n' << b << '\n' << c;
        num_inside += expected;
    }
    EXPECT_GT(num_inside, 1000);
}

bool exactly_intersects(const Mat<3, 5>& X)
{
    return exact_segment_intersects_triangle(
        exact<3>(X.col(0)), exact<3>(X.col(1)), exact<3>(X.col(2)), exact<3>(X.col(3)), exact<3>(X.col(4)));
}

bool intersects(const Mat<3, 5>& X)
{
    return segment_intersects_triangle(X.col(0), X.col(1), X.col(2), X.col(3), X.col(4));
}

TEST(SegmentIntersectsTriangle, AgreesWithExactArithmeticOnGrids)
{
    RandomStream random(113);
    for (const int size : {1, 2, 4}) {
        int num_intersecting = 0, num_coplanar = 0;
        constexpr int num_samples = 6000;
        for (int i = 0; i < num_samples; ++i) {
            Mat<3, 5> X = random_grid_points<3, 5>(random, size);
            if (i % 4 == 0) // coplanar, in a plane that is not a coordinate plane
                X.row(2) = X.row(0) + 2 * X.row(1);
            if (i % 16 == 0) // collinear corners
                X.col(4) = 2 * X.col(3) - X.col(2);
            const bool expected = exactly_intersects(X);
            ASSERT_EQ(intersects(X), expected) << X;
            num_intersecting += expected;
            num_coplanar += orientation(Vec3(X.col(2)), X.col(3), X.col(4), X.col(0)) == 0 &&
                            orientation(Vec3(X.col(2)), X.col(3), X.col(4), X.col(1)) == 0;
        }
        EXPECT_GT(num_intersecting, num_samples / 20);
        EXPECT_LT(num_intersecting, num_samples / 2);
        EXPECT_GE(num_coplanar, num_samples / 4);
    }
}

/// The segment ends in the triangle, on an edge or on a corner, up to an ulp.
TEST(SegmentIntersectsTriangle, AgreesWithExactArithmeticWhereTheyAlmostTouch)
{
    RandomStream random(114);
    int num_intersecting = 0;
    for (int i = 0; i < 1000; ++i) {
        Mat<3, 5> X = random_points<3, 5>(random);
        const double u = i % 3 == 0 ? 0 : random.uniform(), v = i % 3 == 1 ? 1 - u : random.uniform(0, 1 - u);
        X.col(0) = X.rightCols<3>() * Vec3(1 - u - v, u, v);
        X = nudged(X, random);
        const bool expected = exactly_intersects(X);
        EXPECT_EQ(intersects(X), expected) << X;
        num_intersecting += expected;
    }
    EXPECT_GT(num_intersecting, 200);
    EXPECT_LT(num_intersecting, 800);
}

RC_GTEST_PROP(SegmentIntersectsTriangle, DoesNotDependOnTheOrderOfEndsOrCorners, ())
{
    const auto grid = *rc::gen::container<std::array<int, 15>>(rc::gen::inRange(-2, 3));
    Mat<3, 5> X;
    std::copy(grid.begin(), grid.end(), X.data());
    const bool expected = intersects(X);
    RC_ASSERT(intersects(X(Eigen::all, {1, 0, 2, 3, 4})) == expected);
    RC_ASSERT(intersects(X(Eigen::all, {0, 1, 3, 4, 2})) == expected);
    RC_ASSERT(intersects(X(Eigen::all, {0, 1, 3, 2, 4})) == expected);
}

TEST(SegmentIntersectsTriangle, TreatsDegenerateOnesAsThePointsAndSegmentsTheyAre)
{
    const Vec3 o(0, 0, 0), x(2, 0, 0), y(0, 2, 0), middle(1, 0, 0), above(1, 0, 1), below(1, 0, -1), beyond(3, 0, 0);
    EXPECT_TRUE(segment_intersects_triangle(middle, middle, o, x, y)) << "a point on an edge";
    EXPECT_FALSE(segment_intersects_triangle(above, above, o, x, y)) << "a point above the edge";
    EXPECT_TRUE(segment_intersects_triangle(above, below, o, x, middle)) << "a triangle that is a segment";
    EXPECT_FALSE(segment_intersects_triangle(above, middle, x, beyond, x)) << "one beside the segment";
    EXPECT_TRUE(segment_intersects_triangle(above, below, middle, middle, middle)) << "a triangle that is a point";
    EXPECT_TRUE(segment_intersects_triangle(middle, middle, middle, middle, middle)) << "two points";
    EXPECT_FALSE(segment_intersects_triangle(middle, middle, x, x, x)) << "two different points";
    EXPECT_TRUE(segment_intersects_triangle(o, middle, middle, x, beyond)) << "collinear, touching at an end";
    EXPECT_FALSE(segment_intersects_triangle(o, middle, x, beyond, beyond)) << "collinear, apart";
}

} // namespace
} // namespace abut::test::predicates_test
