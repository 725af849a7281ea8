#include "abut/mesh/generate/generators.hpp"
#include "abut/mesh/generate/strand_generators.hpp"
#include "abut/mesh/tubes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <vector>

namespace abut {
namespace {

using std::numbers::pi;

struct Placed {
    Positions positions, normals;
};

Placed placed(Tubes& tubes, const Positions& X)
{
    Placed result;
    tubes.place(X, result.positions, result.normals);
    return result;
}

double enclosed_volume_of(const Positions& x, const Faces& faces)
{
    double volume = 0;
    for (Eigen::Index f = 0; f < faces.rows(); ++f)
        volume += point<3>(x, faces(f, 0)).dot(point<3>(x, faces(f, 1)).cross(point<3>(x, faces(f, 2)))) / 6;
    return volume;
}

void expect_closed_and_facing_outwards(const Tubes& tubes, const Placed& at)
{
    std::map<std::pair<int, int>, int> count;
    for (Eigen::Index f = 0; f < tubes.faces().rows(); ++f) {
        const Vec3 a = point<3>(at.positions, tubes.faces()(f, 0)), b = point<3>(at.positions, tubes.faces()(f, 1)),
                   c = point<3>(at.positions, tubes.faces()(f, 2));
        for (int k = 0; k < 3; ++k) {
            EXPECT_EQ((++count[{tubes.faces()(f, k), tubes.faces()(f, (k + 1) % 3)}]), 1);
            EXPECT_GT((b - a).cross(c - a).dot(point<3>(at.normals, tubes.faces()(f, k))), 0) << f;
        }
    }
    for (const auto& [edge, unused] : count)
        EXPECT_TRUE(count.contains({edge.second, edge.first}));
    for (Eigen::Index v = 0; v < at.normals.rows(); ++v)
        EXPECT_NEAR(at.normals.row(v).norm(), 1, 1e-12);
}

TEST(Tubes, OfAStraightRodAreACapsule)
{
    const MeshData rod = generate::rod({.length = 2, .segments = 5});
    Tubes tubes(rod.edges, std::vector<double>(6, 0.1), 24);
    const Placed at = placed(tubes, rod.vertices);
    EXPECT_EQ(at.positions.rows(), tubes.num_vertices());
    expect_closed_and_facing_outwards(tubes, at);
    for (Eigen::Index v = 0; v < at.positions.rows(); ++v) {
        const Vec3 x = point<3>(at.positions, v), axis(std::clamp(x.x(), -1.0, 1.0), 0, 0);
        EXPECT_NEAR((x - axis).norm(), 0.1, 1e-12);
    }
    // The volume of a capsule, less what 24 sides and 3 steps of the caps cut off
    const double capsule = pi * 0.01 * 2 + 4.0 / 3 * pi * 0.001;
    EXPECT_GT(enclosed_volume_of(at.positions, tubes.faces()), 0.97 * capsule);
    EXPECT_LT(enclosed_volume_of(at.positions, tubes.faces()), capsule);
}

TEST(Tubes, OfARingComeAroundWithoutASeam)
{
    // Not flat, so that rings that are carried around come back turned.
    const MeshData knot = generate::torus_knot({.p = 2, .q = 3, .segments = 120});
    Tubes tubes(knot.edges, std::vector<double>(120, 0.05), 8);
    const Placed at = placed(tubes, knot.vertices);
    EXPECT_EQ(tubes.num_vertices(), 120 * 8);
    expect_closed_and_facing_outwards(tubes, at);
    for (int v = 0; v < tubes.num_vertices(); ++v)
        EXPECT_NEAR(
            (at.positions.row(v) - knot.vertices.row(tubes.axis_vertices()[std::size_t(v)])).norm(), 0.05, 1e-12);
    // Sides run along: those of neighbouring rings are alike everywhere, at the seam too.
    for (int ring = 0; ring < 120; ++ring)
        for (int side = 0; side < 8; ++side)
            EXPECT_GT(at.normals.row(8 * ring + side).dot(at.normals.row(8 * ((ring + 1) % 120) + side)), 0.95) << ring;
}

TEST(Tubes, FollowEdgesThatMoveWithoutRolling)
{
    MeshData helix = generate::helix({.radius = 0.3, .pitch = 0.2, .turns = 3, .segments = 90});
    Tubes tubes(helix.edges, std::vector<double>(91, 0.02), 6);
    Placed before = placed(tubes, helix.vertices);
    const Placed first = before;
    // Two whole turns about its axis in small steps, through all directions that a rule without memory could prefer
    for (int step = 1; step <= 200; ++step) {
        const Eigen::AngleAxisd turn(4 * pi * step / 200, Vec3(1, 2, 3).normalized());
        const Positions X = helix.vertices * turn.toRotationMatrix().transpose();
        const Placed at = placed(tubes, X);
        for (Eigen::Index v = 0; v < at.normals.rows(); ++v)
            ASSERT_GT(at.normals.row(v).dot(before.normals.row(v)), 0.95) << step << " " << v;
        before = at;
    }
}

TEST(Tubes, AreDrawnAroundThickEdgesOnly)
{
    const MeshData net = generate::net({.meshes = {2, 2}, .segments = 1});
    std::vector<double> radii(std::size_t(net.vertices.rows()), 0.01);
    Tubes all(net.edges, radii, 6);
    expect_closed_and_facing_outwards(all, placed(all, net.vertices));
    radii[4] = 0; // the middle, where four edges meet
    Tubes rim(net.edges, radii, 6);
    for (const int v : rim.axis_vertices())
        EXPECT_NE(v, 4);
    EXPECT_LT(rim.num_vertices(), all.num_vertices());
    Tubes none(net.edges, std::vector<double>(radii.size(), 0.0), 6);
    EXPECT_EQ(none.num_vertices(), 0);
    EXPECT_EQ(placed(none, net.vertices).positions.rows(), 0);
}

TEST(Tubes, TurnBackWithoutNumbersThatAreNone)
{
    Positions X(4, 3);
    X << 0, 0, 0, 1, 0, 0, 0.5, 0, 0, 0.5, 0, 0; // folded by 180 degrees, and an edge of length zero
    Edges edges(3, 2);
    edges << 0, 1, 1, 2, 2, 3;
    Tubes tubes(edges, std::vector<double>(4, 0.1), 5);
    const Placed at = placed(tubes, X);
    EXPECT_TRUE(at.positions.allFinite());
    EXPECT_TRUE(at.normals.allFinite());
}

} // namespace
} // namespace abut
