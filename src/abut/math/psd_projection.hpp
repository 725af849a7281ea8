#pragma once
// Symmetric matrices made positive semidefinite by their eigenvalues: the negative ones set to zero, or to their
// absolute value. Small matrices are handled side by side, one per lane, by cyclic Jacobi rotations: all lanes go
// through the same ones.

#include "abut/base/assert.hpp"
#include "abut/math/lanes.hpp"
#include "abut/math/types.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace abut {

/// What a Hessian's negative eigenvalues become.
enum class PSDProjectionMethod : std::uint8_t {
    none,  ///< they stay: the exact Hessian
    clamp, ///< zero
    abs,   ///< their absolute value
};

/// Symmetric N x N matrices, one per lane.
template <int N>
struct SymmetricLanes {
    Lanes entries[N][N]; ///< both triangles

    void set(int lane, const Mat<N, N>& matrix)
    {
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j)
                entries[i][j][lane] = matrix(i, j);
    }
    void get(int lane, Mat<N, N>& matrix) const
    {
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j)
                matrix(i, j) = entries[i][j][lane];
    }
};

namespace detail {

/// D = A over its largest entry, which is returned: squares of entries then neither overflow nor vanish.
template <int N>
Lanes normalize(const SymmetricLanes<N>& A, SymmetricLanes<N>& D)
{
    Lanes largest{};
    for (int i = 0; i < N; ++i)
        for (int j = i; j < N; ++j) {
            const Lanes size = A.entries[i][j] < 0 ? -A.entries[i][j] : A.entries[i][j];
            largest = size > largest ? size : largest;
        }
    const Lanes scale = largest < std::numeric_limits<double>::min() ? broadcast(1) : largest, inverse = 1 / scale;
    for (int i = 0; i < N; ++i)
        for (int j = i; j < N; ++j)
            D.entries[i][j] = inverse * A.entries[i][j];
    return scale;
}

/// Rotates A to (nearly) diagonal form; row k of V becomes the eigenvector of entry (k, k). Of A the upper triangle is
/// read and written.
template <int N>
void diagonalize(SymmetricLanes<N>& A, SymmetricLanes<N>& V)
{
    auto& a = A.entries;
    auto& v = V.entries;
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            v[i][j] = broadcast(i == j ? 1 : 0);

    // Off-diagonal entries below eps of the matrix's norm change the eigenvalues by no more than rounding does. Cyclic
    // Jacobi reaches that in N + 1 sweeps or fewer; the limit is there for infinities.
    constexpr int max_sweeps = 24;
    for (int sweep = 0; sweep < max_sweeps; ++sweep) {
        Lanes off{}, all{};
        for (int i = 0; i < N; ++i) {
            for (int j = i + 1; j < N; ++j)
                off += a[i][j] * a[i][j];
            all += a[i][i] * a[i][i];
        }
        constexpr double tolerance = std::numeric_limits<double>::epsilon() * std::numeric_limits<double>::epsilon();
        const auto is_large = off > tolerance * all;
        bool is_diagonal = true;
        for (int lane = 0; lane < num_lanes; ++lane)
            is_diagonal &= is_large[lane] == 0;
        if (is_diagonal)
            return;

        for (int p = 0; p < N; ++p)
            for (int q = p + 1; q < N; ++q) {
                // The smaller angle that makes entry (p, q) vanish, by its tangent
                // t = 2 a_pq / (delta + sign(delta) √(delta² + 4 a_pq²)) with delta = a_qq − a_pp. The tiny number
                // in the denominator makes t = 0 where a_pq and delta are 0.
                const Lanes twice = a[p][q] + a[p][q], delta = a[q][q] - a[p][p];
                const Lanes size = delta < 0 ? -delta : delta;
                const Lanes root = sqrt(delta * delta + twice * twice);
                const Lanes tangent = twice / (size + root + std::numeric_limits<double>::min());
                const Lanes t = delta < 0 ? -tangent : tangent;
                const Lanes c = 1 / sqrt(t * t + 1), s = t * c;
                const Lanes shift = 0.5 * t * twice;
                a[p][p] -= shift;
                a[q][q] += shift;
                a[p][q] = Lanes{};
                const auto rotate = [&](Lanes& left, Lanes& right) {
                    const Lanes old = left;
                    left = c * old - s * right;
                    right = s * old + c * right;
                };
                for (int r = 0; r < p; ++r)
                    rotate(a[r][p], a[r][q]);
                for (int r = p + 1; r < q; ++r)
                    rotate(a[p][r], a[r][q]);
                for (int r = q + 1; r < N; ++r)
                    rotate(a[p][r], a[q][r]);
                for (int r = 0; r < N; ++r)
                    rotate(v[p][r], v[q][r]);
            }
    }
}

/// Is a matrix symmetric, to half of its digits? A matrix with a NaN passes.
template <int N>
bool is_symmetric(const Mat<N, N>& matrix)
{
    const double largest = matrix.cwiseAbs().maxCoeff();
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < i; ++j)
            if (std::abs(matrix(i, j) - matrix(j, i)) > 1e-8 * largest)
                return false;
    return true;
}

} // namespace detail

/// Projects all lanes. A matrix without negative eigenvalues keeps its bits.
template <int N>
void project_to_psd(SymmetricLanes<N>& A, PSDProjectionMethod method)
{
    if (method == PSDProjectionMethod::none)
        return;
    SymmetricLanes<N> D, V;
    const Lanes scale = detail::normalize(A, D);
    detail::diagonalize(D, V);
    // The result is a sum over the kept eigenvalues: it is positive semidefinite up to the rounding of each. Taking the
    // negative ones away from A would leave errors of the size of A's rounding.
    Lanes kept[N], smallest = D.entries[0][0];
    const double mirror = method == PSDProjectionMethod::abs ? -1 : 0;
    for (int k = 0; k < N; ++k) {
        const Lanes eigenvalue = scale * D.entries[k][k];
        smallest = eigenvalue < smallest ? eigenvalue : smallest;
        kept[k] = eigenvalue < 0 ? mirror * eigenvalue : eigenvalue;
    }
    for (int i = 0; i < N; ++i)
        for (int j = 0; j <= i; ++j) {
            Lanes sum{};
            for (int k = 0; k < N; ++k)
                sum += kept[k] * V.entries[k][i] * V.entries[k][j];
            A.entries[i][j] = A.entries[j][i] = smallest < 0 ? sum : A.entries[i][j];
        }
}

/// Projects a list of matrices in place.
template <int N>
void project_to_psd(std::span<Mat<N, N>> matrices, PSDProjectionMethod method)
{
    if (method == PSDProjectionMethod::none)
        return;
    SymmetricLanes<N> group;
    for (std::size_t begin = 0; begin < matrices.size(); begin += num_lanes) {
        const int count = static_cast<int>(std::min<std::size_t>(num_lanes, matrices.size() - begin));
        for (int lane = 0; lane < count; ++lane)
            ABUT_ASSERT(detail::is_symmetric(matrices[begin + lane]));
        for (int lane = 0; lane < num_lanes; ++lane) // idle lanes repeat the first
            group.set(lane, matrices[begin + (lane < count ? lane : 0)]);
        project_to_psd(group, method);
        for (int lane = 0; lane < count; ++lane)
            group.get(lane, matrices[begin + lane]);
    }
}

template <int N>
void project_to_psd(Mat<N, N>& matrix, PSDProjectionMethod method)
{
    project_to_psd(std::span<Mat<N, N>>(&matrix, 1), method);
}

} // namespace abut
