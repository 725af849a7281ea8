// Sets whose weights count contacts: the terms are those that the rules for all sets find, and what is computed a few
// pairs at once is what is computed one by one.

#include "abut/contact/counted_terms.hpp"

#include "abut/base/parallel.hpp"
#include "abut/contact/blocks/block_lanes.hpp"
#include "abut/contact/edge_lanes.hpp"
#include "abut/detect/near_search.hpp"
#include "abut/geometry/edge_edge_mollifier.hpp"
#include "support/contact_scenes.hpp"
#include "support/ogc_scenes.hpp"

#include <gtest/gtest.h>

#include <bit>

namespace abut::test::counted_terms_test {

namespace {

/// Triangles that share nothing, among them some with corners in one place, slivers, and copies a little apart, whose
/// edges are all parallel.
MeshData degenerate_triangles(RandomStream& random)
{
    constexpr int count = 90;
    MeshData soup;
    soup.vertices.resize(3 * count, 3);
    soup.edges.resize(0, 2);
    soup.faces.resize(count, 3);
    for (int f = 0; f < count; ++f) {
        Vec3 corners[3];
        for (Vec3& corner : corners)
            corner = 0.5 * random_points<3>(random);
        const int like = static_cast<int>(random.below(static_cast<std::uint32_t>(f + 1)));
        const Vec3 away = 0.02 * random_points<3>(random);
        for (int k = 0; k < 3; ++k) {
            if (f % 5 == 1 && k > 0) // no length, no area
                corners[k] = corners[f % 2 == 0 ? 0 : k - 1];
            if (f % 5 == 2 && k == 2) // a sliver
                corners[2] = 0.25 * corners[0] + 0.75 * corners[1] + 1e-9 * away;
            if (f % 5 == 3 && like < f)
                corners[k] = Vec3(soup.vertices.row(3 * like + k)) + away;
            soup.vertices.row(3 * f + k) = corners[k];
            soup.faces(f, k) = 3 * f + k;
        }
    }
    return soup;
}

/// Two grids over each other, corner over corner: ties of all kinds.
MeshData grids_over_each_other()
{
    MeshData grids = generate::plane_grid({.cells = {7, 7}});
    append(grids, translated(generate::plane_grid({.cells = {7, 7}}), Vec3(0, 0.03, 0)));
    return grids;
}

std::vector<std::pair<CollisionMesh, Positions>> scenes()
{
    RandomStream random(11);
    std::vector<std::pair<CollisionMesh, Positions>> all;
    const auto add = [&](const MeshData& data, const Positions& X, const CollisionMeshOptions& options = {}) {
        all.emplace_back(CollisionMesh(data, options), X);
    };
    const MeshData spheres = spheres_rod_and_points(0.02);
    add(spheres, spheres.vertices, {.planes = {{Vec3(0, -0.51, 0), Vec3::UnitY()}}});
    for (const double angle : {0.3, 1e-3}) {
        const MeshData cloth = layers_of_cloth(12, angle);
        add(cloth, cloth.vertices);
    }
    add(grids_over_each_other(), grids_over_each_other().vertices);
    for (int repeat = 0; repeat < 3; ++repeat) {
        const MeshData soup = degenerate_triangles(random);
        add(soup, soup.vertices);
        add(soup, Positions(soup.vertices + 0.01 * Positions::Random(soup.vertices.rows(), 3)));
    }
    return all;
}

TEST(CountedTerms, AreThoseOfTheRulesForAllSets)
{
    ByKind<std::size_t> counts{};
    for (const auto& [mesh, X] : scenes())
        for (const CollisionSetType type : {CollisionSetType::ipc, CollisionSetType::ogc})
            for (const bool use_face_edges : {true, false})
                for (const double dhat : {0.05, 0.2}) {
                    NormalCollisionsOptions options{.dhat = dhat, .set_type = type, .use_face_edges = use_face_edges};
                    ASSERT_TRUE(has_counted_terms(mesh, options));
                    NormalCollisions counted, weighed;
                    counted.build(mesh, X, options);
                    options.enable_shape_derivatives = true;
                    ASSERT_FALSE(has_counted_terms(mesh, options));
                    weighed.build(mesh, X, options);
                    EXPECT_EQ(counted.by_kind(), weighed.by_kind());
                    EXPECT_EQ(counted.stencils(), weighed.stencils());
                    for_each_kind(
                        [](PairKind, std::size_t& count, const auto& list) { count += list.size(); }, counts,
                        counted.by_kind());
                }
    for_each_kind([](PairKind, std::size_t count) { EXPECT_GT(count, 50u); }, counts);
}

TEST(CountedTerms, AreTheSameForAnyNumberOfThreads)
{
    const MeshData cloth = layers_of_cloth(40, 0.3);
    const CollisionMesh mesh(cloth);
    for (const CollisionSetType type : {CollisionSetType::ipc, CollisionSetType::ogc}) {
        NormalCollisions one, many;
        set_num_threads(1);
        one.build(mesh, cloth.vertices, {.dhat = 0.02, .set_type = type});
        set_num_threads(4);
        many.build(mesh, cloth.vertices, {.dhat = 0.02, .set_type = type});
        set_num_threads(0);
        EXPECT_EQ(one, many);
        EXPECT_GT(one.size(), 5000u);
    }
}

TEST(FaceParts, LeaveOutNoPartInWhoseBlockAPointIs)
{
    RandomStream random(5);
    int num_clear = 0, num_left_out = 0;
    std::vector<MeshData> surfaces = bumpy_surfaces(random);
    surfaces.push_back(degenerate_triangles(random));
    surfaces.push_back(grids_over_each_other());
    for (MeshData& data : surfaces) {
        // Points of their own: near the surface, over its corners, and over points of its edges, where blocks meet.
        const CollisionMesh plain(data);
        const Eigen::Index before = data.vertices.rows();
        constexpr int count = 60;
        data.vertices.conservativeResize(before + count, 3);
        for (int k = 0; k < count; ++k) {
            const int e = static_cast<int>(random.below(static_cast<std::uint32_t>(plain.num_edges())));
            const Vec3 e0 = data.vertices.row(plain.edges()(e, 0)), e1 = data.vertices.row(plain.edges()(e, 1));
            const Vec3 on_edge = k % 4 == 0 ? e0 : Vec3(0.25 * k / count * (e1 - e0) + e0);
            const Vec3 away = k % 3 == 0 ? Vec3(0.1 * Vec3::UnitY()) : Vec3(0.1 * random_points<3>(random));
            data.vertices.row(before + k) = on_edge + (k % 5 == 0 ? Vec3::Zero() : away);
        }
        const CollisionMesh mesh(data);
        const ConstPositions X = data.vertices;
        const OffsetBlocks<3> blocks(mesh, X);
        for (int v = static_cast<int>(before); v < mesh.num_vertices(); ++v)
            for (int f = 0; f < mesh.num_faces(); ++f) {
                std::array<IndexPair, num_lanes> pairs;
                for (int lane = 0; lane < num_lanes; ++lane)
                    pairs[lane] = {(f + lane) % mesh.num_faces(), v};
                const std::array<unsigned, num_lanes> parts = face_parts(mesh, X, pairs);
                for (int lane = 0; lane < num_lanes; ++lane) {
                    const auto expected = blocks.at_face(pairs[lane][0], point<3>(X, v));
                    if (parts[lane] == surely_in_face) {
                        EXPECT_EQ(expected, PointTriangleFeature::face);
                    } else {
                        EXPECT_EQ(blocks.at_face(pairs[lane][0], point<3>(X, v), parts[lane]), expected);
                        EXPECT_TRUE(!expected || (parts[lane] >> static_cast<int>(*expected) & 1) != 0);
                    }
                    num_clear += parts[lane] == surely_in_face;
                    num_left_out += parts[lane] < surely_in_face && std::popcount(parts[lane]) < 3;
                }
            }
    }
    EXPECT_GT(num_clear, 1000);
    EXPECT_GT(num_left_out, 10000);
}

TEST(EdgesTouch, AFewAtOnceAsOneByOne)
{
    int num_touching = 0, num_apart = 0;
    for (const auto& [mesh, given] : scenes()) {
        const ConstPositions X = given;
        const OffsetBlocks<3> blocks(mesh, X);
        const NearPairs near = search_near_pairs(mesh, X, 0.15, 0.3);
        for (std::size_t k = 0; k < near.ee.size(); ++k) {
            // At every feature that has an end, also where another is closest
            std::array<IndexPair, num_lanes> pairs;
            std::array<EdgeEdgeFeature, num_lanes> features;
            for (int lane = 0; lane < num_lanes; ++lane) {
                const std::size_t other = (k + lane * lane) % near.ee.size();
                pairs[lane] = near.ee.pairs[other];
                features[lane] = static_cast<EdgeEdgeFeature>((near.ee.features[other] + (k % 3 == 0 ? k / 3 : 0)) % 8);
            }
            const unsigned touching = edges_touch(mesh, X, blocks, pairs, features);
            for (int lane = 0; lane < num_lanes; ++lane) {
                const bool expected = blocks.edges_touch(pairs[lane][0], pairs[lane][1], features[lane]);
                EXPECT_EQ((touching >> lane & 1) != 0, expected);
                (expected ? num_touching : num_apart)++;
            }
        }
    }
    EXPECT_GT(num_touching, 1000);
    EXPECT_GT(num_apart, 1000);
}

TEST(SurelyCrossing, HoldsOfNoPairThatIsNearlyParallel)
{
    int num_parallel = 0, num_crossing = 0, num_open = 0;
    for (const auto& scene : scenes()) {
        const CollisionMesh& mesh = scene.first;
        const ConstPositions X = scene.second;
        for (int a = 0; a + 1 < mesh.num_edges(); a += 3) {
            std::array<IndexPair, 7> pairs;
            std::array<std::uint32_t, num_lanes> numbers{};
            for (int k = 0; k < 7; ++k)
                pairs[k] = {a, (7 * a + 13 * k) % mesh.num_edges()};
            for (int lane = 0; lane < num_lanes; ++lane)
                numbers[lane] = static_cast<std::uint32_t>((a + 2 * lane) % 7);
            const unsigned crossing = surely_crossing(mesh, X, pairs.data(), numbers);
            for (int lane = 0; lane < num_lanes; ++lane) {
                const int first = pairs[numbers[lane]][0], second = pairs[numbers[lane]][1];
                const auto of = [&](const ConstPositions& points, auto&& function) {
                    const auto end = [&](int e, int k) { return Vec3(point<3>(points, mesh.edges()(e, k))); };
                    return function(end(first, 0), end(first, 1), end(second, 0), end(second, 1), Order::value).value;
                };
                const double squared_sine = of(X, edge_edge_cross_squared_norm);
                const double eps_x = of(mesh.rest_positions(), edge_edge_mollifier_threshold);
                if ((crossing >> lane & 1) != 0) {
                    EXPECT_GT(squared_sine, eps_x);
                    ++num_crossing;
                } else
                    (squared_sine < eps_x ? num_parallel : num_open)++;
            }
        }
    }
    EXPECT_GT(num_parallel, 100);
    EXPECT_GT(num_crossing, 1000);
    EXPECT_LT(num_open, num_crossing / 4) << "edges of length zero";
}

} // namespace

} // namespace abut::test::counted_terms_test
