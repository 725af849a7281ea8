#pragma once
// A few doubles side by side, in one register: arithmetic on Lanes is one instruction for all of them. Uses the vector
// types that g++ and clang share; four lanes with AVX, two without.

#include <cmath>

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

} // namespace abut
