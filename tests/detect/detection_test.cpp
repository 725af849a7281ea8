#include "abut/detect/detection.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/base/random.hpp"
#include "abut/detect/measure_lanes.hpp"
#include "abut/geometry/edge_edge.hpp"
#include "abut/geometry/point_triangle.hpp"
#include "abut/mesh/generate/generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace abut::test::detection_test {
namespace {

MeshData two_spheres(double gap)
{
    MeshData spheres = generate::icosphere({.radius = 0.5, .subdivisions = 2});
    append(spheres, translated(generate::icosphere({.radius = 0.5, .subdivisions = 2}), Vec3(0.05, 1 + gap, 0.02)));
    append(spheres, translated(generate::rod({.segments = 6}), Vec3(0, 0.5 + gap / 2, 0.6)));
    spheres.vertices.conservativeResize(spheres.vertices.rows() + 2, 3);
    spheres.vertices.bottomRows(2) << 0.01, 0.5 + gap / 2, 0.61, 0.02, 0.5 + gap / 2, 0.61;
    return spheres;
}

void expect_same(const Detection& a, const Detection& b)
{
    EXPECT_EQ(a.pairs().vv, b.pairs().vv);
    EXPECT_EQ(a.pairs().ev, b.pairs().ev);
    EXPECT_EQ(a.pairs().ee, b.pairs().ee);
    EXPECT_EQ(a.pairs().fv, b.pairs().fv);
}

TEST(Detection, FindsExactlyThePairsWithinRange)
{
    const MeshData data = two_spheres(0.02);
    const CollisionMesh mesh(data);
    const double range = 0.08;
    Detection detection(mesh, {.range = range});
    detection.update(data.vertices);
    const auto p = [&](int v) { return Vec3(point<3>(data.vertices, v)); };

    Candidates all;
    all.build(mesh, data.vertices, 10, {.method = BroadPhase::brute_force});
    std::vector<IndexPair> fv, ee;
    for (const auto& [f, v] : all.fv) {
        const auto& F = mesh.faces();
        if (point_triangle_squared_distance(p(v), p(F(f, 0)), p(F(f, 1)), p(F(f, 2)), Order::value).value <
            range * range)
            fv.push_back({f, v});
    }
    for (const auto& [a, b] : all.ee) {
        const auto& E = mesh.edges();
        if (edge_edge_squared_distance(p(E(a, 0)), p(E(a, 1)), p(E(b, 0)), p(E(b, 1)), Order::value).value <
            range * range)
            ee.push_back({a, b});
    }
    EXPECT_EQ(detection.pairs().fv.pairs, fv);
    EXPECT_EQ(detection.pairs().ee.pairs, ee);
    EXPECT_GT(fv.size(), 20u);
    EXPECT_GT(ee.size(), 20u);
    EXPECT_EQ(detection.pairs().vv.size(), 1u) << "the two loose points";
    EXPECT_GT(detection.pairs().ev.size(), 0u) << "the points and the rod";
    for (std::size_t k = 0; k < detection.pairs().fv.size(); ++k) {
        const auto [f, v] = detection.pairs().fv.pairs[k];
        const auto& F = mesh.faces();
        EXPECT_EQ(
            static_cast<PointTriangleFeature>(detection.pairs().fv.features[k]),
            point_triangle_feature(p(v), p(F(f, 0)), p(F(f, 1)), p(F(f, 2))));
    }
}

TEST(Detection, AfterSmallMovesIsRefreshedToWhatASearchWouldFind)
{
    const MeshData data = two_spheres(0.02);
    const CollisionMesh mesh(data);
    Detection kept(mesh, {.range = 0.08, .slack = 0.5});
    Positions X = data.vertices;
    RandomStream random(5);
    for (int step = 0; step < 30; ++step) {
        kept.update(X);
        Detection fresh(mesh, {.range = 0.08, .slack = 0});
        fresh.update(X);
        expect_same(kept, fresh);
        for (Eigen::Index k = 0; k < X.size(); ++k)
            X.data()[k] += random.uniform(-0.004, 0.004);
    }
    EXPECT_LT(kept.num_searches(), 25);
    EXPECT_GT(kept.num_searches(), 1);
}

TEST(Detection, ThoseThatShareSearchesFindWhatTheyWouldAlone)
{
    const MeshData data = two_spheres(0.02);
    const CollisionMesh mesh(data);
    Detection first(mesh, {.range = 0.08, .slack = 0.5});
    Detection second = first.sharing();
    Positions X = data.vertices;
    RandomStream random(7);
    for (int step = 0; step < 20; ++step) {
        Detection& one = step % 3 == 0 ? first : second;
        one.update(X);
        Detection alone(mesh, {.range = 0.08, .slack = 0});
        alone.update(X);
        expect_same(one, alone);
        if (step % 5 == 0) { // at the same place as the other
            Detection& other = step % 3 == 0 ? second : first;
            other.update(X);
            expect_same(other, alone);
        }
        // Parts of it move far, the rest a little.
        for (Eigen::Index v = 0; v < X.rows(); ++v)
            X.row(v) += Eigen::RowVector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)) *
                        (v % 7 == 0 ? 0.005 : 0.0005);
    }
    EXPECT_EQ(first.num_searches(), second.num_searches());
    EXPECT_LT(first.num_searches(), 20);
}

TEST(Detection, SearchesAgainExactlyWhenTheSlackIsUsedUp)
{
    const MeshData data = two_spheres(0.02);
    const CollisionMesh mesh(data);
    Detection detection(mesh, {.range = 0.1, .slack = 0.2});
    detection.update(data.vertices);
    detection.update(translated(data, Vec3(0.0099, 0, 0)).vertices);
    EXPECT_EQ(detection.num_searches(), 1);
    detection.update(translated(data, Vec3(0.0101, 0, 0)).vertices);
    EXPECT_EQ(detection.num_searches(), 2);
}

TEST(Detection, KeepsOnlyThePairsThatMayComeWithinRange)
{
    const MeshData data = two_spheres(0.02);
    const CollisionMesh mesh(data);
    const double range = 0.08, slack = 0.5;
    Detection detection(mesh, {.range = range, .slack = slack});
    EXPECT_FALSE(detection.is_at(data.vertices));
    detection.update(data.vertices);
    EXPECT_TRUE(detection.is_at(data.vertices));
    EXPECT_FALSE(detection.is_at(translated(data, Vec3(1e-15, 0, 0)).vertices));
    Candidates boxes;
    boxes.build(mesh, data.vertices, range * (1 + slack) / 2);
    Detection wide(mesh, {.range = range * (1 + slack), .slack = 0});
    wide.update(data.vertices);
    EXPECT_LT(detection.candidates().size(), boxes.size() * 3 / 4);
    const auto expect_holds = [](const std::vector<IndexPair>& kept, const std::vector<IndexPair>& needed) {
        EXPECT_TRUE(std::includes(kept.begin(), kept.end(), needed.begin(), needed.end()));
    };
    expect_holds(detection.candidates().ee, wide.pairs().ee.pairs);
    expect_holds(detection.candidates().fv, wide.pairs().fv.pairs);
    expect_holds(detection.candidates().ev, wide.pairs().ev.pairs);
    expect_holds(detection.candidates().vv, wide.pairs().vv.pairs);
}

TEST(Detection, IsTheSameForAnyNumberOfThreads)
{
    const MeshData data = two_spheres(0.02);
    const CollisionMesh mesh(data);
    set_num_threads(1);
    Detection one(mesh, {.range = 0.1});
    one.update(data.vertices);
    for (const int threads : {2, 4}) {
        set_num_threads(threads);
        Detection many(mesh, {.range = 0.1});
        many.update(data.vertices);
        expect_same(one, many);
    }
    set_num_threads(0);
}

TEST(Detection, RejectsBadOptionsAndPositions)
{
    const CollisionMesh mesh(generate::box());
    for (const double range : {0.0, -1.0, std::nan("")})
        EXPECT_THROW(Detection(mesh, {.range = range}), InvalidInput);
    EXPECT_THROW(Detection(mesh, {.range = 1, .slack = -0.1}), InvalidInput);
    Detection detection(mesh, {.range = 1});
    EXPECT_THROW(detection.update(Positions::Zero(3, 3)), InvalidInput);
}

TEST(MinimumDistance, IsTheGapOfTwoBoxes)
{
    for (const double gap : {1e-9, 0.01, 3.0, 500.0}) {
        MeshData boxes = generate::box();
        append(boxes, translated(generate::box(), Vec3(0.1, 1 + gap, 0.2)));
        const double found = compute_minimum_distance(CollisionMesh(boxes), boxes.vertices);
        // A box's own corners are 1 / sqrt(3) from the diagonals of faces that do not share them.
        EXPECT_NEAR(found, std::min(gap, 1 / std::sqrt(3)), 1e-12);
    }
}

TEST(MinimumDistance, IsInfiniteWithoutPairsAndWorksInThePlane)
{
    Positions X(3, 3);
    X << 0, 0, 0, 1, 0, 0, 0, 1, 0;
    Elements face(1, 3);
    face << 0, 1, 2;
    EXPECT_EQ(
        compute_minimum_distance(CollisionMesh(X, Elements(0, 2), face), X), std::numeric_limits<double>::infinity());
    MeshData curves = generate::squircle({.exponent = 2, .segments = 40});
    append(curves, translated(generate::squircle({.exponent = 2, .segments = 40}), Vec2(2.0625, 0)));
    EXPECT_NEAR(compute_minimum_distance(CollisionMesh(curves), curves.vertices), 0.0625, 1e-12)
        << "less than the edges' length, 0.157";
}

// ---- A few pairs at once

/// Edges and faces that share no vertices, at random places or, for many ties and degenerate elements, on a coarse grid
/// where all numbers are exact.
CollisionMesh loose_elements(bool on_grid, RandomStream& random)
{
    constexpr int count = 60;
    MeshData data;
    data.vertices.resize(5 * count, 3);
    for (Eigen::Index i = 0; i < data.vertices.size(); ++i)
        data.vertices.data()[i] = on_grid ? 0.25 * random.below(4) : random.uniform(-1, 1);
    data.edges.resize(count, 2);
    data.faces.resize(count, 3);
    for (int i = 0; i < count; ++i) {
        data.edges.row(i) << 2 * i, 2 * i + 1;
        data.faces.row(i) << 2 * count + 3 * i, 2 * count + 3 * i + 1, 2 * count + 3 * i + 2;
    }
    Positions rest = data.vertices;
    rest.col(0) += Eigen::VectorXd::LinSpaced(rest.rows(), 0, 1e4); // which no check objects to
    data.vertices = rest;
    return CollisionMesh(data);
}

template <PairKind kind>
void expect_measured_as_alone(
    const CollisionMesh& mesh, const Positions& X, int num_first, int num_second, double limit)
{
    std::vector<IndexPair> pairs;
    const auto share_a_vertex = [&](int i, int j) {
        if (kind == PairKind::face_vertex)
            return (mesh.faces().row(i).array() == j).any();
        return (mesh.edges().row(i).array() == mesh.edges()(j, 0)).any() ||
               (mesh.edges().row(i).array() == mesh.edges()(j, 1)).any();
    };
    for (int i = 0; i < num_first; ++i)
        for (int j = kind == PairKind::edge_edge ? i + 1 : 0; j < num_second; ++j)
            if (!share_a_vertex(i, j))
                pairs.push_back({i, j});
    std::vector<const IndexPair*> asked, near(pairs.size());
    for (const IndexPair& pair : pairs)
        asked.push_back(&pair);
    std::size_t next = 0;
    const auto alone = [&](const IndexPair& pair) {
        return measure_pair<3>(KindConstant<kind>(), mesh, X, pair[0], pair[1], limit);
    };
    int num_near = 0;
    measure_lanes::measure<kind>(
        mesh, X, asked, near, [&](const IndexPair&) { return limit; },
        [&](const IndexPair& pair, const MeasuredPair& measured) {
            for (; pairs[next] != pair; ++next)
                EXPECT_GE(alone(pairs[next]).squared_distance, limit) << "left out, but near";
            ++next;
            const MeasuredPair expected = alone(pair);
            if (std::isinf(expected.squared_distance)) { // on the border of what is called far
                EXPECT_GE(measured.squared_distance, limit);
                return;
            }
            ++num_near;
            EXPECT_EQ(measured.feature, expected.feature) << pair[0] << ' ' << pair[1];
            EXPECT_NEAR(measured.squared_distance, expected.squared_distance, 1e-13);
        });
    for (; next < pairs.size(); ++next)
        EXPECT_GE(alone(pairs[next]).squared_distance, limit) << "left out, but near";
    EXPECT_GT(num_near, 100);
}

TEST(MeasureLanes, FindTheFeaturesAndDistancesThatArePairByPairFound)
{
    for (const bool on_grid : {false, true})
        for (int round = 0; round < 20; ++round) {
            RandomStream random(211, 2 * round + (on_grid ? 1 : 0));
            const CollisionMesh mesh = loose_elements(on_grid, random);
            Positions X(mesh.num_vertices(), 3);
            for (Eigen::Index i = 0; i < X.size(); ++i)
                X.data()[i] = on_grid ? 0.25 * random.below(4) : random.uniform(-1, 1);
            expect_measured_as_alone<PairKind::edge_edge>(mesh, X, mesh.num_edges(), mesh.num_edges(), 0.3);
            expect_measured_as_alone<PairKind::face_vertex>(mesh, X, mesh.num_faces(), mesh.num_vertices(), 0.3);
        }
}

TEST(MeasureLanes, AnyNumberOfPairsIsMeasuredInOrder)
{
    RandomStream random(223);
    const CollisionMesh mesh = loose_elements(false, random);
    const Positions& X = mesh.rest_positions();
    const std::vector<IndexPair> pairs{{0, 7}, {1, 9}, {2, 30}, {3, 11}, {4, 12}, {5, 20}, {6, 33}};
    for (std::size_t count = 0; count <= pairs.size(); ++count) {
        std::vector<const IndexPair*> asked, near(count);
        for (std::size_t k = 0; k < count; ++k)
            asked.push_back(&pairs[k]);
        std::size_t found = 0;
        measure_lanes::measure<PairKind::edge_edge>(
            mesh, X, asked, near, [](const IndexPair&) { return std::numeric_limits<double>::infinity(); },
            [&](const IndexPair& pair, const MeasuredPair&) { EXPECT_EQ(pair, pairs[found++]); });
        EXPECT_EQ(found, count);
    }
}

} // namespace
} // namespace abut::test::detection_test
