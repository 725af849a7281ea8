#pragma once
// The dense inverse of the part of a matrix that belongs to an aggregate: at most sixteen rows of three unknowns,
// filled up with the identity to a multiple of eight, so that all loops have one of six lengths.

#include "abut/base/assert.hpp"

#include <cmath>
#include <cstring>

namespace abut {

namespace dense_aggregate {

constexpr int largest = 48;
constexpr int lane = 8;

/// The size of an aggregate of so many unknowns, filled up.
[[nodiscard]] constexpr int filled_up(int unknowns) { return (unknowns + lane - 1) / lane * lane; }

/// The inverse of a symmetric matrix in place, of which columns from the diagonal on are read and written. By
/// sweeps (Goodnight 1979): each exchanges an unknown for its right side, and its pivot is that of the Cholesky
/// factorisation. False where one is not positive.
template <int size>
[[nodiscard]] bool invert(double* A)
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
template <int size>
void apply(const float* inverse, const float* r, float* z)
{
    using Eight = float __attribute__((vector_size(32)));
    constexpr int parts = size / lane;
    Eight sums[parts] = {};
    for (int j = 0; j < size; ++j)
        for (int part = 0; part < parts; ++part) {
            Eight column;
            std::memcpy(&column, inverse + j * size + lane * part, sizeof column);
            sums[part] += column * r[j];
        }
    std::memcpy(z, sums, sizeof sums);
}

/// Calls body.template operator()<size>() for a size that is filled up.
template <typename Body>
decltype(auto) with_size(int size, Body&& body)
{
    switch (size) {
    case 8:
        return body.template operator()<8>();
    case 16:
        return body.template operator()<16>();
    case 24:
        return body.template operator()<24>();
    case 32:
        return body.template operator()<32>();
    case 40:
        return body.template operator()<40>();
    default:
        ABUT_ASSERT(size == largest);
        return body.template operator()<largest>();
    }
}

} // namespace dense_aggregate

} // namespace abut
