#include "abut/base/error.hpp"
#include "abut/geometry/linking.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace abut {
namespace {

using Curve = std::vector<Vec3>;
using std::numbers::pi;

/// A circle around `middle` in the plane of u and v, turning from u to v.
Curve circle(const Vec3& middle, const Vec3& u, const Vec3& v, int n)
{
    Curve points;
    for (int i = 0; i < n; ++i)
        points.emplace_back(middle + std::cos(2 * pi * i / n) * u + std::sin(2 * pi * i / n) * v);
    return points;
}

/// A curve that winds q times around the circle of radius 1 in the x-y plane while it goes along it once.
Curve winding(int q, int n)
{
    Curve points;
    for (int i = 0; i < n; ++i) {
        const double s = 2 * pi * i / n, r = 1 + 0.3 * std::cos(q * s);
        points.emplace_back(r * std::cos(s), r * std::sin(s), 0.3 * std::sin(q * s));
    }
    return points;
}

TEST(LinkingNumber, IsOneOfTwoLinksOfAChain)
{
    // The second goes up through the first, which turns counter-clockwise seen from above.
    const Curve a = circle(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), 40);
    Curve b = circle(Vec3::UnitX(), Vec3::UnitX(), -Vec3::UnitZ(), 31);
    EXPECT_EQ(linking_number(a, b), 1);
    EXPECT_EQ(linking_number(b, a), 1);
    std::reverse(b.begin(), b.end());
    EXPECT_EQ(linking_number(a, b), -1);
    EXPECT_EQ(linking_number(b, a), -1);
}

TEST(LinkingNumber, IsZeroOfCurvesThatComeApart)
{
    const Curve a = circle(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), 40);
    EXPECT_EQ(linking_number(a, circle(Vec3(5, 0, 0), Vec3::UnitX(), Vec3::UnitZ(), 20)), 0);
    EXPECT_EQ(linking_number(a, circle(Vec3(0, 0, 0.01), Vec3::UnitX(), Vec3::UnitY(), 40)), 0);
    EXPECT_EQ(linking_number(a, circle(Vec3::Zero(), 0.5 * Vec3::UnitX(), 0.5 * Vec3::UnitY(), 40)), 0) << "coplanar";
    // Two passages in opposite directions
    EXPECT_EQ(linking_number(a, circle(Vec3::Zero(), 0.5 * Vec3::UnitX(), 0.5 * Vec3::UnitZ(), 40)), 0);
}

TEST(LinkingNumber, CountsWindings)
{
    const Curve core = circle(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), 300);
    for (const int q : {1, 2, 7})
        EXPECT_EQ(std::abs(linking_number(core, winding(q, 300))), q);
    EXPECT_EQ(linking_number(core, winding(-3, 300)), -linking_number(core, winding(3, 300)));
}

TEST(LinkingNumber, IsTheSameOfTrianglesAndOfLinksThatAlmostTouch)
{
    const Curve a{{1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}};
    for (const double gap : {1e-3, 1e-9, 1e-14}) {
        const Curve through{{1 - gap, 0, -1}, {1 - gap, 0, 1}, {5, 0, 0}},
            beside{{1 + gap, 0, -1}, {1 + gap, 0, 1}, {5, 0, 0}};
        EXPECT_EQ(linking_number(a, through), 1) << gap;
        EXPECT_EQ(linking_number(a, beside), 0) << gap;
    }
}

TEST(LinkingNumber, DoesNotChangeUnderMotionScaleAndMore)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1, 1);
    const Curve a = circle(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), 25), b = winding(2, 60);
    const int expected = linking_number(a, b);
    EXPECT_EQ(std::abs(expected), 2);
    for (int trial = 0; trial < 20; ++trial) {
        Mat<3, 3> map;
        for (double& entry : map.reshaped())
            entry = 1e3 * number(random);
        const Vec3 offset(number(random), number(random), number(random));
        Curve moved_a = a, moved_b = b;
        for (Curve* curve : {&moved_a, &moved_b})
            for (Vec3& x : *curve)
                x = map * x + offset;
        EXPECT_EQ(linking_number(moved_a, moved_b), map.determinant() > 0 ? expected : -expected);
    }
}

TEST(LinkingNumber, RejectsWhatHasNone)
{
    const Curve a = circle(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), 8), two{{0, 0, 0}, {1, 0, 0}};
    EXPECT_THROW((void)linking_number(a, two), InvalidInput);
    EXPECT_THROW((void)linking_number(two, a), InvalidInput);
    Curve bad = a;
    bad[3].y() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW((void)linking_number(a, bad), InvalidInput);
    // One goes through an edge of the other.
    const Curve touching{{1, 0, -1}, {1, 0, 1}, {5, 0, 0}}, square{{1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}, {1, -1, 0}};
    EXPECT_THROW((void)linking_number(square, touching), InvalidInput);
}

TEST(Piercings, CountDirectionsApart)
{
    const Curve loop = circle(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), 16);
    const Curve once{{0.2, 0.1, -1}, {0.2, 0.1, 1}};
    EXPECT_EQ(piercings(once, loop).along, 1);
    EXPECT_EQ(piercings(once, loop).against, 0);
    const Curve to_and_fro{{0.2, 0.1, -1}, {0.2, 0.1, 1}, {-0.3, 0.1, 1}, {-0.3, 0.2, -1}, {2, 0, -1}, {2, 0, 1}};
    EXPECT_EQ(piercings(to_and_fro, loop).along, 1);
    EXPECT_EQ(piercings(to_and_fro, loop).against, 1);
    EXPECT_EQ(piercings(to_and_fro, loop).net(), 0);
    EXPECT_EQ(piercings(to_and_fro, loop).total(), 2);
    EXPECT_EQ(piercings(Curve{{2, 0, -1}, {2, 0, 1}}, loop).total(), 0);
    EXPECT_EQ(piercings(Curve{}, loop).total(), 0);
    EXPECT_THROW((void)piercings(once, Curve{{0, 0, 0}, {1, 0, 0}}), InvalidInput);
}

TEST(Piercings, CountPassagesThroughSeamsAndCornersOnce)
{
    const Curve loop{{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    // Through the middle, along a seam's plane, and with a corner in the surface.
    EXPECT_EQ(piercings(Curve{{0, 0, -1}, {0, 0, 1}}, loop).along, 1);
    EXPECT_EQ(piercings(Curve{{0.5, 0, -1}, {0.5, 0, 1}}, loop).along, 1);
    EXPECT_EQ(piercings(Curve{{0, -0.5, -1}, {0, -0.5, 1}}, loop).along, 1);
    EXPECT_EQ(piercings(Curve{{0.2, 0.2, -1}, {0.2, 0.2, 0}, {0.3, 0.2, 1}}, loop).along, 1);
    EXPECT_EQ(piercings(Curve{{0.2, 0.2, 1}, {0.2, 0.2, 0}, {0.3, 0.2, -1}}, loop).against, 1);
    EXPECT_EQ(piercings(Curve{{0.2, 0.2, -1}, {0.2, 0.2, 0}, {0.3, 0.2, -1}}, loop).net(), 0);
}

TEST(Piercings, OfAClosedCurveSumUpToTheLinkingNumber)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> number(-1, 1);
    int num_linked = 0;
    for (int trial = 0; trial < 300; ++trial) {
        Curve a, b;
        for (int i = 0; i < 7; ++i) {
            a.emplace_back(number(random), number(random), number(random));
            b.emplace_back(number(random), number(random), number(random));
        }
        const int linked = linking_number(a, b);
        num_linked += linked != 0;
        Curve closed = b;
        closed.push_back(b.front());
        EXPECT_EQ(piercings(closed, a).net(), linked);
    }
    EXPECT_GT(num_linked, 50);
}

} // namespace
} // namespace abut
