#include "abut/geometry/dihedral_angle.hpp"

#include "support/finite_differences.hpp"
#include "support/random_points.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace abut::test::dihedral_angle_test {
namespace {

constexpr double pi = std::numbers::pi;

LocalTerm<4, 3> angle(const Mat<3, 4>& X, Order order)
{
    return dihedral_angle(X.col(0), X.col(1), X.col(2), X.col(3), order);
}

/// Two triangles at the edge from 0 to x: the first rises to +y, its normal being +z; the second leaves towards -y and
/// is turned away from that normal by theta. The feet of the opposite corners on the edge are where the caller wants
/// them: outside [0, 1] the triangle is obtuse at the edge.
Mat<3, 4> hinge(double theta, double foot_a, double foot_b, RandomStream& random)
{
    const double length = random.uniform(0.5, 2), height_a = random.uniform(0.5, 2), height_b = random.uniform(0.5, 2);
    Mat<3, 4> X;
    X.col(0) = Vec3::Zero();
    X.col(1) = length * Vec3::UnitX();
    X.col(2) = Vec3(foot_a * length, height_a, 0);
    X.col(3) = Vec3(foot_b * length, -height_b * std::cos(theta), -height_b * std::sin(theta));
    return (random_rotation<3>(random) * X).colwise() + random_points<3>(random).col(0);
}

/// Flat, convex, concave, at and around the right angle, and nearly folded together.
constexpr std::array angles{0.0,           1e-6, -1e-6, 0.4, -0.4,           pi / 2,         -pi / 2, pi / 2 - 1e-4,
                            pi / 2 + 1e-4, 2.0,  -2.0,  3.0, -pi / 2 + 1e-4, -pi / 2 - 1e-4, -3.0};
constexpr std::array<std::array<double, 2>, 4> feet{{{0.4, 0.6}, {-0.5, 0.5}, {0.3, 1.6}, {1.4, -0.7}}};

TEST(DihedralAngle, IsTheAngleByWhichTheHingeWasTurned)
{
    RandomStream random(90);
    for (const double theta : angles)
        for (const auto& [foot_a, foot_b] : feet)
            EXPECT_NEAR(angle(hinge(theta, foot_a, foot_b, random), Order::value).value, theta, 1e-14);
}

/// A box with outward normals: every edge is convex and has a right angle, from whichever end it is seen.
TEST(DihedralAngle, IsARightAngleAtTheEdgesOfABox)
{
    // The faces x = 1 and y = 1 share the edge from (1, 1, 0) to (1, 1, 1).
    const Vec3 bottom(1, 1, 0), top(1, 1, 1), on_x(1, 0, 0.5), on_y(0, 1, 0.5);
    ASSERT_EQ((top - bottom).cross(on_x - bottom), Vec3(1, 0, 0)) << "the normal of bottom, top, on_x points outward";
    EXPECT_DOUBLE_EQ(dihedral_angle(bottom, top, on_x, on_y, Order::value).value, pi / 2);
    EXPECT_DOUBLE_EQ(dihedral_angle(top, bottom, on_y, on_x, Order::value).value, pi / 2) << "seen from the other end";
    EXPECT_DOUBLE_EQ(dihedral_angle(bottom, top, on_y, on_x, Order::value).value, -pi / 2) << "seen from inside";
}

TEST(DihedralAngle, MatchesFiniteDifferencesAtEveryAngle)
{
    RandomStream random(91);
    for (const double theta : angles)
        for (const auto& [foot_a, foot_b] : feet) {
            SCOPED_TRACE(::testing::Message() << "angle " << theta << ", feet " << foot_a << " and " << foot_b);
            expect_derivatives_match_differences(angle, hinge(theta, foot_a, foot_b, random));
        }
}

TEST(DihedralAngle, ExertsNoNetForceAndNoTorque)
{
    RandomStream random(92);
    for (const double theta : angles) {
        const Mat<3, 4> X = hinge(theta, 0.3, 1.2, random);
        const auto term = angle(X, Order::hessian);
        const Mat<3, 4> forces = term.gradient.reshaped(3, 4);
        EXPECT_LE(forces.rowwise().sum().norm(), 1e-14 * forces.norm());
        EXPECT_LE((forces * X.transpose() - X * forces.transpose()).norm(), 1e-14 * forces.norm() * X.norm());
        EXPECT_LE((term.hessian - term.hessian.transpose()).norm(), 1e-14 * term.hessian.norm());
    }
}

TEST(DihedralAngle, IsZeroForTrianglesWithoutArea)
{
    const Vec3 e0(0, 0, 0), e1(1, 0, 0), on_edge(0.5, 0, 0), above(0, 1, 0);
    for (const auto& term :
         {dihedral_angle(e0, e1, on_edge, above, Order::hessian),
          dihedral_angle(e0, e1, above, on_edge, Order::hessian),
          dihedral_angle(e0, e0, above, on_edge, Order::hessian)}) {
        EXPECT_EQ(term.value, 0);
        EXPECT_EQ(term.gradient.norm(), 0);
        EXPECT_EQ(term.hessian.norm(), 0);
    }
}

} // namespace
} // namespace abut::test::dihedral_angle_test
