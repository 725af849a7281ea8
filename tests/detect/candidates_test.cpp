// The broad phase against all pairs of boxes, and against exact distances: nothing near is left out, whatever the
// shape, size and place of the mesh.

#include "abut/detect/candidates.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/detect/broad_phase.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "support/exact_ccd.hpp"
#include "support/mesh_pairs.hpp"
#include "support/random_meshes.hpp"
#include "support/reference_scene.hpp"

#include <gtest/gtest.h>

#include <iostream>

namespace abut::test::candidates_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Every test leaves the number of threads as it found it.
class CandidatesTest : public ::testing::Test {
protected:
    void TearDown() override { set_num_threads(0); }
};

Candidates build(const MovingMesh& moving, double inflation, const CandidatesOptions& options = {})
{
    Candidates found;
    found.build(moving.mesh, moving.X0, moving.X1, inflation, options);
    return found;
}

Candidates build_still(const MovingMesh& moving, double inflation, const CandidatesOptions& options = {})
{
    Candidates found;
    found.build(moving.mesh, moving.X0, inflation, options);
    return found;
}

/// Mesh `index` of an endless list: of all layouts, dimensions and mixes of elements, one in twenty large.
MovingMesh listed_mesh(std::uint64_t seed, int index, RandomStream& random)
{
    random = RandomStream(seed, static_cast<std::uint64_t>(index));
    SoupOptions soup;
    soup.dim = index % 4 == 0 ? 2 : 3;
    const std::uint32_t size = index % 20 == 19 ? 250 : 14;
    soup.triangles = static_cast<int>(random.below(size));
    soup.edges = static_cast<int>(random.below(size));
    soup.points = 2 + static_cast<int>(random.below(size));
    soup.element_size = random.uniform(0.02, 0.6);
    soup.motion = random.uniform(0, 0.8);
    const CollisionFilter filter = random_filter(random);
    MovingMesh moving = random_soup(soup, random, filter);
    lay_out(moving, layouts[static_cast<std::size_t>(index) % layouts.size()], random);
    return moving;
}

double listed_inflation(int index, RandomStream& random)
{
    return scale(layouts[static_cast<std::size_t>(index) % layouts.size()]) *
           (index % 3 == 0 ? 0 : std::pow(10, random.uniform(-6, -0.5)));
}

TEST_F(CandidatesTest, TreesFindWhatAllPairsOfBoxesFindOnAThousandMeshes)
{
    std::size_t num_pairs = 0;
    for (int i = 0; i < 1000; ++i) {
        RandomStream random(0);
        const MovingMesh moving = listed_mesh(101, i, random);
        const double inflation = listed_inflation(i, random);
        const CandidatesOptions brute_force{.method = BroadPhase::brute_force};
        const Candidates swept = build(moving, inflation), still = build_still(moving, inflation);
        EXPECT_EQ(swept, build(moving, inflation, brute_force)) << "mesh " << i;
        EXPECT_EQ(still, build_still(moving, inflation, brute_force)) << "mesh " << i;
        num_pairs += swept.size() + still.size();

        // Sorted, each pair once, only collidable pairs.
        const std::vector<MeshPair> pairs = as_mesh_pairs(swept), still_pairs = as_mesh_pairs(still);
        EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end())) << "mesh " << i;
        EXPECT_EQ(std::adjacent_find(pairs.begin(), pairs.end()), pairs.end()) << "mesh " << i;
        // A pair near at the start is near on the way.
        EXPECT_TRUE(std::includes(pairs.begin(), pairs.end(), still_pairs.begin(), still_pairs.end())) << "mesh " << i;
        const std::vector<MeshPair> all = collidable_pairs(moving.mesh);
        EXPECT_TRUE(std::includes(all.begin(), all.end(), pairs.begin(), pairs.end())) << "mesh " << i;
    }
    std::cout << num_pairs << " candidates" << std::endl;
    EXPECT_GT(num_pairs, 100'000u);
}

/// A box's distance to another along the axis where they are furthest apart.
double box_gap(const CcdQuery& query)
{
    const int m = num_first_points(query.kind), n = num_points(query.kind);
    double widest = -infinity;
    for (int axis = 0; axis < 3; ++axis) {
        std::array<double, 2> lo{infinity, infinity}, hi{-infinity, -infinity};
        for (int k = 0; k < n; ++k)
            for (const Vec3& x : {query.start[k], query.end[k]}) {
                const int element = k < m ? 0 : 1;
                lo[element] = std::min(lo[element], x[axis]);
                hi[element] = std::max(hi[element], x[axis]);
            }
        widest = std::max({widest, lo[0] - hi[1], lo[1] - hi[0]});
    }
    return widest;
}

/// By exact arithmetic: what comes within twice the inflation is a candidate. And by boxes: what is further apart than
/// that plus rounding is not.
TEST_F(CandidatesTest, OfStaticObstaclesAreThoseWithWhatMoves)
{
    MeshData data = generate::icosphere({.radius = 0.5, .subdivisions = 2});
    const Eigen::Index num_static = data.vertices.rows();
    append(data, translated(generate::icosphere({.radius = 0.5, .subdivisions = 1}), Vec3(0.05, 0.9, 0.02)));
    append(data, translated(generate::rod({.segments = 6}), Vec3(0, 0.5, 0.6)));
    std::vector<bool> is_static(data.vertices.rows(), false);
    std::fill_n(is_static.begin(), num_static, true);
    is_static.back() = true;
    std::vector<int> kept;
    for (Eigen::Index v = 0; v < data.vertices.rows(); ++v)
        kept.push_back(static_cast<int>(v));
    const CollisionFilter obstacles = CollisionFilter::static_obstacles(is_static);
    const CollisionFilter others = CollisionFilter::callable([](int i, int j) { return (i + j) % 3 != 0; });
    for (const CollisionFilter& filter :
         {obstacles, obstacles.renumbered(kept), obstacles & others, others & obstacles, obstacles | others,
          !obstacles}) {
        CollisionMeshOptions options;
        options.filter = filter;
        const CollisionMesh mesh(data, options);
        for (const double inflation : {0.001, 0.05, 0.5}) {
            Candidates found, expected;
            found.build(mesh, data.vertices, inflation);
            expected.build(mesh, data.vertices, inflation, {.method = BroadPhase::brute_force});
            EXPECT_EQ(found, expected);
            EXPECT_FALSE(found.empty());
        }
    }
}

TEST_F(CandidatesTest, HoldEveryPairThatComesWithinTwiceTheInflation)
{
    int num_near = 0, num_far = 0;
    for (int i = 0; i < 220; ++i) {
        if (i % 20 == 19) // large
            continue;
        RandomStream random(0);
        const MovingMesh moving = listed_mesh(103, i, random);
        const double inflation = listed_inflation(i, random);
        const std::vector<MeshPair> swept = as_mesh_pairs(build(moving, inflation)),
                                    still = as_mesh_pairs(build_still(moving, inflation));
        const double largest = moving.X0.cwiseAbs().maxCoeff() + moving.X1.cwiseAbs().maxCoeff();
        for (const MeshPair& pair : collidable_pairs(moving.mesh)) {
            const CcdQuery query = pair_query(moving.mesh, moving.X0, moving.X1, pair);
            const bool is_listed = std::binary_search(swept.begin(), swept.end(), pair);
            if (exact_first_contact(query, 2 * inflation).hit) {
                ++num_near;
                EXPECT_TRUE(is_listed) << pair << " of mesh " << i << ' ' << query;
            }
            const mpq_class range = 2 * inflation;
            const bool is_near_at_start = exact_squared_distance(query, 0) <= range * range;
            EXPECT_TRUE(!is_near_at_start || std::binary_search(still.begin(), still.end(), pair))
                << pair << " of mesh " << i << ' ' << query;
            if (box_gap(query) > 2 * inflation * (1 + 1e-14) + 1e-14 * largest) {
                ++num_far;
                EXPECT_FALSE(is_listed) << pair << " of mesh " << i << ' ' << query;
            }
        }
    }
    EXPECT_GT(num_near, 1000);
    EXPECT_GT(num_far, 1000);
}

TEST_F(CandidatesTest, AreTheSameForAnyNumberOfThreads)
{
    // Large enough for many chunks of every loop.
    MeshData data = generate::icosphere({.radius = 1, .subdivisions = 5});
    append(data, translated(generate::cloth({.size = {3, 3}, .cells = {60, 60}}), Vec3(0, 1.01, 0)));
    append(
        data,
        translated(generate::helix({.radius = 1.3, .pitch = 0.05, .turns = 8, .segments = 4000}), Vec3(0, -0.2, 0)));
    const CollisionMesh mesh(data);
    Positions X1 = mesh.rest_positions();
    X1.col(1) *= 0.9;
    std::vector<Candidates> found(4);
    for (const int threads : {1, 2, 4}) {
        set_num_threads(threads);
        found[threads - 1].build(mesh, mesh.rest_positions(), X1, 0.01);
    }
    EXPECT_GT(found[0].ee.size(), 10'000u);
    EXPECT_GT(found[0].fv.size(), 10'000u);
    EXPECT_EQ(found[0], found[1]);
    EXPECT_EQ(found[0], found[3]);
}

TEST_F(CandidatesTest, DependOnTheElementsAndNotOnTheirOrder)
{
    // The same soup with its vertices renumbered has the same pairs, by the vertices they join.
    for (int i = 0; i < 50; ++i) {
        RandomStream random(107, i);
        const MovingMesh moving =
            random_soup({.dim = i % 2 == 0 ? 3 : 2, .triangles = 30, .edges = 30, .points = 20}, random);
        const int n = moving.mesh.num_vertices();
        std::vector<int> place(n);
        for (int v = 0; v < n; ++v)
            place[v] = v;
        for (int v = n - 1; v > 0; --v)
            std::swap(place[v], place[random.below(static_cast<std::uint32_t>(v + 1))]);
        const auto renumbered = [&](auto elements) {
            for (int& v : elements.reshaped())
                v = place[v];
            return elements;
        };
        Positions Y0 = moving.X0, Y1 = moving.X1;
        for (int v = 0; v < n; ++v) {
            Y0.row(place[v]) = moving.X0.row(v);
            Y1.row(place[v]) = moving.X1.row(v);
        }
        const MovingMesh other{
            CollisionMesh(Y0, renumbered(moving.mesh.edges()), renumbered(moving.mesh.faces())), Y0, Y1};
        const auto joined_vertices = [](const MovingMesh& m, double inflation, const std::vector<int>* map) {
            std::set<std::set<std::set<int>>> pairs;
            for (const MeshPair& pair : as_mesh_pairs(build(m, inflation))) {
                std::vector<int> v = pair_vertices(m.mesh, pair);
                if (map != nullptr)
                    for (int& k : v)
                        k = (*map)[k];
                const auto middle = v.begin() + (pair.kind == PairKind::edge_edge ? 2 : 1);
                pairs.insert({std::set<int>(v.begin(), middle), std::set<int>(middle, v.end())});
            }
            return pairs;
        };
        EXPECT_EQ(joined_vertices(moving, 0.05, &place), joined_vertices(other, 0.05, nullptr)) << "mesh " << i;
    }
}

TEST_F(CandidatesTest, EndAtTheLimitOfPairs)
{
    const CollisionMesh mesh(generate::icosphere({.radius = 1, .subdivisions = 4}));
    Candidates found;
    for (const std::int64_t max_pairs : {0, 1, 1000}) {
        try {
            found.build(mesh, mesh.rest_positions(), 10, {.max_pairs = max_pairs});
            ADD_FAILURE() << "no error";
        } catch (const LimitReached& error) {
            EXPECT_NE(std::string(error.what()).find("max_pairs"), std::string::npos) << error.what();
        }
    }
    // Exactly as many as there are is allowed, one fewer is not.
    found.build(mesh, mesh.rest_positions(), 0.02);
    const auto most = static_cast<std::int64_t>(std::max(found.ee.size(), found.fv.size()));
    ASSERT_GT(most, 1000);
    Candidates again;
    again.build(mesh, mesh.rest_positions(), 0.02, {.max_pairs = most});
    EXPECT_EQ(found, again);
    EXPECT_THROW(again.build(mesh, mesh.rest_positions(), 0.02, {.max_pairs = most - 1}), LimitReached);
}

TEST_F(CandidatesTest, RejectBadInput)
{
    const CollisionMesh mesh(generate::box());
    const Positions X = mesh.rest_positions();
    const auto expect_rejected = [](auto&& call, const std::string& field) {
        try {
            call();
            ADD_FAILURE() << "no error";
        } catch (const InvalidInput& error) {
            EXPECT_TRUE(std::string(error.what()).starts_with(field)) << error.what();
        }
    };
    Candidates found;
    for (const double inflation : {nan, -1e-300, -1.0, infinity, 1e51}) {
        expect_rejected([&] { found.build(mesh, X, inflation); }, "inflation");
        expect_rejected([&] { found.build(mesh, X, X, inflation); }, "inflation");
    }
    const std::array<Positions, 4> wrong{
        Positions(0, 3), Positions::Zero(X.rows() - 1, 3), Positions::Zero(X.rows() + 1, 3),
        Positions::Zero(X.rows(), 2)};
    for (const Positions& Y : wrong) {
        expect_rejected([&] { found.build(mesh, Y, 0.1); }, "X");
        expect_rejected([&] { found.build(mesh, Y, X, 0.1); }, "X0");
        expect_rejected([&] { found.build(mesh, X, Y, 0.1); }, "X1");
    }
    for (const double bad : {nan, infinity, 1e51}) {
        Positions Y = X;
        Y(3, 1) = bad;
        expect_rejected([&] { found.build(mesh, X, Y, 0.1); }, "X1: row 3");
    }
}

TEST_F(CandidatesTest, OfMeshesWithoutPairsAreEmpty)
{
    Candidates found;
    found.vv.push_back({0, 1}); // is forgotten
    Positions X(1, 3);
    X << 1, 2, 3;
    found.build(CollisionMesh(X), X, 1);
    EXPECT_TRUE(found.empty());
    Positions Y(3, 3);
    Y << 0, 0, 0, 1, 0, 0, 0, 1, 0;
    Elements F(1, 3);
    F << 0, 1, 2;
    found.build(CollisionMesh(Y, Elements(0, 2), F), Y, 100);
    EXPECT_TRUE(found.empty());
    // Two points in space, and two in the plane.
    found.build(CollisionMesh(Y.topRows(2)), Y.topRows(2), 0.5);
    EXPECT_EQ(found.vv, (std::vector<IndexPair>{{0, 1}}));
    found.build(CollisionMesh(Y.topLeftCorner(2, 2)), Y.topLeftCorner(2, 2), 0.5);
    EXPECT_EQ(found.vv, (std::vector<IndexPair>{{0, 1}}));
    found.build(CollisionMesh(Y.topRows(2)), Y.topRows(2), 0.4999);
    EXPECT_TRUE(found.empty());
}

// ---- The reference toolkit's counts

TEST_F(CandidatesTest, CountAsTheReferenceDoes)
{
    for (const char* scene_name : reference_scene_names) {
        const auto [mesh, X0, X1, queries] = read_reference_scene(scene_name);
        for (const nlohmann::json& query : queries) {
            Candidates found;
            found.build(mesh, X0, X1, query.value("min_distance", 0.0) / 2);
            const nlohmann::json& expected = query.at("result").at("num_candidates").at("brute_force");
            EXPECT_EQ(found.vv.size(), expected.at("vv").get<std::size_t>()) << scene_name;
            EXPECT_EQ(found.ev.size(), expected.at("ev").get<std::size_t>()) << scene_name;
            EXPECT_EQ(found.ee.size(), expected.at("ee").get<std::size_t>()) << scene_name;
            EXPECT_EQ(found.fv.size(), expected.at("fv").get<std::size_t>()) << scene_name;
        }
    }
}

// ---- Boxes and trees

std::vector<Box> random_boxes(std::size_t n, RandomStream& random)
{
    std::vector<Box> boxes(n);
    for (Box& box : boxes) {
        const Vec3 center = random_points<3>(random), size = 0.1 * random_points<3>(random).cwiseAbs();
        box.lo = center - size;
        box.hi = center + size;
    }
    return boxes;
}

/// Pairs of elements of the tree whose exact boxes overlap, found through it.
std::set<IndexPair> overlaps_within(const Bvh& tree, const std::vector<Box>& boxes)
{
    std::set<IndexPair> pairs;
    for (int block = 0; block < tree.num_blocks(); ++block)
        tree.for_each_overlap_within(block, [&](int i, int j) {
            if (boxes[i].overlaps(boxes[j])) {
                const bool is_new = pairs.insert({std::min(i, j), std::max(i, j)}).second;
                EXPECT_TRUE(is_new) << "visited twice: " << i << ' ' << j;
            }
        });
    return pairs;
}

TEST(Bvh, RefitFindsWhatBuildFinds)
{
    for (const std::size_t n : {0u, 1u, 2u, 8u, 9u, 64u, 65u, 700u}) {
        RandomStream random(109, n);
        const std::vector<Box> before = random_boxes(n, random), after = random_boxes(n, random);
        Bvh built, refitted;
        refitted.build(before, Vec3(0.1, 0, 0));
        refitted.refit(after); // everything is elsewhere
        built.build(after, Vec3::Zero());
        EXPECT_EQ(refitted.size(), static_cast<int>(n));
        const std::set<IndexPair> expected = overlaps_within(built, after);
        EXPECT_EQ(overlaps_within(refitted, after), expected) << n;
        std::set<IndexPair> all;
        for (int i = 0; i < static_cast<int>(n); ++i)
            for (int j = i + 1; j < static_cast<int>(n); ++j)
                if (after[i].overlaps(after[j]))
                    all.insert({i, j});
        EXPECT_EQ(expected, all) << n;
    }
}

TEST(Bvh, FindsOverlapsOfTwoTrees)
{
    for (const std::size_t n : {1u, 7u, 8u, 100u, 600u}) {
        RandomStream random(113, n);
        const std::vector<Box> some = random_boxes(n, random), others = random_boxes(300, random);
        Bvh queries, tree;
        queries.build(some, Vec3::Zero());
        tree.build(others, Vec3::Zero());
        std::set<IndexPair> found, all;
        for (int block = 0; block < queries.num_blocks(); ++block)
            tree.for_each_overlap(queries, block, [&](int i, int j) {
                if (some[i].overlaps(others[j])) {
                    const bool is_new = found.insert({i, j}).second;
                    EXPECT_TRUE(is_new) << "visited twice: " << i << ' ' << j;
                }
            });
        for (int i = 0; i < static_cast<int>(n); ++i)
            for (int j = 0; j < 300; ++j)
                if (some[i].overlaps(others[j]))
                    all.insert({i, j});
        EXPECT_EQ(found, all) << n;
    }
}

TEST(Box8, RoundsOutward)
{
    const auto expect_around = [](double x) {
        const double lo = round_down(x), hi = round_up(x);
        EXPECT_LE(lo, x);
        EXPECT_GE(hi, x);
        EXPECT_EQ(lo, -round_up(-x));
        // Two ulps of a float, and the least normal float.
        EXPECT_LE(hi - lo, 8 * std::abs(x) * 0x1p-23 + 0x1p-124);
    };
    for (const double x : {0.0, 1.0, 0.1, 1 + 0x1p-24, 1 + 0x1p-25, 1e-38, 1e-45, 1e-300, 5e-324, 1e38, 3.4e38}) {
        expect_around(x);
        expect_around(-x);
    }
    RandomStream random(127);
    for (int i = 0; i < 100'000; ++i)
        expect_around(random.uniform(-1, 1) * std::ldexp(1.0, static_cast<int>(random.below(250)) - 125));
    // Beyond the range of floats order is kept, and no number becomes infinite.
    const std::array<double, 12> ascending{-1e308, -1e50, -3.5e38, -3.4e38, -1,   -1e-300,
                                           1e-300, 1,     3.4e38,  3.5e38,  1e50, 1e308};
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        EXPECT_TRUE(std::isfinite(round_down(ascending[i])));
        EXPECT_TRUE(std::isfinite(round_up(ascending[i])));
        for (std::size_t j = i; j < ascending.size(); ++j)
            EXPECT_LE(round_down(ascending[i]), round_up(ascending[j]));
    }
}

TEST(Box8, TestsEachLaneAndNoEmptyOne)
{
    RandomStream random(131);
    for (int i = 0; i < 2000; ++i) {
        Box8 eight;
        std::array<BoxF, 8> lanes;
        const auto draw = [&] {
            BoxF box{};
            for (int axis = 0; axis < 3; ++axis) { // small integers, so that boxes touch
                const float a = static_cast<float>(random.below(7)), b = static_cast<float>(random.below(7));
                box.lo[axis] = std::min(a, b);
                box.hi[axis] = std::max(a, b);
            }
            return box;
        };
        for (int k = 0; k < 8; ++k) {
            lanes[k] = random.below(4) == 0 ? BoxF::empty() : draw();
            eight.set(k, lanes[k]);
        }
        const BoxF query =
            i % 10 == 0
                ? BoxF{{-largest_float, -largest_float, -largest_float}, {largest_float, largest_float, largest_float}}
                : draw();
        const unsigned mask = eight.overlap_mask(query);
        for (int k = 0; k < 8; ++k) {
            bool overlaps = true;
            for (int axis = 0; axis < 3; ++axis)
                overlaps &= lanes[k].lo[axis] <= query.hi[axis] && query.lo[axis] <= lanes[k].hi[axis];
            EXPECT_EQ((mask >> k & 1) != 0, overlaps) << k;
        }
    }
}

} // namespace
} // namespace abut::test::candidates_test
