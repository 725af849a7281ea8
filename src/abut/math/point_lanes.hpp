#pragma once
// Points of space, one per lane, from and to arrays of three or four numbers each.
//
// Layout and size depend on the instruction set, as Lanes do: for source files of the library, not for its interfaces.

#include "abut/math/lanes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace abut {

struct PointLanes {
    Lanes x, y, z;
};

inline PointLanes operator-(const PointLanes& a, const PointLanes& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline PointLanes operator-(const PointLanes& a) { return {-a.x, -a.y, -a.z}; }
inline PointLanes operator+(const PointLanes& a, const PointLanes& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline PointLanes operator*(Lanes s, const PointLanes& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Lanes dot(const PointLanes& a, const PointLanes& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
/// b where the mask of a comparison holds, else a.
template <typename Mask>
PointLanes choose(const Mask& mask, const PointLanes& b, const PointLanes& a)
{
    return {mask ? b.x : a.x, mask ? b.y : a.y, mask ? b.z : a.z};
}
inline PointLanes cross(const PointLanes& a, const PointLanes& b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

#ifdef __AVX__
namespace detail {
/// Four rows, turned into columns.
inline PointLanes columns_of(__m256d p, __m256d q, __m256d r, __m256d s)
{
    const __m256d low = _mm256_unpacklo_pd(p, q), high = _mm256_unpackhi_pd(p, q);
    const __m256d other_low = _mm256_unpacklo_pd(r, s), other_high = _mm256_unpackhi_pd(r, s);
    return {
        static_cast<Lanes>(_mm256_permute2f128_pd(low, other_low, 0x20)),
        static_cast<Lanes>(_mm256_permute2f128_pd(high, other_high, 0x20)),
        static_cast<Lanes>(_mm256_permute2f128_pd(low, other_low, 0x31))};
}
/// All but the fourth number of a row.
inline __m256i three_of_four() { return _mm256_setr_epi64x(-1, -1, -1, 0); }
} // namespace detail
#endif

/// The points of these numbers, of four numbers each.
inline PointLanes load_points(const double* points, const int* numbers)
{
#ifdef __AVX__
    return detail::columns_of(
        _mm256_loadu_pd(points + 4 * std::size_t(numbers[0])), _mm256_loadu_pd(points + 4 * std::size_t(numbers[1])),
        _mm256_loadu_pd(points + 4 * std::size_t(numbers[2])), _mm256_loadu_pd(points + 4 * std::size_t(numbers[3])));
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

/// The points of these numbers, of three numbers each, from one to the next `stride` of them. Reads nothing else.
inline PointLanes load_points(const double* points, std::ptrdiff_t stride, const int* numbers)
{
#ifdef __AVX__
    const auto row = [&](int lane) {
        return _mm256_maskload_pd(points + stride * numbers[lane], detail::three_of_four());
    };
    return detail::columns_of(row(0), row(1), row(2), row(3));
#else
    PointLanes result;
    for (int lane = 0; lane < num_lanes; ++lane) {
        const double* point = points + stride * numbers[lane];
        result.x[lane] = point[0];
        result.y[lane] = point[1];
        result.z[lane] = point[2];
    }
    return result;
#endif
}

/// Calls visit(lane, row) with the points as rows of four numbers, the last 0, for the first `count` lanes.
template <typename Visit>
void for_each_row(const PointLanes& points, int count, Visit&& visit)
{
#ifdef __AVX__
    const auto x = static_cast<__m256d>(points.x), y = static_cast<__m256d>(points.y);
    const auto z = static_cast<__m256d>(points.z), none = _mm256_setzero_pd();
    const __m256d xy_even = _mm256_unpacklo_pd(x, y), xy_odd = _mm256_unpackhi_pd(x, y);
    const __m256d z_even = _mm256_unpacklo_pd(z, none), z_odd = _mm256_unpackhi_pd(z, none);
    visit(0, _mm256_permute2f128_pd(xy_even, z_even, 0x20));
    if (count > 1)
        visit(1, _mm256_permute2f128_pd(xy_odd, z_odd, 0x20));
    if (count > 2)
        visit(2, _mm256_permute2f128_pd(xy_even, z_even, 0x31));
    if (count > 3)
        visit(3, _mm256_permute2f128_pd(xy_odd, z_odd, 0x31));
#else
    for (int lane = 0; lane < count; ++lane)
        visit(lane, std::array{points.x[lane], points.y[lane], points.z[lane], 0.0});
#endif
}

/// The first `count` points as rows of three numbers, from one to the next `stride` of them. Writes nothing else.
inline void store_points(const PointLanes& points, int count, double* rows, std::ptrdiff_t stride)
{
    for_each_row(points, count, [&](int lane, const auto& row) {
#ifdef __AVX__
        _mm256_maskstore_pd(rows + stride * lane, detail::three_of_four(), row);
#else
        std::copy_n(row.data(), 3, rows + stride * lane);
#endif
    });
}

/// Adds the first `count` points to the rows of these numbers, of four numbers each.
inline void add_points(const PointLanes& points, int count, double* rows, const int* numbers)
{
    for_each_row(points, count, [&](int lane, const auto& row) {
        double* to = rows + 4 * std::size_t(numbers[lane]);
#ifdef __AVX__
        _mm256_storeu_pd(to, _mm256_add_pd(_mm256_loadu_pd(to), row));
#else
        for (int a = 0; a < 4; ++a)
            to[a] += row[a];
#endif
    });
}

} // namespace abut
