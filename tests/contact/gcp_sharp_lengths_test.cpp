// L at creases and corners stays as it is when a mesh is refined.

#include "abut/contact/gcp/sharp_lengths.hpp"

#include "abut/base/error.hpp"
#include "abut/contact/gcp/smooth_collisions.hpp"
#include "abut/mesh/generate/generators.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace abut::test::gcp_sharp_lengths_test {

namespace {

constexpr double size = 2, L = 0.3;

CollisionMesh cube(int n, const CollisionMeshOptions& options = {})
{
    return CollisionMesh(generate::box({.size = Vec3::Constant(size), .subdivisions = {n, n, n}}), options);
}

/// On how many sides of the cube a vertex lies.
int num_sides(const CollisionMesh& mesh, int v)
{
    return (mesh.rest_positions().row(v).array().abs() == size / 2).cast<int>().sum();
}

TEST(GcpSharpLengths, AreKeptAtCreasesAndCornersAndFollowEdgesElsewhere)
{
    const int n = 4;
    const double h = size / n;
    const CollisionMesh mesh = cube(n);
    const SmoothContactParameters params = with_sharp_length({.dhat = 0.1}, mesh, sharp_features(mesh), L);
    EXPECT_EQ(params.feature_length, FeatureLength::per_element);
    EXPECT_NO_THROW(params.validate(mesh));
    for (int v = 0; v < mesh.num_vertices(); ++v) {
        double mean = 0;
        for (const int e : mesh.vertex_edges(v)) {
            const auto ends = mesh.edges().row(e);
            mean += (mesh.rest_positions().row(ends[0]) - mesh.rest_positions().row(ends[1])).norm();
        }
        mean /= static_cast<double>(mesh.vertex_edges(v).size());
        const double expected = num_sides(mesh, v) == 3 ? L : num_sides(mesh, v) == 2 ? std::sqrt(L * h) : mean;
        EXPECT_NEAR(params.vertex_lengths[v], expected, 1e-12);
    }
    int num_sharp = 0;
    for (int e = 0; e < mesh.num_edges(); ++e) {
        const auto ends = mesh.edges().row(e);
        const Vec3 along = (mesh.rest_positions().row(ends[0]) - mesh.rest_positions().row(ends[1])).transpose();
        const Vec3 middle = (mesh.rest_positions().row(ends[0]) + mesh.rest_positions().row(ends[1])).transpose() / 2;
        const bool is_sharp = (middle.array().abs() == size / 2).cast<int>().sum() == 2;
        num_sharp += is_sharp ? 1 : 0;
        EXPECT_NEAR(params.edge_lengths[e], is_sharp ? L : along.norm(), 1e-12);
    }
    EXPECT_EQ(num_sharp, 12 * n);
}

TEST(GcpSharpLengths, GiveACreaseTheSameWeightOnEveryMesh)
{
    for (const int n : {4, 16}) {
        const CollisionMesh mesh = cube(n);
        const SharpFeatures features = sharp_features(mesh);
        const SmoothContactParameters params = with_sharp_length({.dhat = 0.1}, mesh, features, L);
        double edges = 0, vertices = 0;
        for (const int e : features.edges)
            edges += params.edge_lengths[e] * size / n;
        for (int v = 0; v < mesh.num_vertices(); ++v)
            if (num_sides(mesh, v) == 2)
                vertices += std::pow(params.vertex_lengths[v], 2);
        EXPECT_NEAR(edges, 12 * size * L, 1e-12);
        EXPECT_NEAR(vertices, 12 * size * L * (n - 1) / n, 1e-12);
    }
}

TEST(GcpSharpLengths, InThePlaneAreThoseOfCorners)
{
    Positions X(6, 2);
    X << 0, 0, 1, 0, 2, 0, 2, 1, 0, 1, 7, 7; // the last is a loose point
    const CollisionMesh mesh(X, Elements(Eigen::MatrixXi{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}));
    const SmoothContactParameters params = with_sharp_length({.dhat = 0.1}, mesh, sharp_features(mesh), L);
    Eigen::VectorXd vertices(6), edges(5);
    vertices << L, 1, L, L, L, 0.1;
    edges << 1, 1, 1, 2, 1;
    EXPECT_EQ(params.vertex_lengths, vertices);
    EXPECT_EQ(params.edge_lengths, edges);
}

TEST(GcpSharpLengths, LeaveWhatLWasElsewhere)
{
    const CollisionMesh mesh = cube(2);
    const SmoothContactParameters constant{
        .dhat = 0.1, .feature_length = FeatureLength::constant, .constant_length = 0.7};
    const SmoothContactParameters params = with_sharp_length(constant, mesh, sharp_features(mesh), L);
    for (int v = 0; v < mesh.num_vertices(); ++v)
        if (num_sides(mesh, v) != 2) {
            EXPECT_EQ(params.vertex_lengths[v], num_sides(mesh, v) == 3 ? L : 0.7);
        }
    const SmoothContactParameters again = with_sharp_length(params, mesh, {}, 5);
    EXPECT_EQ(again.vertex_lengths, params.vertex_lengths);
    EXPECT_EQ(again.edge_lengths, params.edge_lengths);
}

TEST(GcpSharpLengths, WeighPairs)
{
    // A plane below the cube sees its bottom's vertices, each with the square of its measure.
    const CollisionMesh mesh = cube(2, {.planes = {{Vec3(0, -1.05, 0), Vec3::UnitY()}}});
    const SmoothContactParameters params = with_sharp_length({.dhat = 0.1}, mesh, sharp_features(mesh), L);
    SmoothCollisions set;
    set.build(mesh, mesh.rest_positions(), params);
    ASSERT_EQ(set.count(PairKind::plane_vertex), 9u);
    int num_corners = 0, num_creases = 0;
    for (std::size_t k = 0; k < set.size(); ++k) {
        const SmoothCollision pair = set[k];
        const int sides = num_sides(mesh, pair.vertices[0]);
        if (sides == 3) {
            EXPECT_NEAR(pair.weight, std::pow(L, 4), 1e-15);
            ++num_corners;
        } else if (sides == 2) {
            EXPECT_NEAR(pair.weight, std::pow(L * size / 2, 2), 1e-15);
            ++num_creases;
        }
    }
    EXPECT_EQ(num_corners, 4);
    EXPECT_EQ(num_creases, 4);
}

TEST(GcpSharpLengths, RejectWhatDoesNotFit)
{
    const CollisionMesh mesh = cube(1), finer = cube(3);
    const SharpFeatures features = sharp_features(mesh);
    for (const double length : {0.0, -1.0, std::nan(""), 1e60})
        EXPECT_THROW((void)with_sharp_length({.dhat = 0.1}, mesh, features, length), InvalidInput) << length;
    EXPECT_THROW((void)with_sharp_length({.dhat = 0}, mesh, features, L), InvalidInput);
    EXPECT_THROW((void)with_sharp_length({.dhat = 0.1}, mesh, sharp_features(finer), L), InvalidInput);
    EXPECT_THROW((void)with_sharp_length({.dhat = 0.1}, mesh, {.edges = {}, .corners = {-1}}, L), InvalidInput);
}

} // namespace

} // namespace abut::test::gcp_sharp_lengths_test
