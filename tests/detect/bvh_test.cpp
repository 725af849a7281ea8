// Trees of boxes in odd places, the order of their elements, and what they find as lists.

#include "abut/detect/bvh.hpp"

#include "abut/base/random.hpp"
#include "abut/detect/box_rounding.hpp"
#include "abut/detect/candidate_lanes.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace abut::test::bvh_test {
namespace {

std::vector<int> order_of(const Bvh& tree)
{
    std::vector<int> order;
    for (int place = 0; place < tree.size(); ++place)
        order.push_back(tree.element(place));
    return order;
}

Box box_around(const Vec3& center, double radius) { return {center.array() - radius, center.array() + radius}; }

std::vector<Box> some_boxes(int n, const Vec3& origin, double size, RandomStream& random)
{
    std::vector<Box> boxes;
    for (int i = 0; i < n; ++i) {
        const auto draw = [&] { return random.uniform(-1, 1); };
        const double x = draw(), y = draw(), z = draw();
        boxes.push_back(box_around(origin + size * Vec3(x, y, z), i % 5 == 0 ? 0 : size * random.uniform(0, 0.2)));
    }
    return boxes;
}

void expect_all_pairs(const std::vector<Box>& boxes, const Bvh& tree)
{
    std::multiset<IndexPair> found, expected;
    for (int block = 0; block < tree.num_blocks(); ++block)
        tree.for_each_overlap_within(block, [&](int i, int j) {
            ASSERT_TRUE(i >= 0 && j >= 0 && i != j);
            if (boxes[i].overlaps(boxes[j]))
                found.insert({std::min(i, j), std::max(i, j)});
        });
    for (int i = 0; i < tree.size(); ++i)
        for (int j = i + 1; j < tree.size(); ++j)
            if (boxes[i].overlaps(boxes[j]))
                expected.insert({i, j});
    EXPECT_EQ(found, expected);
}

TEST(Bvh, FindsOverlapsOfPointsFarAwayAndHugeBoxes)
{
    for (const double size : {1e-300, 1e-30, 1e-3, 1.0, 1e10, 1e30, 1e38, 1e100})
        for (const double away : {0.0, 1.0, 1e6})
            for (const int n : {0, 1, 2, 9, 300}) {
                RandomStream random(17, static_cast<std::uint64_t>(n));
                const Vec3 origin = Vec3(away, -away, 2 * away) * size;
                const std::vector<Box> boxes = some_boxes(n, origin, size, random);
                for (const Vec3& center : {Vec3(Vec3::Zero()), origin}) {
                    SCOPED_TRACE(testing::Message() << size << ' ' << away << ' ' << n);
                    Bvh tree;
                    tree.build(boxes, center);
                    ASSERT_EQ(tree.size(), n);
                    expect_all_pairs(boxes, tree);
                }
            }
}

TEST(Bvh, FindsEveryPairOfBoxesThatAreOne)
{
    for (const int n : {2, 8, 9, 100, 1500}) {
        const std::vector<Box> boxes(n, box_around(Vec3(3, 4, 5), n % 2 == 0 ? 0 : 0.5));
        Bvh tree;
        tree.build(boxes, Vec3::Zero());
        std::vector<int> in_order(n);
        std::iota(in_order.begin(), in_order.end(), 0);
        EXPECT_EQ(order_of(tree), in_order);
        std::int64_t count = 0;
        for (int block = 0; block < tree.num_blocks(); ++block)
            tree.for_each_overlap_within(block, [&](int, int) { ++count; });
        EXPECT_EQ(count, std::int64_t(n) * (n - 1) / 2);
    }
}

/// Boxes on a line lie along the curve as on the line, cell by cell, and in a cell in order of their numbers, also
/// where one is so far off that all others have most of their cells in common.
TEST(Bvh, OrderIsThatOfCellsThenOfNumbers)
{
    for (const double length : {1.0, 1e-2, 1e-4})
        for (const int n : {2, 100, 400, 600, 5000}) {
            RandomStream random(19, static_cast<std::uint64_t>(n));
            std::vector<Box> boxes;
            for (int i = 0; i < n; ++i)
                boxes.push_back(box_around(Vec3(length * random.uniform(0, 1), 0, 0), 0));
            boxes.push_back(box_around(Vec3(0, 0, 0), 0));
            boxes.push_back(box_around(Vec3(1, 0, 0), 0));
            Bvh tree;
            tree.build(boxes, Vec3::Zero());
            const auto key = [&](int element) { return std::pair(std::floor(65535 * boxes[element].lo[0]), element); };
            std::vector<int> expected(boxes.size());
            std::iota(expected.begin(), expected.end(), 0);
            std::sort(expected.begin(), expected.end(), [&](int a, int b) { return key(a) < key(b); });
            EXPECT_EQ(order_of(tree), expected) << length << ' ' << n;
        }
}

TEST(Bvh, LeavesOutMasksAndSaysWhichOverlapsAreSure)
{
    RandomStream random(23, 0);
    const std::vector<Box> boxes = some_boxes(700, Vec3(5, 5, 5), 1, random);
    Bvh tree;
    tree.build(boxes, Vec3(5, 5, 5));
    const auto even_elements = [&](int, int node) {
        unsigned mask = 0;
        for (int k = 0; k < std::min(8, tree.size() - 8 * node); ++k)
            mask |= unsigned(tree.block_elements(node)[k] % 2 == 0) << k;
        return mask;
    };
    std::int64_t found = 0, sure_ones = 0, expected = 0;
    tree.for_each_overlap_by_place(
        tree, 0, tree.num_blocks(), even_elements, [&](int p, int node, unsigned lanes, unsigned sure) {
            ASSERT_NE(lanes, 0u);
            for (; lanes != 0; lanes &= lanes - 1) {
                const int lane = std::countr_zero(lanes), j = tree.block_elements(node)[lane];
                ASSERT_EQ(j % 2, 1);
                const bool overlaps = boxes[tree.element(p)].overlaps(boxes[j]), is_sure = (sure >> lane & 1) != 0;
                EXPECT_TRUE(overlaps || !is_sure);
                found += overlaps ? 1 : 0;
                sure_ones += is_sure ? 1 : 0;
            }
        });
    for (const Box& box : boxes)
        for (std::size_t j = 1; j < boxes.size(); j += 2)
            expected += box.overlaps(boxes[j]) ? 1 : 0;
    EXPECT_EQ(found, expected);
    EXPECT_GT(sure_ones, found * 9 / 10); // else what is sure helps nobody
}

TEST(CandidateLanes, AreStoredAsThePairsOfTheirBits)
{
    const std::array<int, 8> others{9, 2, 77, 4, 5, -1, 1000000, 8};
    for (unsigned lanes = 0; lanes < 256; ++lanes) {
        const auto check = [&]<PairKind kind>(CandidateLanes<kind> found) {
            std::vector<IndexPair> visited, stored(8);
            found.for_each_pair([&](int i, int j) { visited.push_back({i, j}); });
            stored.resize(found.store(stored.data()));
            EXPECT_EQ(stored, visited) << lanes;
            for (const auto [i, j] : visited)
                EXPECT_TRUE(found.is_of_one_kind ? std::min(i, j) == i : j == found.element);
        };
        check(CandidateLanes<PairKind::edge_edge>{7, others.data(), lanes});
        check(CandidateLanes<PairKind::face_vertex>{7, others.data(), lanes});
    }
}

#ifdef __AVX2__

TEST(BoxRounding, IsTheSameForAllNumbersAtOnce)
{
    RandomStream random(29, 0);
    for (const double size : {0.0, 1e-310, 1e-40, 1e-3, 1.0, 1e30, 1e39, 1e300})
        for (const Vec3& origin : {Vec3(Vec3::Zero()), Vec3(1, -2, 3), Vec3(1e20, 1e-20, -1e38)})
            for (const Box& box : some_boxes(20, Vec3(0.5, 0.25, -0.125) * size, size, random)) {
                alignas(32) float numbers[8];
                _mm256_store_ps(numbers, BoxRounding(origin)(box));
                const BoxF expected = rounded_box(box, origin);
                for (int axis = 0; axis < 3; ++axis) {
                    EXPECT_EQ(-numbers[axis], expected.lo[axis]) << size;
                    EXPECT_EQ(numbers[5 + axis], expected.hi[axis]) << size;
                }
            }
}

#endif

} // namespace
} // namespace abut::test::bvh_test
