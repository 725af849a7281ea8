#pragma once
// Points of space, one per lane, from an array of four numbers each.
//
// Layout and size depend on the instruction set, as Lanes do: for source files of the library, not for its interfaces.

#include "abut/math/lanes.hpp"

#include <cstddef>

namespace abut {

struct PointLanes {
    Lanes x, y, z;
};

inline PointLanes operator-(const PointLanes& a, const PointLanes& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline PointLanes operator+(const PointLanes& a, const PointLanes& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline PointLanes operator*(Lanes s, const PointLanes& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Lanes dot(const PointLanes& a, const PointLanes& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline PointLanes cross(const PointLanes& a, const PointLanes& b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// The points of these numbers.
inline PointLanes load_points(const double* points, const int* numbers)
{
#ifdef __AVX__
    // Four rows, turned into columns
    const __m256d p = _mm256_loadu_pd(points + 4 * std::size_t(numbers[0]));
    const __m256d q = _mm256_loadu_pd(points + 4 * std::size_t(numbers[1]));
    const __m256d r = _mm256_loadu_pd(points + 4 * std::size_t(numbers[2]));
    const __m256d s = _mm256_loadu_pd(points + 4 * std::size_t(numbers[3]));
    const __m256d low = _mm256_unpacklo_pd(p, q), high = _mm256_unpackhi_pd(p, q);
    const __m256d other_low = _mm256_unpacklo_pd(r, s), other_high = _mm256_unpackhi_pd(r, s);
    return {
        static_cast<Lanes>(_mm256_permute2f128_pd(low, other_low, 0x20)),
        static_cast<Lanes>(_mm256_permute2f128_pd(high, other_high, 0x20)),
        static_cast<Lanes>(_mm256_permute2f128_pd(low, other_low, 0x31))};
#else
    PointLanes result;
    for (int lane = 0; lane < num_lanes; ++lane) {
        const double* point = points + 4 * std::size_t(numbers[lane]);
        result.x[lane] = point[0];
        result.y[lane] = point[1];
        result.z[lane] = point[2];
    }
    return result;
#endif
}

} // namespace abut
