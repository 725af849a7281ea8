#include "abut/geometry/tangent_basis.hpp"

#include "support/distances.hpp"
#include "support/finite_differences.hpp"

#include <gtest/gtest.h>

namespace abut::test::tangent_basis_test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// Checks that the columns are orthonormal and orthogonal to `normal`, and their derivatives.
template <int Dim, int N, typename F>
void expect_tangent_basis(const F& basis, const Mat<Dim, N>& X, const Vec<Dim>& normal)
{
    const TangentBasis<N, Dim> tangents = basis(X, Order::gradient);
    const Eigen::MatrixXd B = tangents.basis;
    EXPECT_LE((B.transpose() * B - Eigen::MatrixXd::Identity(Dim - 1, Dim - 1)).norm(), 16 * eps);
    EXPECT_LE((B.transpose() * normal.normalized()).norm(), 64 * eps);
    // Without derivatives, the same formula: compilers may round a cross product in another way.
    EXPECT_LE((basis(X, Order::value).basis - B).norm(), 16 * eps);
    const auto flat_basis = [&](const Mat<Dim, N>& Y) {
        const TangentBasis<N, Dim> at_Y = basis(Y, Order::gradient);
        return std::pair(Vec<Dim*(Dim - 1)>(at_Y.basis.reshaped()), at_Y.jacobian);
    };
    expect_jacobian_matches_differences(flat_basis, X);
}

TEST(TangentBasis, OfTwoPointsMatchesFiniteDifferencesInThePlane)
{
    RandomStream random(100);
    for (int i = 0; i < 20; ++i) {
        Mat<2, 2> X = random_points<2, 2>(random);
        X.col(1) = X.col(0) + random.uniform(0.3, 1) * random_direction<2>(random);
        const auto basis = [](const Mat<2, 2>& Y, Order order) {
            return point_point_tangent_basis<2>(Y.col(0), Y.col(1), order);
        };
        expect_tangent_basis<2, 2>(basis, X, X.col(1) - X.col(0));
    }
    EXPECT_EQ(point_point_tangent_basis<2>(Vec2(1, 1), Vec2(3, 1)).basis, Vec2(0, 1)) << "to the left of the line";
}

TEST(TangentBasis, OfTwoPointsMatchesFiniteDifferencesOnBothBranchesInSpace)
{
    RandomStream random(101);
    const auto basis = [](const Mat<3, 2>& X, Order order) {
        return point_point_tangent_basis<3>(X.col(0), X.col(1), order);
    };
    std::array<int, 2> count{};
    for (int i = 0; i < 40; ++i) {
        Vec3 d;
        do
            d = random_direction<3>(random);
        while (std::abs(std::abs(d.x()) - std::abs(d.y())) < 0.05); // the basis jumps there
        Mat<3, 2> X = random_points<3, 2>(random);
        X.col(1) = X.col(0) + random.uniform(0.3, 1) * d;
        expect_tangent_basis<3, 2>(basis, X, d);
        // Farther from x, the first column is orthogonal to x, else to y.
        const int axis = std::abs(d.x()) < std::abs(d.y()) ? 0 : 1;
        EXPECT_EQ(basis(X, Order::value).basis(axis, 0), 0);
        ++count[axis];
    }
    EXPECT_GT(count[0], 0);
    EXPECT_GT(count[1], 0);
}

TEST(TangentBasis, OfAPointAndAnEdgeMatchesFiniteDifferences)
{
    RandomStream random(102);
    const auto in_plane = [](const Mat<2, 3>& X, Order order) {
        return point_edge_tangent_basis<2>(X.col(0), X.col(1), X.col(2), order);
    };
    const auto in_space = [](const Mat<3, 3>& X, Order order) {
        return point_edge_tangent_basis<3>(X.col(0), X.col(1), X.col(2), order);
    };
    for (int i = 0; i < 20; ++i) {
        const Mat<2, 3> X = PointEdge<2>::with_feature(PointEdgeFeature::edge, random);
        expect_tangent_basis<2, 3>(in_plane, X, point_line_closest<2>(X.col(0), X.col(1), X.col(2)).r);
        const Mat<3, 3> Y = PointEdge<3>::with_feature(PointEdgeFeature::edge, random);
        expect_tangent_basis<3, 3>(in_space, Y, point_line_closest<3>(Y.col(0), Y.col(1), Y.col(2)).r);
        EXPECT_LE((in_space(Y, Order::value).basis.col(0) - (Y.col(2) - Y.col(1)).normalized()).norm(), 4 * eps);
    }
}

TEST(TangentBasis, OfTwoEdgesMatchesFiniteDifferences)
{
    RandomStream random(103);
    const auto basis = [](const Mat<3, 4>& X, Order order) {
        return edge_edge_tangent_basis(X.col(0), X.col(1), X.col(2), X.col(3), order);
    };
    for (int i = 0; i < 20; ++i) {
        const Mat<3, 4> X = EdgeEdge::with_feature(EdgeEdgeFeature::a_b, random);
        expect_tangent_basis<3, 4>(basis, X, line_line_closest(X.col(0), X.col(1), X.col(2), X.col(3)).r);
        EXPECT_LE((basis(X, Order::value).basis.col(0) - (X.col(1) - X.col(0)).normalized()).norm(), 4 * eps);
    }
}

TEST(TangentBasis, OfAPointAndATriangleMatchesFiniteDifferences)
{
    RandomStream random(104);
    const auto basis = [](const Mat<3, 4>& X, Order order) {
        return point_triangle_tangent_basis(X.col(0), X.col(1), X.col(2), X.col(3), order);
    };
    for (int i = 0; i < 20; ++i) {
        const Mat<3, 4> X = PointTriangle::with_feature(PointTriangleFeature::face, random);
        expect_tangent_basis<3, 4>(basis, X, point_plane_closest(X.col(0), X.col(1), X.col(2), X.col(3)).r);
        EXPECT_LE((basis(X, Order::value).basis.col(0) - (X.col(2) - X.col(1)).normalized()).norm(), 4 * eps);
    }
}

TEST(TangentBasis, ColumnsOfDegeneratePairsAreZero)
{
    const Vec3 p(1, 2, 3), q(2, 4, 6);
    EXPECT_EQ(point_point_tangent_basis<3>(p, p).basis.norm(), 0);
    EXPECT_EQ(point_point_tangent_basis<3>(p, p).jacobian.norm(), 0);
    EXPECT_EQ(point_point_tangent_basis<2>(Vec2(1, 2), Vec2(1, 2)).basis.norm(), 0);
    EXPECT_EQ(point_edge_tangent_basis<3>(p, q, q).basis.norm(), 0);
    const auto parallel = edge_edge_tangent_basis(p, q, Vec3(0, 0, 0), Vec3(4, 8, 12));
    EXPECT_NEAR(parallel.basis.col(0).norm(), 1, 4 * eps) << "the edge has a direction";
    EXPECT_EQ(parallel.basis.col(1).norm(), 0) << "the second does not span a plane with it";
    EXPECT_TRUE(parallel.jacobian.allFinite());
}

TEST(RelativeVelocity, IsThatOfTheContactPoints)
{
    RandomStream random(105);
    const Mat<3, 4> X = EdgeEdge::with_feature(EdgeEdgeFeature::a_b, random), V = random_points<3, 4>(random);
    const auto closest = line_line_closest(X.col(0), X.col(1), X.col(2), X.col(3));
    const double s = closest.u[0], t = closest.u[1];
    const Vec3 on_a = (1 - s) * V.col(0) + s * V.col(1), on_b = (1 - t) * V.col(2) + t * V.col(3);
    EXPECT_LE((relative_velocity<4, 3>(V, closest.w) - (on_a - on_b)).norm(), 16 * eps);
    const Vec3 by_matrix = relative_velocity_matrix<4, 3>(closest.w) * V.reshaped();
    EXPECT_LE((by_matrix - (on_a - on_b)).norm(), 16 * eps);
}

} // namespace
} // namespace abut::test::tangent_basis_test
