#pragma once
// Arithmetic of 3 x 3 blocks, column by column.

#include <cmath>

namespace abut {

/// The inverse of a symmetric block by its Cholesky factor; false where it is not positive definite.
inline bool invert(const double* A, double* inverse)
{
    // A = L Lᵀ, from the lower triangle; M = L⁻¹
    const double l00 = std::sqrt(A[0]), l10 = A[1] / l00, l20 = A[2] / l00;
    const double d1 = A[4] - l10 * l10, l11 = std::sqrt(d1), l21 = (A[5] - l20 * l10) / l11;
    const double d2 = A[8] - l20 * l20 - l21 * l21, l22 = std::sqrt(d2);
    // What is left of a pivot below its rounding is noise.
    constexpr double rounding = 1e-14;
    if (!(A[0] > 0 && d1 > rounding * A[4] && d2 > rounding * A[8] && std::isfinite(l22) && std::isfinite(l00)))
        return false;
    const double m00 = 1 / l00, m11 = 1 / l11, m22 = 1 / l22;
    const double m10 = -l10 * m00 * m11, m21 = -l21 * m11 * m22, m20 = -(l20 * m00 + l21 * m10) * m22;
    inverse[0] = m00 * m00 + m10 * m10 + m20 * m20;
    inverse[1] = inverse[3] = m10 * m11 + m20 * m21;
    inverse[2] = inverse[6] = m20 * m22;
    inverse[4] = m11 * m11 + m21 * m21;
    inverse[5] = inverse[7] = m21 * m22;
    inverse[8] = m22 * m22;
    return true;
}

/// C −= A Bᵀ
inline void subtract_times_transposed(const double* A, const double* B, double* C)
{
    for (int b = 0; b < 3; ++b)
        for (int k = 0; k < 3; ++k)
            for (int a = 0; a < 3; ++a)
                C[3 * b + a] -= A[3 * k + a] * B[3 * k + b];
}

/// C = A B
inline void multiply_blocks(const double* A, const double* B, double* C)
{
    for (int b = 0; b < 3; ++b)
        for (int a = 0; a < 3; ++a)
            C[3 * b + a] = A[a] * B[3 * b] + A[3 + a] * B[3 * b + 1] + A[6 + a] * B[3 * b + 2];
}

} // namespace abut
