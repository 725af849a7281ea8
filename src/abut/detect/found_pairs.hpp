#pragma once
// Lists that several tasks found, put in order by counting: first into buckets by a pair's first element, then each
// short bucket by the ranks of its second elements, eight compared at once. What comes out does not depend on how the
// work was divided.

#include "abut/base/assert.hpp"
#include "abut/base/buffer.hpp"
#include "abut/base/parallel.hpp"
#include "abut/detect/detection.hpp"
#include "abut/detect/measured_pair.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace abut {

/// Items by their first element; of one element in the order of the parts that they came from.
template <typename Item>
struct Buckets {
    Buffer<Item> items;
    Buffer<std::uint32_t> starts; ///< of each first element's items; one more than there are elements

    [[nodiscard]] std::span<const Item> operator[](std::size_t first) const
    {
        return items.span().subspan(starts[first], starts[first + 1] - starts[first]);
    }
};

/// Puts the entries of all parts, part_of(0), ..., into buckets by first_of(entry), below num_first, as item_of(entry).
/// The parts are counted in groups, each with counts of its own, so that all can be placed in parallel. There must be
/// fewer than 2^32 entries.
template <typename Item, typename PartOf, typename FirstOf, typename ItemOf>
Buckets<Item> bucketed(std::size_t num_parts, PartOf&& part_of, int num_first, FirstOf&& first_of, ItemOf&& item_of)
{
    constexpr std::size_t firsts_per_task = 8192, entries_per_group = 16384, most_groups = 8;
    const auto n = static_cast<std::size_t>(num_first);
    std::size_t num_entries = 0;
    for (std::size_t part = 0; part < num_parts; ++part)
        num_entries += part_of(part).size();
    ABUT_ASSERT(num_entries <= std::numeric_limits<std::uint32_t>::max());
    // Few entries are not worth counts of many groups.
    const std::size_t num_groups =
        std::clamp<std::size_t>(num_entries / std::max(entries_per_group, n / 2), 1, most_groups);
    const std::size_t parts_per_group = (num_parts + num_groups - 1) / num_groups;
    Buffer<std::uint32_t> next(num_groups * n);
    const auto for_each_entry = [&](std::size_t group, auto&& visit) {
        const std::size_t end = std::min(num_parts, (group + 1) * parts_per_group);
        for (std::size_t part = group * parts_per_group; part < end; ++part)
            for (const auto& entry : part_of(part))
                visit(entry);
    };
    parallel_for(num_groups, 1, [&](std::size_t group) {
        std::uint32_t* counts = next.data() + group * n;
        std::fill_n(counts, n, 0);
        for_each_entry(group, [&](const auto& entry) {
            ABUT_ASSERT(first_of(entry) >= 0 && first_of(entry) < num_first);
            ++counts[first_of(entry)];
        });
    });
    // Counts become places: sums of ranges of first elements, then each range for itself.
    std::vector<std::uint32_t> of_ranges((n + firsts_per_task - 1) / firsts_per_task + 1, 0);
    parallel_ranges(n, firsts_per_task, [&](std::size_t begin, std::size_t end) {
        std::uint32_t sum = 0;
        for (std::size_t group = 0; group < num_groups; ++group)
            sum = std::accumulate(next.data() + group * n + begin, next.data() + group * n + end, sum);
        of_ranges[begin / firsts_per_task + 1] = sum;
    });
    std::partial_sum(of_ranges.begin(), of_ranges.end(), of_ranges.begin());
    ABUT_ASSERT(of_ranges.back() == num_entries);
    Buckets<Item> buckets{Buffer<Item>(num_entries), Buffer<std::uint32_t>(n + 1)};
    buckets.starts[n] = of_ranges.back();
    parallel_ranges(n, firsts_per_task, [&](std::size_t begin, std::size_t end) {
        std::uint32_t place = of_ranges[begin / firsts_per_task];
        for (std::size_t i = begin; i < end; ++i) {
            buckets.starts[i] = place;
            for (std::size_t group = 0; group < num_groups; ++group)
                place += std::exchange(next[group * n + i], place);
        }
    });
    parallel_for(num_groups, 1, [&](std::size_t group) {
        std::uint32_t* places = next.data() + group * n;
        for_each_entry(group, [&](const auto& entry) { buckets.items[places[first_of(entry)]++] = item_of(entry); });
    });
    return buckets;
}

/// Sets ranks[k] to how many of the first n keys are smaller than keys[k]. Both arrays have room for n rounded up to
/// eights; n compares of eight keys at once for each eight.
inline void rank_keys(const int* keys, std::size_t n, int* ranks)
{
#ifdef __AVX2__
    const auto* eights = reinterpret_cast<const __m256i*>(keys);
    auto* results = reinterpret_cast<__m256i*>(ranks);
    const auto rank = [&]<std::size_t count>(std::size_t first, std::integral_constant<std::size_t, count>) {
        __m256i own[count], smaller[count];
        for (std::size_t i = 0; i < count; ++i) {
            own[i] = _mm256_load_si256(eights + first + i);
            smaller[i] = _mm256_setzero_si256();
        }
        for (std::size_t k = 0; k < n; ++k) {
            const __m256i other = _mm256_set1_epi32(keys[k]);
            for (std::size_t i = 0; i < count; ++i) // a comparison that holds is -1
                smaller[i] = _mm256_sub_epi32(smaller[i], _mm256_cmpgt_epi32(own[i], other));
        }
        for (std::size_t i = 0; i < count; ++i)
            _mm256_store_si256(results + first + i, smaller[i]);
    };
    const std::size_t num_eights = (n + 7) / 8;
    std::size_t first = 0;
    for (; first + 4 <= num_eights; first += 4)
        rank(first, std::integral_constant<std::size_t, 4>());
    for (; first < num_eights; ++first)
        rank(first, std::integral_constant<std::size_t, 1>());
#else
    for (std::size_t k = 0; k < n; ++k) {
        ranks[k] = 0;
        for (std::size_t other = 0; other < n; ++other)
            ranks[k] += keys[other] < keys[k] ? 1 : 0;
    }
#endif
}

/// Calls place(rank, item) for each item, with the number of items whose key is smaller; keys are distinct and not
/// negative.
template <typename Item, typename KeyOf, typename Place>
void rank_items(std::span<const Item> items, KeyOf&& key_of, Place&& place)
{
    constexpr std::size_t most = 512; // where comparing all with all takes as long as sorting
    const std::size_t n = items.size();
    if (n == 0)
        return;
    if (n == 1) {
        place(std::size_t(0), items[0]);
        return;
    }
    if (n > most) {
        std::vector<std::uint64_t> order(n); // key, then place
        for (std::size_t k = 0; k < n; ++k)
            order[k] = std::uint64_t(static_cast<std::uint32_t>(key_of(items[k]))) << 32 | k;
        std::sort(order.begin(), order.end());
        for (std::size_t rank = 0; rank < n; ++rank)
            place(rank, items[order[rank] & 0xffffffff]);
        return;
    }
    alignas(32) int keys[most], ranks[most];
    for (std::size_t k = 0; k < n; ++k)
        keys[k] = key_of(items[k]);
    std::fill(keys + n, keys + (n + 7) / 8 * 8, std::numeric_limits<int>::max());
    rank_keys(keys, n, ranks);
    for (std::size_t k = 0; k < n; ++k)
        place(static_cast<std::size_t>(ranks[k]), items[k]);
}

/// A pair and what was measured of it.
struct FoundPair {
    IndexPair pair;
    double squared_distance;
    std::uint8_t feature;
};

/// The pairs that tasks found, each once, sorted by first, then second element.
[[nodiscard]] DetectedPairs sorted_pairs(const std::vector<std::vector<FoundPair>>& parts, int num_first);

} // namespace abut
