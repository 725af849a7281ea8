#include "abut/base/error.hpp"
#include "abut/geometry/edge_edge.hpp"
#include "abut/geometry/linking.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "abut/mesh/generate/strand_generators.hpp"
#include "abut/mesh/strands.hpp"
#include "support/knot_determinant.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace abut {
namespace {

using namespace generate;
using std::numbers::pi;

double edge_length_of(const MeshData& mesh, Eigen::Index e)
{
    return (mesh.vertices.row(mesh.edges(e, 0)) - mesh.vertices.row(mesh.edges(e, 1))).norm();
}

void expect_edge_lengths_within(const MeshData& mesh, double ratio)
{
    double least = std::numeric_limits<double>::infinity(), largest = 0;
    for (Eigen::Index e = 0; e < mesh.edges.rows(); ++e) {
        least = std::min(least, edge_length_of(mesh, e));
        largest = std::max(largest, edge_length_of(mesh, e));
    }
    EXPECT_GT(least, 0);
    EXPECT_LT(largest, ratio * least);
}

std::vector<Strand> strands_of(const MeshData& mesh) { return find_strands(mesh.edges, int(mesh.vertices.rows())); }

std::vector<Vec3> points_of(const MeshData& mesh, int first, int count)
{
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i)
        points.emplace_back(point<3>(mesh.vertices, first + i));
    return points;
}

/// Slow: all pairs of edges. `apart` says of two edges whether they count.
double least_distance(const MeshData& mesh, const std::function<bool(int, int)>& apart)
{
    double least = std::numeric_limits<double>::infinity();
    const auto corner = [&](int e, int c) { return Vec3(point<3>(mesh.vertices, mesh.edges(e, c))); };
    for (int e = 0; e < mesh.edges.rows(); ++e)
        for (int f = e + 1; f < mesh.edges.rows(); ++f)
            if (apart(e, f)) {
                const Vec3 a = corner(e, 0), b = corner(e, 1), c = corner(f, 0), d = corner(f, 1);
                least =
                    std::min(least, std::sqrt(edge_edge_squared_distance(a, b, c, d, edge_edge_feature(a, b, c, d))));
            }
    return least;
}

// --- Strands ---

TEST(FindStrands, CutsAtBranchesAndEnds)
{
    // A line 3-0-1 listed in a muddle, a loop 4-5-6, and a star with its middle at 7
    Edges edges(9, 2);
    edges << 0, 1, 3, 0, 5, 6, 4, 5, 6, 4, 7, 8, 9, 7, 7, 10, 10, 11;
    const std::vector<Strand> strands = find_strands(edges, 13);
    ASSERT_EQ(strands.size(), 5u);
    EXPECT_EQ(strands[0].vertices, (std::vector<int>{1, 0, 3}));
    EXPECT_FALSE(strands[0].is_closed);
    EXPECT_EQ(strands[1].vertices, (std::vector<int>{7, 8}));
    EXPECT_EQ(strands[2].vertices, (std::vector<int>{9, 7}));
    EXPECT_EQ(strands[3].vertices, (std::vector<int>{7, 10, 11}));
    EXPECT_EQ(strands[4].vertices, (std::vector<int>{4, 5, 6}));
    EXPECT_TRUE(strands[4].is_closed);
    EXPECT_EQ(strands[4].num_edges(), 3u);
    EXPECT_EQ(strands[3].num_edges(), 2u);
    EXPECT_TRUE(find_strands(Edges(0, 2), 4).empty());
}

TEST(FindStrands, FollowsALassoFromItsKnotAroundAndBack)
{
    Edges edges(4, 2);
    edges << 0, 1, 1, 2, 2, 3, 3, 1;
    const std::vector<Strand> strands = find_strands(edges, 4);
    ASSERT_EQ(strands.size(), 2u);
    EXPECT_EQ(strands[0].vertices, (std::vector<int>{0, 1}));
    EXPECT_EQ(strands[1].vertices, (std::vector<int>{1, 2, 3, 1}));
    EXPECT_FALSE(strands[1].is_closed);
}

TEST(StrandDistance, IsThatOfAllPairsThatAreNotNeighbours)
{
    const MeshData mesh = helix({.radius = 1, .pitch = 0.3, .turns = 4, .segments = 100});
    const double edge = edge_length_of(mesh, 0), along = 10.5 * edge;
    const double expected = least_distance(mesh, [](int e, int f) { return f - e - 1 > 10; });
    EXPECT_NEAR(strand_distance(mesh, along, 10), expected, 1e-12);
    EXPECT_NEAR(expected, 0.3, 0.01);
    // No farther than asked for
    EXPECT_EQ(strand_distance(mesh, along, 0.2), std::numeric_limits<double>::infinity());
    EXPECT_NEAR(strand_distance(mesh, along, 0.4), expected, 1e-12);
}

TEST(StrandDistance, KnowsThatALoopIsClosed)
{
    const MeshData mesh = ring({.radius = 1, .segments = 64});
    // Across the loop, but not over its seam
    EXPECT_NEAR(strand_distance(mesh, pi / 2, 10), 2 * std::sin(pi / 4), 0.1);
}

// --- Shapes ---

TEST(Ring, IsAClosedCircle)
{
    const MeshData mesh = ring({.radius = 2, .segments = 12});
    EXPECT_EQ(mesh.vertices.rows(), 12);
    ASSERT_EQ(strands_of(mesh).size(), 1u);
    EXPECT_TRUE(strands_of(mesh)[0].is_closed);
    for (int v = 0; v < 12; ++v)
        EXPECT_NEAR(mesh.vertices.row(v).norm(), 2, 1e-15);
    EXPECT_EQ(mesh.vertices.col(1).cwiseAbs().maxCoeff(), 0);
    // Counter-clockwise seen from above: something that rises through it is linked once.
    const std::vector<Vec3> rising{{0, -1, 0}, {0, 1, 0}, {5, 1, 0}, {5, -1, 0}};
    EXPECT_EQ(linking_number(points_of(mesh, 0, 12), rising), 1);
}

TEST(Spring, IsOneSmoothWireWithARingAtEachEnd)
{
    const SpringOptions options;
    const MeshData mesh = spring(options);
    EXPECT_EQ(mesh.edges.rows(), options.segments);
    ASSERT_EQ(strands_of(mesh).size(), 1u);
    EXPECT_FALSE(strands_of(mesh)[0].is_closed);
    expect_edge_lengths_within(mesh, 1.1);
    EXPECT_GT(strand_distance(mesh, pi * options.strand_radius, 1), 2 * options.strand_radius);
    // No sharp bends: less than 40 degrees at each vertex
    for (int v = 1; v + 1 < mesh.vertices.rows(); ++v) {
        const Vec3 a = (mesh.vertices.row(v) - mesh.vertices.row(v - 1)).transpose(),
                   b = (mesh.vertices.row(v + 1) - mesh.vertices.row(v)).transpose();
        EXPECT_GT(a.normalized().dot(b.normalized()), std::cos(40 * pi / 180)) << v;
    }
    // As high as it is low, and each end goes around a line along z through its ring.
    EXPECT_NEAR(mesh.vertices.col(1).maxCoeff(), -mesh.vertices.col(1).minCoeff(), 1e-6);
    const double top = mesh.vertices.col(1).maxCoeff() - options.hook_radius;
    for (const double side : {1.0, -1.0}) {
        double turned = 0;
        for (Eigen::Index e = 0; e < mesh.edges.rows(); ++e) {
            const auto angle = [&](int v) { return std::atan2(mesh.vertices(v, 1) - side * top, mesh.vertices(v, 0)); };
            if (side * mesh.vertices(mesh.edges(e, 0), 1) > top - options.hook_radius)
                turned += std::remainder(angle(mesh.edges(e, 1)) - angle(mesh.edges(e, 0)), 2 * pi);
        }
        EXPECT_GT(std::abs(turned), 280 * pi / 180) << side;
        EXPECT_LT(std::abs(turned), 340 * pi / 180) << side;
    }
}

TEST(KnotDeterminant, IsThatOfTorusKnots)
{
    const auto determinant = [](int p, int q) {
        const MeshData mesh = torus_knot({.p = p, .q = q, .segments = 300});
        return knot_determinant(points_of(mesh, 0, 300));
    };
    EXPECT_EQ(determinant(1, 1), 1);
    EXPECT_EQ(determinant(1, 5), 1);
    EXPECT_EQ(determinant(2, 3), 3);
    EXPECT_EQ(determinant(2, 5), 5);
    EXPECT_EQ(determinant(2, 7), 7);
    EXPECT_EQ(determinant(3, 4), 3);
    EXPECT_EQ(determinant(3, 5), 1);
}

TEST(Knot, IsOneInARopeWithLongEnds)
{
    for (const int half_turns : {1, 3, 5, 7}) {
        const KnotOptions options{.half_turns = half_turns, .length = 4, .segments = 400};
        const MeshData mesh = knot(options);
        EXPECT_EQ(mesh.edges.rows(), 400);
        ASSERT_EQ(strands_of(mesh).size(), 1u);
        expect_edge_lengths_within(mesh, 1.05);
        EXPECT_EQ(mesh.vertices(0, 0), -2);
        EXPECT_NEAR(mesh.vertices(400, 0), 2, 1e-12);
        EXPECT_GT(strand_distance(mesh, pi * options.strand_radius, 1), 2 * options.strand_radius);
        // Closed far below
        std::vector<Vec3> rope = points_of(mesh, 0, 401);
        rope.insert(rope.end(), {Vec3(9, 0, 0), Vec3(9, -9, 0), Vec3(-9, -9, 0), Vec3(-9, 0, 0)});
        EXPECT_EQ(knot_determinant(rope), half_turns);
    }
}

TEST(Rope, HasStrandsOfOneLengthThatWindAroundEachOther)
{
    const RopeOptions options{.strands = 3, .turns = 4, .segments = 400};
    const MeshData mesh = rope(options);
    EXPECT_EQ(mesh.vertices.rows(), 3 * 401);
    const std::vector<Strand> strands = strands_of(mesh);
    ASSERT_EQ(strands.size(), 3u);
    for (const Strand& strand : strands) {
        double length = 0;
        for (std::size_t i = 1; i < strand.vertices.size(); ++i)
            length += (mesh.vertices.row(strand.vertices[i]) - mesh.vertices.row(strand.vertices[i - 1])).norm();
        EXPECT_NEAR(length, std::hypot(1, 2 * pi * 0.03 * 4), 1e-3);
    }
    const double distance = least_distance(mesh, [](int e, int f) { return e / 400 != f / 400; });
    EXPECT_GT(distance, 2 * options.strand_radius);
    EXPECT_NEAR(strand_distance(mesh, pi * options.strand_radius, 1), distance, 1e-12);
    // Two strands closed far away on opposite sides are linked once per turn.
    std::vector<Vec3> a = points_of(mesh, 0, 401), b = points_of(mesh, 401, 401);
    a.insert(a.end(), {Vec3(5, 0.3, 0), Vec3(5, 9, 0), Vec3(-5, 9, 0), Vec3(-5, 0.3, 0)});
    b.insert(b.end(), {Vec3(5, -0.3, 0), Vec3(5, -9, 0), Vec3(-5, -9, 0), Vec3(-5, -0.3, 0)});
    EXPECT_EQ(std::abs(linking_number(a, b)), 4);
}

/// The vertices of a stitch from foot to foot, in the direction of the rows that are even.
std::vector<Vec3> stitch(const MeshData& mesh, const KnitOptions& options, int row, int column)
{
    const int first = row * (options.columns * options.segments + knit_bend(options));
    const int place = row % 2 == 0 ? column : options.columns - 1 - column;
    std::vector<Vec3> points = points_of(mesh, first + place * options.segments, options.segments + 1);
    if (row % 2 == 1)
        std::reverse(points.begin(), points.end());
    return points;
}

TEST(Knit, IsOneYarnWithRoomBetweenItsParts)
{
    for (const int segments : {16, 24, 33}) {
        const KnitOptions options{.rows = 3, .columns = 4, .strand_radius = 0.005, .segments = segments};
        const MeshData mesh = knit(options);
        EXPECT_EQ(mesh.edges.rows(), 3 * 4 * segments + 2 * knit_bend(options));
        EXPECT_EQ(mesh.vertices.rows(), mesh.edges.rows() + 1);
        ASSERT_EQ(strands_of(mesh).size(), 1u);
        expect_edge_lengths_within(mesh, 1.15);
        // All pairs that are farther along the yarn than half a circle of its thickness
        const double edge = edge_length_of(mesh, 0);
        const double distance =
            least_distance(mesh, [&](int e, int f) { return (f - e - 1) * edge > pi * options.strand_radius; });
        EXPECT_GT(distance, 2.2 * options.strand_radius);
    }
}

TEST(Knit, DrawsEachStitchThroughTheOneBelow)
{
    const KnitOptions options{.rows = 4, .columns = 5};
    const MeshData mesh = knit(options);
    for (int row = 1; row < options.rows; ++row)
        for (int column = 0; column < options.columns; ++column) {
            const std::vector<Vec3> below = stitch(mesh, options, row - 1, column);
            const std::vector<Vec3> upper = stitch(mesh, options, row, column);
            // The head of the stitch below, closed at its neck
            const std::vector<Vec3> loop(below.begin() + options.segments / 8, below.end() - options.segments / 8);
            const auto half = upper.begin() + options.segments / 2;
            const Piercings left = piercings(std::vector<Vec3>(upper.begin(), half + 1), loop);
            const Piercings right = piercings(std::vector<Vec3>(half, upper.end()), loop);
            EXPECT_EQ(left.total(), 1) << row << " " << column;
            EXPECT_EQ(right.total(), 1) << row << " " << column;
            EXPECT_EQ(left.net(), -right.net()) << row << " " << column;
            // and through no other
            if (column > 0) {
                const std::vector<Vec3> beside = stitch(mesh, options, row, column - 1);
                EXPECT_EQ(piercings(beside, loop).total(), 0) << row << " " << column;
            }
        }
}

TEST(Grains, AreLooseVerticesInAGrid)
{
    const MeshData mesh = grains({.size = Vec3(2, 1, 4), .counts = {3, 1, 2}});
    Positions expected(6, 3);
    expected << -1, 0, -2, 0, 0, -2, 1, 0, -2, -1, 0, 2, 0, 0, 2, 1, 0, 2;
    EXPECT_EQ(mesh.vertices, expected);
    EXPECT_EQ(mesh.edges.rows() + mesh.faces.rows() + mesh.tets.rows(), 0);
    EXPECT_THROW((void)grains({.counts = {1, 0, 1}}), InvalidInput);
    EXPECT_THROW((void)grains({.size = Vec3(1, NAN, 1)}), InvalidInput);
    EXPECT_THROW((void)grains({.counts = {1 << 30, 1 << 30, 2}}), LimitReached);
}

TEST(Net, IsJoinedAtItsCrossings)
{
    const MeshData mesh = net({.size = {2, 1}, .meshes = {4, 3}, .segments = 3});
    EXPECT_EQ(mesh.vertices.rows(), 5 * 4 + 2 * (4 * 4 + 5 * 3));
    EXPECT_EQ(mesh.edges.rows(), 3 * (4 * 4 + 5 * 3));
    double length = 0;
    for (Eigen::Index e = 0; e < mesh.edges.rows(); ++e)
        length += edge_length_of(mesh, e);
    EXPECT_NEAR(length, 4 * 2 + 5 * 1, 1e-12);
    std::vector<int> degree(std::size_t(mesh.vertices.rows()));
    for (const int v : mesh.edges.reshaped())
        ++degree[std::size_t(v)];
    EXPECT_EQ(std::count(degree.begin(), degree.begin() + 20, 4), 3 * 2);
    EXPECT_EQ(std::count(degree.begin(), degree.begin() + 20, 3), 2 * 3 + 2 * 2);
    EXPECT_EQ(std::count(degree.begin() + 20, degree.end(), 2), 62);
}

TEST(Web, HasSpokesAndASpiralThatIsJoinedToThem)
{
    const WebOptions options{.radius = 1, .hub_radius = 0.2, .spokes = 8, .turns = 3, .segments = 2};
    const MeshData mesh = web(options);
    std::vector<int> degree(std::size_t(mesh.vertices.rows()));
    for (const int v : mesh.edges.reshaped())
        ++degree[std::size_t(v)];
    EXPECT_EQ(degree[0], 8);
    for (int k = 1; k <= 8; ++k) {
        EXPECT_EQ(degree[std::size_t(k)], 1);
        EXPECT_NEAR(mesh.vertices.row(k).norm(), 1, 1e-15);
    }
    // 25 joints of the spiral, all but its ends with four threads
    EXPECT_EQ(std::count(degree.begin(), degree.end(), 4), 23);
    EXPECT_EQ(std::count(degree.begin(), degree.end(), 3), 2);
    EXPECT_EQ(mesh.vertices.col(1).cwiseAbs().maxCoeff(), 0);
    // In the plane and without another crossing: Euler's formula counts the faces, 25 - 1 of which end at the spiral.
    EXPECT_EQ(mesh.edges.rows() - mesh.vertices.rows() + 1, 8 + 24 - 8);
    double length = 0;
    for (Eigen::Index e = 0; e < mesh.edges.rows(); ++e)
        length += edge_length_of(mesh, e);
    EXPECT_GT(length, 8 * 1 + 3 * 2 * pi * 0.2);
    EXPECT_LT(length, 8 * 1 + 3 * 2 * pi * 0.8);
}

TEST(Fur, StandsOnEndAllOverABall)
{
    const FurOptions options{.radius = 0.5, .gap = 0.01, .hairs = 300, .length = 0.2, .segments = 5};
    const MeshData mesh = fur(options);
    EXPECT_EQ(mesh.vertices.rows(), 300 * 6);
    const std::vector<Strand> strands = strands_of(mesh);
    ASSERT_EQ(strands.size(), 300u);
    Vec3 sum = Vec3::Zero();
    for (const Strand& strand : strands) {
        ASSERT_EQ(strand.vertices.size(), 6u);
        EXPECT_LT(strand.vertices[0], 300);
        for (int k = 0; k <= 5; ++k)
            EXPECT_NEAR(mesh.vertices.row(strand.vertices[std::size_t(k)]).norm(), 0.51 + 0.04 * k, 1e-12);
        sum += mesh.vertices.row(strand.vertices[0]).transpose();
    }
    EXPECT_LT(sum.norm() / 300, 0.005);
    // Evenly: the least distance of roots is nearly that of a hexagonal lattice of as many on the sphere.
    const double distance = least_distance(mesh, [](int e, int f) { return e / 5 != f / 5; });
    const double hexagonal = 0.51 * std::sqrt(8 * pi / (std::sqrt(3.0) * 300));
    EXPECT_GT(distance, 0.7 * hexagonal);
    EXPECT_LT(distance, hexagonal);
}

TEST(ChainMail, LinksEachRingWithFour)
{
    const ChainMailOptions options{.rows = 5, .columns = 4, .segments = 20};
    const MeshData mesh = chain_mail(options);
    ASSERT_EQ(strands_of(mesh).size(), 20u);
    for (const Strand& strand : strands_of(mesh))
        EXPECT_TRUE(strand.is_closed);
    for (int a = 0; a < 20; ++a)
        for (int b = a + 1; b < 20; ++b) {
            const int rows = b / 4 - a / 4, columns = b % 4 - a % 4;
            const bool is_linked = rows == 1 && (columns == 0 || columns == (a / 4 % 2 == 0 ? -1 : 1));
            EXPECT_EQ(
                std::abs(linking_number(points_of(mesh, 20 * a, 20), points_of(mesh, 20 * b, 20))), is_linked ? 1 : 0)
                << a << " " << b;
        }
    const double distance = least_distance(mesh, [](int e, int f) { return e / 20 != f / 20; });
    EXPECT_GT(distance, 2 * 0.19 * options.ring_radius);
}

// --- What all have in common ---

TEST(StrandGenerators, GiveTheSameBitsEveryTime)
{
    EXPECT_EQ(spring(), spring());
    EXPECT_EQ(knot(), knot());
    EXPECT_EQ(rope(), rope());
    EXPECT_EQ(knit(), knit());
    EXPECT_EQ(net(), net());
    EXPECT_EQ(web(), web());
    EXPECT_EQ(fur(), fur());
    EXPECT_EQ(chain_mail(), chain_mail());
}

std::string rejection(const std::function<void()>& call)
{
    try {
        call();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "nothing was rejected";
}

TEST(StrandGenerators, RejectSizesThatAreNotPositiveAndFinite)
{
    for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
        const std::vector<std::pair<std::string, std::function<void()>>> cases = {
            {"ring: radius", [&] { (void)ring({.radius = bad}); }},
            {"spring: pitch", [&] { (void)spring({.pitch = bad}); }},
            {"spring: radius", [&] { (void)spring({.radius = bad}); }},
            {"spring: hook_radius", [&] { (void)spring({.hook_radius = bad}); }},
            {"spring: strand_radius", [&] { (void)spring({.strand_radius = bad}); }},
            {"knot: loop_radius", [&] { (void)knot({.loop_radius = bad}); }},
            {"knot: length", [&] { (void)knot({.length = bad}); }},
            {"knot: strand_radius", [&] { (void)knot({.strand_radius = bad}); }},
            {"rope: length", [&] { (void)rope({.length = bad}); }},
            {"rope: radius", [&] { (void)rope({.radius = bad}); }},
            {"rope: strand_radius", [&] { (void)rope({.strand_radius = bad}); }},
            {"knit: stitch_width", [&] { (void)knit({.stitch_width = bad}); }},
            {"knit: strand_radius", [&] { (void)knit({.strand_radius = bad}); }},
            {"net: size[1]", [&] { (void)net({.size = Vec2(1, bad)}); }},
            {"web: radius", [&] { (void)web({.radius = bad}); }},
            {"web: hub_radius", [&] { (void)web({.hub_radius = bad}); }},
            {"fur: radius", [&] { (void)fur({.radius = bad}); }},
            {"fur: gap", [&] { (void)fur({.gap = bad}); }},
            {"fur: length", [&] { (void)fur({.length = bad}); }},
            {"fur: strand_radius", [&] { (void)fur({.strand_radius = bad}); }},
            {"chain_mail: ring_radius", [&] { (void)chain_mail({.ring_radius = bad}); }},
            {"chain_mail: strand_radius", [&] { (void)chain_mail({.strand_radius = bad}); }},
        };
        for (const auto& [option, call] : cases) {
            const std::string message = rejection(call);
            EXPECT_NE(
                message.find(fmt::format("generate::{} = {} is outside [1e-50, 1e50] m", option, bad)),
                std::string::npos)
                << message;
        }
    }
}

TEST(StrandGenerators, RejectCountsBelowTheirMinimum)
{
    const std::vector<std::pair<std::string, std::function<void()>>> cases = {
        {"ring: segments = 2", [] { (void)ring({.segments = 2}); }},
        {"spring: turns = 0", [] { (void)spring({.turns = 0}); }},
        {"spring: segments = 100", [] { (void)spring({.turns = 3, .segments = 100}); }},
        {"knot: half_turns = -1", [] { (void)knot({.half_turns = -1}); }},
        {"knot: segments = 95", [] { (void)knot({.half_turns = 3, .segments = 95}); }},
        {"rope: strands = 1", [] { (void)rope({.strands = 1}); }},
        {"rope: segments = 0", [] { (void)rope({.turns = 0, .segments = 0}); }},
        {"rope: segments = 11", [] { (void)rope({.turns = 4, .segments = 11}); }},
        {"knit: rows = 0", [] { (void)knit({.rows = 0}); }},
        {"knit: columns = 0", [] { (void)knit({.columns = 0}); }},
        {"knit: segments = 15", [] { (void)knit({.segments = 15}); }},
        {"net: meshes[0] = 0",
         [] {
             (void)net({.meshes = {0, 1}});
         }},
        {"net: segments = 0", [] { (void)net({.segments = 0}); }},
        {"web: spokes = 2", [] { (void)web({.spokes = 2}); }},
        {"web: turns = 0", [] { (void)web({.turns = 0}); }},
        {"web: segments = 0", [] { (void)web({.segments = 0}); }},
        {"fur: hairs = 0", [] { (void)fur({.hairs = 0}); }},
        {"fur: segments = 0", [] { (void)fur({.segments = 0}); }},
        {"chain_mail: rows = 0", [] { (void)chain_mail({.rows = 0}); }},
        {"chain_mail: columns = 0", [] { (void)chain_mail({.columns = 0}); }},
        {"chain_mail: segments = 11", [] { (void)chain_mail({.segments = 11}); }},
    };
    for (const auto& [option, call] : cases) {
        const std::string message = rejection(call);
        EXPECT_NE(message.find("generate::" + option + " is below its minimum"), std::string::npos) << message;
    }
}

TEST(StrandGenerators, RejectStrandsThatAreThickerThanTheirRoomAndSayTheLimit)
{
    const auto rejects = [](const std::function<void()>& call, const std::string& part) {
        const std::string message = rejection(call);
        EXPECT_NE(message.find(part), std::string::npos) << message;
    };
    rejects([] { (void)knit({.stitch_width = 0.05, .strand_radius = 0.0065}); }, "enlarge stitch_width");
    rejects([] { (void)chain_mail({.ring_radius = 0.05, .strand_radius = 0.0105}); }, "enlarge ring_radius");
    rejects([] { (void)rope({.strand_radius = 0.025}); }, "enlarge radius, or use fewer strands or turns");
    rejects([] { (void)rope({.turns = 14}); }, "enlarge radius, or use fewer strands or turns");
    rejects([] { (void)spring({.pitch = 0.019}); }, "enlarge pitch");
    rejects([] { (void)fur({.gap = 0.02, .hairs = 2000, .strand_radius = 0.01}); }, "use fewer hairs");
    rejects([] { (void)fur({.gap = 0.001, .strand_radius = 0.001}); }, "gap = 0.001 m is not above strand_radius");
    rejects([] { (void)knot({.half_turns = 2}); }, "half_turns = 2 is even");
    rejects([] { (void)knot({.length = 0.5}); }, "the width of the knot; make the rope longer");
    rejects([] { (void)knot({.loop_radius = 0.01}); }, "enlarge loop_radius");
    rejects([] { (void)web({.radius = 0.1, .hub_radius = 0.1}); }, "hub_radius = 0.1 m is not below radius");
    rejects([] { (void)rope({.turns = -1}); }, "turns = -1");
    // The limit that a message names is one.
    const std::string message = rejection([] { (void)knit({.strand_radius = 0.0065}); });
    const double limit = std::stod(message.substr(message.find("as close as ") + 12)) / 2;
    EXPECT_NO_THROW((void)knit({.strand_radius = 0.999 * limit}));
    EXPECT_THROW((void)knit({.strand_radius = 1.001 * limit}), InvalidInput);
}

TEST(StrandGenerators, RefuseMoreElementsThanAnIndexCanNameBeforeAllocating)
{
    const int huge = std::numeric_limits<int>::max();
    EXPECT_THROW((void)rope({.strands = 100'000, .segments = 100'000}), LimitReached);
    EXPECT_THROW((void)knit({.rows = huge, .columns = huge}), LimitReached);
    EXPECT_THROW((void)net({.meshes = {huge, huge}}), LimitReached);
    EXPECT_THROW((void)web({.spokes = huge, .turns = huge}), LimitReached);
    EXPECT_THROW((void)fur({.hairs = huge, .segments = huge}), LimitReached);
    EXPECT_THROW((void)chain_mail({.rows = huge, .columns = huge}), LimitReached);
    EXPECT_THROW((void)spring({.segments = huge}), LimitReached);
    EXPECT_THROW((void)knot({.segments = huge}), LimitReached);
}

} // namespace
} // namespace abut
