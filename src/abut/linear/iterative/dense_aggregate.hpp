#pragma once
// The dense inverse of the part of a matrix that belongs to an aggregate: at most sixteen rows of three unknowns,
// filled up with the identity, so that all loops have one length.

#include <cmath>
#include <cstring>

namespace abut {

struct DenseAggregate {
    static constexpr int size = 48;

    /// The inverse of a symmetric matrix in place, of which columns from the diagonal on are read and written. By
    /// sweeps (Goodnight 1979): each exchanges an unknown for its right side, and its pivot is that of the Cholesky
    /// factorisation. False where one is not positive.
    [[nodiscard]] static bool invert(double* A)
    {
        double pivots[size], scaled[size];
        for (int k = 0; k < size; ++k) {
            const double pivot = A[k * size + k];
            if (!(pivot > 0) || !std::isfinite(pivot))
                return false;
            for (int i = 0; i < size; ++i)
                pivots[i] = i < k ? A[i * size + k] : A[k * size + i];
            pivots[k] = 0;
            const double inverse = 1 / pivot;
            for (int i = 0; i < size; ++i)
                scaled[i] = pivots[i] * inverse;
            for (int j = 0; j < size; ++j) {
                double* column = A + j * size;
                for (int i = j / 4 * 4; i < size; ++i) // some above the diagonal, for even loops
                    column[i] -= pivots[j] * scaled[i];
            }
            for (int i = 0; i < size; ++i)
                (i < k ? A[i * size + k] : A[k * size + i]) = scaled[i];
            A[k * size + k] = -inverse;
        }
        for (int k = 0; k < size * size; ++k)
            A[k] = -A[k];
        return true;
    }

    /// z = inverse r
    static void apply(const float* inverse, const float* r, float* z)
    {
        using Eight = float __attribute__((vector_size(32)));
        constexpr int parts = size / 8;
        Eight sums[parts] = {};
        for (int j = 0; j < size; ++j)
            for (int part = 0; part < parts; ++part) {
                Eight column;
                std::memcpy(&column, inverse + j * size + 8 * part, sizeof column);
                sums[part] += column * r[j];
            }
        std::memcpy(z, sums, sizeof sums);
    }
};

} // namespace abut
