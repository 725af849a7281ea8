#include "abut/mesh/contact_offsets.hpp"

#include "abut/base/error.hpp"
#include "abut/mesh/validate.hpp"

#include <numeric>
#include <tuple>

namespace abut {

ContactOffsets::ContactOffsets(std::vector<double> radii, std::vector<VertexPairOffset> pairs)
{
    for (std::size_t v = 0; v < radii.size(); ++v)
        if (!(radii[v] >= 0 && radii[v] <= max_coordinate))
            reject("radii[{}]: {} is not a distance between 0 and {} m", v, radii[v], max_coordinate);
    for (const VertexPairOffset& pair : pairs) {
        if (!(pair.first >= 0 && pair.first < pair.second && pair.second < static_cast<int>(radii.size())))
            reject(
                "pairs: ({}, {}) are no two of {} vertices, the smaller first", pair.first, pair.second, radii.size());
        if (!(pair.offset >= 0 && pair.offset <= radii[pair.first] + radii[pair.second]))
            reject(
                "pairs: the offset {} m of vertices {} and {} is not between 0 and the sum of their radii", pair.offset,
                pair.first, pair.second);
    }
    if (std::all_of(radii.begin(), radii.end(), [](double radius) { return radius == 0; }))
        return;
    radii_ = std::move(radii);
    std::sort(pairs.begin(), pairs.end(), [](const VertexPairOffset& a, const VertexPairOffset& b) {
        return std::tuple(a.first, a.second, a.offset) < std::tuple(b.first, b.second, b.offset);
    });
    const auto is_same = [](const VertexPairOffset& a, const VertexPairOffset& b) {
        return a.first == b.first && a.second == b.second;
    };
    pairs.erase(std::unique(pairs.begin(), pairs.end(), is_same), pairs.end());
    pairs_ = std::move(pairs);
    starts_.assign(radii_.size() + 1, 0);
    for (const VertexPairOffset& pair : pairs_)
        ++starts_[pair.first + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
}

} // namespace abut
