#include "abut/mesh/collision_filter.hpp"

#include "abut/base/error.hpp"

#include <gtest/gtest.h>

namespace abut {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

/// The pairs i < j of n vertices that the filter allows.
Pairs allowed(const CollisionFilter& filter, int n)
{
    Pairs pairs;
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j) {
            EXPECT_EQ(filter(i, j), filter(j, i)) << i << ", " << j;
            if (filter(i, j))
                pairs.emplace_back(i, j);
        }
    return pairs;
}

TEST(CollisionFilter, WithoutRulesLetsEverythingCollide)
{
    EXPECT_TRUE(CollisionFilter().is_trivial());
    EXPECT_EQ(allowed({}, 3), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
}

TEST(CollisionFilter, StaticObstaclesDoNotCollideWithEachOther)
{
    EXPECT_EQ(allowed(CollisionFilter::static_obstacles({true, false, true}), 3), (Pairs{{0, 1}, {1, 2}}));
}

TEST(CollisionFilter, VerticesOfOneBodyDoNotCollideUnlessTheyHaveNone)
{
    EXPECT_EQ(allowed(CollisionFilter::different_bodies({5, 5, 2}), 3), (Pairs{{0, 2}, {1, 2}}));
    EXPECT_EQ(allowed(CollisionFilter::different_bodies({-1, -1, 2}), 3), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
}

TEST(CollisionFilter, PatchesCollideAsListed)
{
    const Pairs listed{{2, 1}, {3, 3}};
    EXPECT_EQ(allowed(CollisionFilter::patches({1, 2, 3, 3}, listed), 4), (Pairs{{0, 1}, {2, 3}}));
}

TEST(CollisionFilter, ExplicitPairsAreExcludedOrTheOnlyOnes)
{
    const Pairs listed{{2, 0}};
    EXPECT_EQ(allowed(CollisionFilter::except_pairs(listed), 3), (Pairs{{0, 1}, {1, 2}}));
    EXPECT_EQ(allowed(CollisionFilter::only_pairs(listed), 3), (Pairs{{0, 2}}));
}

TEST(CollisionFilter, CombinesByAndOrNot)
{
    const auto bodies = CollisionFilter::different_bodies({0, 0, 1, 1});
    const auto even = CollisionFilter::callable([](int i, int j) { return (i + j) % 2 == 0; });
    EXPECT_EQ(allowed(bodies & even, 4), (Pairs{{0, 2}, {1, 3}}));
    EXPECT_EQ(allowed((!bodies) & even, 4), Pairs{});
    EXPECT_EQ(allowed(bodies | even, 4), (Pairs{{0, 2}, {0, 3}, {1, 2}, {1, 3}}));
    EXPECT_EQ(allowed(!even, 4), (Pairs{{0, 1}, {0, 3}, {1, 2}, {2, 3}}));
    EXPECT_EQ(allowed(!CollisionFilter(), 3), Pairs{});
    EXPECT_TRUE((CollisionFilter() | even).is_trivial());
    EXPECT_EQ(allowed(CollisionFilter() & even, 3), (Pairs{{0, 2}}));
}

TEST(CollisionFilter, RenumberingAsksWithTheOldIndices)
{
    const auto filter = CollisionFilter::different_bodies({0, 1, 0, 2});
    const std::vector<int> kept{0, 2, 3};
    EXPECT_EQ(allowed(filter.renumbered(kept), 3), (Pairs{{0, 2}, {1, 2}}));
}

TEST(CollisionFilter, TablesOfTheWrongSizeAreRejected)
{
    const Pairs far{{0, 9}};
    for (const auto& filter :
         {CollisionFilter::static_obstacles({true}), CollisionFilter::different_bodies({1}),
          CollisionFilter::patches({1}, {}), CollisionFilter::except_pairs(far), CollisionFilter::only_pairs(far),
          CollisionFilter::different_bodies({1, 2}) & CollisionFilter::different_bodies({1})})
        EXPECT_THROW(filter.validate(2), InvalidInput);
    EXPECT_NO_THROW(CollisionFilter::different_bodies({1, 2}).validate(2));
    EXPECT_THROW(CollisionFilter::callable(nullptr), InvalidInput);
}

} // namespace
} // namespace abut
