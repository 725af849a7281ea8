#pragma once
// A few doubles side by side, in one register: arithmetic on Lanes is one instruction for all of them. Uses the vector
// types that g++ and clang share; four lanes with AVX, two without.

#include <cmath>
#include <cstdint>
#include <cstring>

#ifdef __AVX__
#include <immintrin.h>
#endif

namespace abut {

#ifdef __AVX__
using Lanes = double __attribute__((vector_size(32)));
inline constexpr int num_lanes = 4;
inline Lanes sqrt(Lanes x) { return static_cast<Lanes>(_mm256_sqrt_pd(static_cast<__m256d>(x))); }
#else
using Lanes = double __attribute__((vector_size(16)));
inline constexpr int num_lanes = 2;
inline Lanes sqrt(Lanes x) { return Lanes{std::sqrt(x[0]), std::sqrt(x[1])}; }
#endif

/// The same number in every lane.
inline Lanes broadcast(double x) { return Lanes{} + x; }

/// Numbers k, k + 1, ... as they lie side by side.
inline Lanes load_lanes(const double* numbers)
{
    Lanes x;
    std::memcpy(&x, numbers, sizeof(x));
    return x;
}
inline void store_lanes(Lanes x, double* numbers) { std::memcpy(numbers, &x, sizeof(x)); }

/// What a comparison of Lanes gives.
using LaneMask = decltype(Lanes{} < Lanes{});

/// Bit k for lane k of a mask.
inline unsigned bits_of(const LaneMask& mask)
{
#ifdef __AVX__
    return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(mask)));
#else
    return (mask[0] != 0 ? 1u : 0u) | (mask[1] != 0 ? 2u : 0u);
#endif
}

/// Natural logarithms of positive numbers that are neither subnormal nor infinite, to two ulps: pinned by
/// Lanes.LogarithmsAreWithinTwoUlps.
///
///   x = 2^e (1 + f),  √½ <= 1 + f < √2,  s = f / (2 + f):   ln(1 + f) = 2 artanh s = f − s (f − R)
///   R = 2 s²/3 + 2 s⁴/5 + ...,  to s¹⁸: what is left out is below 2^-54 of the sum
inline Lanes log(Lanes x)
{
    using Bits = std::uint64_t __attribute__((vector_size(sizeof(Lanes))));
    constexpr std::uint64_t one = 0x3ff0000000000000, sqrt_half = 0x3fe6a09e667f3bcd, two_52 = 0x4330000000000000;
    Bits bits;
    std::memcpy(&bits, &x, sizeof(bits));
    const Bits exponent = (bits + (one - sqrt_half)) >> 52; // with its bias of 1023
    bits -= (exponent - 1023) << 52;
    // An integer below 2^52 as the last digits of a number in [2^52, 2^53) is a double.
    const Bits in_two_52 = exponent | two_52;
    Lanes e, f;
    std::memcpy(&e, &in_two_52, sizeof(e));
    std::memcpy(&f, &bits, sizeof(f));
    e -= 0x1p52 + 1023;
    f -= 1;
    const Lanes s = f / (2 + f), z = s * s;
    Lanes R = broadcast(2.0 / 19);
    for (int n = 17; n >= 3; n -= 2)
        R = R * z + 2.0 / n;
    R *= z;
    // ln 2 in two parts, of which the first has so few digits that e times it is exact.
    constexpr double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
    return e * ln2_high + ((f - s * (f - R)) + e * ln2_low);
}

} // namespace abut
