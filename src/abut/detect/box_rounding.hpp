#pragma once
// Boxes of doubles as boxes of floats about an origin, rounded outward: two ulps of a float, and of a double for the
// difference. Rounding keeps order: the box around several boxes, rounded, is the one around the rounded ones.

#include "abut/detect/box.hpp"
#include "abut/math/box8.hpp"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace abut {

inline BoxF rounded_box(const Box& box, const Vec3& origin)
{
    BoxF rounded;
    for (int axis = 0; axis < 3; ++axis) {
        constexpr double ulp = std::numeric_limits<double>::epsilon();
        const double lo = box.lo[axis] - origin[axis], hi = box.hi[axis] - origin[axis];
        rounded.lo[axis] = round_down(lo - ulp * std::abs(lo));
        rounded.hi[axis] = round_up(hi + ulp * std::abs(hi));
    }
    return rounded;
}

#ifdef __AVX2__

/// The same, all numbers of a box at once: -lo and hi, which both grow outward.
class BoxRounding {
public:
    explicit BoxRounding(const Vec3& origin)
        : origin_of_lo_(_mm256_setr_pd(origin[0], origin[1], origin[2], 0)),
          origin_of_hi_(_mm256_setr_pd(0, origin[0], origin[1], origin[2]))
    {}

    /// -lo in the first three places, hi in the last three of eight; the others are not defined.
    [[nodiscard]] __m256 operator()(const Box& box) const
    {
        static_assert(sizeof(Box) == 6 * sizeof(double));
        const double* numbers = box.lo.data();
        const __m256d lo = _mm256_loadu_pd(numbers), hi = _mm256_loadu_pd(numbers + 2);
        return _mm256_set_m128(outward(_mm256_sub_pd(hi, origin_of_hi_)), outward(_mm256_sub_pd(origin_of_lo_, lo)));
    }

private:
    /// Floats that are not below these numbers.
    static __m128 outward(__m256d x)
    {
        const __m256d sign = _mm256_set1_pd(-0.0), largest = _mm256_set1_pd(largest_float);
        const __m256d grown = _mm256_add_pd(
            x, _mm256_mul_pd(_mm256_set1_pd(std::numeric_limits<double>::epsilon()), _mm256_andnot_pd(sign, x)));
        const __m128 f =
            _mm256_cvtpd_ps(_mm256_min_pd(_mm256_max_pd(grown, _mm256_sub_pd(_mm256_setzero_pd(), largest)), largest));
        const __m128 size = _mm_andnot_ps(_mm_set1_ps(-0.0F), f);
        const __m128 up = _mm_add_ps(
            _mm_add_ps(f, _mm_mul_ps(size, _mm_set1_ps(0x1p-22F))), _mm_set1_ps(std::numeric_limits<float>::min()));
        return _mm_min_ps(up, _mm_set1_ps(largest_float));
    }

    __m256d origin_of_lo_, origin_of_hi_;
};

#endif

} // namespace abut
