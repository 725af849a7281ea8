#include "abut/detect/found_pairs.hpp"

namespace abut {

DetectedPairs sorted_pairs(const std::vector<std::vector<FoundPair>>& parts, int num_first)
{
    constexpr std::size_t firsts_per_task = 4096;
    struct Found { // of a first element, which the bucket tells
        double squared_distance;
        int second;
        std::uint8_t feature;
    };
    const Buckets<Found> buckets = bucketed<Found>(
        parts.size(), [&](std::size_t part) -> auto& { return parts[part]; }, num_first,
        [](const FoundPair& found) { return found.pair[0]; },
        [](const FoundPair& found) {
            return Found{found.squared_distance, found.pair[1], found.feature};
        });
    DetectedPairs list;
    list.pairs.resize(buckets.items.size());
    list.squared_distances.resize(buckets.items.size());
    list.features.resize(buckets.items.size());
    parallel_for(static_cast<std::size_t>(num_first), firsts_per_task, [&](std::size_t first) {
        const std::size_t start = buckets.starts[first];
        rank_items(
            buckets[first], [](const Found& found) { return found.second; },
            [&](std::size_t rank, const Found& found) {
                list.pairs[start + rank] = {static_cast<int>(first), found.second};
                list.squared_distances[start + rank] = found.squared_distance;
                list.features[start + rank] = found.feature;
            });
    });
    return list;
}

} // namespace abut
