#pragma once
// The corners of eight elements side by side, compared with those of one at once.

#include <array>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace abut {

/// N corners each; lanes that are not set have none.
template <std::size_t N>
struct alignas(32) Corners8 {
    int corners[N][8];

    Corners8()
    {
        for (auto& lanes : corners)
            for (int& corner : lanes)
                corner = -1;
    }

    void set(int lane, const std::array<int, N>& element)
    {
        for (std::size_t k = 0; k < N; ++k)
            corners[k][lane] = element[k];
    }
    [[nodiscard]] std::array<int, N> lane(int lane) const
    {
        std::array<int, N> element;
        for (std::size_t k = 0; k < N; ++k)
            element[k] = corners[k][lane];
        return element;
    }

    /// Bit k is set if lane k and the element have a corner in common.
    template <std::size_t M>
    [[nodiscard]] unsigned common_mask(const std::array<int, M>& element) const
    {
#ifdef __AVX2__
        __m256i hit = _mm256_setzero_si256();
        for (const auto& lanes : corners)
            for (const int corner : element)
                hit = _mm256_or_si256(
                    hit, _mm256_cmpeq_epi32(
                             _mm256_load_si256(reinterpret_cast<const __m256i*>(lanes)), _mm256_set1_epi32(corner)));
        return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(hit)));
#else
        unsigned mask = 0;
        for (const auto& lanes : corners)
            for (const int corner : element)
                for (int k = 0; k < 8; ++k)
                    mask |= unsigned(lanes[k] == corner) << k;
        return mask;
#endif
    }
};

} // namespace abut
