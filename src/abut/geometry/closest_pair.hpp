#pragma once
// Closest points of two affine hulls, and the squared distance between them with its derivatives: the one formula
// behind every distance in Abut.
//
//   X       the N points of a stencil, as columns
//   w(u)    signed barycentric weights, w0 + dw u; they sum to zero, so that r = X w joins a point of one hull to a
//           point of the other
//   u       the M free coordinates: none for two points, one for a point and a line, two for two lines or a plane
//   T       X dw, how r moves with u; T = Q R with orthonormal Q and triangular R
//
// D(x) = min_u |X w(u)|². At the minimum r is orthogonal to T, so (envelope theorem, then Schur complement)
//
//   grad D = 2 w ⊗ r
//   hess D = 2 (w wᵀ ⊗ I − S Sᵀ),   S_j = (dw R⁻¹)_j ⊗ r + w ⊗ Q_j
//   du/dx  = −R⁻¹ Sᵀ
//
// Working with R instead of TᵀT keeps the relative error of nearly parallel lines at eps / sin instead of eps / sin².
// A hull that is degenerate (an edge of length zero, two parallel lines) has fewer free coordinates than its type says:
// those are dropped, which leaves the distance right and every derivative finite.

#include "abut/base/assert.hpp"
#include "abut/math/local_term.hpp"

#include <cmath>
#include <limits>

namespace abut {

/// Two lines whose angle has a squared sine below this count as parallel. Computing with them as crossing lines costs
/// a relative error of eps / sin, treating them as parallel costs an error of sin: the two meet at sin = sqrt(eps).
/// Pinned by EdgeEdge.NearlyParallelEdgesStayCloseToTheExactDistance.
inline constexpr double parallel_sine_squared = 2.5e-16;

template <int N, int M, int Dim>
struct ClosestPair {
    Vec<Dim> r;          ///< from the second hull's closest point to the first's
    Vec<N> w;            ///< weights of the stencil's points in r
    Vec<M> u;            ///< coordinates of the closest points on their hulls
    Mat<Dim, M> Q;       ///< orthonormal basis of the directions in which the closest points may slide
    Mat<N, M> dw_R;      ///< dw R⁻¹
    Mat<M, M> R_inverse; ///< a dropped coordinate has zeros in Q, dw_R and R_inverse

    [[nodiscard]] double squared_distance() const { return r.squaredNorm(); }

    [[nodiscard]] LocalTerm<N, Dim> squared_distance(Order order) const
    {
        LocalTerm<N, Dim> D;
        D.value = r.squaredNorm();
        if (order >= Order::gradient)
            D.gradient = flat<N, Dim>(2 * w, r);
        if (order >= Order::hessian) {
            // Block (i, j) is 2 (w_i w_j (I - Q Qᵀ) - (dw_i . dw_j) r rᵀ - w_j r (Q dw_i)ᵀ - w_i (Q dw_j) rᵀ), with
            // dw_R for dw. Plain loops compile ten times faster than Eigen's expressions for the same.
            Mat<Dim, Dim> normal_space = Mat<Dim, Dim>::Identity();
            Mat<Dim, N> Q_dw = Mat<Dim, N>::Zero();
            if constexpr (M > 0) { // Eigen's products of matrices without columns compute with null pointers
                normal_space -= Q * Q.transpose();
                Q_dw = Q * dw_R.transpose();
            }
            for (int i = 0; i < N; ++i)
                for (int j = 0; j <= i; ++j) {
                    double dw_dw = 0;
                    for (int m = 0; m < M; ++m)
                        dw_dw += dw_R(i, m) * dw_R(j, m);
                    for (int a = 0; a < Dim; ++a)
                        for (int b = 0; b < Dim; ++b) {
                            const double entry = 2 * (w[i] * w[j] * normal_space(a, b) - dw_dw * r[a] * r[b] -
                                                      w[j] * r[a] * Q_dw(b, i) - w[i] * Q_dw(a, j) * r[b]);
                            D.hessian(i * Dim + a, j * Dim + b) = entry;
                            D.hessian(j * Dim + b, i * Dim + a) = entry;
                        }
                }
        }
        return D;
    }

    /// du/dx, one row per coordinate.
    [[nodiscard]] Mat<M, N * Dim> coordinate_gradient() const
    {
        Mat<N * Dim, M> S;
        for (int j = 0; j < M; ++j)
            S.col(j) = flat<N, Dim>(dw_R.col(j), r) + flat<N, Dim>(w, Q.col(j));
        return -R_inverse * S.transpose();
    }
};

/// The same closest points with M instead of L coordinates, the additional ones dropped.
template <int M, int N, int L, int Dim>
ClosestPair<N, M, Dim> widened(const ClosestPair<N, L, Dim>& closest)
{
    ClosestPair<N, M, Dim> wide{closest.r,           closest.w,         Vec<M>::Zero(),
                                Mat<Dim, M>::Zero(), Mat<N, M>::Zero(), Mat<M, M>::Zero()};
    wide.u.template head<L>() = closest.u;
    wide.Q.template leftCols<L>() = closest.Q;
    wide.dw_R.template leftCols<L>() = closest.dw_R;
    wide.R_inverse.template topLeftCorner<L, L>() = closest.R_inverse;
    return wide;
}

/// Two points: nothing is free.
template <int N, int Dim>
ClosestPair<N, 0, Dim> closest_pair(const Vec<Dim>& r0, const Vec<N>& w0)
{
    ABUT_ASSERT(w0.sum() == 0);
    ClosestPair<N, 0, Dim> closest;
    closest.r = r0;
    closest.w = w0;
    return closest;
}

/// One free coordinate, along `t`. At length zero it is dropped.
template <int N, int Dim>
ClosestPair<N, 1, Dim> closest_pair(const Vec<Dim>& r0, const Vec<Dim>& t, const Vec<N>& w0, const Vec<N>& dw)
{
    ABUT_ASSERT(w0.sum() == 0 && dw.sum() == 0);
    ClosestPair<N, 1, Dim> closest;
    const double length = t.norm();
    const double inverse = length > 0 ? 1 / length : 0;
    closest.Q = t * inverse;
    const double along = closest.Q.col(0).dot(r0);
    closest.r = r0 - along * closest.Q.col(0);
    closest.u[0] = -along * inverse;
    closest.w = w0 + closest.u[0] * dw;
    closest.dw_R = dw * inverse;
    closest.R_inverse(0, 0) = inverse;
    return closest;
}

/// Two free coordinates, along `t0` and `t1`. Parallel directions count once.
template <int N, int Dim>
[[gnu::always_inline]] inline ClosestPair<N, 2, Dim> // so that callers who need only the distance compute only that
closest_pair(const Vec<Dim>& r0, const Vec<Dim>& t0, const Vec<Dim>& t1, const Vec<N>& w0, const Mat<N, 2>& dw)
{
    ABUT_ASSERT(w0.sum() == 0 && dw.col(0).sum() == 0 && dw.col(1).sum() == 0);
    ClosestPair<N, 2, Dim> closest;
    // Gram-Schmidt; the second pass removes what rounding left of t0 in a short remainder.
    const double length0 = t0.norm();
    const double inverse0 = length0 > 0 ? 1 / length0 : 0;
    const Vec<Dim> q0 = t0 * inverse0;
    double shear = q0.dot(t1);
    Vec<Dim> rest = t1 - shear * q0;
    const double correction = q0.dot(rest);
    shear += correction;
    rest -= correction * q0;
    const double length1 = rest.norm();
    // Half the threshold: the choice of a feature has another formula, and lines that cross there must cross here.
    const bool is_free = length1 * length1 > parallel_sine_squared / 2 * t1.squaredNorm();
    const double inverse1 = is_free ? 1 / length1 : 0;
    const Vec<Dim> q1 = rest * inverse1;

    const double along0 = q0.dot(r0);
    closest.r = r0 - along0 * q0;
    const double along1 = q1.dot(closest.r);
    closest.r -= along1 * q1;
    closest.u[1] = -along1 * inverse1;
    closest.u[0] = -(along0 + shear * closest.u[1]) * inverse0;
    closest.w = w0 + dw * closest.u;
    closest.Q << q0, q1;
    closest.R_inverse << inverse0, -shear * inverse0 * inverse1, 0, inverse1;
    closest.dw_R = dw * closest.R_inverse;
    return closest;
}

} // namespace abut
