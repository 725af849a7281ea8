// Projection of symmetric matrices to positive semidefinite, against Eigen's eigenvalues.

#include "abut/math/psd_projection.hpp"
#include "abut/math/psd_projection_any_order.hpp"

#include "abut/base/random.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <vector>

namespace abut::test::psd_projection_test {

namespace {

using Method = PSDProjectionMethod;
using Matrix = Eigen::MatrixXd;
using Matrices = std::vector<Matrix>;

// Eigenvalues and the sums made of them carry rounding of a few eps times N of the largest: 12 · 2e-16 · a few.
constexpr double tolerance = 1e-13;
// What the project allows a projected Hessian's smallest eigenvalue to be, relative to the largest.
constexpr double psd_tolerance = 1e-12;

/// project_to_psd for N x N matrices, with the size hidden: everything else here is compiled once for all sizes.
struct Projection {
    int n;
    Matrices (*project)(const Matrices&, Method);
};

template <int N>
Projection projection()
{
    return {N, [](const Matrices& matrices, Method method) {
                std::vector<Mat<N, N>> fixed(matrices.begin(), matrices.end());
                project_to_psd<N>(fixed, method);
                return Matrices(fixed.begin(), fixed.end());
            }};
}

/// PsdProjectionAnyOrder for n x n matrices, as they come.
Matrices project_any_order(const Matrices& matrices, Method method)
{
    Matrices projected = matrices;
    PsdProjectionAnyOrder projection;
    for (std::size_t begin = 0; begin < matrices.size(); begin += num_lanes) {
        const std::size_t count = std::min<std::size_t>(num_lanes, matrices.size() - begin);
        const int n = static_cast<int>(matrices[begin].rows());
        projection.begin(n);
        const auto for_each_entry = [&](auto&& visit) {
            for (int j = 0; j < n; ++j)
                for (int i = j; i < n; ++i)
                    visit(i, j, projection.entry(i, j));
        };
        for_each_entry([&](int i, int j, Lanes& entry) {
            for (std::size_t lane = 0; lane < num_lanes; ++lane)
                entry[lane] = matrices[begin + (lane < count ? lane : 0)](i, j);
        });
        const std::array<bool, num_lanes> is_changed = projection.project(method);
        for (std::size_t lane = 0; lane < count; ++lane)
            if (is_changed[lane])
                for_each_entry([&](int i, int j, const Lanes& entry) {
                    projected[begin + lane](i, j) = projected[begin + lane](j, i) = entry[lane];
                });
    }
    return projected;
}

Projection any_order(int n) { return {n, project_any_order}; }

void PrintTo(const Projection& projection, std::ostream* out)
{
    *out << projection.n << (projection.project == project_any_order ? "ByQl" : "");
}

Matrix random_matrix(int n, RandomStream& random)
{
    Matrix A(n, n);
    for (double& entry : A.reshaped())
        entry = random.uniform(-1, 1);
    return A;
}

Matrix random_symmetric(int n, RandomStream& random)
{
    const Matrix A = random_matrix(n, random);
    return A + A.transpose();
}

Matrix with_eigenvalues(const Eigen::VectorXd& eigenvalues, RandomStream& random)
{
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(random_symmetric(static_cast<int>(eigenvalues.size()), random));
    const Matrix A = solver.eigenvectors() * eigenvalues.asDiagonal() * solver.eigenvectors().transpose();
    return (A + A.transpose()) / 2;
}

Matrix by_eigen(const Matrix& A, Method method)
{
    const double scale = A.cwiseAbs().maxCoeff(); // Eigen squares entries
    if (scale == 0)
        return A;
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(Matrix(A / scale));
    const Eigen::VectorXd kept = method == Method::abs ? Eigen::VectorXd(solver.eigenvalues().cwiseAbs())
                                                       : Eigen::VectorXd(solver.eigenvalues().cwiseMax(0));
    return scale * (solver.eigenvectors() * kept.asDiagonal() * solver.eigenvectors().transpose());
}

double smallest_relative_eigenvalue(const Matrix& A)
{
    const double scale = A.cwiseAbs().maxCoeff();
    if (scale == 0)
        return 0;
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(Matrix(A / scale), Eigen::EigenvaluesOnly);
    return solver.eigenvalues()[0] / solver.eigenvalues().cwiseAbs().maxCoeff();
}

class PsdProjection : public testing::TestWithParam<Projection> {
protected:
    int n = GetParam().n;
    RandomStream random{1, static_cast<std::uint64_t>(n)};

    static Matrix project(const Matrix& A, Method method) { return GetParam().project({A}, method)[0]; }

    /// Projects A and checks the result: that of Eigen, symmetric, and semidefinite.
    static void expect_projected(const Matrix& A, const char* what)
    {
        for (const Method method : {Method::clamp, Method::abs}) {
            const Matrix projected = project(A, method), expected = by_eigen(A, method);
            EXPECT_LE((projected - expected).cwiseAbs().maxCoeff(), tolerance * A.cwiseAbs().maxCoeff())
                << what << ", method " << static_cast<int>(method) << " of\n"
                << A << "\nis\n"
                << projected << "\nexpected\n"
                << expected;
            EXPECT_EQ(projected, projected.transpose()) << what;
            EXPECT_GE(smallest_relative_eigenvalue(projected), -psd_tolerance) << what;
        }
    }
};

TEST_P(PsdProjection, ClampsOrMirrorsNegativeEigenvaluesAsEigenFindsThem)
{
    for (int repeat = 0; repeat < 100; ++repeat)
        expect_projected(random_symmetric(n, random), "random");
}

TEST_P(PsdProjection, NoneLeavesAMatrixAlone)
{
    const Matrix A = random_symmetric(n, random);
    EXPECT_EQ(project(A, Method::none), A);
}

TEST_P(PsdProjection, KeepsTheBitsOfAMatrixWithoutNegativeEigenvalues)
{
    for (const Method method : {Method::clamp, Method::abs}) {
        for (int repeat = 0; repeat < 20; ++repeat) {
            const Matrix L = random_matrix(n, random);
            const Matrix product = L * L.transpose() + 0.1 * Matrix::Identity(n, n);
            const Matrix A = (product + product.transpose()) / 2;
            // Beside a matrix that does change, in a neighbouring lane.
            const Matrices pair = GetParam().project({A, -A}, method);
            EXPECT_EQ(pair[0], A);
            EXPECT_LE((pair[1] - by_eigen(-A, method)).norm(), tolerance * A.norm());
        }
        const Matrix zero = Matrix::Zero(n, n), identity = Matrix::Identity(n, n);
        EXPECT_EQ(project(zero, method), zero);
        EXPECT_EQ(project(identity, method), identity);
    }
}

TEST_P(PsdProjection, HandlesMatricesOfRankOne)
{
    for (int repeat = 0; repeat < 20; ++repeat) {
        const Eigen::VectorXd v = random_matrix(n, random).col(0);
        const Matrix A = v * v.transpose();
        expect_projected(A, "positive");
        expect_projected(-A, "negative");
        EXPECT_LE(project(-A, Method::clamp).norm(), tolerance * A.norm());
        EXPECT_LE((project(-A, Method::abs) - A).norm(), tolerance * A.norm());
    }
}

TEST_P(PsdProjection, HandlesMultipleEigenvalues)
{
    for (int negative = 0; negative <= n; ++negative) {
        Eigen::VectorXd eigenvalues = Eigen::VectorXd::Ones(n);
        eigenvalues.head(negative).setConstant(-1);
        expect_projected(with_eigenvalues(eigenvalues, random), "plus and minus one");
        eigenvalues.head(negative).setConstant(-2);
        expect_projected(Matrix(eigenvalues.asDiagonal()), "diagonal");
    }
    const Matrix ones = Matrix::Ones(n, n), identity = Matrix::Identity(n, n);
    expect_projected(ones, "all ones");
    expect_projected(-ones, "all minus one");
    expect_projected(ones - identity, "a zero diagonal");
    expect_projected(identity - ones, "a zero diagonal, negative");
    expect_projected(Matrix::Zero(n, n), "zero");
}

TEST_P(PsdProjection, HandlesHugeConditionNumbers)
{
    for (const double smallest : {1e-4, 1e-10, 1e-16, 1e-30}) {
        Eigen::VectorXd eigenvalues(n);
        for (int k = 0; k < n; ++k)
            eigenvalues[k] = (k % 2 == 0 ? 1 : -1) * std::pow(smallest, double(k) / std::max(1, n - 1));
        expect_projected(with_eigenvalues(eigenvalues, random), "largest positive");
        expect_projected(with_eigenvalues(-eigenvalues, random), "largest negative");
    }
}

TEST_P(PsdProjection, DoesNotDependOnTheScaleOfTheMatrix)
{
    for (const double scale : {1e-290, 1e-150, 1e-100, 1e-30, 1e30, 1e100, 1e150, 1e290})
        for (int repeat = 0; repeat < 10; ++repeat)
            expect_projected(scale * random_symmetric(n, random), "scaled");
}

TEST_P(PsdProjection, HandlesGradedMatrices)
{
    // Entries A_ij g_i g_j: from one scale on the first row to another on the last, within 1e-150 to 1e150.
    for (const auto& [low, high] : {std::pair(1e-75, 1e75), std::pair(1e-10, 1e10), std::pair(1e75, 1e-75)})
        for (int repeat = 0; repeat < 10; ++repeat) {
            Eigen::VectorXd grade(n);
            for (int k = 0; k < n; ++k)
                grade[k] = low * std::pow(high / low, double(k) / std::max(1, n - 1));
            const Matrix A = grade.asDiagonal() * random_symmetric(n, random) * grade.asDiagonal();
            expect_projected((A + A.transpose()) / 2, "graded"); // symmetric to the bit
        }
}

TEST_P(PsdProjection, AMatrixDoesNotFeelItsNeighbours)
{
    // Counts that are no multiple of the lanes, and scales that differ from one to the next.
    for (int count = 0; count <= 2 * num_lanes + 1; ++count) {
        Matrices matrices;
        for (int k = 0; k < count; ++k)
            matrices.push_back(std::pow(10., 3 * k) * random_symmetric(n, random));
        const Matrices together = GetParam().project(matrices, Method::clamp);
        ASSERT_EQ(static_cast<int>(together.size()), count);
        for (int k = 0; k < count; ++k)
            EXPECT_LE(
                (together[k] - by_eigen(matrices[k], Method::clamp)).cwiseAbs().maxCoeff(),
                tolerance * matrices[k].cwiseAbs().maxCoeff())
                << k << " of " << count;
    }
}

TEST_P(PsdProjection, InfinitiesAndNansComeToAnEndAndStayInTheirLane)
{
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double bad : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()})
        for (const Method method : {Method::clamp, Method::abs}) {
            const Matrix sane = random_symmetric(n, random);
            Matrix sick = random_symmetric(n, random);
            sick(0, 0) = sick(n - 1, 0) = sick(0, n - 1) = bad;
            const Matrices projected = GetParam().project({sick, sane}, method);
            EXPECT_LE(
                (projected[1] - by_eigen(sane, method)).cwiseAbs().maxCoeff(), tolerance * sane.cwiseAbs().maxCoeff());
        }
}

TEST(PsdProjectionAnyOrder, GivesAMatrixTheBitsThatItHasAlone)
{
    RandomStream random(5);
    for (const int n : {1, 2, 3, 9, 21}) {
        Matrices matrices;
        for (int k = 0; k < 3 * num_lanes; ++k) // some are diagonal at once, some have one eigenvalue that is not 0
            matrices.push_back(
                k % 3 == 0   ? Matrix(Matrix::Identity(n, n) * (k - 4.0))
                : k % 3 == 1 ? Matrix(-Matrix::Ones(n, n))
                             : Matrix(std::pow(10., k) * random_symmetric(n, random)));
        const Matrices together = project_any_order(matrices, Method::clamp);
        for (std::size_t k = 0; k < matrices.size(); ++k)
            EXPECT_EQ(together[k], project_any_order({matrices[k]}, Method::clamp)[0]) << n << ", " << k;
    }
}

INSTANTIATE_TEST_SUITE_P(
    AnyOrder, PsdProjection,
    testing::Values(
        any_order(1), any_order(2), any_order(3), any_order(4), any_order(5), any_order(9), any_order(12),
        any_order(21), any_order(45)),
    testing::PrintToStringParamName());

INSTANTIATE_TEST_SUITE_P(
    Sizes, PsdProjection,
    testing::Values(
        projection<1>(), projection<2>(), projection<3>(), projection<4>(), projection<5>(), projection<6>(),
        projection<7>(), projection<8>(), projection<9>(), projection<12>()),
    testing::PrintToStringParamName());

} // namespace

} // namespace abut::test::psd_projection_test
