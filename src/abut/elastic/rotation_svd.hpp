#pragma once
// The singular value decomposition of a deformation gradient by two rotations: F = U diag(sigma) Vᵀ.
//
// Notation: F is Rows x Cols (3 x 3, 2 x 2, or 3 x 2 for sheets), U a rotation of Rows x Rows, V one of Cols x Cols.
// sigma_1 >= sigma_2 >= |sigma_3| up to rounding; a square F has the sign of its determinant in the last stretch, a
// sheet has none.
//
// One-sided Jacobi (Hestenes 1958): the columns of B = F V are rotated in pairs until they are orthogonal; they are
// then the columns of U times sigma. Angles come from the columns themselves and never from FᵀF, so that small
// stretches keep their relative accuracy (Demmel, Veselić, "Jacobi's method is more accurate than QR", 1992). The last
// column of U is the cross product of the others, whatever length is left for it: singular F need no special case.
// A lane that has converged keeps its bits while others go on.

#include "abut/elastic/lane_matrix.hpp"

#include <limits>

namespace abut {

template <int Rows, int Cols>
struct RotationSvd {
    LaneMatrix<Rows, Rows> U;
    Lanes sigma[Cols];
    LaneMatrix<Cols, Cols> V;
};

namespace detail {

template <int Rows, int Cols>
Lanes dot_columns(const LaneMatrix<Rows, Cols>& B, int p, int q)
{
    Lanes sum = B(0, p) * B(0, q);
    for (int r = 1; r < Rows; ++r)
        sum += B(r, p) * B(r, q);
    return sum;
}

/// Orthogonal columns of B = F V by rotations of V.
template <int Rows, int Cols>
void orthogonalize_columns(LaneMatrix<Rows, Cols>& B, LaneMatrix<Cols, Cols>& V)
{
    // A cosine between columns of twice eps is what rounding leaves; Jacobi's rotations get there in four or five
    // sweeps, in rare cases six. The limit is there for infinities.
    constexpr double eps = std::numeric_limits<double>::epsilon(), squared_tolerance = 4 * eps * eps;
    constexpr int max_sweeps = 16;
    bool is_orthogonal = false;
    for (int sweep = 0; sweep < max_sweeps && !is_orthogonal; ++sweep) {
        is_orthogonal = true;
        for (int p = 0; p < Cols; ++p)
            for (int q = p + 1; q < Cols; ++q) {
                const Lanes alpha = dot_columns(B, p, p), beta = dot_columns(B, q, q), gamma = dot_columns(B, p, q);
                const auto is_oblique = gamma * gamma > squared_tolerance * (alpha * beta);
                if (!any(is_oblique))
                    continue;
                is_orthogonal = false;
                // The smaller of the two angles, by its tangent 2 gamma / (delta + sign(delta) √(delta² + 4 gamma²)).
                const Lanes twice = gamma + gamma, delta = beta - alpha;
                const Lanes root = sqrt(delta * delta + twice * twice);
                const Lanes tangent = twice / (absolute(delta) + root + std::numeric_limits<double>::min());
                const Lanes t = is_oblique ? (delta < 0 ? -tangent : tangent) : Lanes{};
                const Lanes c = 1 / sqrt(1 + t * t), s = c * t;
                const auto rotate = [&](Lanes& left, Lanes& right) {
                    const Lanes old = left;
                    left = c * old - s * right;
                    right = s * old + c * right;
                };
                for (int r = 0; r < Rows; ++r)
                    rotate(B(r, p), B(r, q));
                for (int r = 0; r < Cols; ++r)
                    rotate(V(r, p), V(r, q));
            }
    }
}

/// Swaps columns p and q where the second is longer; one of them turns around, so that V stays a rotation.
template <int Rows, int Cols>
void sort_columns(LaneMatrix<Rows, Cols>& B, LaneMatrix<Cols, Cols>& V, int p, int q)
{
    const auto is_ascending = dot_columns(B, p, p) < dot_columns(B, q, q);
    const auto swap = [&](Lanes& left, Lanes& right) {
        const Lanes old = left;
        left = is_ascending ? right : left;
        right = is_ascending ? -old : right;
    };
    for (int r = 0; r < Rows; ++r)
        swap(B(r, p), B(r, q));
    for (int r = 0; r < Cols; ++r)
        swap(V(r, p), V(r, q));
}

/// A unit vector across u (Duff et al., "Building an orthonormal basis, revisited", 2017).
inline void orthogonal_unit(const Lanes (&u)[3], Lanes (&v)[3])
{
    const Lanes sign = u[2] < 0 ? broadcast(-1) : broadcast(1), a = -1 / (sign + u[2]);
    v[0] = 1 + sign * u[0] * u[0] * a;
    v[1] = sign * u[0] * u[1] * a;
    v[2] = -sign * u[0];
}

} // namespace detail

template <int Rows, int Cols>
RotationSvd<Rows, Cols> rotation_svd(const LaneMatrix<Rows, Cols>& F)
{
    static_assert((Rows == 3 && (Cols == 2 || Cols == 3)) || (Rows == 2 && Cols == 2));
    RotationSvd<Rows, Cols> svd;
    auto& [U, sigma, V] = svd;
    LaneMatrix<Rows, Cols> B = F;
    for (int i = 0; i < Cols; ++i)
        for (int j = 0; j < Cols; ++j)
            V(i, j) = broadcast(i == j ? 1 : 0);
    detail::orthogonalize_columns(B, V);
    detail::sort_columns(B, V, 0, 1);
    if constexpr (Cols == 3) {
        detail::sort_columns(B, V, 1, 2);
        detail::sort_columns(B, V, 0, 1);
    }

    // Columns whose squared length underflows are zero; any direction serves.
    constexpr double tiny = std::numeric_limits<double>::min();
    Lanes u[Rows];
    const Lanes squared_first = detail::dot_columns(B, 0, 0), first = sqrt(squared_first);
    for (int r = 0; r < Rows; ++r)
        u[r] = squared_first > tiny ? B(r, 0) / first : broadcast(r == 0 ? 1 : 0);
    for (int r = 0; r < Rows; ++r)
        U(r, 0) = u[r];
    sigma[0] = first;

    if constexpr (Rows == 2) {
        U(0, 1) = -u[1];
        U(1, 1) = u[0];
        sigma[1] = U(0, 1) * B(0, 1) + U(1, 1) * B(1, 1);
    } else {
        const Lanes squared_second = detail::dot_columns(B, 1, 1), second = sqrt(squared_second);
        Lanes any_direction[3];
        detail::orthogonal_unit(u, any_direction);
        for (int r = 0; r < 3; ++r)
            U(r, 1) = squared_second > tiny ? B(r, 1) / second : any_direction[r];
        sigma[1] = second;
        for (int r = 0; r < 3; ++r) {
            const int s = (r + 1) % 3, t = (r + 2) % 3;
            U(r, 2) = U(s, 0) * U(t, 1) - U(t, 0) * U(s, 1);
        }
        if constexpr (Cols == 3)
            sigma[2] = U(0, 2) * B(0, 2) + U(1, 2) * B(1, 2) + U(2, 2) * B(2, 2);
    }
    return svd;
}

} // namespace abut
