#include "abut/detect/vertex_steps.hpp"

#include "abut/base/parallel.hpp"
#include "abut/base/random.hpp"
#include "abut/detect/intersections.hpp"
#include "abut/detect/pair_share.hpp"
#include "abut/detect/step_size.hpp"
#include "abut/mesh/generate/generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

namespace abut::test::vertex_steps_test {
namespace {

constexpr VertexStepOptions options{.dmin = 0.001, .clearance = 0.02};
constexpr double range = 0.05;

/// Two spheres, a rod between them and two loose points.
MeshData things(double gap)
{
    MeshData all = generate::icosphere({.radius = 0.5, .subdivisions = 2});
    append(all, translated(generate::icosphere({.radius = 0.5, .subdivisions = 2}), Vec3(0.05, 1 + gap, 0.02)));
    append(all, translated(generate::rod({.segments = 6}), Vec3(0, 0.5 + gap / 2, 0.6)));
    all.vertices.conservativeResize(all.vertices.rows() + 2, 3);
    all.vertices.bottomRows(2) << 0.01, 0.5 + gap / 2, 0.61, 0.02, 0.5 + gap / 2, 0.64;
    return all;
}

/// Every pair whose swept boxes come near each other, by continuous collision detection.
std::vector<double> by_brute_force(const CollisionMesh& mesh, const Positions& X0, const Positions& X1)
{
    std::vector<double> shares(mesh.num_vertices(), 1);
    const MeshMotion motion(mesh, X0, X1);
    const KeptGap kept{options.clearance, options.kept_share};
    Candidates candidates;
    candidates.build(mesh, X0, X1, options.clearance);
    const auto lower = [&](int v, double share) {
        if (X0.row(v) != X1.row(v))
            shares[v] = std::min(shares[v], share);
    };
    const auto look = [&](PairKind kind, const std::vector<IndexPair>& pairs) {
        for (const auto& [i, j] : pairs) {
            if (kind == PairKind::plane_vertex) {
                lower(j, plane_share(motion, mesh, mesh.planes()[i], j, options.dmin, kept));
                continue;
            }
            const double share = pair_share(motion, mesh, kind, i, j, options.dmin, kept);
            for (const auto& [element, index] : {std::pair(element_kinds(kind)[0], i), {element_kinds(kind)[1], j}})
                if (element == ElementKind::vertex)
                    lower(index, share);
                else if (element == ElementKind::edge)
                    for (const int k : {0, 1})
                        lower(mesh.edges()(index, k), share);
                else
                    for (const int k : {0, 1, 2})
                        lower(mesh.faces()(index, k), share);
        }
    };
    for_each_kind(look, candidates);
    return shares;
}

/// Ways of vertices: each part of its own, and a little at random.
Positions moved(const CollisionMesh& mesh, double speed, double noise, std::uint64_t seed)
{
    RandomStream random(seed);
    Positions X = mesh.rest_positions();
    std::vector<Vec3> of_body(mesh.components().components.size());
    for (Vec3& u : of_body)
        for (int a = 0; a < 3; ++a)
            u[a] = random.uniform(-speed, speed);
    for (int v = 0; v < mesh.num_vertices(); ++v)
        for (int a = 0; a < mesh.dim(); ++a)
            X(v, a) += of_body[mesh.components().vertex_component[v]][a] + random.uniform(-noise, noise);
    return X;
}

std::vector<double> those_of_all_pairs(const CollisionMesh& mesh, const Positions& X0, const Positions& X1)
{
    Detection detection(mesh, {.range = range});
    detection.update(X0);
    const auto shares = find_vertex_steps(mesh, detection, X0, X1, options);
    EXPECT_TRUE(shares);
    const std::vector<double> all = by_brute_force(mesh, X0, X1);
    EXPECT_EQ(*shares, all);
    return all;
}

TEST(VertexSteps, AreThoseOfAllPairs)
{
    int num_short = 0, num_whole = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const MeshData data = things(0.02 + 0.01 * static_cast<double>(seed % 4));
        CollisionMeshOptions mesh_options{.use_curve_vertices = true};
        if (seed % 2 == 0)
            mesh_options.planes = {{.point = {0, -0.6, 0}, .normal = {0, 1, 0}}};
        const CollisionMesh mesh(data, mesh_options);
        const Positions X0 = data.vertices, X1 = moved(mesh, 0.05 * static_cast<double>(1 << seed % 5), 0.004, seed);
        const std::vector<double> shares = those_of_all_pairs(mesh, X0, X1);
        num_short += static_cast<int>(std::count_if(shares.begin(), shares.end(), [](double s) { return s < 1; }));
        num_whole += static_cast<int>(std::count(shares.begin(), shares.end(), 1.0));
    }
    EXPECT_GT(num_short, 100);
    EXPECT_GT(num_whole, 100);
}

TEST(VertexSteps, AreThoseOfAllPairsInThePlane)
{
    // Two circles of 24 edges each
    constexpr int count = 24;
    Positions X(2 * count, 2);
    Edges edges(2 * count, 2);
    for (int k = 0; k < 2 * count; ++k) {
        const double angle = 2 * std::numbers::pi * (k % count) / count;
        X.row(k) << 0.5 * std::cos(angle) + (k < count ? 0 : 1.03), 0.5 * std::sin(angle);
        edges.row(k) << k, (k + 1) % count + k / count * count;
    }
    const CollisionMesh mesh(X, edges);
    int num_short = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const Positions X0 = mesh.rest_positions(), X1 = moved(mesh, 0.2, 0.004, seed);
        const std::vector<double> shares = those_of_all_pairs(mesh, X0, X1);
        num_short += static_cast<int>(std::count_if(shares.begin(), shares.end(), [](double s) { return s < 1; }));
    }
    EXPECT_GT(num_short, 10);
}

TEST(VertexSteps, WhatMovesAlongWithItsNeighboursIsNotLookedAt)
{
    const MeshData data = generate::cloth({.cells = {12, 12}});
    const CollisionMesh mesh(data);
    Detection detection(mesh, {.range = range});
    detection.update(data.vertices);
    // It shears by a tenth while it flies by a hundred times its size.
    Positions X1 = data.vertices;
    for (int v = 0; v < mesh.num_vertices(); ++v)
        X1.row(v) += Eigen::RowVector3d(100, 30, 0.1 * data.vertices(v, 0));
    VertexStepOptions no_pairs = options;
    no_pairs.max_pairs = 0;
    no_pairs.clearance = 0.001;
    const auto shares = find_vertex_steps(mesh, detection, data.vertices, X1, no_pairs);
    ASSERT_TRUE(shares) << "some pair was looked at";
    EXPECT_TRUE(std::all_of(shares->begin(), shares->end(), [](double share) { return share == 1; }));
}

TEST(VertexSteps, ShortenedUntilNothingMeetsTheWayIsFree)
{
    int num_rounds = 0;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const MeshData data = things(0.03);
        const CollisionMesh mesh(data);
        const Positions X0 = data.vertices, whole = moved(mesh, 0.4, 0.004, seed) - X0;
        Detection detection(mesh, {.range = range});
        detection.update(X0);
        Positions way = whole;
        int rounds = 0;
        VertexSteps steps(mesh, detection, X0, options);
        for (; rounds < 40; ++rounds) {
            const auto shares = steps.find(X0 + way);
            ASSERT_TRUE(shares);
            EXPECT_EQ(*shares, find_vertex_steps(mesh, detection, X0, X0 + way, options)) << "all looked at again";
            if (std::all_of(shares->begin(), shares->end(), [](double share) { return share == 1; }))
                break;
            for (int v = 0; v < mesh.num_vertices(); ++v)
                if ((*shares)[v] < 1)
                    way.row(v) *= rounds < 4 ? 0.98 * (*shares)[v] : 0;
        }
        num_rounds += rounds;
        EXPECT_LT(rounds, 40);
        EXPECT_GT(way.cwiseAbs().maxCoeff(), 0);
        EXPECT_TRUE(is_step_collision_free(mesh, X0, X0 + way, options.dmin));
        EXPECT_FALSE(has_intersections(mesh, X0 + way));
    }
    EXPECT_GT(num_rounds, 4);
}

TEST(VertexSteps, AreTheSameForAnyNumberOfThreads)
{
    const MeshData data = things(0.03);
    const CollisionMesh mesh(data);
    const Positions X1 = moved(mesh, 0.3, 0.01, 3);
    Detection detection(mesh, {.range = range});
    detection.update(data.vertices);
    set_num_threads(1);
    const auto one = find_vertex_steps(mesh, detection, data.vertices, X1, options);
    set_num_threads(4);
    const auto four = find_vertex_steps(mesh, detection, data.vertices, X1, options);
    set_num_threads(0);
    ASSERT_TRUE(one && four);
    EXPECT_EQ(*one, *four);
    EXPECT_LT(*std::min_element(one->begin(), one->end()), 1);
}

} // namespace
} // namespace abut::test::vertex_steps_test
