#pragma once
// The dense inverse of the part of a matrix that belongs to an aggregate: at most sixteen rows of three unknowns,
// filled up with the identity, so that all loops have one length.

#include <cmath>

namespace abut {

struct DenseAggregate {
    static constexpr int size = 48;

    /// The inverse of a symmetric matrix in place, column by column, by elimination after Gauss and Jordan without
    /// exchanges, whose pivots are those of the Cholesky factorisation. False where one is not positive.
    [[nodiscard]] static bool invert(double* A)
    {
        for (int k = 0; k < size; ++k) {
            double* pivots = A + k * size;
            const double pivot = pivots[k];
            if (!(pivot > 0) || !std::isfinite(pivot))
                return false;
            const double inverse = 1 / pivot;
            pivots[k] = 1;
            for (int i = 0; i < size; ++i)
                pivots[i] *= inverse;
            for (int j = 0; j < size; ++j) {
                if (j == k)
                    continue;
                double* column = A + j * size;
                const double factor = column[k];
                for (int i = 0; i < size; ++i)
                    column[i] -= factor * pivots[i];
                column[k] = factor * inverse;
            }
            // In column k, the entries beside the pivot change their sign.
            for (int i = 0; i < size; ++i)
                if (i != k)
                    pivots[i] = -pivots[i];
        }
        return true;
    }

    /// z = inverse r
    static void apply(const float* inverse, const float* r, float* z)
    {
        float sums[size] = {};
        for (int j = 0; j < size; ++j)
            for (int i = 0; i < size; ++i)
                sums[i] += inverse[j * size + i] * r[j];
        for (int i = 0; i < size; ++i)
            z[i] = sums[i];
    }
};

} // namespace abut
