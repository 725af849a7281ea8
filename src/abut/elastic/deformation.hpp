#pragma once
// An isotropic energy density as a function of the deformation gradient: stress and Hessian from the principal
// stretches, by the Hessian's analytic eigensystem.
//
// Notation: F = U diag(sigma) Vᵀ as in rotation_svd.hpp, phi(sigma) with flips and twists as in isotropic.hpp, u_i and
// v_i the columns of U and V. The stress is P = dpsi/dF = U diag(phi_i) Vᵀ. d²psi/dF² maps
//
//   the span of u_i v_iᵀ          to itself, by the matrix phi_ij
//   (u_i v_jᵀ + u_j v_iᵀ) / √2    to flip_ij = (phi_i - phi_j) / (sigma_i - sigma_j) times itself
//   (u_i v_jᵀ - u_j v_iᵀ) / √2    to twist_ij = (phi_i + phi_j) / (sigma_i + sigma_j) times itself
//   n v_iᵀ, n normal to a sheet   to phi_i / sigma_i times itself
//
// Smith, de Goes, Kim, "Analytic eigensystems for isotropic distortion energies", 2019, in invariants; Zhu, "Eigenvalue
// and eigenvector computation of isotropic energies", 2021, in stretches, as here. The Hessian is projected to positive
// semidefinite on these parts: the 2 x 2 or 3 x 3 block numerically, the rest one by one.
//
// In the frames U and V the Hessian has so few entries that its contraction with two vectors, d²psi/dF² : (. w_i)(.
// w_j), is a handful of products; an element needs one for each pair of its corners.

#include "abut/elastic/isotropic.hpp"
#include "abut/elastic/rotation_svd.hpp"
#include "abut/elastic/simplex_lanes.hpp"
#include "abut/linear/term_output.hpp"

#include <algorithm>

namespace abut {

/// P = U diag(phi_i) Vᵀ.
template <int Rows, int Cols>
LaneMatrix<Rows, Cols> stress(const RotationSvd<Rows, Cols>& svd, const StretchTerm<Cols>& phi)
{
    LaneMatrix<Rows, Cols> P;
    for (int r = 0; r < Rows; ++r)
        for (int c = 0; c < Cols; ++c) {
            P(r, c) = svd.U(r, 0) * phi.first[0] * svd.V(c, 0);
            for (int i = 1; i < Cols; ++i)
                P(r, c) += svd.U(r, i) * phi.first[i] * svd.V(c, i);
        }
    return P;
}

/// d²psi/dF² in the frames U and V, times a factor.
template <int Rows, int Cols>
class DeformationHessian {
public:
    /// From the second derivatives of phi, projected; the projection overwrites those of phi.
    DeformationHessian(StretchTerm<Cols>& phi, Lanes factor, PSDProjectionMethod projection)
    {
        if (!is_surely_positive(phi.second))
            project_to_psd(phi.second, projection);
        for (int i = 0; i < Cols; ++i)
            for (int j = 0; j < Cols; ++j)
                scaling_[i][j] = factor * phi.second.entries[i][j];
        for (int k = 0; k < num_pairs; ++k) {
            const Lanes flip = factor * projected(phi.flip[k], projection);
            const Lanes twist = factor * projected(phi.twist[k], projection);
            same_[k] = 0.5 * (flip + twist);
            other_[k] = 0.5 * (flip - twist);
        }
        if constexpr (is_sheet)
            for (int i = 0; i < Cols; ++i)
                normal_[i] = factor * projected(phi.out_of_plane[i], projection);
    }

    /// M in U M Uᵀ = Σ_bd (d²psi / dF_ab dF_cd) g_b h_d, for v = Vᵀ g and w = Vᵀ h.
    [[nodiscard]] LaneMatrix<Rows, Rows> contract(const Lanes (&v)[Cols], const Lanes (&w)[Cols]) const
    {
        LaneMatrix<Rows, Rows> M;
        if constexpr (is_sheet) {
            for (int i = 0; i < Cols; ++i)
                M(i, Cols) = M(Cols, i) = Lanes{};
            M(Cols, Cols) = normal_[0] * (v[0] * w[0]) + normal_[1] * (v[1] * w[1]);
        }
        Lanes square[Cols];
        for (int i = 0; i < Cols; ++i) {
            square[i] = v[i] * w[i];
            M(i, i) = scaling_[i][i] * square[i];
        }
        for (int k = 0; k < num_pairs; ++k) {
            const auto [i, j] = PairCorners<Cols>(k);
            M(i, i) += same_[k] * square[j];
            M(j, j) += same_[k] * square[i];
            const Lanes ij = v[i] * w[j], ji = v[j] * w[i];
            M(i, j) = scaling_[i][j] * ij + other_[k] * ji;
            M(j, i) = scaling_[i][j] * ji + other_[k] * ij;
        }
        return M;
    }

private:
    static constexpr bool is_sheet = Rows > Cols;
    static constexpr int num_pairs = StretchTerm<Cols>::num_pairs;

    /// Has no lane a negative eigenvalue, by far more than rounding? Then projections change nothing, as nearly always
    /// of sheets.
    static bool is_surely_positive(const SymmetricLanes<Cols>& A)
    {
        if constexpr (Cols == 2) {
            constexpr double margin = 1e-9; // of the product of the diagonal
            const Lanes product = A.entries[0][0] * A.entries[1][1], across = A.entries[0][1];
            const auto is_positive = (A.entries[0][0] > 0) & (product > 0) & (across * across < (1 - margin) * product);
            return !any(~is_positive);
        }
        return false;
    }

    static Lanes projected(Lanes eigenvalue, PSDProjectionMethod projection)
    {
        if (projection == PSDProjectionMethod::none)
            return eigenvalue;
        return eigenvalue < 0 ? (projection == PSDProjectionMethod::abs ? -eigenvalue : Lanes{}) : eigenvalue;
    }

    Lanes scaling_[Cols][Cols];
    Lanes same_[num_pairs], other_[num_pairs]; ///< of u_i v_jᵀ with itself, and with u_j v_iᵀ
    Lanes normal_[is_sheet ? Cols : 1];
};

/// U M Uᵀ.
template <int N>
LaneMatrix<N, N> rotated(const LaneMatrix<N, N>& U, const LaneMatrix<N, N>& M)
{
    LaneMatrix<N, N> UM, result;
    for (int a = 0; a < N; ++a)
        for (int c = 0; c < N; ++c) {
            UM(a, c) = U(a, 0) * M(0, c);
            for (int b = 1; b < N; ++b)
                UM(a, c) += U(a, b) * M(b, c);
        }
    for (int a = 0; a < N; ++a)
        for (int c = 0; c < N; ++c) {
            result(a, c) = UM(a, 0) * U(c, 0);
            for (int b = 1; b < N; ++b)
                result(a, c) += UM(a, b) * U(c, b);
        }
    return result;
}

/// The Hessian's block U M_ij Uᵀ of each pair of corners i >= j, where M_ij contracts `hessian` with Vᵀ g_i and Vᵀ g_j.
template <int Dim, int D>
void store_blocks(
    const RestLanes<D>& rest, const RotationSvd<Dim, D>& svd, const DeformationHessian<Dim, D>& hessian, int count,
    double* to)
{
    Lanes w[D][D]; // Vᵀ g_i
    for (int i = 0; i < D; ++i)
        for (int b = 0; b < D; ++b) {
            w[i][b] = svd.V(0, b) * rest.g[i][0];
            for (int c = 1; c < D; ++c)
                w[i][b] += svd.V(c, b) * rest.g[i][c];
        }
    store_blocks<Dim, D>([&](int i, int j) { return rotated(svd.U, hessian.contract(w[i - 1], w[j - 1])); }, count, to);
}

/// A group of elements with the rest shapes `rest`, the first of all in `stencils`: what is asked for goes to the
/// places of the group. law(sigma, order, phi) writes phi; no_derivative(element) is called where the value is infinite
/// and derivatives are asked for.
template <int Dim, int D, typename Law, typename NoDerivative>
void evaluate_group(
    const ConstPositions& x, const TermOutput& out, const Stencils& stencils, std::size_t group,
    const RestLanes<D>& rest, const Law& law, const NoDerivative& no_derivative)
{
    const std::size_t first = group * num_lanes;
    ABUT_ASSERT(first < stencils.size());
    const int count = static_cast<int>(std::min<std::size_t>(num_lanes, stencils.size() - first));
    const Order order = out.order();
    const RotationSvd<Dim, D> svd = rotation_svd(deformation_gradient<Dim>(x, stencils, first, count, rest));
    StretchTerm<D> phi;
    law(svd.sigma, order, phi);
    if (out.values != nullptr) {
        const Lanes values[1]{rest.volume * phi.value};
        store_lanes(values, count, out.values + first);
    }
    if (order == Order::value)
        return;
    for (int lane = 0; lane < count; ++lane)
        if (std::isinf(phi.value[lane]))
            no_derivative(first + lane);

    if (out.gradients != nullptr)
        store_gradients(rest, stress(svd, phi), count, out.gradients + first * ((D + 1) * Dim));
    if (out.blocks != nullptr) {
        const DeformationHessian<Dim, D> hessian(phi, rest.volume, projection_of(out.hessian));
        store_blocks(rest, svd, hessian, count, out.blocks + first * (num_hessian_blocks<D> * Dim * Dim));
    }
}

/// psi(F) of one deformation gradient, with derivatives by its entries column by column. Elements go through the parts
/// above, a few at once.
template <int Rows, int Cols>
struct DeformationTerm {
    double value = 0;
    Mat<Rows, Cols> stress;
    Mat<Rows * Cols, Rows * Cols> hessian;
};

template <int Rows, int Cols>
DeformationTerm<Rows, Cols> deformation_energy(
    ElasticModel model, const LameParameters& lame, const Mat<Rows, Cols>& F, Order order,
    PSDProjectionMethod projection = PSDProjectionMethod::none)
{
    LaneMatrix<Rows, Cols> lanes;
    for (int lane = 0; lane < num_lanes; ++lane)
        lanes.set(lane, F);
    const auto svd = rotation_svd(lanes);
    StretchTerm<Cols> phi;
    stretch_energy<Cols>(model, {broadcast(lame.mu), broadcast(lame.lambda)}, svd.sigma, order, phi);
    DeformationTerm<Rows, Cols> psi;
    psi.value = phi.value[0];
    if (order >= Order::gradient)
        psi.stress = stress(svd, phi).get(0);
    if (order >= Order::hessian) {
        const DeformationHessian<Rows, Cols> hessian(phi, broadcast(1), projection);
        // Row j of V is Vᵀ e_j.
        for (int i = 0; i < Cols; ++i)
            for (int j = 0; j < Cols; ++j)
                psi.hessian.template block<Rows, Rows>(i * Rows, j * Rows) =
                    rotated(svd.U, hessian.contract(svd.V.entries[i], svd.V.entries[j])).get(0);
    }
    return psi;
}

} // namespace abut
