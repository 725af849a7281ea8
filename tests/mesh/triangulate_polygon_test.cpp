#include "abut/base/random.hpp"
#include "abut/geometry/predicates.hpp"
#include "abut/mesh/generate/triangulate_polygon.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

namespace abut {
namespace {

using Polygon = std::vector<Vec3>;

Polygon in_plane(const std::vector<Vec2>& points)
{
    Polygon corners;
    for (const Vec2& point : points)
        corners.emplace_back(point.x(), point.y(), 0);
    return corners;
}

/// Twice the area vector.
Vec3 area_vector(const Polygon& corners)
{
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < corners.size(); ++i)
        sum += (corners[i] - corners[0]).cross(corners[(i + 1) % corners.size()] - corners[0]);
    return sum;
}

/// The triangles' areas are positive along the polygon's normal and add up to its area, and the triangles together
/// have the polygon's edges as their boundary. With exact areas, this makes them a triangulation.
void expect_triangulation(const Polygon& corners)
{
    PolygonTriangulator triangulator;
    ASSERT_EQ(triangulator.run(corners), PolygonStatus::triangulated);
    const auto& triangles = triangulator.triangles();
    ASSERT_EQ(triangles.size(), corners.size() - 2);

    const Vec3 normal = area_vector(corners);
    double sum = 0;
    std::map<std::pair<int, int>, int> half_edges;
    for (const auto& triangle : triangles) {
        const auto [a, b, c] = triangle;
        const double area = area_vector({corners[std::size_t(a)], corners[std::size_t(b)], corners[std::size_t(c)]})
                                .dot(normal.normalized());
        EXPECT_GT(area, 0) << a << " " << b << " " << c;
        sum += area;
        for (const auto& edge : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}})
            EXPECT_EQ(++half_edges[edge], 1);
    }
    EXPECT_NEAR(sum, normal.norm(), 1e-9 * normal.norm());
    const int n = static_cast<int>(corners.size());
    int boundary = 0;
    for (const auto& [edge, unused] : half_edges)
        if (!half_edges.contains({edge.second, edge.first})) {
            EXPECT_EQ(edge.second, (edge.first + 1) % n);
            ++boundary;
        }
    EXPECT_EQ(boundary, n);
}

PolygonStatus status_of(const Polygon& corners)
{
    PolygonTriangulator triangulator;
    return triangulator.run(corners);
}

TEST(TriangulatePolygon, ConvexPolygonsBecomeAFanInAnyOrientation)
{
    Polygon corners = in_plane({{0, 0}, {2, 0}, {3, 1}, {2, 2}, {0, 2}});
    for (int turn = 0; turn < 2; ++turn) {
        PolygonTriangulator triangulator;
        ASSERT_EQ(triangulator.run(corners), PolygonStatus::triangulated);
        const std::vector<std::array<int, 3>> fan = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}};
        EXPECT_EQ(triangulator.triangles(), fan);
        std::reverse(corners.begin(), corners.end());
    }
}

TEST(TriangulatePolygon, AConcaveQuadIsCutAtItsReflexCorner)
{
    for (int start = 0; start < 4; ++start) {
        Polygon arrow = in_plane({{0, 0}, {4, -2}, {1, 0}, {4, 2}});
        std::rotate(arrow.begin(), arrow.begin() + start, arrow.end());
        expect_triangulation(arrow);
        std::reverse(arrow.begin(), arrow.end());
        expect_triangulation(arrow);
    }
}

TEST(TriangulatePolygon, CornersOf180DegreesMakeNoFlatTriangles)
{
    expect_triangulation(in_plane({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 3}}));
    expect_triangulation(in_plane({{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}));
    expect_triangulation(in_plane({{0, 0}, {3, 0}, {3, 1}, {2, 1}, {1, 1}, {1, 2}, {1, 3}, {0, 3}}));
}

TEST(TriangulatePolygon, FindsACommonPointOfTheEdgesHoweverSmall)
{
    // A bow tie, a pentagram, a corner on an edge, edges that overlap, a spike, corners that coincide.
    EXPECT_EQ(status_of(in_plane({{0, 0}, {2, 2}, {2, 0}, {0, 3}})), PolygonStatus::self_intersecting);
    std::vector<Vec2> star;
    for (int i = 0; i < 5; ++i)
        star.emplace_back(std::cos(i * 0.8 * std::numbers::pi), std::sin(i * 0.8 * std::numbers::pi));
    EXPECT_EQ(status_of(in_plane(star)), PolygonStatus::self_intersecting);
    EXPECT_EQ(status_of(in_plane({{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}})), PolygonStatus::self_intersecting);
    EXPECT_EQ(status_of(in_plane({{0, 0}, {4, 0}, {4, 4}, {3, 0}, {1, 0}, {0, 4}})), PolygonStatus::self_intersecting);
    EXPECT_EQ(status_of(in_plane({{0, 0}, {2, 0}, {4, 0}, {2, 0.0}, {2, 2}})), PolygonStatus::self_intersecting);
    EXPECT_EQ(status_of(in_plane({{0, 0}, {2, 0}, {2, 2}, {5, 2}, {1, 2}})), PolygonStatus::self_intersecting);
    EXPECT_EQ(status_of(in_plane({{0, 0}, {4, 0}, {0, 0}, {0, 4}, {4, 4}})), PolygonStatus::self_intersecting);
    EXPECT_EQ(status_of(in_plane({{0, 0}, {4, 0}, {4, 0}, {0, 4}})), PolygonStatus::self_intersecting);

    // The corner at (2, y) is above the edge from (0, 0) to (4, 0), or on it.
    EXPECT_EQ(status_of(in_plane({{0, 0}, {4, 0}, {4, 4}, {2, 1e-300}, {0, 4}})), PolygonStatus::triangulated);
    EXPECT_EQ(status_of(in_plane({{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}})), PolygonStatus::self_intersecting);
}

TEST(TriangulatePolygon, CallsAPolygonWithoutAreaDegenerate)
{
    EXPECT_EQ(status_of(in_plane({{0, 0}, {1, 1}, {2, 2}, {3, 3}})), PolygonStatus::degenerate);
    EXPECT_EQ(status_of({{1, 2, 3}, {2, 4, 6}, {4, 8, 12}, {3, 6, 9}}), PolygonStatus::degenerate);
    EXPECT_EQ(status_of({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}), PolygonStatus::degenerate);
    EXPECT_EQ(status_of({{1, 2, 3}, {2, 2, 3}}), PolygonStatus::degenerate);
    EXPECT_EQ(status_of(in_plane({{0, 0}, {4, 0}, {0, 0}, {0, 4}})), PolygonStatus::degenerate);
    EXPECT_EQ(status_of(in_plane({{0, 0}, {2, 2}, {2, 0}, {0, 2}})), PolygonStatus::degenerate);
}

TEST(TriangulatePolygon, WorksInEveryPlane)
{
    const Polygon flat = in_plane({{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 2}, {3, 2}, {3, 3}, {0, 3}});
    for (const Vec3& normal : {Vec3(1, 0, 0), Vec3(0, -1, 0), Vec3(0, 0, -1), Vec3(1, 1, 1), Vec3(-1, 2, -3)}) {
        const auto turn = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), normal);
        Polygon turned;
        for (const Vec3& corner : flat)
            turned.push_back(turn * corner + Vec3(5, 6, 7));
        expect_triangulation(turned);
    }
}

// Corners at sorted angles around the origin form a simple polygon, with about half its corners reflex.
RC_GTEST_PROP(TriangulatePolygon, StarShapedPolygonsComeApart, (std::uint32_t seed))
{
    RandomStream random(seed);
    const std::size_t n = 4 + random.below(60);
    std::vector<double> angles;
    for (std::size_t i = 0; i < n; ++i)
        angles.push_back(2 * std::numbers::pi * (double(i) + 0.9 * random.uniform()) / double(n));
    const auto tilt =
        Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), 1).normalized();
    Polygon corners;
    for (const double angle : angles) {
        const double radius = random.uniform(0.2, 1);
        corners.push_back(tilt * Vec3(radius * std::cos(angle), radius * std::sin(angle), 0));
    }
    expect_triangulation(corners);
    RC_ASSERT(!::testing::Test::HasFailure());
}

// Corners on a small integer lattice are full of coincidences, overlaps and right and straight angles. The sweep agrees
// with the search of all pairs, and what is simple comes apart.
RC_GTEST_PROP(TriangulatePolygon, LatticePolygonsAreJudgedAsAllPairsOfEdgesAre, (std::uint32_t seed))
{
    for (std::uint64_t repetition = 0; repetition < 50; ++repetition) {
        RandomStream random(seed, repetition);
        const std::size_t n = 4 + random.below(5);
        std::vector<Vec2> points;
        for (std::size_t i = 0; i < n; ++i)
            points.emplace_back(random.below(5), random.below(5));

        const auto folds_back = [](const Vec2& a, const Vec2& b, const Vec2& c) {
            return a == b || b == c || (orientation(a, b, c) == 0 && (b - a).dot(c - b) < 0);
        };
        bool simple = true;
        for (std::size_t i = 0; i < n; ++i) {
            simple &= !folds_back(points[i], points[(i + 1) % n], points[(i + 2) % n]);
            for (std::size_t j = i + 2; j < n; ++j)
                if (i > 0 || j + 1 < n)
                    simple &= !segments_intersect(points[i], points[i + 1], points[j], points[(j + 1) % n]);
        }
        const PolygonStatus status = status_of(in_plane(points));
        RC_ASSERT((status == PolygonStatus::triangulated) == simple);
        if (simple)
            expect_triangulation(in_plane(points));
        RC_ASSERT(!::testing::Test::HasFailure());
    }
}

TEST(TriangulatePolygon, TakesTenThousandCorners)
{
    const int n = 10'000;
    RandomStream random(1);
    std::vector<Vec2> circle, star, comb, spiral;
    for (int i = 0; i < n; ++i) {
        const double angle = 2 * std::numbers::pi * i / n;
        const Vec2 ray(std::cos(angle), std::sin(angle));
        circle.push_back(ray);
        star.push_back((i % 2 ? 1 : random.uniform(0.1, 0.9)) * ray);
    }
    // Long thin teeth at 45 degrees: no box of one keeps clear of another.
    for (int i = 0; i < n - 2; ++i)
        comb.emplace_back(i % 2 ? Vec2(i, -i) : Vec2(i + 1e5, -i + 1e5));
    comb.emplace_back(Vec2(n, -n) - Vec2(1, 1));
    comb.emplace_back(-1, -1);
    for (int i = 0; i < n / 2; ++i)
        spiral.push_back((1 + 0.01 * i) * Vec2(std::cos(0.05 * i), std::sin(0.05 * i)));
    for (int i = n / 2 - 1; i >= 0; --i)
        spiral.push_back((0.9 + 0.01 * i) * Vec2(std::cos(0.05 * i), std::sin(0.05 * i)));
    expect_triangulation(in_plane(circle));
    expect_triangulation(in_plane(star));
    expect_triangulation(in_plane(comb));
    expect_triangulation(in_plane(spiral));
}

TEST(TriangulatePolygon, RefusesConcavePolygonsThatWouldTakeTooLong)
{
    std::vector<Vec2> zigzag;
    for (std::size_t i = 0; i <= PolygonTriangulator::max_concave_corners; ++i)
        zigzag.emplace_back(double(i), double(i % 2));
    zigzag.emplace_back(100, 1e6);
    EXPECT_EQ(status_of(in_plane(zigzag)), PolygonStatus::too_many_corners);
}

} // namespace
} // namespace abut
