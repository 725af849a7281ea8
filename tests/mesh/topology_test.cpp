#include "abut/mesh/topology.hpp"

#include "abut/base/error.hpp"
#include "abut/base/random.hpp"
#include "abut/mesh/generate/generators.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace abut {
namespace {

Faces faces_of(std::initializer_list<std::array<int, 3>> rows)
{
    Faces faces(static_cast<Eigen::Index>(rows.size()), 3);
    Eigen::Index i = 0;
    for (const auto& row : rows)
        faces.row(i++) << row[0], row[1], row[2];
    return faces;
}

std::vector<int> to_vector(std::span<const int> list) { return {list.begin(), list.end()}; }

/// Random triangles on few vertices: mostly not manifold. Without repeated faces, so there must be enough triples.
Faces random_soup(RandomStream& random, int num_vertices, int num_faces)
{
    std::set<std::set<int>> seen;
    std::vector<std::array<int, 3>> rows;
    while (static_cast<int>(rows.size()) < num_faces) {
        const std::array<int, 3> row{
            static_cast<int>(random.below(num_vertices)), static_cast<int>(random.below(num_vertices)),
            static_cast<int>(random.below(num_vertices))};
        const std::set<int> key(row.begin(), row.end());
        if (key.size() == 3 && seen.insert(key).second)
            rows.push_back(row);
    }
    Faces faces(num_faces, 3);
    for (int f = 0; f < num_faces; ++f)
        faces.row(f) << rows[f][0], rows[f][1], rows[f][2];
    return faces;
}

TEST(Topology, EdgesOfTwoTrianglesAreSortedAndUnique)
{
    Edges expected(5, 2);
    expected << 0, 1, 0, 2, 1, 2, 1, 3, 2, 3;
    EXPECT_EQ(edges(faces_of({{0, 1, 2}, {2, 1, 3}})), expected);
    EXPECT_EQ(edges(Elements(0, 3)).rows(), 0);
}

TEST(Topology, SparseIndicesCostNoMemory)
{
    const int far = std::numeric_limits<int>::max();
    Edges expected(3, 2), border(3, 2);
    expected << 5, far - 1, 5, far, far - 1, far;
    border << far, 5, 5, far - 1, far - 1, far;
    EXPECT_EQ(edges(faces_of({{far, 5, far - 1}})), expected);
    EXPECT_EQ(boundary_edges(faces_of({{far, 5, far - 1}})), border);
}

TEST(Topology, EdgeTablesAgreeWithABruteForceSearchOnRandomSoups)
{
    for (std::uint64_t trial = 0; trial < 200; ++trial) {
        RandomStream random(7, trial);
        const int n = 6 + static_cast<int>(random.below(8));
        const Faces faces = random_soup(random, n, 1 + static_cast<int>(random.below(n)));
        // Some of the edges are given, in a random direction, together with one loose edge to a vertex of its own.
        const Edges all = edges(faces);
        std::vector<std::array<int, 2>> chosen{{n, 0}};
        for (Eigen::Index e = 0; e < all.rows(); ++e)
            if (random.below(2) == 0)
                chosen.push_back(
                    random.below(2) == 0 ? std::array{all(e, 0), all(e, 1)} : std::array{all(e, 1), all(e, 0)});
        Edges given(static_cast<Eigen::Index>(chosen.size()), 2);
        for (std::size_t e = 0; e < chosen.size(); ++e)
            given.row(static_cast<Eigen::Index>(e)) << chosen[e][0], chosen[e][1];

        const EdgeTopology topology = build_edge_topology(given, faces, n + 1);
        ASSERT_EQ(topology.edges.topRows(given.rows()), given);
        ASSERT_EQ(topology.edges.rows(), all.rows() + 1);
        for (Eigen::Index f = 0; f < faces.rows(); ++f)
            for (int k = 0; k < 3; ++k) {
                const int e = topology.faces_to_edges(f, k);
                const std::set<int> expected{faces(f, k), faces(f, (k + 1) % 3)};
                ASSERT_EQ((std::set<int>{topology.edges(e, 0), topology.edges(e, 1)}), expected);
            }
        for (Eigen::Index e = 0; e < topology.edges.rows(); ++e) {
            std::vector<int> expected_faces, expected_opposites;
            for (Eigen::Index f = 0; f < faces.rows(); ++f) {
                const std::set<int> corners{faces(f, 0), faces(f, 1), faces(f, 2)};
                if (corners.contains(topology.edges(e, 0)) && corners.contains(topology.edges(e, 1))) {
                    expected_faces.push_back(static_cast<int>(f));
                    expected_opposites.push_back(faces.row(f).sum() - topology.edges(e, 0) - topology.edges(e, 1));
                }
            }
            ASSERT_EQ(to_vector(topology.edge_faces[e]), expected_faces);
            const auto begin = topology.edge_opposites.begin() + topology.edge_faces.offsets[e];
            ASSERT_TRUE(std::equal(expected_opposites.begin(), expected_opposites.end(), begin));
        }
    }
}

TEST(Topology, RepeatedEdgesAndFacesAreRejectedWithBothRows)
{
    Edges twice(3, 2);
    twice << 0, 1, 1, 2, 1, 0;
    try {
        (void)build_edge_topology(twice, Faces(0, 3), 3);
        FAIL() << "a repeated edge was accepted";
    } catch (const InvalidInput& error) {
        EXPECT_NE(std::string(error.what()).find("rows 0 and 2"), std::string::npos) << error.what();
    }
    for (const auto& repeat : {std::array{0, 1, 2}, std::array{2, 0, 1}, std::array{1, 0, 2}}) {
        try {
            (void)build_edge_topology(Edges(0, 2), faces_of({{0, 1, 2}, {0, 2, 3}, repeat}), 4);
            FAIL() << "a repeated face was accepted";
        } catch (const InvalidInput& error) {
            EXPECT_NE(std::string(error.what()).find("rows 0 and 2"), std::string::npos) << error.what();
        }
    }
}

TEST(Topology, BoundaryOfTetrahedraIsTheirClosedOutwardSurface)
{
    const MeshData ball = generate::tet_ball({.shells = 3});
    const Faces surface = boundary_faces(ball.tets);
    double volume = 0, tet_volume = 0;
    std::map<std::pair<int, int>, int> half_edges;
    for (Eigen::Index f = 0; f < surface.rows(); ++f) {
        const Vec3 a = point<3>(ball.vertices, surface(f, 0)), b = point<3>(ball.vertices, surface(f, 1));
        volume += a.dot(b.cross(point<3>(ball.vertices, surface(f, 2)))) / 6;
        for (int k = 0; k < 3; ++k)
            ++half_edges[{surface(f, k), surface(f, (k + 1) % 3)}];
    }
    for (Eigen::Index t = 0; t < ball.tets.rows(); ++t) {
        const Vec3 o = point<3>(ball.vertices, ball.tets(t, 0));
        const Vec3 a = point<3>(ball.vertices, ball.tets(t, 1)) - o, b = point<3>(ball.vertices, ball.tets(t, 2)) - o;
        tet_volume += a.cross(b).dot(point<3>(ball.vertices, ball.tets(t, 3)) - o) / 6;
    }
    EXPECT_NEAR(volume, tet_volume, 1e-12);
    for (const auto& [half_edge, count] : half_edges) {
        EXPECT_EQ(count, 1);
        EXPECT_TRUE(half_edges.contains({half_edge.second, half_edge.first}));
    }
}

TEST(Topology, TetrahedraThatShareOneTriangleThreeTimesAreRejected)
{
    Tets tets(3, 4);
    tets << 0, 1, 2, 3, 0, 1, 2, 4, 0, 1, 2, 5;
    EXPECT_THROW((void)boundary_faces(tets), InvalidInput);
}

TEST(Topology, BoundaryEdgesRunCounterClockwise)
{
    const Edges border = boundary_edges(faces_of({{0, 1, 2}, {2, 1, 3}}));
    Edges expected(4, 2);
    expected << 0, 1, 2, 0, 1, 3, 3, 2;
    EXPECT_EQ(border, expected);
}

/// Starts the closed list at its smallest entry.
std::vector<int> rotated_to_smallest(std::vector<int> ring)
{
    std::rotate(ring.begin(), std::min_element(ring.begin(), ring.end()), ring.end());
    return ring;
}

OneRings one_rings_of(const Faces& faces, int num_vertices) { return {faces, rows_by_corner(faces, num_vertices)}; }

TEST(OneRings, InteriorVertexHasOneClosedFanThatTurnsWithTheFaces)
{
    // Six triangles around vertex 0, listed out of order.
    const Faces faces = faces_of({{0, 1, 2}, {4, 0, 3}, {0, 2, 3}, {5, 6, 0}, {0, 4, 5}, {6, 1, 0}});
    const OneRings rings = one_rings_of(faces, 7);
    ASSERT_EQ(rings.num_fans(0), 1);
    EXPECT_TRUE(rings.fan(0, 0).is_closed);
    EXPECT_EQ(rotated_to_smallest(to_vector(rings.fan(0, 0).neighbors)), (std::vector<int>{1, 2, 3, 4, 5, 6}));
}

TEST(OneRings, BorderVertexHasOneOpenFanFromBorderToBorder)
{
    const OneRings rings = one_rings_of(faces_of({{0, 2, 3}, {0, 1, 2}, {3, 4, 0}}), 5);
    ASSERT_EQ(rings.num_fans(0), 1);
    EXPECT_FALSE(rings.fan(0, 0).is_closed);
    EXPECT_EQ(to_vector(rings.fan(0, 0).neighbors), (std::vector<int>{1, 2, 3, 4}));
}

TEST(OneRings, TouchingConesGiveTwoFansAndNonManifoldEdgesEndThem)
{
    // Two separate triangles at vertex 0, and a fin of three triangles at edge 0-5.
    const OneRings rings = one_rings_of(faces_of({{0, 1, 2}, {0, 3, 4}, {0, 5, 6}, {0, 5, 7}, {0, 5, 8}}), 9);
    EXPECT_EQ(rings.num_fans(0), 5);
    EXPECT_EQ(rings.num_fans(5), 3);
    EXPECT_EQ(rings.num_fans(1), 1);
}

TEST(OneRings, InconsistentFacesStillFormOneFan)
{
    const OneRings rings = one_rings_of(faces_of({{0, 1, 2}, {0, 3, 2}, {0, 3, 1}}), 4);
    ASSERT_EQ(rings.num_fans(0), 1);
    EXPECT_TRUE(rings.fan(0, 0).is_closed);
    EXPECT_EQ(rings.fan(0, 0).neighbors.size(), 3u);
}

TEST(OneRings, AWheelOfAnySizeIsOneFan)
{
    const int n = 5000;
    Faces faces(n, 3);
    for (int i = 0; i < n; ++i)
        faces.row((7 * i) % n) << 0, 1 + i, 1 + (i + 1) % n; // 7 and n share no divisor
    const OneRings rings = one_rings_of(faces, n + 1);
    ASSERT_EQ(rings.num_fans(0), 1);
    std::vector<int> expected(n);
    std::iota(expected.begin(), expected.end(), 1);
    EXPECT_EQ(rotated_to_smallest(to_vector(rings.fan(0, 0).neighbors)), expected);
}

TEST(OneRings, EveryFaceIsInOneFanOfEachCornerOnRandomSoups)
{
    for (std::uint64_t trial = 0; trial < 200; ++trial) {
        RandomStream random(11, trial);
        const int n = 6 + static_cast<int>(random.below(8));
        const Faces faces = random_soup(random, n, 1 + static_cast<int>(random.below(2 * n)));
        const OneRings rings = one_rings_of(faces, n);
        const IndexLists vertex_faces = rows_by_corner(faces, n);
        for (int v = 0; v < n; ++v) {
            std::size_t sectors = 0;
            for (int k = 0; k < rings.num_fans(v); ++k) {
                const auto fan = rings.fan(v, k);
                const std::size_t count = fan.is_closed ? fan.neighbors.size() : fan.neighbors.size() - 1;
                sectors += count;
                // Consecutive neighbours span a face with v.
                for (std::size_t i = 0; i < count; ++i) {
                    const std::set<int> wanted{v, fan.neighbors[i], fan.neighbors[(i + 1) % fan.neighbors.size()]};
                    ASSERT_TRUE(std::any_of(vertex_faces[v].begin(), vertex_faces[v].end(), [&](int f) {
                        return std::set<int>{faces(f, 0), faces(f, 1), faces(f, 2)} == wanted;
                    }));
                }
            }
            ASSERT_EQ(sectors, vertex_faces[v].size());
        }
    }
}

Components components_of(const MeshData& mesh)
{
    const int n = static_cast<int>(mesh.vertices.rows());
    const EdgeTopology topology = build_edge_topology(mesh.edges, mesh.faces, n);
    return find_components(
        topology, mesh.faces, rows_by_corner(topology.edges, n), static_cast<int>(mesh.vertices.cols()));
}

TEST(Components, ClosedAndOrientedPartsAreRecognised)
{
    MeshData mesh = generate::icosphere({.subdivisions = 1});
    append(mesh, generate::cloth());
    append(mesh, generate::rod());
    MeshData flipped = generate::box();
    flipped.faces.row(0).reverseInPlace();
    append(mesh, flipped);
    mesh.vertices.conservativeResize(mesh.vertices.rows() + 1, 3);
    mesh.vertices.bottomRows(1).setConstant(9);

    const Components found = components_of(mesh);
    ASSERT_EQ(found.components.size(), 5u);
    const auto& [ball, cloth, rod, bad_box, loose] = std::tie(
        found.components[0], found.components[1], found.components[2], found.components[3], found.components[4]);
    EXPECT_TRUE(ball.is_closed_and_oriented());
    EXPECT_EQ(ball.num_faces, 80);
    EXPECT_EQ(ball.num_vertices - ball.num_edges + ball.num_faces, 2);
    EXPECT_FALSE(cloth.is_closed);
    EXPECT_TRUE(cloth.is_oriented);
    EXPECT_FALSE(rod.is_closed_and_oriented());
    EXPECT_TRUE(bad_box.is_closed);
    EXPECT_FALSE(bad_box.is_oriented);
    EXPECT_FALSE(loose.is_closed);
    EXPECT_EQ(loose.num_vertices, 1);
    EXPECT_EQ(found.vertex_component.front(), 0);
    EXPECT_EQ(found.vertex_component.back(), 4);
}

TEST(Components, ClosedCurvesInThePlaneAreRecognised)
{
    MeshData curve = generate::squircle({.segments = 12});
    EXPECT_TRUE(components_of(curve).components[0].is_closed_and_oriented());
    MeshData reversed = curve;
    std::swap(reversed.edges(3, 0), reversed.edges(3, 1));
    EXPECT_TRUE(components_of(reversed).components[0].is_closed);
    EXPECT_FALSE(components_of(reversed).components[0].is_oriented);
    MeshData open = curve;
    open.edges.conservativeResize(11, 2);
    EXPECT_FALSE(components_of(open).components[0].is_closed);
}

} // namespace
} // namespace abut
