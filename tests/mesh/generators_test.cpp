#include "abut/base/error.hpp"
#include "abut/mesh/generate/generators.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

namespace abut {
namespace {

using std::numbers::pi;

/// How often each directed edge occurs in the faces.
std::map<std::pair<int, int>, int> half_edges(const Faces& faces)
{
    std::map<std::pair<int, int>, int> count;
    for (Eigen::Index f = 0; f < faces.rows(); ++f)
        for (int c = 0; c < 3; ++c)
            ++count[{faces(f, c), faces(f, (c + 1) % 3)}];
    return count;
}

/// Every edge lies between two faces that run along it in opposite directions.
void expect_closed(const MeshData& mesh)
{
    const auto edges = half_edges(mesh.faces);
    for (const auto& [edge, count] : edges) {
        ASSERT_EQ(count, 1) << edge.first << " " << edge.second;
        ASSERT_TRUE(edges.contains({edge.second, edge.first})) << edge.first << " " << edge.second;
    }
}

std::size_t num_boundary_edges(const MeshData& mesh)
{
    const auto edges = half_edges(mesh.faces);
    return std::size_t(std::count_if(edges.begin(), edges.end(), [&](const auto& entry) {
        return !edges.contains({entry.first.second, entry.first.first});
    }));
}

Eigen::Index euler_characteristic(const MeshData& mesh)
{
    std::set<std::pair<int, int>> edges;
    for (const auto& entry : half_edges(mesh.faces))
        edges.insert(std::minmax(entry.first.first, entry.first.second));
    return mesh.vertices.rows() - Eigen::Index(edges.size()) + mesh.faces.rows();
}

double enclosed_volume(const Positions& vertices, const Faces& faces)
{
    double volume = 0;
    for (Eigen::Index f = 0; f < faces.rows(); ++f)
        volume += point<3>(vertices, faces(f, 0))
                      .dot(point<3>(vertices, faces(f, 1)).cross(point<3>(vertices, faces(f, 2)))) /
                  6;
    return volume;
}

double enclosed_volume(const MeshData& mesh) { return enclosed_volume(mesh.vertices, mesh.faces); }

double area(const MeshData& mesh)
{
    double sum = 0;
    for (Eigen::Index f = 0; f < mesh.faces.rows(); ++f) {
        const Vec3 a = point<3>(mesh.vertices, mesh.faces(f, 0)), b = point<3>(mesh.vertices, mesh.faces(f, 1)),
                   c = point<3>(mesh.vertices, mesh.faces(f, 2));
        sum += (b - a).cross(c - a).norm() / 2;
    }
    return sum;
}

double tet_volume(const MeshData& mesh, Eigen::Index t)
{
    const Vec3 a = point<3>(mesh.vertices, mesh.tets(t, 0)), b = point<3>(mesh.vertices, mesh.tets(t, 1)),
               c = point<3>(mesh.vertices, mesh.tets(t, 2)), d = point<3>(mesh.vertices, mesh.tets(t, 3));
    return (b - a).cross(c - a).dot(d - a) / 6;
}

/// Smallest angle between two sides of a tet [degrees]: 70.5 for the regular one.
double smallest_dihedral_angle(const MeshData& mesh, Eigen::Index t)
{
    std::array<Vec3, 4> x, normal;
    for (int c = 0; c < 4; ++c)
        x[std::size_t(c)] = point<3>(mesh.vertices, mesh.tets(t, c));
    for (std::size_t c = 0; c < 4; ++c) {
        const Vec3 &a = x[(c + 1) % 4], &b = x[(c + 2) % 4], &d = x[(c + 3) % 4];
        normal[c] = (b - a).cross(d - a).normalized();
        if (normal[c].dot(x[c] - a) > 0)
            normal[c] *= -1;
    }
    double smallest = 180;
    for (std::size_t c = 0; c < 4; ++c)
        for (std::size_t d = c + 1; d < 4; ++d)
            smallest = std::min(smallest, std::acos(-normal[c].dot(normal[d])) * 180 / pi);
    return smallest;
}

/// The faces of tets that belong to one tet only; fails if a face is shared by more than two or with the same side.
Faces boundary_faces(const Tets& tets)
{
    std::map<std::array<int, 3>, int> count; // of faces with this orientation, smallest corner first
    const auto canonical = [](int a, int b, int c) {
        std::array<int, 3> face = {a, b, c};
        std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
        return face;
    };
    for (Eigen::Index t = 0; t < tets.rows(); ++t) {
        const int a = tets(t, 0), b = tets(t, 1), c = tets(t, 2), d = tets(t, 3);
        for (const auto& face : {canonical(a, c, b), canonical(a, b, d), canonical(b, c, d), canonical(a, d, c)})
            EXPECT_EQ(++count[face], 1);
    }
    std::vector<std::array<int, 3>> boundary;
    for (const auto& [face, unused] : count)
        if (!count.contains(canonical(face[0], face[2], face[1])))
            boundary.push_back(face);
    Faces faces(Eigen::Index(boundary.size()), 3);
    for (std::size_t f = 0; f < boundary.size(); ++f)
        faces.row(Eigen::Index(f)) << boundary[f][0], boundary[f][1], boundary[f][2];
    return faces;
}

void expect_no_vertex_unused_or_doubled(const MeshData& mesh)
{
    std::vector<char> used(std::size_t(mesh.vertices.rows()));
    for (const int v : mesh.faces.reshaped())
        used.at(std::size_t(v)) = true;
    for (const int v : mesh.tets.reshaped())
        used.at(std::size_t(v)) = true;
    for (const int v : mesh.edges.reshaped())
        used.at(std::size_t(v)) = true;
    EXPECT_EQ(std::count(used.begin(), used.end(), false), 0);

    std::set<std::vector<double>> distinct;
    for (Eigen::Index i = 0; i < mesh.vertices.rows(); ++i) {
        const Eigen::VectorXd x = mesh.vertices.row(i);
        distinct.emplace(x.begin(), x.end());
    }
    EXPECT_EQ(distinct.size(), std::size_t(mesh.vertices.rows()));
}

void expect_sphere_topology(const MeshData& mesh)
{
    expect_closed(mesh);
    expect_no_vertex_unused_or_doubled(mesh);
    EXPECT_EQ(euler_characteristic(mesh), 2);
}

/// Every tet is positive, tets fit together without gap or overlap, and fill what their surface encloses.
void expect_solid_ball_topology(const MeshData& mesh)
{
    expect_no_vertex_unused_or_doubled(mesh);
    double sum = 0;
    for (Eigen::Index t = 0; t < mesh.tets.rows(); ++t) {
        ASSERT_GT(tet_volume(mesh, t), 0) << t;
        sum += tet_volume(mesh, t);
    }
    MeshData surface;
    surface.vertices = mesh.vertices;
    surface.faces = boundary_faces(mesh.tets);
    expect_closed(surface);
    EXPECT_NEAR(sum, enclosed_volume(surface), 1e-12 * sum);
}

// --- Surfaces ---

TEST(Box, IsTwelveTrianglesByDefault)
{
    const MeshData mesh = generate::box();
    EXPECT_EQ(mesh.vertices.rows(), 8);
    EXPECT_EQ(mesh.faces.rows(), 12);
    EXPECT_DOUBLE_EQ(enclosed_volume(mesh), 1);
}

TEST(Box, HasTheVolumeAreaAndCountsOfItsOptions)
{
    for (const auto& n : {std::array{1, 1, 1}, std::array{2, 1, 3}, std::array{4, 5, 2}, std::array{1, 7, 1}}) {
        const MeshData mesh = generate::box({.size = {1, 2, 3}, .subdivisions = n});
        expect_sphere_topology(mesh);
        EXPECT_EQ(mesh.faces.rows(), 4 * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0]));
        EXPECT_NEAR(enclosed_volume(mesh), 6, 1e-13);
        EXPECT_NEAR(area(mesh), 22, 1e-13);
        EXPECT_EQ(mesh.vertices.colwise().minCoeff(), Eigen::RowVector3d(-0.5, -1, -1.5));
        EXPECT_EQ(mesh.vertices.colwise().maxCoeff(), Eigen::RowVector3d(0.5, 1, 1.5));
    }
}

TEST(PlaneGrid, FacesUpAndHasAllDiagonalsParallel)
{
    const MeshData mesh = generate::plane_grid({.size = {2, 3}, .cells = {4, 5}});
    EXPECT_EQ(mesh.vertices.rows(), 30);
    EXPECT_EQ(mesh.faces.rows(), 40);
    EXPECT_EQ(euler_characteristic(mesh), 1);
    expect_no_vertex_unused_or_doubled(mesh);
    EXPECT_TRUE((mesh.vertices.col(1).array() == 0).all());
    EXPECT_NEAR(area(mesh), 6, 1e-13);
    for (Eigen::Index f = 0; f < mesh.faces.rows(); ++f) {
        const Vec3 a = point<3>(mesh.vertices, mesh.faces(f, 0));
        EXPECT_GT(
            (point<3>(mesh.vertices, mesh.faces(f, 1)) - a).cross(point<3>(mesh.vertices, mesh.faces(f, 2)) - a).y(),
            0);
    }
    for (const auto& entry : half_edges(mesh.faces)) {
        const Vec3 d = point<3>(mesh.vertices, entry.first.second) - point<3>(mesh.vertices, entry.first.first);
        EXPECT_GE(d.x() * d.z(), 0);
    }
}

TEST(Cloth, HasAsManyDiagonalsEachWay)
{
    const MeshData mesh = generate::cloth({.cells = {6, 4}});
    EXPECT_EQ(mesh.faces.rows(), 48);
    EXPECT_EQ(euler_characteristic(mesh), 1);
    EXPECT_EQ(num_boundary_edges(mesh), 20u);
    int rising = 0, falling = 0;
    for (const auto& entry : half_edges(mesh.faces)) {
        const Vec3 d = point<3>(mesh.vertices, entry.first.second) - point<3>(mesh.vertices, entry.first.first);
        rising += d.x() * d.z() > 0;
        falling += d.x() * d.z() < 0;
    }
    EXPECT_EQ(rising, falling);
    EXPECT_EQ(rising, 24); // half-edges of the diagonals of 12 squares
}

TEST(Icosphere, IsClosedAndItsVolumeApproachesTheBall)
{
    const double exact = 4 * pi / 3 * 8;
    for (int s = 0; s <= 4; ++s) {
        const MeshData mesh = generate::icosphere({.radius = 2, .subdivisions = s});
        expect_sphere_topology(mesh);
        EXPECT_EQ(mesh.faces.rows(), 20 << (2 * s));
        EXPECT_LT((mesh.vertices.rowwise().norm().array() - 2).abs().maxCoeff(), 1e-15 * 4);
        // Inscribed, of N triangles: smaller by the share 4 pi sqrt(3) / (2 N) if they were small and equilateral.
        EXPECT_LT(enclosed_volume(mesh), exact);
        EXPECT_GT(enclosed_volume(mesh), exact * (1 - 1.02 * 2 * pi * std::sqrt(3.0) / double(mesh.faces.rows())));
    }
}

TEST(Icosphere, HasNearlyEqualTriangles)
{
    const MeshData mesh = generate::icosphere({.subdivisions = 5});
    double smallest = 1, largest = 0;
    for (Eigen::Index f = 0; f < mesh.faces.rows(); ++f) {
        MeshData one = mesh;
        one.faces = mesh.faces.row(f);
        smallest = std::min(smallest, area(one));
        largest = std::max(largest, area(one));
    }
    EXPECT_LT(largest / smallest, 1.3);
}

TEST(Cylinder, IsClosedWithCapsOfAnyNumberOfRings)
{
    for (const int cap_rings : {1, 2, 5}) {
        const MeshData mesh = generate::cylinder(
            {.radius = 2, .height = 3, .segments = 101, .rings = 4, .closed = true, .cap_rings = cap_rings});
        expect_sphere_topology(mesh);
        EXPECT_EQ(mesh.faces.rows(), 2 * 101 * 4 + 2 * 101 * (2 * cap_rings - 1));
        const double base = 101 * 0.5 * 4 * std::sin(2 * pi / 101);
        EXPECT_NEAR(enclosed_volume(mesh), base * 3, 1e-12);
        EXPECT_NEAR(area(mesh), 2 * base + 101 * 2 * 2 * std::sin(pi / 101) * 3, 1e-11);
    }
}

TEST(Cylinder, IsATubeWithTwoRimsWithoutCaps)
{
    const MeshData mesh = generate::cylinder({.segments = 16, .rings = 3, .closed = false});
    EXPECT_EQ(euler_characteristic(mesh), 0);
    EXPECT_EQ(num_boundary_edges(mesh), 32u);
    expect_no_vertex_unused_or_doubled(mesh);
    for (Eigen::Index f = 0; f < mesh.faces.rows(); ++f) {
        const Vec3 a = point<3>(mesh.vertices, mesh.faces(f, 0)), b = point<3>(mesh.vertices, mesh.faces(f, 1)),
                   c = point<3>(mesh.vertices, mesh.faces(f, 2));
        const Vec3 centre = (a + b + c) / 3;
        EXPECT_GT((b - a).cross(c - a).dot(Vec3(centre.x(), 0, centre.z())), 0);
    }
}

TEST(Torus, IsClosedWithAHandleAndItsVolumeIsPappus)
{
    const MeshData mesh =
        generate::torus({.major_radius = 3, .minor_radius = 1, .major_segments = 301, .minor_segments = 100});
    expect_closed(mesh);
    expect_no_vertex_unused_or_doubled(mesh);
    EXPECT_EQ(euler_characteristic(mesh), 0);
    EXPECT_EQ(mesh.faces.rows(), 2 * 301 * 100);
    EXPECT_NEAR(enclosed_volume(mesh), 2 * pi * pi * 3, 2e-3 * 2 * pi * pi * 3);
}

TEST(Revolved, IsAnOpenSurfaceAroundTheAxisThatFacesOutwards)
{
    const MeshData mesh = generate::revolved({.profile = {{1, -2}, {1, 0}, {3, 4}}, .segments = 201});
    EXPECT_EQ(mesh.vertices.rows(), 3 * 201);
    EXPECT_EQ(mesh.faces.rows(), 2 * 2 * 201);
    EXPECT_EQ(euler_characteristic(mesh), 0);
    EXPECT_EQ(num_boundary_edges(mesh), 2u * 201);
    expect_no_vertex_unused_or_doubled(mesh);
    // A pipe of height 2 and a cone of slant sqrt(20) between the radii 1 and 3.
    EXPECT_NEAR(area(mesh), 2 * pi * 2 + pi * 4 * std::sqrt(20.0), 1e-3 * 60);
    for (Eigen::Index f = 0; f < mesh.faces.rows(); ++f) {
        const Vec3 a = point<3>(mesh.vertices, mesh.faces(f, 0)), b = point<3>(mesh.vertices, mesh.faces(f, 1)),
                   c = point<3>(mesh.vertices, mesh.faces(f, 2));
        const Vec3 centre = (a + b + c) / 3;
        EXPECT_GT((b - a).cross(c - a).dot(Vec3(centre.x(), 0, centre.z())), 0);
    }
}

TEST(Polygon, IsFilledWithCounterClockwiseTriangles)
{
    for (const int n : {1, 3}) {
        const MeshData mesh = generate::polygon(
            {.corners = {{0, 0}, {0, 2}, {1, 2}, {1, 1}, {2, 1}, {2, 0}}, .subdivisions = n}); // an L, clockwise
        EXPECT_EQ(mesh.vertices.cols(), 2);
        EXPECT_EQ(mesh.faces.rows(), 4 * n * n);
        EXPECT_EQ(euler_characteristic(mesh), 1);
        EXPECT_EQ(num_boundary_edges(mesh), 6u * std::size_t(n));
        expect_no_vertex_unused_or_doubled(mesh);
        double sum = 0;
        for (Eigen::Index f = 0; f < mesh.faces.rows(); ++f) {
            const Vec2 a = point<2>(mesh.vertices, mesh.faces(f, 0)), b = point<2>(mesh.vertices, mesh.faces(f, 1)),
                       c = point<2>(mesh.vertices, mesh.faces(f, 2));
            const double twice = (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
            EXPECT_GT(twice, 0);
            sum += twice / 2;
        }
        EXPECT_NEAR(sum, 3, 1e-14);
    }
}

// --- Curves ---

double length(const MeshData& mesh)
{
    double sum = 0;
    for (Eigen::Index e = 0; e < mesh.edges.rows(); ++e)
        sum += (mesh.vertices.row(mesh.edges(e, 0)) - mesh.vertices.row(mesh.edges(e, 1))).norm();
    return sum;
}

TEST(Rod, IsStraightWithEqualEdges)
{
    const MeshData mesh = generate::rod({.length = 3, .segments = 7});
    EXPECT_EQ(mesh.vertices.rows(), 8);
    EXPECT_EQ(mesh.edges.rows(), 7);
    expect_no_vertex_unused_or_doubled(mesh);
    EXPECT_EQ(mesh.vertices(0, 0), -1.5);
    EXPECT_EQ(mesh.vertices(7, 0), 1.5);
    for (Eigen::Index e = 0; e < 7; ++e)
        EXPECT_NEAR(mesh.vertices(mesh.edges(e, 1), 0) - mesh.vertices(mesh.edges(e, 0), 0), 3.0 / 7, 1e-15);
}

TEST(Helix, HasItsArcLengthAndIsRightHanded)
{
    const MeshData mesh = generate::helix({.radius = 2, .pitch = 0.5, .turns = 3.5, .segments = 2000});
    expect_no_vertex_unused_or_doubled(mesh);
    EXPECT_EQ(mesh.vertices.rows(), 2001);
    EXPECT_NEAR(length(mesh), 3.5 * std::hypot(2 * pi * 2, 0.5), 1e-3);
    EXPECT_NEAR(mesh.vertices(2000, 1) - mesh.vertices(0, 1), 3.5 * 0.5, 1e-14);
    // Right-handed: the torsion (x' x x'') . x''' is positive.
    const Vec3 a = point<3>(mesh.vertices, 0), b = point<3>(mesh.vertices, 1), c = point<3>(mesh.vertices, 2),
               d = point<3>(mesh.vertices, 3);
    EXPECT_GT((b - a).cross(c - b).dot(d - c), 0);
}

TEST(TorusKnot, IsOneClosedCurveThatWindsPAndQTimes)
{
    for (const auto& [p, q] : {std::pair{2, 3}, std::pair{3, 2}, std::pair{1, 1}, std::pair{5, 7}}) {
        const MeshData mesh = generate::torus_knot({.p = p, .q = q, .segments = 500});
        expect_no_vertex_unused_or_doubled(mesh);
        EXPECT_EQ(mesh.vertices.rows(), 500);
        EXPECT_EQ(mesh.edges.rows(), 500);
        double around = 0, tube = 0;
        for (Eigen::Index e = 0; e < 500; ++e) {
            EXPECT_EQ(mesh.edges(e, 1), (mesh.edges(e, 0) + 1) % 500);
            const Vec3 a = point<3>(mesh.vertices, mesh.edges(e, 0)), b = point<3>(mesh.vertices, mesh.edges(e, 1));
            const auto angle = [](const Vec3& x) {
                return Vec2(std::atan2(-x.z(), x.x()), std::atan2(x.y(), std::hypot(x.x(), x.z()) - 1));
            };
            const Vec2 turn = angle(b) - angle(a);
            around += std::remainder(turn[0], 2 * pi);
            tube += std::remainder(turn[1], 2 * pi);
        }
        EXPECT_NEAR(around, 2 * pi * p, 1e-9);
        EXPECT_NEAR(tube, 2 * pi * q, 1e-9);
    }
}

double signed_area(const MeshData& curve)
{
    double sum = 0;
    for (Eigen::Index e = 0; e < curve.edges.rows(); ++e) {
        const Vec2 a = point<2>(curve.vertices, curve.edges(e, 0)), b = point<2>(curve.vertices, curve.edges(e, 1));
        sum += (a.x() * b.y() - a.y() * b.x()) / 2;
    }
    return sum;
}

TEST(Squircle, LiesOnItsCurveAndRunsCounterClockwise)
{
    for (const double n : {1.0, 2.0, 4.0, 50.0}) {
        const MeshData mesh = generate::squircle({.radius = 2, .exponent = n, .segments = 1000});
        expect_no_vertex_unused_or_doubled(mesh);
        EXPECT_EQ(mesh.vertices.cols(), 2);
        EXPECT_EQ(mesh.edges.rows(), 1000);
        for (Eigen::Index i = 0; i < 1000; ++i)
            EXPECT_NEAR(
                std::pow(std::abs(mesh.vertices(i, 0)) / 2, n) + std::pow(std::abs(mesh.vertices(i, 1)) / 2, n), 1,
                1e-13 * n);
        const double exact = 4 * 4 * std::pow(std::tgamma(1 + 1 / n), 2) / std::tgamma(1 + 2 / n);
        EXPECT_NEAR(signed_area(mesh), exact, 1e-4 * exact);
    }
}

TEST(Squircle, IsASquareForTheLargestExponent)
{
    const MeshData mesh = generate::squircle({.exponent = 1e6, .segments = 8});
    EXPECT_NEAR(mesh.vertices(1, 0), 1, 1e-6);
    EXPECT_NEAR(mesh.vertices(1, 1), 1, 1e-6);
    EXPECT_NEAR(signed_area(mesh), 4, 1e-5);
}

// --- Solids ---

TEST(TetBox, IsFilledWithWellShapedTets)
{
    for (const auto& n : {std::array{1, 1, 1}, std::array{2, 3, 4}, std::array{5, 1, 2}}) {
        const MeshData mesh =
            generate::tet_box({.size = {double(n[0]), double(n[1]), double(n[2])}, .subdivisions = n});
        expect_solid_ball_topology(mesh);
        EXPECT_EQ(mesh.tets.rows(), 5 * n[0] * n[1] * n[2]);
        EXPECT_EQ(mesh.vertices.rows(), (n[0] + 1) * (n[1] + 1) * (n[2] + 1));
        double sum = 0;
        for (Eigen::Index t = 0; t < mesh.tets.rows(); ++t) {
            sum += tet_volume(mesh, t);
            EXPECT_GT(smallest_dihedral_angle(mesh, t), 54.7); // of a cube's corner
        }
        EXPECT_NEAR(sum, n[0] * n[1] * n[2], 1e-12);
    }
}

TEST(Mat, IsAThinSquareSlab)
{
    const MeshData mesh = generate::mat({.width = 2, .thickness = 0.1, .cells = 6, .layers = 2});
    expect_solid_ball_topology(mesh);
    EXPECT_EQ(mesh.tets.rows(), 5 * 6 * 6 * 2);
    EXPECT_EQ(mesh.vertices.rows(), 7 * 7 * 3);
    EXPECT_EQ(mesh.vertices.colwise().maxCoeff(), Eigen::RowVector3d(1, 0.05, 1));
    EXPECT_EQ(mesh.vertices.colwise().minCoeff(), Eigen::RowVector3d(-1, -0.05, -1));
}

TEST(TetBall, IsFilledWithWellShapedTets)
{
    for (const int n : {1, 2, 3, 6, 10}) {
        const MeshData mesh = generate::tet_ball({.radius = 3, .shells = n});
        expect_solid_ball_topology(mesh);
        EXPECT_EQ(mesh.tets.rows(), 20 * n * n * n);
        double smallest = 1e300, largest = 0, sum = 0;
        for (Eigen::Index t = 0; t < mesh.tets.rows(); ++t) {
            smallest = std::min(smallest, tet_volume(mesh, t));
            largest = std::max(largest, tet_volume(mesh, t));
            sum += tet_volume(mesh, t);
            EXPECT_GT(smallest_dihedral_angle(mesh, t), 30) << n;
        }
        EXPECT_LT(largest / smallest, 3) << n;
        // The surface is an inscribed polyhedron of 20 n^2 triangles, as the icosphere.
        const double exact = 4 * pi / 3 * 27;
        EXPECT_LT(sum, exact);
        EXPECT_GT(sum, exact * (1 - 1.02 * 2 * pi * std::sqrt(3.0) / (20 * n * n)));
        EXPECT_NEAR(mesh.vertices.rowwise().norm().maxCoeff(), 3, 1e-14);
    }
}

MeshData surface_of(const MeshData& solid)
{
    MeshData surface;
    surface.vertices = solid.vertices;
    surface.faces = boundary_faces(solid.tets);
    return surface;
}

/// Of the vertices that the faces use.
Eigen::Index surface_euler_characteristic(const MeshData& surface)
{
    std::set<int> used;
    for (const int v : surface.faces.reshaped())
        used.insert(v);
    return euler_characteristic(surface) - surface.vertices.rows() + Eigen::Index(used.size());
}

double total_volume(const MeshData& mesh)
{
    double sum = 0;
    for (Eigen::Index t = 0; t < mesh.tets.rows(); ++t)
        sum += tet_volume(mesh, t);
    return sum;
}

TEST(TetCone, IsFilledAndPointsUp)
{
    for (const int segments : {3, 4, 7})
        for (const int n : {1, 2, 3, 5}) {
            const MeshData mesh =
                generate::tet_cone({.radius = 2, .height = 3, .segments = segments, .subdivisions = n});
            expect_solid_ball_topology(mesh);
            EXPECT_EQ(mesh.tets.rows(), segments * n * n * n);
            EXPECT_EQ(surface_euler_characteristic(surface_of(mesh)), 2);
            const double base = segments * 0.5 * 4 * std::sin(2 * pi / segments);
            EXPECT_NEAR(total_volume(mesh), base * 3 / 3, 1e-13 * base);
            EXPECT_EQ(mesh.vertices.col(1).minCoeff(), -1.5);
            EXPECT_EQ((mesh.vertices.col(1).array() == 1.5).count(), 1) << "one tip";
            for (Eigen::Index v = 0; v < mesh.vertices.rows(); ++v) // nothing outside
                EXPECT_LE(
                    std::hypot(mesh.vertices(v, 0), mesh.vertices(v, 2)), 2 * (0.5 - mesh.vertices(v, 1) / 3) + 1e-14);
        }
}

TEST(TetTorus, IsARingOfTheVolumeOfItsSections)
{
    for (const auto& [slices, sides, rings] :
         {std::array{3, 3, 1}, std::array{5, 4, 2}, std::array{24, 8, 1}, std::array{7, 6, 3}}) {
        const MeshData mesh = generate::tet_torus(
            {.major_radius = 3, .minor_radius = 1, .major_segments = slices, .minor_segments = sides, .rings = rings});
        expect_solid_ball_topology(mesh); // the checks do not ask for a ball: positive, closed, filled
        EXPECT_EQ(mesh.tets.rows(), 3 * slices * sides * (2 * rings - 1));
        EXPECT_EQ(surface_euler_characteristic(surface_of(mesh)), 0) << "a handle";
    }
    const MeshData fine =
        generate::tet_torus({.major_radius = 3, .minor_radius = 1, .major_segments = 300, .minor_segments = 100});
    EXPECT_NEAR(total_volume(fine), 2 * pi * pi * 3, 2e-3 * 2 * pi * pi * 3) << "Pappus";
}

/// A block with a notch: concave, clockwise.
std::vector<Vec2> notched() { return {{-2, 0}, {-2, 2}, {-1, 2}, {0, 1}, {1, 2}, {2, 2}, {2, 0}}; }

TEST(TetPrism, FillsConcavePolygonsOfEitherSense)
{
    std::vector<Vec2> corners = notched();
    for (int sense = 0; sense < 2; ++sense) {
        for (const int n : {1, 2, 4})
            for (const int layers : {1, 3}) {
                const MeshData mesh =
                    generate::tet_prism({.corners = corners, .depth = 5, .subdivisions = n, .layers = layers});
                expect_solid_ball_topology(mesh);
                EXPECT_EQ(mesh.tets.rows(), 3 * 5 * n * n * layers);
                EXPECT_EQ(surface_euler_characteristic(surface_of(mesh)), 2);
                EXPECT_NEAR(total_volume(mesh), 7 * 5, 1e-13 * 35);
                EXPECT_EQ(mesh.vertices.colwise().minCoeff(), Eigen::RowVector3d(-2, 0, -2.5));
                EXPECT_EQ(mesh.vertices.colwise().maxCoeff(), Eigen::RowVector3d(2, 2, 2.5));
            }
        std::reverse(corners.begin(), corners.end());
    }
}

// --- What all have in common ---

TEST(Generators, GiveTheSameBitsEveryTime)
{
    const MeshData a = generate::tet_ball({.shells = 5}), b = generate::tet_ball({.shells = 5});
    EXPECT_EQ(a.vertices, b.vertices);
    EXPECT_EQ(a.tets, b.tets);
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

TEST(Generators, RejectSizesThatAreNotPositiveAndFinite)
{
    using namespace generate;
    for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity(), 1e-320, 1e51}) {
        const std::vector<std::pair<std::string, std::function<void()>>> cases = {
            {"box: size[1]",
             [&] {
                 (void)box({.size = {1, bad, 1}});
             }},
            {"plane_grid: size[0]",
             [&] {
                 (void)plane_grid({.size = {bad, 1}});
             }},
            {"cloth: size[1]",
             [&] {
                 (void)cloth({.size = {1, bad}});
             }},
            {"icosphere: radius", [&] { (void)icosphere({.radius = bad}); }},
            {"cylinder: radius", [&] { (void)cylinder({.radius = bad}); }},
            {"cylinder: height", [&] { (void)cylinder({.height = bad}); }},
            {"torus: major_radius", [&] { (void)torus({.major_radius = bad}); }},
            {"torus: minor_radius", [&] { (void)torus({.minor_radius = bad}); }},
            {"rod: length", [&] { (void)rod({.length = bad}); }},
            {"helix: radius", [&] { (void)helix({.radius = bad}); }},
            {"helix: pitch", [&] { (void)helix({.pitch = bad}); }},
            {"torus_knot: major_radius", [&] { (void)torus_knot({.major_radius = bad}); }},
            {"torus_knot: minor_radius", [&] { (void)torus_knot({.minor_radius = bad}); }},
            {"squircle: radius", [&] { (void)squircle({.radius = bad}); }},
            {"tet_box: size[2]",
             [&] {
                 (void)tet_box({.size = {1, 1, bad}});
             }},
            {"mat: width", [&] { (void)mat({.width = bad}); }},
            {"mat: thickness", [&] { (void)mat({.thickness = bad}); }},
            {"tet_ball: radius", [&] { (void)tet_ball({.radius = bad}); }},
            {"tet_cone: radius", [&] { (void)tet_cone({.radius = bad}); }},
            {"tet_cone: height", [&] { (void)tet_cone({.height = bad}); }},
            {"tet_torus: major_radius", [&] { (void)tet_torus({.major_radius = bad}); }},
            {"tet_torus: minor_radius", [&] { (void)tet_torus({.minor_radius = bad}); }},
            {"tet_prism: depth", [&] { (void)tet_prism({.depth = bad}); }},
            {"revolved: profile[1][0]",
             [&] {
                 (void)revolved({.profile = {{1, 0}, {bad, 1}}});
             }},
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

TEST(Generators, RejectCountsBelowTheirMinimum)
{
    using namespace generate;
    const std::vector<std::pair<std::string, std::function<void()>>> cases = {
        {"box: subdivisions[2] = 0",
         [] {
             (void)box({.subdivisions = {1, 1, 0}});
         }},
        {"plane_grid: cells[0] = -5",
         [] {
             (void)plane_grid({.cells = {-5, 1}});
         }},
        {"cloth: cells[1] = 0",
         [] {
             (void)cloth({.cells = {1, 0}});
         }},
        {"icosphere: subdivisions = -1", [] { (void)icosphere({.subdivisions = -1}); }},
        {"cylinder: segments = 2", [] { (void)cylinder({.segments = 2}); }},
        {"cylinder: rings = 0", [] { (void)cylinder({.rings = 0}); }},
        {"cylinder: cap_rings = 0", [] { (void)cylinder({.cap_rings = 0}); }},
        {"torus: major_segments = 2", [] { (void)torus({.major_segments = 2}); }},
        {"torus: minor_segments = 2", [] { (void)torus({.minor_segments = 2}); }},
        {"rod: segments = 0", [] { (void)rod({.segments = 0}); }},
        {"helix: segments = 14", [] { (void)helix({.turns = 5, .segments = 14}); }},
        {"torus_knot: p = 0", [] { (void)torus_knot({.p = 0}); }},
        {"torus_knot: q = -3", [] { (void)torus_knot({.q = -3}); }},
        {"torus_knot: segments = 23", [] { (void)torus_knot({.segments = 23}); }},
        {"torus_knot: segments = 200",
         [] { (void)torus_knot({.p = 1, .q = std::numeric_limits<int>::max(), .segments = 200}); }},
        {"squircle: segments = 2", [] { (void)squircle({.segments = 2}); }},
        {"tet_box: subdivisions[0] = 0",
         [] {
             (void)tet_box({.subdivisions = {0, 1, 1}});
         }},
        {"mat: cells = 0", [] { (void)mat({.cells = 0}); }},
        {"mat: layers = 0", [] { (void)mat({.layers = 0}); }},
        {"tet_ball: shells = 0", [] { (void)tet_ball({.shells = 0}); }},
        {"tet_cone: segments = 2", [] { (void)tet_cone({.segments = 2}); }},
        {"tet_cone: subdivisions = 0", [] { (void)tet_cone({.subdivisions = 0}); }},
        {"tet_torus: major_segments = 2", [] { (void)tet_torus({.major_segments = 2}); }},
        {"tet_torus: minor_segments = 2", [] { (void)tet_torus({.minor_segments = 2}); }},
        {"tet_torus: rings = 0", [] { (void)tet_torus({.rings = 0}); }},
        {"tet_prism: subdivisions = 0", [] { (void)tet_prism({.subdivisions = 0}); }},
        {"tet_prism: layers = 0", [] { (void)tet_prism({.layers = 0}); }},
        {"polygon: subdivisions = -1", [] { (void)polygon({.subdivisions = -1}); }},
        {"revolved: segments = 2", [] { (void)revolved({.segments = 2}); }},
    };
    for (const auto& [option, call] : cases) {
        const std::string message = rejection(call);
        EXPECT_NE(message.find("generate::" + option + " is below its minimum"), std::string::npos) << message;
    }
}

TEST(Generators, RejectOptionsThatContradictEachOther)
{
    using namespace generate;
    const auto rejects = [](const std::function<void()>& call, const std::string& part) {
        const std::string message = rejection(call);
        EXPECT_NE(message.find(part), std::string::npos) << message;
    };
    rejects([] { (void)torus({.major_radius = 1, .minor_radius = 1}); }, "minor_radius = 1 m is not below");
    rejects([] { (void)torus_knot({.major_radius = 1, .minor_radius = 2}); }, "minor_radius = 2 m is not below");
    rejects([] { (void)torus_knot({.p = 4, .q = 6}); }, "common divisor 2");
    rejects([] { (void)squircle({.exponent = 0.5}); }, "exponent = 0.5");
    rejects([] { (void)squircle({.exponent = std::nan("")}); }, "exponent = nan");
    rejects([] { (void)helix({.turns = 0}); }, "turns = 0");
    rejects([] { (void)helix({.turns = std::nan("")}); }, "turns = nan");
    rejects([] { (void)tet_torus({.major_radius = 1, .minor_radius = 1}); }, "minor_radius = 1 m is not below");
    rejects([] { (void)revolved({.profile = {}}); }, "the profile has 0 points");
    rejects([] { (void)revolved({.profile = {Vec2(1, 0), Vec2(1, 0)}}); }, "profile[0] and profile[1] are the same");
    rejects([] { (void)revolved({.profile = {Vec2(1, 0), Vec2(1, std::nan(""))}}); }, "profile[1][1] = nan");
    rejects([] { (void)polygon({.corners = {}}); }, "the 0 corners enclose no area");
    rejects([] { (void)polygon({.corners = {Vec2(0, 0), Vec2(1, 1), Vec2(2, 2)}}); }, "the 3 corners enclose no area");
    rejects([] { (void)polygon({.corners = {Vec2(0, 0), Vec2(1, INFINITY), Vec2(1, 0)}}); }, "corners[1][1] = inf");
    rejects(
        [] {
            (void)tet_prism({.corners = {Vec2(0, 0), Vec2(2, 2), Vec2(2, 0), Vec2(0, 3)}});
        },
        "crosses or touches itself");
}

TEST(Generators, RefuseMoreElementsThanAnIndexCanNameBeforeAllocating)
{
    using namespace generate;
    const int huge = std::numeric_limits<int>::max();
    EXPECT_THROW((void)box({.subdivisions = {huge, huge, huge}}), LimitReached);
    EXPECT_THROW((void)plane_grid({.cells = {huge, 1}}), LimitReached);
    EXPECT_THROW((void)cloth({.cells = {40'000, 40'000}}), LimitReached);
    EXPECT_THROW((void)icosphere({.subdivisions = 14}), LimitReached);
    EXPECT_THROW((void)icosphere({.subdivisions = huge}), LimitReached);
    EXPECT_THROW((void)cylinder({.segments = huge, .rings = huge}), LimitReached);
    EXPECT_THROW((void)cylinder({.segments = 1'000'000, .cap_rings = 1'000'000}), LimitReached);
    EXPECT_THROW((void)torus({.major_segments = huge, .minor_segments = huge}), LimitReached);
    EXPECT_THROW((void)rod({.segments = huge}), LimitReached);
    EXPECT_THROW((void)helix({.segments = huge}), LimitReached);
    EXPECT_THROW((void)tet_box({.subdivisions = {huge, huge, huge}}), LimitReached);
    EXPECT_THROW((void)mat({.cells = huge, .layers = huge}), LimitReached);
    EXPECT_THROW((void)tet_ball({.shells = 476}), LimitReached);
    EXPECT_THROW((void)tet_ball({.shells = huge}), LimitReached);
    EXPECT_THROW((void)tet_cone({.subdivisions = huge}), LimitReached);
    EXPECT_THROW((void)tet_torus({.major_segments = huge, .minor_segments = huge, .rings = huge}), LimitReached);
    EXPECT_THROW((void)tet_prism({.subdivisions = huge, .layers = huge}), LimitReached);
    EXPECT_THROW((void)tet_prism({.layers = huge}), LimitReached);
    EXPECT_THROW((void)polygon({.subdivisions = 50'000}), LimitReached);
    EXPECT_THROW((void)revolved({.segments = huge}), LimitReached);
}

} // namespace
} // namespace abut
