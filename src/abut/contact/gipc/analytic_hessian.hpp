#pragma once
// Hessians of pairs that are positive semidefinite in closed form: no eigenvalues are sought.
// Huang et al., "GIPC: Fast and stable Gauss-Newton optimization of IPC barrier energy", 2024, sections 5 and 6.
//
//   L(D)     energy of a pair by its squared distance D = d², weight and stiffness included; ' means by D
//   w, n     weights of the stencil and direction of the gap: grad d = w ⊗ n
//   f        d / dhat (eq. 9)
//   s        |u x v| of two edges, c = s², z = c / eps_x, m = (2 − z) z their mollifier (eq. 25)
//
// GIPC reads the energy as a function of a diagonal matrix J = diag(1, s, f) (eq. 10, 28) and drops the second
// derivatives of J by the positions. J depends on them through its diagonal alone, so what is left of the Hessian lives
// on grad f, and on grad s where edges are mollified:
//
//   plain pairs       L_dd grad d grad dᵀ,  L_dd = 4 D L'' + 2 L'                      (λ1 of eq. 18, over dhat²)
//   mollified edges   [grad s grad f] M [grad s grad f]ᵀ,  M = [ λ_γ1  4t ; 4t  λ_g1 ]   (supplement, eq. 14)
//
// The twists Q_γ2, Q_γ3, Q_g2, Q_g3 of eq. 32 are off the diagonal, where J never moves. M is clamped by its two
// eigenvalues (eq. 34, 35), of which both may be positive: eq. 36 keeps λ_8 alone, but λ_7 is positive as well for
// GIPC's barrier closer than some dhat / 20, and for other laws. As a point-edge or point-point pair (features of a
// pair of edges), mollified edges have the same form with the grad f of that pair.
//
// Where we deviate: eq. 23 replaces λ1 below the threshold d_thr by its value there, which is a cap for every barrier;
// here it is one for every law. The threshold is measured from dmin. A negative weight counts, then the eigenvalue is
// clamped: a pair of negative weight and positive curvature adds nothing.
// Eq. 28 mixes s [m²] with f [1], so the clamped M, alone of all here, depends on the unit of length.
//
// The Gauss-Newton form of IPC (eq. 22) drops the second derivatives of the law's own argument instead, D or d:
// L'' grad D grad Dᵀ for a law of the squared distance. For mollified edges, those of c as well.

#include "abut/contact/gipc/hessian_mode.hpp"
#include "abut/contact/laws/distance_law.hpp"
#include "abut/geometry/closest_pair.hpp"
#include "abut/math/symmetric_2x2.hpp"

#include <algorithm>

namespace abut {

/// A share of dhat: pairs closer than that have no closed form in HessianMode::hybrid. Forces are large there, and so
/// is what they do across the gap, which the closed form drops: pairs slide and turn freely until they touch.
inline constexpr double hybrid_depth = 0.1;

/// d²L/dd² from derivatives by the squared distance.
inline double curvature_by_distance(const LawTerm& L, double squared_distance)
{
    return 4 * squared_distance * L.second + 2 * L.first;
}

/// The curvature of a law that a closed-form Hessian has along grad d, for one potential.
class PairCurvature {
public:
    /// For modes of a closed form; exact Hessians do not ask. Below the share `filter` of dhat an analytic curvature
    /// does not grow any more; 0: it always does. The barrier's gradient grows slower than its curvature towards
    /// contact: steps would vanish there.
    PairCurvature(
        HessianMode mode, const NormalLaw& law, const ContactRange& range, double filter = usual_hessian_filter)
        : is_filtered_(is_analytic(mode) && filter > 0),
          is_by_square_(mode == HessianMode::gauss_newton && law.distance_kind() == DistanceKind::squared)
    {
        if (!is_filtered_)
            return;
        const double d = range.dmin + filter * range.dhat;
        threshold_ = d * d;
        cap_ = curvature_by_distance(law(threshold_, range), threshold_);
    }

    /// Of a law that is not weighted yet. May be negative.
    [[nodiscard]] double operator()(const LawTerm& law, double squared_distance) const
    {
        if (is_by_square_)
            return 4 * squared_distance * law.second;
        const double curvature = curvature_by_distance(law, squared_distance);
        return is_filtered_ && squared_distance < threshold_ ? std::min(curvature, cap_) : curvature;
    }

private:
    bool is_filtered_, is_by_square_;
    double threshold_ = 0, cap_ = 0;
};

/// Calls store(block) for the Dim x Dim blocks i >= j, row by row, of `curvature` grad d grad dᵀ.
template <int N, int M, int Dim, typename Store>
void expand_rank_one(const ClosestPair<N, M, Dim>& closest, double curvature, Store&& store)
{
    const double D = closest.r.squaredNorm();
    const Mat<Dim, Dim> along_normal = (D > 0 ? curvature / D : 0) * closest.r * closest.r.transpose();
    for (int i = 0; i < N; ++i)
        for (int j = 0; j <= i; ++j)
            store(Mat<Dim, Dim>(closest.w[i] * closest.w[j] * along_normal));
}

/// The closed-form Hessian of m L for nearly parallel edges.
struct MollifiedHessian {
    Mat<3, 4> s_gradient, d_gradient; ///< grad s, grad d: a column a point
    Symmetric2x2 K;                   ///< the Hessian is [grad s grad d] K [grad s grad d]ᵀ

    static MollifiedHessian
    of(HessianMode mode, DistanceKind kind, const Mat<3, 4>& x, const ClosestPair<4, 2, 3>& closest, double eps_x,
       const LawTerm& L, double dhat)
    {
        const Vec3 u = x.col(1) - x.col(0), v = x.col(3) - x.col(2), cross = u.cross(v);
        const double s = cross.norm(), z = s * s / eps_x, m = (2 - z) * z;
        const double D = closest.r.squaredNorm(), d = std::sqrt(D);

        // ds/du = v x n, ds/dv = n x u with n = u x v / s. Of parallel edges n is rounding: they take the one with
        // which they cross when they turn about their gap.
        Vec3 n = cross;
        const double uu = u.squaredNorm();
        if (s == 0 || s * s < parallel_sine_squared * uu * v.squaredNorm())
            n = closest.r - (uu > 0 ? u.dot(closest.r) / uu : 0) * u;
        n.normalize();
        MollifiedHessian hessian;
        const Vec3 s_u = v.cross(n), s_v = n.cross(u);
        hessian.s_gradient << -s_u, s_u, -s_v, s_v;
        hessian.d_gradient = (d > 0 ? 1 / d : 0) * closest.r * closest.w.transpose();

        // M in the variables that are clamped: `by_s` and `by_d` are their derivatives by s and d.
        double by_s = 1, by_d = 1 / dhat;
        Symmetric2x2 M;
        if (mode == HessianMode::analytic)
            M = {
                4 * (1 - 3 * z) / eps_x * L.value, 8 * s * (1 - z) / eps_x * d * dhat * L.first,
                m * dhat * dhat * curvature_by_distance(L, D)};
        else if (mode == HessianMode::analytic_unmollified)
            M = {0, 0, m * dhat * dhat * curvature_by_distance(L, D)};
        else {
            // z and D / dhat², or d / dhat for a law of the plain distance
            const bool is_squared = kind == DistanceKind::squared;
            by_s = 2 * s / eps_x;
            if (is_squared)
                by_d = 2 * d / (dhat * dhat);
            const double L_y = is_squared ? dhat * dhat * L.first : 2 * d * dhat * L.first;
            const double L_yy = dhat * dhat * (is_squared ? dhat * dhat * L.second : curvature_by_distance(L, D));
            M = {-2 * L.value, 2 * (1 - z) * L_y, m * L_yy};
        }
        const Symmetric2x2 P = clamped_to_psd(M);
        hessian.K = {by_s * by_s * P.xx, by_s * by_d * P.xy, by_d * by_d * P.yy};
        return hessian;
    }

    /// Calls store(block) for the 3 x 3 blocks i >= j, row by row.
    template <typename Store>
    void expand(Store&& store) const
    {
        const Mat<3, 4> by_s = K.xx * s_gradient + K.xy * d_gradient, by_d = K.xy * s_gradient + K.yy * d_gradient;
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j <= i; ++j)
                store(Mat<3, 3>(
                    s_gradient.col(i) * by_s.col(j).transpose() + d_gradient.col(i) * by_d.col(j).transpose()));
    }
};

} // namespace abut
