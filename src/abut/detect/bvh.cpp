#include "abut/detect/bvh.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/parallel.hpp"
#include "abut/detect/box_rounding.hpp"

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

/// The Morton code of the middle of a box: 16 bits for each axis.
class MortonCode {
public:
    explicit MortonCode(const Box& bounds)
        : lo_(bounds.lo),
          scale_((65535.0 / (bounds.hi - bounds.lo).cwiseMax(std::numeric_limits<double>::min()).array()).min(1e300))
    {}

    [[nodiscard]] std::uint64_t operator()(const ElementBoxes& boxes, std::size_t i) const
    {
#ifdef __AVX2__
        const double inf = std::numeric_limits<double>::infinity();
        __m256d lo = _mm256_set1_pd(inf), hi = _mm256_set1_pd(-inf);
        boxes.for_each_part(i, [&](const Box& part) { // whose numbers are not taken apart on the way
            const double* numbers = part.lo.data();
            lo = _mm256_min_pd(lo, _mm256_loadu_pd(numbers));
            hi = _mm256_max_pd(hi, _mm256_loadu_pd(numbers + 2)); // the last three of four
        });
        const __m256d half = _mm256_set1_pd(0.5);
        const __m256d middle =
            _mm256_add_pd(_mm256_mul_pd(half, lo), _mm256_mul_pd(half, _mm256_permute4x64_pd(hi, 0x39)));
        const __m256d places = _mm256_mul_pd(
            _mm256_sub_pd(middle, _mm256_setr_pd(lo_[0], lo_[1], lo_[2], 0)),
            _mm256_setr_pd(scale_[0], scale_[1], scale_[2], 0));
        const __m128i cells =
            _mm256_cvttpd_epi32(_mm256_min_pd(_mm256_max_pd(places, _mm256_setzero_pd()), _mm256_set1_pd(65535)));
        const auto cell = [](int number) { return spread(static_cast<std::uint32_t>(number)); };
        return cell(_mm_extract_epi32(cells, 0)) | cell(_mm_extract_epi32(cells, 1)) << 1 |
               cell(_mm_extract_epi32(cells, 2)) << 2;
#else
        const Box box = boxes[i];
        const Vec3 center = (box.lo / 2 + box.hi / 2) - lo_;
        std::uint64_t code = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const double place = std::min(65535.0, std::max(0.0, center[axis] * scale_[axis]));
            code |= spread(static_cast<std::uint64_t>(place)) << axis;
        }
        return code;
#endif
    }

private:
    Vec3 lo_, scale_;
};

/// One pass of a stable radix sort: puts the keys in order of a digit with `bits` bits.
template <int bits, typename DigitOf>
void sort_by_digit(std::span<const std::uint64_t> keys, std::uint64_t* to, DigitOf&& digit_of)
{
    std::array<std::uint32_t, 1 << bits> next{};
    for (const std::uint64_t key : keys)
        ++next[digit_of(key)];
    std::exclusive_scan(next.begin(), next.end(), next.begin(), 0u);
    for (const std::uint64_t key : keys)
        to[next[digit_of(key)]++] = key;
}

/// Elements in order of codes of 48 bits, and of numbers where codes are equal.
///
/// A key is the upper 33 bits of a code, then the element. Few elements have these in common; they are put in order by
/// the lower 15 bits afterwards.
class CodeOrder {
public:
    explicit CodeOrder(std::size_t size) : keys_(size), other_(size), low_(size) {}

    void set(std::size_t element, std::uint64_t code)
    {
        keys_[element] = code >> low_bits << element_bits | element;
        low_[element] = static_cast<std::uint16_t>(code & ((1 << low_bits) - 1));
    }

    /// The elements, in their order.
    void sort_into(std::span<int> order)
    {
        constexpr int bits = 11;
        constexpr std::uint64_t digit = (1 << bits) - 1;
        for (int shift = element_bits; shift < 64; shift += bits) {
            sort_by_digit<bits>(keys_.span(), other_.data(), [&](std::uint64_t key) { return key >> shift & digit; });
            std::swap(keys_, other_);
        }
        for (std::size_t begin = 0, end; begin < keys_.size(); begin = end) {
            for (end = begin + 1; end < keys_.size() && keys_[end] >> element_bits == keys_[begin] >> element_bits;)
                ++end;
            if (end - begin > 1)
                sort_by_low_bits(begin, end);
        }
        for (std::size_t i = 0; i < keys_.size(); ++i)
            order[i] = element_of(keys_[i]);
    }

private:
    static constexpr int element_bits = 31, low_bits = 15;
    [[nodiscard]] static int element_of(std::uint64_t key)
    {
        return static_cast<int>(key & ((std::uint64_t{1} << element_bits) - 1));
    }

    void sort_by_low_bits(std::size_t begin, std::size_t end)
    {
        const std::span<std::uint64_t> some = keys_.span().subspan(begin, end - begin);
        const auto low = [&](std::uint64_t key) { return low_[element_of(key)]; };
        constexpr std::size_t few = 512;
        if (some.size() <= few) {
            std::sort(some.begin(), some.end(), [&](std::uint64_t a, std::uint64_t b) {
                return std::pair(low(a), a) < std::pair(low(b), b);
            });
            return;
        }
        sort_by_digit<8>(some, other_.data(), [&](std::uint64_t key) { return low(key) & 0xff; });
        sort_by_digit<8>(
            std::span<const std::uint64_t>(other_.data(), some.size()), some.data(),
            [&](std::uint64_t key) { return low(key) >> 8; });
    }

    Buffer<std::uint64_t> keys_, other_;
    Buffer<std::uint16_t> low_;
};

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

#ifdef __AVX2__

/// As BoxRounding makes them, of the box of element i.
__m256 rounded_row(const ElementBoxes& boxes, const BoxRounding& rounding, std::size_t i)
{
    __m256 row = _mm256_set1_ps(-std::numeric_limits<float>::infinity());
    if (boxes.has_rounded())
        boxes.for_each_rounded_part(
            i, [&](const RoundedBox& part) { row = _mm256_max_ps(row, _mm256_load_ps(part.numbers)); });
    else
        boxes.for_each_part(i, [&](const Box& part) { row = _mm256_max_ps(row, rounding(part)); });
    return row;
}

#endif

} // namespace

void Bvh::build(
    const ElementBoxes& boxes, const Vec3& origin, std::span<const std::uint8_t> is_inert, const Box* known_bounds)
{
    ABUT_ASSERT(is_inert.empty() || is_inert.size() == boxes.size());
    origin_ = origin;
    size_ = boxes.size();
    CodeOrder codes(size_);
    const MortonCode code_of(known_bounds != nullptr ? *known_bounds : bounds_of(boxes));
    parallel_for(size_, chunk, [&](std::size_t i) { codes.set(i, code_of(boxes, i)); });
    order_.assign((size_ + 7) / 8 * 8, -1);
    const std::span<int> elements(order_.data(), size_);
    codes.sort_into(elements);
    // Inert elements come last, so that few blocks are mixed.
    if (!is_inert.empty())
        std::stable_partition(elements.begin(), elements.end(), [&](int element) { return is_inert[element] == 0; });

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
                rows[k] = rounded_row(boxes, rounding, order_[first + k]);
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
