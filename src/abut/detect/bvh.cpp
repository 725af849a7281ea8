#include "abut/detect/bvh.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace abut {

namespace {

constexpr std::size_t chunk = 8192;

/// The lowest 16 bits of x, two zeros between neighbours.
std::uint64_t spread(std::uint64_t x)
{
#ifdef __BMI2__
    return _pdep_u64(x, 0x249249249249ULL);
#else
    x = (x | x << 16) & 0x0000ff0000ffULL;
    x = (x | x << 8) & 0x00f00f00f00fULL;
    x = (x | x << 4) & 0x0c30c30c30c3ULL;
    x = (x | x << 2) & 0x249249249249ULL;
    return x;
#endif
}

struct Key {
    std::uint64_t code; // 48 bits
    int element;
};

/// Stable radix sort by code, so that equal codes stay in order of element.
void sort_by_code(Buffer<Key>& keys)
{
    constexpr int bits = 12, passes = 4;
    constexpr std::uint64_t digit = (1 << bits) - 1;
    std::array<std::array<std::uint32_t, (1 << bits) + 1>, passes> starts{};
    for (const Key& key : keys.span())
        for (int pass = 0; pass < passes; ++pass)
            ++starts[pass][((key.code >> pass * bits) & digit) + 1];
    Buffer<Key> other(keys.size());
    for (int pass = 0; pass < passes; ++pass) {
        auto& start = starts[pass];
        std::partial_sum(start.begin(), start.end(), start.begin());
        for (const Key& key : keys.span())
            other[start[(key.code >> pass * bits) & digit]++] = key;
        std::swap(keys, other);
    }
}

Box bounds_of(const ElementBoxes& boxes)
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

/// The box about the origin, rounded outward: two ulps of a float, and of a double for the difference.
BoxF rounded_box(const Box& box, const Vec3& origin)
{
    BoxF rounded;
    for (int axis = 0; axis < 3; ++axis) {
        constexpr double ulp = std::numeric_limits<double>::epsilon();
        const double lo = box.lo[axis] - origin[axis], hi = box.hi[axis] - origin[axis];
        rounded.lo[axis] = round_down(lo - ulp * std::abs(lo));
        rounded.hi[axis] = round_up(hi + ulp * std::abs(hi));
    }
    return rounded;
}

#ifdef __AVX2__

/// The same, all numbers of a box at once: -lo and hi, which both grow outward.
class BoxRounding {
public:
    explicit BoxRounding(const Vec3& origin)
        : origin_of_lo_(_mm256_setr_pd(origin[0], origin[1], origin[2], 0)),
          origin_of_hi_(_mm256_setr_pd(0, origin[0], origin[1], origin[2]))
    {}

    /// -lo in the first three places, hi in the last three of eight, of the box of element i.
    [[nodiscard]] __m256 operator()(const ElementBoxes& boxes, std::size_t i) const
    {
        static_assert(sizeof(Box) == 6 * sizeof(double));
        __m256d lo = _mm256_set1_pd(std::numeric_limits<double>::infinity());
        __m256d hi = _mm256_sub_pd(_mm256_setzero_pd(), lo);
        boxes.for_each_part(i, [&](const Box& box) { // whose numbers are not taken apart on the way
            const double* numbers = box.lo.data();
            lo = _mm256_min_pd(lo, _mm256_loadu_pd(numbers));
            hi = _mm256_max_pd(hi, _mm256_loadu_pd(numbers + 2));
        });
        return _mm256_set_m128(outward(_mm256_sub_pd(hi, origin_of_hi_)), outward(_mm256_sub_pd(origin_of_lo_, lo)));
    }

private:
    /// Floats that are not below these numbers.
    static __m128 outward(__m256d x)
    {
        const __m256d sign = _mm256_set1_pd(-0.0), largest = _mm256_set1_pd(largest_float);
        const __m256d grown = _mm256_add_pd(
            x, _mm256_mul_pd(_mm256_set1_pd(std::numeric_limits<double>::epsilon()), _mm256_andnot_pd(sign, x)));
        const __m128 f =
            _mm256_cvtpd_ps(_mm256_min_pd(_mm256_max_pd(grown, _mm256_sub_pd(_mm256_setzero_pd(), largest)), largest));
        const __m128 size = _mm_andnot_ps(_mm_set1_ps(-0.0F), f);
        const __m128 up = _mm_add_ps(
            _mm_add_ps(f, _mm_mul_ps(size, _mm_set1_ps(0x1p-22F))), _mm_set1_ps(std::numeric_limits<float>::min()));
        return _mm_min_ps(up, _mm_set1_ps(largest_float));
    }

    __m256d origin_of_lo_, origin_of_hi_;
};

#endif

} // namespace

void Bvh::build(
    const ElementBoxes& boxes, const Vec3& origin, std::span<const std::uint8_t> is_inert, const Box* known_bounds)
{
    ABUT_ASSERT(is_inert.empty() || is_inert.size() == boxes.size());
    origin_ = origin;
    const Box bounds = known_bounds != nullptr ? *known_bounds : bounds_of(boxes);
    const Vec3 extent = (bounds.hi - bounds.lo).cwiseMax(std::numeric_limits<double>::min());
    const Vec3 scale = (65535.0 / extent.array()).min(1e300);

    Buffer<Key> keys(boxes.size());
    parallel_for(boxes.size(), chunk, [&](std::size_t i) {
        const Box box = boxes[i];
        const Vec3 center = (box.lo / 2 + box.hi / 2) - bounds.lo;
        std::uint64_t code = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const double place = std::min(65535.0, std::max(0.0, center[axis] * scale[axis]));
            code |= spread(static_cast<std::uint64_t>(place)) << axis;
        }
        keys[i] = {code, static_cast<int>(i)};
    });
    sort_by_code(keys);
    ABUT_ASSERT(std::ranges::is_sorted(keys.span(), [](const Key& a, const Key& b) {
        return std::pair(a.code, a.element) < std::pair(b.code, b.element);
    }));
    // Inert elements come last, so that few blocks are mixed.
    if (!is_inert.empty())
        std::stable_partition(
            keys.span().begin(), keys.span().end(), [&](const Key& key) { return is_inert[key.element] == 0; });
    size_ = boxes.size();
    order_.assign((size_ + 7) / 8 * 8, -1);
    for (std::size_t i = 0; i < keys.size(); ++i)
        order_[i] = keys[i].element;

    levels_.clear();
    for (std::size_t count = boxes.size(); count > 0; count = (count + 7) / 8) {
        levels_.emplace_back((count + 7) / 8); // overwritten at once
        if (count <= 8)
            break;
    }
    ABUT_ASSERT(levels_.empty() || levels_.back().size() == 1);
    set_inert(is_inert);
    set_leaf_blocks(boxes);
    set_inner_blocks();
    set_sure_margin();
}

void Bvh::set_inert(std::span<const std::uint8_t> is_inert)
{
    inert_.clear();
    for (const auto& level : levels_)
        inert_.emplace_back(level.size(), std::uint8_t{0});
    has_inert_ = !is_inert.empty();
    if (!has_inert_)
        return;
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        const std::size_t count = level == 0 ? size_ : levels_[level - 1].size();
        // Lanes beyond the last are empty and count as inert.
        for (std::size_t i = 0; i < 8 * levels_[level].size(); ++i)
            if (i >= count || (level == 0 ? is_inert[order_[i]] != 0 : inert_[level - 1][i] == 0xff))
                inert_[level][i / 8] |= static_cast<std::uint8_t>(1u << i % 8);
    }
}

void Bvh::refit(const ElementBoxes& boxes)
{
    ABUT_ASSERT(boxes.size() == size_);
    set_leaf_blocks(boxes);
    set_inner_blocks();
    set_sure_margin();
}

void Bvh::set_leaf_blocks(const ElementBoxes& boxes)
{
    if (levels_.empty())
        return;
#ifdef __AVX2__
    const BoxRounding rounding(origin_);
#endif
    parallel_for(levels_[0].size(), chunk / 8, [&](std::size_t block) {
        // Boxes are scattered in memory: those of the block after the next are asked for now.
        for (std::size_t i = 8 * (block + 2); i < std::min(size_, 8 * (block + 3)); ++i)
            boxes.prefetch(order_[i]);
        const std::size_t first = 8 * block, count = std::min<std::size_t>(8, size_ - first);
        Box8& lanes = levels_[0][block];
#ifdef __AVX2__
        if (count == 8) {
            __m256 rows[8];
            for (int k = 0; k < 8; ++k)
                rows[k] = rounding(boxes, order_[first + k]);
            // Numbers of eight boxes into eight boxes' numbers
            const auto even = [](__m256 a, __m256 b) { return _mm256_unpacklo_ps(a, b); };
            const auto odd = [](__m256 a, __m256 b) { return _mm256_unpackhi_ps(a, b); };
            const auto low = [](__m256 a, __m256 b) { return _mm256_shuffle_ps(a, b, 0x44); };
            const auto high = [](__m256 a, __m256 b) { return _mm256_shuffle_ps(a, b, 0xee); };
            const __m256 e01 = even(rows[0], rows[1]), e23 = even(rows[2], rows[3]), e45 = even(rows[4], rows[5]),
                         e67 = even(rows[6], rows[7]), o01 = odd(rows[0], rows[1]), o23 = odd(rows[2], rows[3]),
                         o45 = odd(rows[4], rows[5]), o67 = odd(rows[6], rows[7]);
            // Each with number n of boxes 0 to 3 or 4 to 7 in its first half, n + 4 in its second
            const __m256 n0_front = low(e01, e23), n0_back = low(e45, e67), n1_front = high(e01, e23),
                         n1_back = high(e45, e67), n2_front = low(o01, o23), n2_back = low(o45, o67),
                         n3_front = high(o01, o23), n3_back = high(o45, o67);
            const __m256 sign = _mm256_set1_ps(-0.0F);
            const auto first_halves = [&](__m256 a, __m256 b) { return _mm256_permute2f128_ps(a, b, 0x20); };
            const auto second_halves = [&](__m256 a, __m256 b) { return _mm256_permute2f128_ps(a, b, 0x31); };
            _mm256_store_ps(lanes.lo[0], _mm256_xor_ps(sign, first_halves(n0_front, n0_back)));
            _mm256_store_ps(lanes.lo[1], _mm256_xor_ps(sign, first_halves(n1_front, n1_back)));
            _mm256_store_ps(lanes.lo[2], _mm256_xor_ps(sign, first_halves(n2_front, n2_back)));
            _mm256_store_ps(lanes.hi[0], second_halves(n1_front, n1_back));
            _mm256_store_ps(lanes.hi[1], second_halves(n2_front, n2_back));
            _mm256_store_ps(lanes.hi[2], second_halves(n3_front, n3_back));
            return;
        }
#endif
        for (std::size_t k = 0; k < 8; ++k)
            lanes.set(static_cast<int>(k), k < count ? rounded_box(boxes[order_[first + k]], origin_) : BoxF::empty());
    });
}

// A side of a box is moved outward by at most 2^-22 of itself, once, and by less than 2^-23 as it becomes a float; so
// sides of two boxes that overlap by 2^-20 of the largest number in these are in this order without rounding, too.
void Bvh::set_sure_margin()
{
    sure_margin_ = 0;
    if (levels_.empty())
        return;
    const BoxF bounds = levels_.back()[0].bounds();
    float largest = 0;
    for (int axis = 0; axis < 3; ++axis)
        largest = std::max({largest, std::abs(bounds.lo[axis]), std::abs(bounds.hi[axis])});
    constexpr float too_large = 1e30F, too_small = 1e-30F;
    sure_margin_ =
        largest < too_large ? std::max(largest, too_small) * 0x1p-19F : std::numeric_limits<float>::infinity();
}

Bvh::QueryGroup Bvh::query_group(int begin, int end) const
{
    QueryGroup group{begin, end, {}, BoxF::empty(), true};
    if (levels_.size() > 1)
        group.blocks = levels_[1][begin / 8];
    else
        group.blocks.set(0, levels_[0][0].bounds());
    for (int block = begin; block < end; ++block) {
        group.bounds.extend(group.blocks.lane(block % 8));
        group.is_inert = group.is_inert && inert_[0][block] == 0xff;
    }
    return group;
}

void Bvh::set_inner_blocks()
{
    for (std::size_t level = 1; level < levels_.size(); ++level) {
        const Buffer<Box8>& below = levels_[level - 1];
        parallel_for(levels_[level].size(), chunk / 8, [&](std::size_t block) {
            for (int k = 0; k < 8; ++k)
                levels_[level][block].set(
                    k, 8 * block + k < below.size() ? below[8 * block + k].bounds() : BoxF::empty());
        });
    }
}

} // namespace abut
