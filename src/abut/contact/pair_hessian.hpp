#pragma once
// The Hessian of a law of a pair's squared distance, and its projection to positive semidefinite, at the size of its
// rank instead of its stencil's.
//
//   E(x) = L(D(x)),   hess E = L'' grad D grad Dᵀ + L' hess D
//
// With the closest points as in ClosestPair (r = d n, weights w, sliding directions Q with dw), grad D = 2d w ⊗ n and
//
//   hess D = 2 ( w wᵀ ⊗ (I − Q Qᵀ) − Σ_j [ d² dw_j dw_jᵀ ⊗ n nᵀ + d (dw_j ⊗ n)(w ⊗ Q_j)ᵀ + d (w ⊗ Q_j)(dw_j ⊗ n)ᵀ ] )
//
// so everything happens on (weights) ⊗ n and on w ⊗ (directions across n). All weights sum to zero, hence an
// orthonormal basis B of the sum-zero vectors of N points, fixed once, makes hess E the block sum of
//
//   K    of size (N − 1) + M, on the basis { B_a ⊗ n } ∪ { ŵ ⊗ Q_j }, and
//   f    times ŵ ŵᵀ ⊗ (I − n nᵀ − Q Qᵀ), the directions in which nothing slides: f = 2 L' |w|²
//
// These are orthogonal to each other: projecting K (5 x 5 for edges and triangles) and f projects the 12 x 12 Hessian.

#include "abut/geometry/closest_pair.hpp"
#include "abut/math/psd_projection.hpp"

namespace abut {

/// An orthonormal basis of the vectors of N numbers that sum to zero, as columns; for N = 1, a point against something
/// that is fixed, the number itself.
template <int N>
Mat<N, (N > 1 ? N - 1 : 1)> sum_zero_basis()
{
    if constexpr (N == 1)
        return Mat<1, 1>::Ones();
    else {
        Mat<N, N - 1> basis = Mat<N, N - 1>::Zero(); // Helmert's: the mean of the first k points against the next
        for (int k = 1; k < N; ++k) {
            basis.col(k - 1).head(k).setConstant(1 / std::sqrt(double(k) * (k + 1)));
            basis(k, k - 1) = -k / std::sqrt(double(k) * (k + 1));
        }
        return basis;
    }
}

template <int N, int M>
struct PairHessian {
    static constexpr int num_weights = N > 1 ? N - 1 : 1;
    static constexpr int size = num_weights + M;

    Mat<size, size> K;
    double f;

    /// `first` and `second`: derivatives of the pair's energy by its squared distance.
    template <int Dim>
    static PairHessian of(const ClosestPair<N, M, Dim>& closest, double first, double second)
    {
        static const Mat<N, num_weights> basis = sum_zero_basis<N>();
        const double D = closest.r.squaredNorm(), d = std::sqrt(D), w_norm = closest.w.norm();
        const Vec<num_weights> omega = basis.transpose() * closest.w;
        PairHessian hessian;
        hessian.f = 2 * first * w_norm * w_norm;
        const double along_normal = 4 * second * D + 2 * first;
        for (int a = 0; a < num_weights; ++a)
            for (int b = 0; b < num_weights; ++b)
                hessian.K(a, b) = along_normal * omega[a] * omega[b];
        if constexpr (M > 0) {
            const Mat<num_weights, M> G = basis.transpose() * closest.dw_R;
            for (int j = 0; j < M; ++j) {
                for (int a = 0; a < num_weights; ++a) {
                    for (int b = 0; b < num_weights; ++b)
                        hessian.K(a, b) -= 2 * first * D * G(a, j) * G(b, j);
                    hessian.K(a, num_weights + j) = hessian.K(num_weights + j, a) = -2 * first * d * w_norm * G(a, j);
                }
                for (int k = 0; k < M; ++k)
                    hessian.K(num_weights + k, num_weights + j) = 0;
            }
        }
        return hessian;
    }

    /// Calls store(i, j, block) for the Dim x Dim blocks i >= j of hess E.
    template <int Dim, typename Store>
    void expand(const ClosestPair<N, M, Dim>& closest, Store&& store) const
    {
        static const Mat<N, num_weights> basis = sum_zero_basis<N>();
        const Vec<Dim> n = closest.r.normalized();
        const Vec<N> w = closest.w.normalized();
        // Across the normal, the same for all points: T = Q K_tt Qᵀ + f (I − n nᵀ − Q Qᵀ).
        Mat<Dim, Dim> T = f * (Mat<Dim, Dim>::Identity() - n * n.transpose());
        Mat<N, num_weights> K_nn = basis * K.template topLeftCorner<num_weights, num_weights>();
        Mat<Dim, N> y = Mat<Dim, N>::Zero(); // Σ_j Q_j (B K_nt)_ij
        if constexpr (M > 0) {
            const Mat<M, M> K_tt = K.template bottomRightCorner<M, M>() - f * Mat<M, M>::Identity();
            T += closest.Q * K_tt * closest.Q.transpose();
            y = closest.Q * (K.template bottomLeftCorner<M, num_weights>() * basis.transpose());
        }
        for (int i = 0; i < N; ++i)
            for (int j = 0; j <= i; ++j) {
                const double alpha = K_nn.row(i).dot(basis.row(j));
                Mat<Dim, Dim> block;
                for (int b = 0; b < Dim; ++b)
                    for (int a = 0; a < Dim; ++a)
                        block(a, b) = n[a] * (alpha * n[b] + w[j] * y(b, i)) + w[i] * (y(a, j) * n[b] + w[j] * T(a, b));
                store(i, j, block);
            }
    }
};

} // namespace abut
