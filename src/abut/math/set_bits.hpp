#pragma once
// The numbers of the bits that are set in a mask of eight, side by side: what turns masks into lists without a branch
// for each bit.

#include <bit>
#include <cstddef>

#if defined(__AVX2__) && defined(__BMI2__)
#include <cstdint>
#include <immintrin.h>
#endif

namespace abut {

#if defined(__AVX2__) && defined(__BMI2__)
/// The numbers of the set bits, lowest first, then zeros.
inline __m256i set_bits(unsigned mask)
{
    const std::uint64_t bytes_of_set = _pdep_u64(mask, 0x0101010101010101ULL) * 0xff;
    const std::uint64_t numbers = _pext_u64(0x0706050403020100ULL, bytes_of_set);
    return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(numbers)));
}
#endif

/// Writes first + k for each bit k that is set in the mask, below 256, and returns how many these are. There must be
/// room for eight, all of which may be overwritten.
inline std::size_t store_set_bits(unsigned mask, int first, int* to)
{
#if defined(__AVX2__) && defined(__BMI2__)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_add_epi32(_mm256_set1_epi32(first), set_bits(mask)));
    return static_cast<std::size_t>(std::popcount(mask));
#else
    std::size_t count = 0;
    for (; mask != 0; mask &= mask - 1)
        to[count++] = first + std::countr_zero(mask);
    return count;
#endif
}

} // namespace abut
