#pragma once
// Eight boxes side by side, tested against one at once. Single precision, rounded outward: a test may pass where the
// exact boxes do not overlap, never the other way round.

#include "abut/math/types.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#ifdef __AVX__
#include <immintrin.h>
#endif

namespace abut {

// Bounds of x as floats, from below and from above. They are within two ulps of x, for x of normal size or 0, and
// cheaper than the nearest floats. Numbers beyond the range of floats become its ends: their order stays, and with it
// every overlap. Only empty boxes have infinities.

inline constexpr float largest_float = std::numeric_limits<float>::max();

inline float round_down(double x)
{
    const float f = static_cast<float>(std::min<double>(std::max<double>(x, -largest_float), largest_float));
    return std::max(f - std::abs(f) * 0x1p-22f - std::numeric_limits<float>::min(), -largest_float);
}
inline float round_up(double x) { return -round_down(-x); }

struct BoxF {
    float lo[3], hi[3];

    static BoxF empty()
    {
        constexpr float inf = std::numeric_limits<float>::infinity();
        return {{inf, inf, inf}, {-inf, -inf, -inf}};
    }
    void extend(const BoxF& other)
    {
        for (int axis = 0; axis < 3; ++axis) {
            lo[axis] = std::min(lo[axis], other.lo[axis]);
            hi[axis] = std::max(hi[axis], other.hi[axis]);
        }
    }
    /// With every side moved inward; may have no inside then.
    [[nodiscard]] BoxF shrunk(float margin) const
    {
        return {{lo[0] + margin, lo[1] + margin, lo[2] + margin}, {hi[0] - margin, hi[1] - margin, hi[2] - margin}};
    }
};

struct alignas(32) Box8 {
    float lo[3][8], hi[3][8];

    void set(int lane, const BoxF& box)
    {
        for (int axis = 0; axis < 3; ++axis) {
            lo[axis][lane] = box.lo[axis];
            hi[axis][lane] = box.hi[axis];
        }
    }
    [[nodiscard]] BoxF lane(int k) const { return {{lo[0][k], lo[1][k], lo[2][k]}, {hi[0][k], hi[1][k], hi[2][k]}}; }

    /// The box around all lanes.
    [[nodiscard]] BoxF bounds() const
    {
        BoxF box = lane(0);
        for (int k = 1; k < 8; ++k)
            box.extend(lane(k));
        return box;
    }

    /// Asks for the numbers before they are needed.
    void prefetch() const
    {
        for (const auto& side : {&lo, &hi})
            for (const auto& numbers : *side)
                __builtin_prefetch(numbers);
    }

    /// Bit k is set if lane k overlaps `box`; empty lanes never do.
    [[nodiscard]] unsigned overlap_mask(const BoxF& box) const
    {
#ifdef __AVX__
        __m256 hit = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
        for (int axis = 0; axis < 3; ++axis) {
            const __m256 below = _mm256_cmp_ps(_mm256_load_ps(lo[axis]), _mm256_set1_ps(box.hi[axis]), _CMP_LE_OQ);
            const __m256 above = _mm256_cmp_ps(_mm256_load_ps(hi[axis]), _mm256_set1_ps(box.lo[axis]), _CMP_GE_OQ);
            hit = _mm256_and_ps(hit, _mm256_and_ps(below, above));
        }
        return static_cast<unsigned>(_mm256_movemask_ps(hit));
#else
        unsigned mask = 0;
        for (int k = 0; k < 8; ++k) {
            bool hit = true;
            for (int axis = 0; axis < 3; ++axis)
                hit &= lo[axis][k] <= box.hi[axis] && hi[axis][k] >= box.lo[axis];
            mask |= static_cast<unsigned>(hit) << k;
        }
        return mask;
#endif
    }

    /// Bit k is set if lane k overlaps lane `lane` of `other`; empty lanes never do.
    [[nodiscard]] unsigned overlap_mask(const Box8& other, int lane) const
    {
#ifdef __AVX__
        __m256 hit = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
        for (int axis = 0; axis < 3; ++axis) {
            const __m256 other_lo = _mm256_broadcast_ss(&other.lo[axis][lane]);
            const __m256 other_hi = _mm256_broadcast_ss(&other.hi[axis][lane]);
            const __m256 below = _mm256_cmp_ps(_mm256_load_ps(lo[axis]), other_hi, _CMP_LE_OQ);
            const __m256 above = _mm256_cmp_ps(_mm256_load_ps(hi[axis]), other_lo, _CMP_GE_OQ);
            hit = _mm256_and_ps(hit, _mm256_and_ps(below, above));
        }
        return static_cast<unsigned>(_mm256_movemask_ps(hit));
#else
        return overlap_mask(other.lane(lane));
#endif
    }
};

} // namespace abut
