#include "abut/detect/bvh.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace abut {

namespace {

constexpr std::size_t chunk = 8192;

/// The lowest 16 bits of x, two zeros between neighbours.
std::uint64_t spread(std::uint64_t x)
{
    x = (x | x << 16) & 0x0000ff0000ffULL;
    x = (x | x << 8) & 0x00f00f00f00fULL;
    x = (x | x << 4) & 0x0c30c30c30c3ULL;
    x = (x | x << 2) & 0x249249249249ULL;
    return x;
}

struct Key {
    std::uint64_t code; // 48 bits
    int element;
};

/// Stable radix sort by code, so that equal codes stay in order of element.
void sort_by_code(std::vector<Key>& keys)
{
    constexpr int bits = 12, passes = 4;
    std::vector<Key> other(keys.size());
    for (int pass = 0; pass < passes; ++pass) {
        const int shift = pass * bits;
        std::array<std::uint32_t, (1 << bits) + 1> start{};
        for (const Key& key : keys)
            ++start[((key.code >> shift) & ((1 << bits) - 1)) + 1];
        std::partial_sum(start.begin(), start.end(), start.begin());
        for (const Key& key : keys)
            other[start[(key.code >> shift) & ((1 << bits) - 1)]++] = key;
        keys.swap(other);
    }
}

Box bounds_of(std::span<const Box> boxes)
{
    return parallel_reduce(
        boxes.size(), chunk, Box{},
        [&](std::size_t begin, std::size_t end) {
            Box box;
            for (std::size_t i = begin; i < end; ++i)
                box.extend(boxes[i]);
            return box;
        },
        [](Box a, const Box& b) {
            a.extend(b);
            return a;
        });
}

} // namespace

void Bvh::build(std::span<const Box> boxes, const Vec3& origin, std::span<const std::uint8_t> is_inert)
{
    ABUT_ASSERT(is_inert.empty() || is_inert.size() == boxes.size());
    boxes_ = boxes;
    origin_ = origin;
    const Box bounds = bounds_of(boxes);
    const Vec3 extent = (bounds.hi - bounds.lo).cwiseMax(std::numeric_limits<double>::min());
    const Vec3 scale = (65535.0 / extent.array()).min(1e300);

    std::vector<Key> keys(boxes.size());
    parallel_for(boxes.size(), chunk, [&](std::size_t i) {
        const Vec3 center = (boxes[i].lo / 2 + boxes[i].hi / 2) - bounds.lo;
        std::uint64_t code = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const double place = std::min(65535.0, std::max(0.0, center[axis] * scale[axis]));
            code |= spread(static_cast<std::uint64_t>(place)) << axis;
        }
        keys[i] = {code, static_cast<int>(i)};
    });
    sort_by_code(keys);
    ABUT_ASSERT(std::is_sorted(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
        return std::pair(a.code, a.element) < std::pair(b.code, b.element);
    }));
    // Inert elements come last, so that few blocks are mixed.
    if (!is_inert.empty())
        std::stable_partition(keys.begin(), keys.end(), [&](const Key& key) { return is_inert[key.element] == 0; });
    order_.resize(boxes.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
        order_[i] = keys[i].element;

    levels_.clear();
    for (std::size_t count = boxes.size(); count > 0; count = (count + 7) / 8) {
        levels_.emplace_back((count + 7) / 8);
        if (count <= 8)
            break;
    }
    ABUT_ASSERT(levels_.empty() || levels_.back().size() == 1);
    set_inert(is_inert);
    set_leaf_blocks();
    set_inner_blocks();
}

void Bvh::set_inert(std::span<const std::uint8_t> is_inert)
{
    inert_.clear();
    for (const auto& level : levels_)
        inert_.emplace_back(level.size(), std::uint8_t{0});
    if (is_inert.empty())
        return;
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        const std::size_t count = level == 0 ? order_.size() : levels_[level - 1].size();
        // Lanes beyond the last are empty and count as inert.
        for (std::size_t i = 0; i < 8 * levels_[level].size(); ++i)
            if (i >= count || (level == 0 ? is_inert[order_[i]] != 0 : inert_[level - 1][i] == 0xff))
                inert_[level][i / 8] |= static_cast<std::uint8_t>(1u << i % 8);
    }
}

void Bvh::refit(std::span<const Box> boxes)
{
    ABUT_ASSERT(boxes.size() == order_.size());
    boxes_ = boxes;
    set_leaf_blocks();
    set_inner_blocks();
}

void Bvh::set_leaf_blocks()
{
    if (levels_.empty())
        return;
    parallel_for(levels_[0].size(), chunk / 8, [&](std::size_t block) {
        // Boxes are scattered in memory: those of the block after the next are asked for now.
        for (std::size_t i = 8 * (block + 2); i < std::min(order_.size(), 8 * (block + 3)); ++i)
            __builtin_prefetch(&boxes_[order_[i]]);
        for (int k = 0; k < 8; ++k) {
            BoxF rounded = BoxF::empty();
            if (8 * block + k < order_.size()) {
                const Box& box = boxes_[order_[8 * block + k]];
                for (int axis = 0; axis < 3; ++axis) {
                    // An ulp for the rounding of the difference.
                    constexpr double ulp = std::numeric_limits<double>::epsilon();
                    const double lo = box.lo[axis] - origin_[axis], hi = box.hi[axis] - origin_[axis];
                    rounded.lo[axis] = round_down(lo - ulp * std::abs(lo));
                    rounded.hi[axis] = round_up(hi + ulp * std::abs(hi));
                }
            }
            levels_[0][block].set(k, rounded);
        }
    });
}

void Bvh::set_inner_blocks()
{
    for (std::size_t level = 1; level < levels_.size(); ++level) {
        const auto& below = levels_[level - 1];
        parallel_for(levels_[level].size(), chunk / 8, [&](std::size_t block) {
            for (int k = 0; k < 8; ++k)
                levels_[level][block].set(
                    k, 8 * block + k < below.size() ? below[8 * block + k].bounds() : BoxF::empty());
        });
    }
}

} // namespace abut
