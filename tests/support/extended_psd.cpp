#include "support/extended_psd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut::test {

ExtendedMatrix clamped_to_psd(ExtendedMatrix A)
{
    const Eigen::Index n = A.rows();
    ExtendedMatrix V = ExtendedMatrix::Identity(n, n); // V A Vᵀ is the given matrix
    const long double negligible = std::numeric_limits<long double>::epsilon() * A.norm() / static_cast<long double>(n);
    // Each rotation makes one pair of entries zero; the rest shrinks to nothing within a few sweeps.
    for (int sweep = 0; sweep < 30; ++sweep)
        for (Eigen::Index p = 0; p < n; ++p)
            for (Eigen::Index q = p + 1; q < n; ++q) {
                if (std::abs(A(p, q)) <= negligible)
                    continue;
                const long double cot = (A(q, q) - A(p, p)) / (2 * A(p, q)); // of twice the angle
                const long double t = (cot < 0 ? -1 : 1) / (std::abs(cot) + std::hypot(cot, 1.0L));
                const long double c = 1 / std::hypot(t, 1.0L), s = t * c;
                for (Eigen::Index k = 0; k < n; ++k) {
                    const long double x = A(k, p), y = A(k, q);
                    A(k, p) = c * x - s * y;
                    A(k, q) = s * x + c * y;
                }
                for (Eigen::Index k = 0; k < n; ++k) {
                    const long double x = A(p, k), y = A(q, k);
                    A(p, k) = c * x - s * y;
                    A(q, k) = s * x + c * y;
                    const long double u = V(k, p), v = V(k, q);
                    V(k, p) = c * u - s * v;
                    V(k, q) = s * u + c * v;
                }
                A(p, q) = A(q, p) = 0;
            }
    ExtendedMatrix projected = ExtendedMatrix::Zero(n, n);
    for (Eigen::Index k = 0; k < n; ++k)
        projected += std::max(A(k, k), 0.0L) * V.col(k) * V.col(k).transpose();
    return projected;
}

} // namespace abut::test
