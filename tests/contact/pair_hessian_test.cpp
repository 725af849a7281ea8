// The Hessian of a law of a pair's squared distance at the size of its rank, against the dense one.

#include "abut/contact/pair_hessian.hpp"

#include "abut/contact/term_geometry.hpp"
#include "support/dense_projection.hpp"
#include "support/random_points.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace abut::test::pair_hessian_test {

namespace {

using Method = PSDProjectionMethod;
using Matrix = Eigen::MatrixXd;

/// The whole matrix that `expand` gives by its lower blocks.
template <int N, int M, int Dim>
Matrix expanded(const PairHessian<N, M>& hessian, const ClosestPair<N, M, Dim>& closest)
{
    Matrix H = Matrix::Constant(N * Dim, N * Dim, std::numeric_limits<double>::quiet_NaN());
    hessian.expand(closest, [&](int i, int j, const Mat<Dim, Dim>& block) {
        H.block(i * Dim, j * Dim, Dim, Dim) = block;
        H.block(j * Dim, i * Dim, Dim, Dim) = block.transpose();
    });
    return H;
}

void expect_close(const Matrix& actual, const Matrix& expected, double allowed, const char* what)
{
    EXPECT_LE((actual - expected).cwiseAbs().maxCoeff(), allowed) << what << "\n"
                                                                  << actual << "\nexpected\n"
                                                                  << expected;
}

/// The Hessian for derivatives of the law, projected.
using HessianOf = std::function<Matrix(double first, double second, Method method)>;

/// Compares with the dense Hessian and its projections, for all signs of both derivatives.
void expect_matches_dense(
    const Eigen::VectorXd& gradient, const Matrix& curvature, const HessianOf& hessian, RandomStream& random)
{
    for (const double first_sign : {-1., 1.})
        for (const double second_sign : {-1., 1.}) {
            const double first = first_sign * random.uniform(0.1, 2), second = second_sign * random.uniform(0.1, 5);
            const Matrix dense = second * gradient * gradient.transpose() + first * curvature;
            // The two parts may cancel; rounding is relative to them, a few eps per product.
            const double scale = std::abs(second) * gradient.squaredNorm() + std::abs(first) * curvature.norm();
            expect_close(hessian(first, second, Method::none), dense, 1e-14 * scale, "exact");
            for (const Method method : {Method::clamp, Method::abs}) {
                const Matrix projected = hessian(first, second, method);
                // Eigenvectors of eigenvalues with opposite signs that are close to zero lose digits in Eigen as here.
                expect_close(projected, densely_projected(dense, method), 1e-10 * scale, "projected");
                EXPECT_GE(smallest_eigenvalue(projected), -1e-12 * scale);
            }
        }
}

template <int N, int M, int Dim>
void expect_matches_dense(const ClosestPair<N, M, Dim>& closest, RandomStream& random)
{
    const auto D = closest.squared_distance(Order::hessian);
    const auto hessian_of = [&](double first, double second, Method method) {
        auto hessian = PairHessian<N, M>::of(closest, first, second);
        if (method != Method::none) {
            project_to_psd(hessian.K, method);
            if (hessian.f < 0)
                hessian.f = method == Method::abs ? -hessian.f : 0;
        }
        return expanded(hessian, closest);
    };
    expect_matches_dense(D.gradient, D.hessian, hessian_of, random);
}

constexpr int repeats = 100;

TEST(PairHessian, OfTwoPointsIsTheDenseHessian)
{
    RandomStream random(1);
    for (int repeat = 0; repeat < repeats; ++repeat) {
        expect_matches_dense(vertex_vertex_closest<2>(random_points<2, 2>(random)), random);
        expect_matches_dense(vertex_vertex_closest<3>(random_points<3, 2>(random)), random);
    }
}

TEST(PairHessian, OfAPointAndALineIsTheDenseHessian)
{
    RandomStream random(2);
    for (int repeat = 0; repeat < repeats; ++repeat) {
        expect_matches_dense(edge_vertex_closest<2>(random_points<2, 3>(random)), random);
        expect_matches_dense(edge_vertex_closest<3>(random_points<3, 3>(random)), random);
    }
}

TEST(PairHessian, OfTwoEdgesIsTheDenseHessianWhateverTheFeature)
{
    RandomStream random(3);
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const Mat<3, 4> x = random_points<3, 4>(random);
        for (int feature = 0; feature <= static_cast<int>(EdgeEdgeFeature::a_b); ++feature)
            expect_matches_dense(edge_edge_closest(x, static_cast<EdgeEdgeFeature>(feature)), random);
    }
}

TEST(PairHessian, OfAPointAndAPlaneOfThreePointsIsTheDenseHessian)
{
    RandomStream random(4);
    for (int repeat = 0; repeat < repeats; ++repeat)
        expect_matches_dense(face_vertex_closest(random_points<3, 4>(random)), random);
}

TEST(PairHessian, OfAPointAndAFixedPlaneIsTheDenseHessian)
{
    RandomStream random(5);
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const Vec2 n = random_direction<2>(random), x = random_points<2>(random);
        const auto flat = plane_vertex_closest<2>(x, {lifted(Vec2(random_points<2>(random))), lifted(n)});
        expect_matches_dense(flat, random);
        const Plane plane{random_points<3>(random), random_direction<3>(random)};
        const Vec3 p = random_points<3>(random);
        const auto solid = plane_vertex_closest<3>(p, plane);
        expect_matches_dense(solid, random);
        // Linear in the point: the squared distance has the curvature 2 n nᵀ.
        expect_close(
            expanded(PairHessian<1, 2>::of(solid, 1, 0), solid), 2 * plane.normal * plane.normal.transpose(), 1e-14,
            "plane");
    }
}

TEST(PairHessian, OfSmallAndOfLargePairsIsTheDenseHessian)
{
    RandomStream random(6);
    for (const double scale : {1e-6, 1e-3, 1e3})
        for (int repeat = 0; repeat < repeats; ++repeat) {
            expect_matches_dense(edge_edge_closest(scale * random_points<3, 4>(random), EdgeEdgeFeature::a_b), random);
            expect_matches_dense(face_vertex_closest(scale * random_points<3, 4>(random)), random);
        }
}

TEST(PairHessian, OfADegenerateHullLosesTheDroppedCoordinates)
{
    RandomStream random(7);
    for (int repeat = 0; repeat < repeats; ++repeat) {
        // An edge of length zero is a point: no coordinate is left.
        Mat<3, 3> x = random_points<3, 3>(random);
        x.col(2) = x.col(1);
        const auto point_and_point = edge_vertex_closest<3>(x);
        EXPECT_EQ(point_and_point.Q.norm(), 0);
        expect_matches_dense(point_and_point, random);
        Mat<2, 3> y = random_points<2, 3>(random);
        y.col(2) = y.col(1);
        expect_matches_dense(edge_vertex_closest<2>(y), random);

        // Two lines of which one is a point, either one, and both.
        Mat<3, 4> edges = random_points<3, 4>(random);
        edges.col(1) = edges.col(0);
        expect_matches_dense(edge_edge_closest(edges, EdgeEdgeFeature::a_b), random);
        edges.col(3) = edges.col(2);
        expect_matches_dense(edge_edge_closest(edges, EdgeEdgeFeature::a_b), random);
        edges = random_points<3, 4>(random);
        edges.col(3) = edges.col(2);
        expect_matches_dense(edge_edge_closest(edges, EdgeEdgeFeature::a_b), random);

        // Parallel lines slide along each other; only one coordinate counts.
        edges = random_points<3, 4>(random);
        edges.col(3) = edges.col(2) + 0.5 * (edges.col(1) - edges.col(0));
        const auto parallel = edge_edge_closest(edges, EdgeEdgeFeature::a_b);
        EXPECT_EQ(parallel.Q.col(1).norm(), 0);
        expect_matches_dense(parallel, random);
    }
}

TEST(PairHessian, BasisOfVectorsThatSumToZeroIsOrthonormal)
{
    const auto expect_orthonormal = [](const Matrix& basis) {
        const Eigen::Index n = basis.cols();
        expect_close(basis.transpose() * basis, Matrix::Identity(n, n), 1e-15, "basis");
        EXPECT_LE(basis.colwise().sum().cwiseAbs().maxCoeff(), 1e-15);
    };
    expect_orthonormal(sum_zero_basis<2>());
    expect_orthonormal(sum_zero_basis<3>());
    expect_orthonormal(sum_zero_basis<4>());
    EXPECT_EQ(sum_zero_basis<1>()(0, 0), 1) << "a point against something fixed";
}

} // namespace

} // namespace abut::test::pair_hessian_test
