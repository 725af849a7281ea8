#pragma once
// Symmetric 2 x 2 matrices made positive semidefinite in closed form.

#include "abut/base/assert.hpp"

#include <cmath>

namespace abut {

/// [ xx xy ; xy yy ]
struct Symmetric2x2 {
    double xx, xy, yy;
};

/// The matrix with its negative eigenvalues set to zero. Where the units of x and y differ by far, so do the entries:
/// each keeps its own relative accuracy, because nothing is subtracted from the larger eigenvalue.
inline Symmetric2x2 clamped_to_psd(const Symmetric2x2& M)
{
    const double trace = M.xx + M.yy, determinant = M.xx * M.yy - M.xy * M.xy;
    if (determinant >= 0)
        return trace >= 0 ? M : Symmetric2x2{0, 0, 0};
    // One eigenvalue of each sign. The eigenvector of the positive one is (λ − yy, xy) or (xy, λ − xx): take the
    // formula that does not cancel.
    const double half = (M.xx - M.yy) / 2, root = std::hypot(half, M.xy);
    const double x = half >= 0 ? half + root : M.xy, y = half >= 0 ? M.xy : root - half;
    // λ = trace / 2 + root; where that cancels, the product of both eigenvalues divided by the other one
    const double lambda = trace >= 0 ? trace / 2 + root : determinant / (trace / 2 - root);
    ABUT_ASSERT(!(lambda < 0));
    const double factor = lambda / (x * x + y * y);
    return {factor * x * x, factor * x * y, factor * y * y};
}

} // namespace abut
