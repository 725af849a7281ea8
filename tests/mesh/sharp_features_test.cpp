#include "abut/mesh/sharp_features.hpp"

#include "abut/base/error.hpp"
#include "abut/mesh/generate/generators.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace abut::test::sharp_features_test {

namespace {

using std::numbers::pi;

double degrees(double angle) { return angle * pi / 180; }

/// The sum of the sharp edges' lengths.
double length_of(const CollisionMesh& mesh, const SharpFeatures& features)
{
    double sum = 0;
    for (const int e : features.edges)
        sum += (mesh.rest_positions().row(mesh.edges()(e, 0)) - mesh.rest_positions().row(mesh.edges()(e, 1))).norm();
    return sum;
}

/// Points of the plane, joined in a ring.
CollisionMesh ring(const std::vector<Vec2>& points)
{
    const auto n = static_cast<int>(points.size());
    Positions X(n, 2);
    Edges edges(n, 2);
    for (int i = 0; i < n; ++i) {
        X.row(i) = points[i];
        edges.row(i) << i, (i + 1) % n;
    }
    return CollisionMesh(X, edges);
}

CollisionMesh regular_polygon(int corners)
{
    std::vector<Vec2> points;
    for (int i = 0; i < corners; ++i)
        points.emplace_back(std::cos(2 * pi * i / corners), std::sin(2 * pi * i / corners));
    return ring(points);
}

/// Two triangles on the edge (0, 1) that turn by an angle.
CollisionMesh fold(double angle)
{
    Positions X(4, 3);
    X << 0, 0, 0, 1, 0, 0, 0.3, 1, 0, 0.4, -std::cos(angle), std::sin(angle);
    return CollisionMesh(X, Elements(0, 2), Elements(Eigen::MatrixXi{{0, 1, 2}, {1, 0, 3}}));
}

/// Points in space, joined by loose edges.
CollisionMesh wires(std::initializer_list<Vec3> points, const Eigen::MatrixXi& edges)
{
    Positions X(static_cast<Eigen::Index>(points.size()), 3);
    Eigen::Index i = 0;
    for (const Vec3& x : points)
        X.row(i++) = x;
    return CollisionMesh(X, Elements(edges));
}

/// A sheet over [-1, 1] x [0, 4] with a crease along x = 0 that turns by 90 degrees at y = 0 and by none at y = 4.
CollisionMesh fading_crease(int cells)
{
    MeshData sheet = generate::plane_grid({.size = Vec2(2, 4), .cells = {2, cells}});
    for (Eigen::Index i = 0; i < sheet.vertices.rows(); ++i) {
        const double x = sheet.vertices(i, 0), y = sheet.vertices(i, 2) + 2;
        sheet.vertices.row(i) << x, -std::abs(x) * std::tan(degrees(45) * (1 - y / 4)), y;
    }
    return CollisionMesh(sheet);
}

TEST(SharpFeatures, ACubeHasTwelveEdgesAndEightCorners)
{
    for (const int n : {1, 2, 5}) {
        const CollisionMesh mesh(generate::box({.size = Vec3(2, 2, 2), .subdivisions = {n, n, n}}));
        const SharpFeatures found = sharp_features(mesh);
        EXPECT_EQ(found.edges.size(), 12u * n);
        EXPECT_NEAR(length_of(mesh, found), 12 * 2, 1e-12);
        const auto sides_of = [&](int v) {
            return (mesh.rest_positions().row(v).array().abs() == 1).cast<int>().eval();
        };
        for (const int e : found.edges) // both ends on the same two sides: no diagonals
            EXPECT_GE((sides_of(mesh.edges()(e, 0)) * sides_of(mesh.edges()(e, 1))).sum(), 2);
        ASSERT_EQ(found.corners.size(), 8u);
        for (const int v : found.corners)
            EXPECT_EQ(sides_of(v).sum(), 3);
    }
}

TEST(SharpFeatures, ACylinderHasRimsWithoutCorners)
{
    const CollisionMesh mesh(generate::cylinder({.radius = 0.5, .height = 1, .segments = 32}));
    const SharpFeatures found = sharp_features(mesh);
    EXPECT_EQ(found.edges.size(), 64u);
    for (const int e : found.edges)
        for (const int v : {mesh.edges()(e, 0), mesh.edges()(e, 1)}) {
            EXPECT_NEAR(std::abs(mesh.rest_positions()(v, 1)), 0.5, 1e-12);
            EXPECT_NEAR(mesh.rest_positions().row(v).norm(), std::sqrt(0.5), 1e-12);
        }
    EXPECT_TRUE(found.corners.empty());
    // One of eight sides is a prism.
    const CollisionMesh prism(generate::cylinder({.segments = 8, .rings = 3}));
    const SharpFeatures all = sharp_features(prism);
    EXPECT_EQ(all.edges.size(), 2u * 8 + 8 * 3);
    EXPECT_EQ(all.corners.size(), 16u);
}

TEST(SharpFeatures, ASphereHasNone)
{
    for (const int subdivisions : {1, 2, 4}) {
        const SharpFeatures found = sharp_features(CollisionMesh(generate::icosphere({.subdivisions = subdivisions})));
        EXPECT_TRUE(found.edges.empty() && found.corners.empty()) << subdivisions;
    }
    // An icosahedron turns by 41.8 degrees at its edges.
    const CollisionMesh icosahedron(generate::icosphere({.subdivisions = 0}));
    EXPECT_EQ(sharp_features(icosahedron, degrees(41)).edges.size(), 30u);
    EXPECT_EQ(sharp_features(icosahedron, degrees(41)).corners.size(), 12u);
    const SharpFeatures found = sharp_features(icosahedron, degrees(42));
    EXPECT_TRUE(found.edges.empty() && found.corners.empty());
}

TEST(SharpFeatures, ATipWithoutSharpEdgesIsACornerWhereItsSidesAreSteep)
{
    // The sides of this cone rise by 63.4 degrees, less for those of the pyramid within it, and meet with turns of less
    // than 15.
    const CollisionMesh mesh(generate::tet_cone({.radius = 0.5, .height = 1, .segments = 24, .subdivisions = 3}));
    const SharpFeatures found = sharp_features(mesh);
    EXPECT_EQ(found.edges.size(), 24u * 3); // of the rim
    ASSERT_EQ(found.corners.size(), 1u);
    EXPECT_NEAR(mesh.rest_positions()(found.corners[0], 1), 0.5, 1e-12);
    EXPECT_EQ(sharp_features(mesh, degrees(62)).corners.size(), 1u);
    EXPECT_EQ(sharp_features(mesh, degrees(64)).corners.size(), 0u);
    EXPECT_EQ(sharp_features(mesh, degrees(64)).edges.size(), 24u * 3);
}

TEST(SharpFeatures, ASquareInThePlaneHasFourCorners)
{
    const CollisionMesh square = ring({{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {0.5, 2}, {0, 2}});
    const SharpFeatures found = sharp_features(square);
    EXPECT_TRUE(found.edges.empty());
    EXPECT_EQ(found.corners, (std::vector{0, 2, 4, 6}));
    EXPECT_TRUE(sharp_features(square, degrees(91)).corners.empty());
    EXPECT_TRUE(sharp_features(regular_polygon(40)).corners.empty());
    // A spike turns by almost 180 degrees.
    EXPECT_EQ(sharp_features(ring({{0, 0}, {1, -0.01}, {1, 0.01}}), degrees(170)).corners, std::vector{0});
}

TEST(SharpFeatures, BordersAreSharp)
{
    const CollisionMesh cloth(generate::cloth({.size = Vec2(1, 2), .cells = {4, 6}}));
    const SharpFeatures found = sharp_features(cloth);
    EXPECT_EQ(found.edges.size(), 20u);
    EXPECT_NEAR(length_of(cloth, found), 6, 1e-12);
    EXPECT_EQ(found.corners.size(), 4u);
    const SharpFeatures tube = sharp_features(CollisionMesh(generate::cylinder({.segments = 32, .closed = false})));
    EXPECT_EQ(tube.edges.size(), 64u);
    EXPECT_TRUE(tube.corners.empty());
    // In the plane, curves end in corners.
    Positions X(3, 2);
    X << 0, 0, 1, 0, 2, 0.1;
    const CollisionMesh curve(X, Elements(Eigen::MatrixXi{{0, 1}, {1, 2}}));
    EXPECT_EQ(sharp_features(curve).corners, (std::vector{0, 2}));
}

TEST(SharpFeatures, WhereEdgesBranchThereAreCorners)
{
    // A prism over the letter T, with creases of either sign
    const std::vector<Vec2> letter{{0.5, 0}, {0.5, 2}, {1.5, 2}, {1.5, 3}, {-1.5, 3}, {-1.5, 2}, {-0.5, 2}, {-0.5, 0}};
    const CollisionMesh prism(generate::tet_prism({.corners = letter, .depth = 0.5, .subdivisions = 2}));
    const SharpFeatures found = sharp_features(prism);
    EXPECT_NEAR(length_of(prism, found), 2 * 12 + 8 * 0.5, 1e-9);
    EXPECT_EQ(found.corners.size(), 16u);
    // Three faces at an edge, none of which continues another without a turn but two
    Positions X(5, 3);
    X << 0, 0, 0, 0, 0, 1, -1, 0, 0.5, 1, 0, 0.5, 0, 1, 0.5;
    const CollisionMesh web(X, Elements(0, 2), Elements(Eigen::MatrixXi{{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}));
    EXPECT_EQ(sharp_features(web).edges.size(), 7u);
    EXPECT_EQ(sharp_features(web).corners.size(), 5u);
    // Wires: straight on, and with a branch
    const CollisionMesh straight = wires({{0, 0, 0}, {1, 0, 0}, {2, 0.1, 0}}, Eigen::MatrixXi{{0, 1}, {1, 2}});
    EXPECT_EQ(sharp_features(straight).edges, (std::vector{0, 1}));
    EXPECT_EQ(sharp_features(straight).corners, (std::vector{0, 2}));
    const CollisionMesh branched =
        wires({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 1, 0}}, Eigen::MatrixXi{{0, 1}, {1, 2}, {1, 3}});
    EXPECT_EQ(sharp_features(branched).corners, (std::vector{0, 1, 2, 3}));
    // In the plane
    Positions T(4, 2);
    T << 0, 0, 1, 0, 2, 0, 1, 1;
    const CollisionMesh plane(T, Elements(Eigen::MatrixXi{{0, 1}, {1, 2}, {1, 3}}));
    EXPECT_EQ(sharp_features(plane).corners, (std::vector{0, 1, 2, 3}));
}

TEST(SharpFeatures, ACreaseMayFadeOut)
{
    // It turns by 90 degrees (1 − y/4), so by more than 30 up to y = 8/3.
    const CollisionMesh mesh = fading_crease(40);
    const SharpFeatures found = sharp_features(mesh);
    double end = 0;
    for (const int e : found.edges)
        if (mesh.edge_faces(e).size() == 2)
            for (const int v : {mesh.edges()(e, 0), mesh.edges()(e, 1)}) {
                EXPECT_EQ(mesh.rest_positions()(v, 0), 0);
                end = std::max(end, mesh.rest_positions()(v, 2));
            }
    EXPECT_NEAR(end, 8.0 / 3, 0.1);
    // The four corners of the sheet, and the crease at its border
    EXPECT_EQ(found.corners.size(), 5u);
    for (const int v : found.corners)
        EXPECT_TRUE(mesh.is_on_boundary(v));
}

TEST(SharpFeatures, AWireThatStandsOnASurfaceHasACornerThere)
{
    MeshData sheet = generate::plane_grid({.cells = {2, 2}});
    sheet.vertices.conservativeResize(10, 3);
    sheet.vertices.row(9) << 0, 1, 0;
    const int middle = 4;
    ASSERT_EQ(sheet.vertices.row(middle).norm(), 0);
    const SharpFeatures found =
        sharp_features(CollisionMesh(sheet.vertices, Elements(Eigen::MatrixXi{{middle, 9}}), sheet.faces));
    EXPECT_EQ(found.edges.size(), 9u);
    EXPECT_EQ(found.corners, (std::vector{0, 2, middle, 6, 8, 9}));
}

TEST(SharpFeatures, TurnsOfTheLimitItselfAreNotSharp)
{
    const auto num_corners = [](double angle) { return sharp_features(regular_polygon(12), angle).corners.size(); };
    EXPECT_EQ(num_corners(degrees(30)), 0u);
    EXPECT_EQ(num_corners(degrees(30) - 0.5e-6), 0u);
    EXPECT_EQ(num_corners(degrees(30) - 1.5e-6), 12u);
    for (const double angle : {0.2, 1.0, 2.5}) {
        const auto num_edges = [&](double turn) { return sharp_features(fold(turn), angle).edges.size(); };
        EXPECT_EQ(num_edges(angle), 4u); // borders
        EXPECT_EQ(num_edges(-angle), 4u);
        EXPECT_EQ(num_edges(angle + 1.5e-6), 5u);
        EXPECT_EQ(num_edges(-angle - 1.5e-6), 5u);
    }
}

TEST(SharpFeatures, AreThoseOfAMeshThatIsMovedTurnedAndScaled)
{
    // The cylinder of twelve segments turns by the limit itself.
    const MeshData meshes[]{
        generate::box({.subdivisions = {3, 2, 4}}), generate::cylinder({.segments = 12}),
        generate::cloth({.cells = {5, 3}}), generate::icosphere({.subdivisions = 2}),
        generate::tet_cone({.segments = 16})};
    const Eigen::AngleAxisd turn(1.1, Vec3(1, -2, 0.5).normalized());
    for (const MeshData& mesh : meshes) {
        const SharpFeatures expected = sharp_features(CollisionMesh(mesh));
        for (const double scale : {1e-6, 1.0, 1e6}) {
            MeshData other = mesh;
            for (Eigen::Index i = 0; i < other.vertices.rows(); ++i)
                other.vertices.row(i) = scale * (turn * Vec3(mesh.vertices.row(i).transpose()) + Vec3(100, -300, 70));
            const SharpFeatures found = sharp_features(CollisionMesh(other));
            EXPECT_EQ(found.edges, expected.edges);
            EXPECT_EQ(found.corners, expected.corners);
        }
    }
}

TEST(SharpFeatures, DoNotDependOnTheOrientationOfFaces)
{
    MeshData box = generate::box({.subdivisions = {2, 2, 2}});
    const SharpFeatures expected = sharp_features(CollisionMesh(box));
    for (Eigen::Index f = 0; f < box.faces.rows(); f += 3)
        std::swap(box.faces(f, 0), box.faces(f, 1));
    const SharpFeatures found = sharp_features(CollisionMesh(box));
    EXPECT_EQ(found.edges, expected.edges);
    EXPECT_EQ(found.corners, expected.corners);
}

TEST(SharpFeatures, LoosePointsAndFacesWithoutAreaAreNone)
{
    // A square of two triangles, a point beside it, and a vertex in the middle of the diagonal with faces without area
    Positions X(6, 3);
    X << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5, 0.5, 0, 5, 5, 5;
    const CollisionMesh mesh(X, Elements(0, 2), Elements(Eigen::MatrixXi{{0, 1, 2}, {0, 2, 4}, {0, 4, 3}, {4, 2, 3}}));
    const SharpFeatures found = sharp_features(mesh);
    EXPECT_EQ(found.edges.size(), 4u);
    EXPECT_EQ(found.corners, (std::vector{0, 1, 2, 3}));
}

TEST(SharpFeatures, RejectAnAngleThatIsNone)
{
    const CollisionMesh mesh(generate::box());
    for (const double angle : {0.0, -1.0, pi, std::numeric_limits<double>::quiet_NaN()})
        EXPECT_THROW((void)sharp_features(mesh, angle), InvalidInput) << angle;
}

} // namespace

} // namespace abut::test::sharp_features_test
