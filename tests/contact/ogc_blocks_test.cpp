// The blocks of OGC's offset geometry: the properties that the paper lists, on open and closed surfaces of every shape,
// and points on the borders of blocks.

#include "abut/contact/blocks/offset_blocks.hpp"

#include "support/ogc_scenes.hpp"

#include <gtest/gtest.h>

#include <set>

namespace abut::test::ogc_blocks_test {

namespace {

/// The elements in whose blocks x is, as the set of contacts finds them: face by face.
std::set<MeshElement> blocks_of(const CollisionMesh& mesh, const ConstPositions& X, const Vec3& x)
{
    const OffsetBlocks<3> blocks(mesh, X);
    std::set<MeshElement> found;
    for (int f = 0; f < mesh.num_faces(); ++f)
        if (const auto feature = blocks.at_face(f, x)) {
            const int k = static_cast<int>(*feature);
            found.insert(
                k < 3   ? MeshElement{0, mesh.faces()(f, k)}
                : k < 6 ? MeshElement{1, mesh.faces_to_edges()(f, k - 3)}
                        : MeshElement{2, f});
        }
    return found;
}

template <typename Check>
void for_points_near_surfaces(double radius, const Check& check)
{
    RandomStream random(3);
    int num_points = 0;
    for (int repeat = 0; repeat < 5; ++repeat)
        for (const MeshData& data : bumpy_surfaces(random)) {
            const CollisionMesh mesh(data);
            const ConstPositions X = data.vertices;
            for (int i = 0; i < 200; ++i) {
                // Near a random vertex, where blocks of all kinds meet, or anywhere.
                const Vec3 origin = X.row(random.below(static_cast<std::uint32_t>(mesh.num_vertices())));
                const Vec3 x = i % 2 == 0 ? Vec3(origin + radius * random_points<3>(random)) : random_points<3>(random);
                check(mesh, X, x);
                ++num_points;
            }
        }
    EXPECT_EQ(num_points, 4000);
}

TEST(OffsetBlocks, AreThoseOfThePaper)
{
    std::array<int, 3> counts{};
    for_points_near_surfaces(0.2, [&](const CollisionMesh& mesh, const ConstPositions& X, const Vec3& x) {
        const std::set<MeshElement> found = blocks_of(mesh, X, x);
        for (const MeshElement& a : all_elements(mesh)) {
            EXPECT_EQ(found.contains(a), is_in_block(mesh, X, a, x)) << a.dimension << " " << a.index;
            counts[a.dimension] += found.contains(a);
        }
        const OffsetBlocks<3> blocks(mesh, X);
        for (int v = 0; v < mesh.num_vertices(); ++v)
            EXPECT_EQ(blocks.vertex_contains(v, x), found.contains({0, v}));
        for (int e = 0; e < mesh.num_edges(); ++e)
            EXPECT_EQ(blocks.edge_contains(e, x), found.contains({1, e}));
    });
    for (const int count : counts)
        EXPECT_GT(count, 500) << "all kinds occur";
}

TEST(OffsetBlocks, TheDirectionToAPointIsANormalOfItsElement)
{
    for_points_near_surfaces(0.2, [](const CollisionMesh& mesh, const ConstPositions& X, const Vec3& x) {
        for (const MeshElement& a : blocks_of(mesh, X, x)) {
            const std::vector<int> v = corners_of(mesh, a);
            const auto at = [&](int k) { return Vec3(X.row(v[k])); };
            if (a.dimension == 0)
                continue; // it has no direction of its own; see the next test
            Vec3 closest = at(0) + point_edge_coordinate<3>(x, at(0), at(1)) * (at(1) - at(0));
            if (a.dimension == 2) {
                const Vec3 u = point_triangle_coordinates(x, at(0), at(1), at(2));
                closest = u[0] * at(0) + u[1] * at(1) + u[2] * at(2);
                EXPECT_NEAR((x - closest).dot(at(2) - at(0)), 0, 1e-14);
            }
            EXPECT_NEAR((x - closest).dot(at(1) - at(0)), 0, 1e-14);
        }
    });
}

TEST(OffsetBlocks, AnElementIsClosestAmongThoseItIsPartOf)
{
    for_points_near_surfaces(0.2, [](const CollisionMesh& mesh, const ConstPositions& X, const Vec3& x) {
        for (const MeshElement& a : blocks_of(mesh, X, x))
            for (const MeshElement& b : all_elements(mesh))
                if (is_part_of(mesh, a, b) || is_part_of(mesh, b, a)) {
                    EXPECT_LE(distance_to(mesh, X, a, x), distance_to(mesh, X, b, x) + 1e-15);
                }
    });
}

TEST(OffsetBlocks, OfAnElementAndAPartOfItOnlyOneHasAPoint)
{
    for_points_near_surfaces(0.2, [](const CollisionMesh& mesh, const ConstPositions& X, const Vec3& x) {
        const std::set<MeshElement> found = blocks_of(mesh, X, x);
        for (const MeshElement& a : found)
            for (const MeshElement& b : found)
                EXPECT_TRUE(a == b || !is_part_of(mesh, a, b));
    });
}

TEST(OffsetBlocks, CoverWhatIsNearTheSurface)
{
    constexpr double radius = 0.15;
    int num_near = 0;
    for_points_near_surfaces(radius, [&](const CollisionMesh& mesh, const ConstPositions& X, const Vec3& x) {
        double surface = std::numeric_limits<double>::infinity(), block = surface;
        for (int f = 0; f < mesh.num_faces(); ++f)
            surface = std::min(surface, distance_to(mesh, X, {2, f}, x));
        for (const MeshElement& a : blocks_of(mesh, X, x))
            block = std::min(block, distance_to(mesh, X, a, x));
        // The closest point of the whole surface is that of some block: so the radius may be any.
        EXPECT_NEAR(block, surface, 1e-15);
        num_near += surface < radius;
    });
    EXPECT_GT(num_near, 1500);
}

TEST(OffsetBlocks, PointsOnTheBordersOfBlocksAreInOneBlock)
{
    // Above a flat sheet the blocks are a partition. Points exactly above its vertices and edges, on a grid and turned,
    // where rounding decides for each face anew.
    RandomStream random(4);
    for (const auto& flat :
         {generate::cloth({.cells = {3, 3}}), generate::plane_grid({.size = {0.3, 0.7}, .cells = {3, 3}})})
        for (int repeat = 0; repeat < 30; ++repeat) {
            const Mat<3, 3> turn = repeat == 0 ? Mat<3, 3>(Mat<3, 3>::Identity()) : random_rotation<3>(random);
            const MeshData data = transformed(flat, turn);
            const CollisionMesh mesh(data);
            const auto at = [&](int v) { return Vec3(data.vertices.row(v)); };
            const Vec3 up = random.uniform(1e-3, 0.3) * turn.col(1);
            const auto expect_one = [&](const Vec3& x, const MeshElement& nearest) {
                const std::set<MeshElement> found = blocks_of(mesh, data.vertices, x);
                EXPECT_EQ(found.size(), 1u) << nearest.dimension << " " << nearest.index;
                if (repeat == 0) {
                    EXPECT_EQ(*found.begin(), nearest);
                }
            };
            for (int v = 0; v < mesh.num_vertices(); ++v)
                expect_one(at(v) + up, {0, v});
            for (int e = 0; e < mesh.num_edges(); ++e)
                for (const double t : {0.5, 0.3, 1e-3})
                    expect_one((1 - t) * at(mesh.edges()(e, 0)) + t * at(mesh.edges()(e, 1)) + up, {1, e});
        }
}

TEST(OffsetBlocks, AConcaveEdgeHasTwoLayersAndASaddleNone)
{
    // A valley along z: above its bottom a point is in the blocks of both slopes and in no other.
    Positions X(4, 3);
    X << 0, 0, 0, 0, 0, 1, -1, 1, 0.5, 1, 1, 0.5;
    Elements faces(2, 3);
    faces << 0, 1, 3, 0, 2, 1;
    const CollisionMesh valley(X, Elements(0, 2), faces);
    EXPECT_EQ(blocks_of(valley, X, Vec3(0, 0.2, 0.5)), (std::set<MeshElement>{{2, 0}, {2, 1}}));
    // From below the edge is convex.
    EXPECT_EQ(blocks_of(valley, X, Vec3(0, -0.2, 0.5)).size(), 1u);
    EXPECT_EQ(blocks_of(valley, X, Vec3(0, -0.2, 0.5)).begin()->dimension, 1);
    // Beyond the border: the half-cylinder of an edge with one face.
    EXPECT_EQ(blocks_of(valley, X, Vec3(0, -0.1, -0.1)).size(), 1u);

    // A saddle: its vertex has no block, and points near it are in blocks all the same.
    const int n = 8;
    Positions Y(n + 1, 3);
    Elements fan(n, 3);
    Y.row(n).setZero();
    for (int i = 0; i < n; ++i) {
        const double angle = 2 * std::numbers::pi * i / n;
        Y.row(i) << std::cos(angle), 0.8 * std::cos(2 * angle), std::sin(angle);
        fan.row(i) << n, (i + 1) % n, i;
    }
    const CollisionMesh saddle(Y, Elements(0, 2), fan);
    RandomStream random(5);
    for (int i = 0; i < 200; ++i) {
        const std::set<MeshElement> found = blocks_of(saddle, Y, 0.1 * random_direction<3>(random));
        EXPECT_FALSE(found.empty());
        EXPECT_FALSE(found.contains({0, n}));
    }
}

TEST(OffsetBlocks, InThePlaneEdgesTakeThePlaceOfFaces)
{
    // A square, counter-clockwise.
    Positions X(4, 2);
    X << 0, 0, 1, 0, 1, 1, 0, 1;
    Elements edges(4, 2);
    edges << 0, 1, 1, 2, 2, 3, 3, 0;
    const CollisionMesh mesh(X, edges);
    const ConstPositions at = X;
    const OffsetBlocks<2> blocks(mesh, at);
    using F = PointEdgeFeature;
    EXPECT_EQ(blocks.at_edge(0, Vec2(0.5, -0.1)), F::edge);
    EXPECT_EQ(blocks.at_edge(0, Vec2(0.5, 0.1)), F::edge) << "both sides";
    EXPECT_EQ(blocks.at_edge(0, Vec2(-0.1, -0.1)), F::e0);
    EXPECT_EQ(blocks.at_edge(3, Vec2(-0.1, -0.1)), F::e1);
    EXPECT_EQ(blocks.at_edge(0, Vec2(-0.1, 0.1)), std::nullopt) << "edge 3 is closer";
    EXPECT_EQ(blocks.at_edge(3, Vec2(-0.1, 0.1)), F::edge);
    // Exactly beyond an end: one block, the corner's.
    EXPECT_EQ(blocks.at_edge(0, Vec2(0, -0.1)), F::e0);
    EXPECT_EQ(blocks.at_edge(3, Vec2(0, -0.1)), F::e1);
}

} // namespace

} // namespace abut::test::ogc_blocks_test
