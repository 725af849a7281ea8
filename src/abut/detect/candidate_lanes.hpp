#pragma once
// Candidates as the trees find them: one element with some of eight others. They become pairs one by one, or, to be
// kept, all at once.

#include "abut/base/assert.hpp"
#include "abut/detect/pair_kinds.hpp"
#include "abut/math/set_bits.hpp"

#include <algorithm>
#include <bit>

namespace abut {

/// The element with those of the others whose bits are set. Of kinds whose two elements differ it is the second of each
/// pair; of others the smaller number is the first.
template <PairKind kind>
struct CandidateLanes {
    static constexpr bool is_of_one_kind = kind == PairKind::vertex_vertex || kind == PairKind::edge_edge;

    int element;
    const int* others; ///< eight numbers, of which those without a bit need not be elements
    unsigned lanes;

    [[nodiscard]] IndexPair pair(int lane) const
    {
        ABUT_ASSERT(lane >= 0 && lane < 8);
        if constexpr (is_of_one_kind)
            return {std::min(element, others[lane]), std::max(element, others[lane])};
        else
            return {others[lane], element};
    }

    template <typename Visit>
    void for_each_pair(Visit&& visit) const
    {
        for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
            const auto [i, j] = pair(std::countr_zero(rest));
            visit(i, j);
        }
    }

    /// Writes the pairs in order of their bits and returns how many they are. There must be room for eight, all of
    /// which may be overwritten.
    std::size_t store(IndexPair* to) const
    {
#if defined(__AVX2__) && defined(__BMI2__)
        const __m256i order = set_bits(lanes);
        const __m256i own = _mm256_set1_epi32(element);
        const __m256i other =
            _mm256_permutevar8x32_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(others)), order);
        const __m256i first = is_of_one_kind ? _mm256_min_epi32(own, other) : other;
        const __m256i second = is_of_one_kind ? _mm256_max_epi32(own, other) : own;
        const __m256i pairs_0145 = _mm256_unpacklo_epi32(first, second);
        const __m256i pairs_2367 = _mm256_unpackhi_epi32(first, second);
        static_assert(sizeof(IndexPair) == 8);
        auto* eight = reinterpret_cast<__m256i*>(to);
        _mm256_storeu_si256(eight, _mm256_permute2x128_si256(pairs_0145, pairs_2367, 0x20));
        _mm256_storeu_si256(eight + 1, _mm256_permute2x128_si256(pairs_0145, pairs_2367, 0x31));
        return static_cast<std::size_t>(std::popcount(lanes));
#else
        std::size_t count = 0;
        for_each_pair([&](int i, int j) { to[count++] = {i, j}; });
        return count;
#endif
    }
};

} // namespace abut
