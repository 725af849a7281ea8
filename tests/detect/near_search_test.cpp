// Near pairs straight from the trees are those of a list of candidates, to the last bit.

#include "abut/detect/near_search.hpp"

#include "abut/base/parallel.hpp"
#include "support/random_meshes.hpp"

#include <gtest/gtest.h>

namespace abut::test::near_search_test {
namespace {

class NearSearch : public ::testing::Test {
protected:
    void TearDown() override { set_num_threads(0); }
};

TEST_F(NearSearch, FindsThePairsOfAListOfCandidatesForAnyNumberOfThreads)
{
    std::size_t num_found[5]{};
    for (int index = 0; index < 330; ++index) {
        RandomStream random(31, static_cast<std::uint64_t>(index));
        const Layout layout = layouts[static_cast<std::size_t>(index) % layouts.size()];
        SCOPED_TRACE(testing::Message() << index << ' ' << name(layout));
        SoupOptions soup;
        const std::uint32_t size = index % 30 == 29 ? 300 : 12;
        soup.dim = index % 4 == 0 ? 2 : 3;
        soup.triangles = static_cast<int>(random.below(size));
        soup.edges = static_cast<int>(random.below(size));
        soup.points = 1 + static_cast<int>(random.below(size));
        const CollisionFilter filter = random_filter(random);
        MovingMesh moving = random_soup(soup, random, filter);
        lay_out(moving, layout, random);
        const double range = scale(layout) * random.uniform(0.001, 0.3);
        if (index % 3 == 0) {
            const std::vector<double> radii(
                static_cast<std::size_t>(moving.mesh.num_vertices()), scale(layout) * random.uniform(0, 0.05));
            moving.mesh = moving.mesh.with_offsets(ContactOffsets(radii));
        }
        if (index % 5 == 0) {
            CollisionMeshOptions options;
            options.planes = {
                {.point = lifted(moving.X0, 0), .normal = Vec3::UnitY()},
                {.point = Vec3::Zero(), .normal = Vec3::UnitX()}};
            moving.mesh =
                CollisionMesh(moving.mesh.rest_positions(), moving.mesh.edges(), moving.mesh.faces(), options);
        }
        Candidates candidates;
        candidates.build(moving.mesh, moving.X0, range / 2);
        for (const double share : {0.3, 1.0, 1.05}) {
            const NearPairs expected = find_near_pairs(candidates, moving.mesh, moving.X0, share * range);
            for (const int threads : {1, 4}) {
                set_num_threads(threads);
                EXPECT_EQ(search_near_pairs(moving.mesh, moving.X0, range / 2, share * range), expected);
            }
            std::size_t kind = 0;
            for_each_kind([&](PairKind, const DetectedPairs& list) { num_found[kind++] += list.size(); }, expected);
        }
    }
    for (const std::size_t count : num_found)
        EXPECT_GT(count, 1000u);
}

TEST_F(NearSearch, FindsNothingWhereThereIsNothing)
{
    Positions two(2, 3);
    two << 0, 0, 0, 1, 0, 0;
    const CollisionMesh mesh(two, Elements(0, 2), Elements(0, 3));
    EXPECT_EQ(search_near_pairs(mesh, two, 0.05, 0.1).size(), 0u);
    EXPECT_EQ(search_near_pairs(mesh, two, 0.55, 1.1).vv.pairs, (std::vector<IndexPair>{{0, 1}}));
}

} // namespace
} // namespace abut::test::near_search_test
