#include "abut/detect/intersections.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/base/random.hpp"
#include "abut/geometry/predicates.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "support/reference_scene.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <tuple>

namespace abut::test::intersections_test {
namespace {

using Kind = IntersectionKind;
using Found = std::tuple<Kind, int, int>;

std::vector<Found> keys(const std::vector<Intersection>& intersections)
{
    std::vector<Found> result;
    for (const Intersection& i : intersections)
        result.emplace_back(i.kind, i.pair[0], i.pair[1]);
    return result;
}

/// Every pair of elements that share no vertex, without boxes or trees, by the predicates alone.
std::vector<Found> by_brute_force(const CollisionMesh& mesh, const Positions& X)
{
    const auto share = [](std::set<int> a, const std::set<int>& b) {
        const std::size_t total = a.size() + b.size();
        a.insert(b.begin(), b.end());
        return a.size() < total;
    };
    const auto edge = [&](int e) { return std::set<int>{mesh.edges()(e, 0), mesh.edges()(e, 1)}; };
    const auto face = [&](int f) { return std::set<int>{mesh.faces()(f, 0), mesh.faces()(f, 1), mesh.faces()(f, 2)}; };
    const auto p = [&](int v) { return Vec3(X(v, 0), X(v, 1), X.cols() == 3 ? X(v, 2) : 0); };
    const auto a = [&](int e) { return p(mesh.edges()(e, 0)); };
    const auto b = [&](int e) { return p(mesh.edges()(e, 1)); };
    const auto corner = [&](int f, int k) { return p(mesh.faces()(f, k)); };
    std::vector<Found> found;
    for (int e = 0; e < mesh.num_edges(); ++e)
        for (int f = 0; f < mesh.num_faces(); ++f)
            if (!share(edge(e), face(f)) &&
                segment_intersects_triangle(a(e), b(e), corner(f, 0), corner(f, 1), corner(f, 2)))
                found.emplace_back(Kind::edge_face, e, f);
    std::vector<int> tested_edges = mesh.codim_edges();
    if (mesh.dim() == 2) {
        tested_edges.resize(mesh.num_edges());
        for (int e = 0; e < mesh.num_edges(); ++e)
            tested_edges[e] = e;
    }
    for (const int e : tested_edges)
        for (const int g : tested_edges)
            if (e < g && !share(edge(e), edge(g)) && segments_intersect_3d(a(e), b(e), a(g), b(g)))
                found.emplace_back(Kind::edge_edge, e, g);
    for (int f = 0; f < mesh.num_faces(); ++f)
        for (const int v : mesh.codim_vertices())
            if (segment_intersects_triangle(p(v), p(v), corner(f, 0), corner(f, 1), corner(f, 2)))
                found.emplace_back(Kind::face_vertex, f, v);
    for (const int e : tested_edges)
        for (const int v : mesh.codim_vertices())
            if (segments_intersect_3d(a(e), b(e), p(v), p(v)))
                found.emplace_back(Kind::edge_vertex, e, v);
    for (const int v : mesh.codim_vertices())
        for (const int w : mesh.codim_vertices())
            if (v < w && p(v) == p(w))
                found.emplace_back(Kind::vertex_vertex, v, w);
    std::sort(found.begin(), found.end());
    return found;
}

/// Triangles, loose edges and loose points with corners of their own, on a lattice of the given size where touching and
/// coplanar overlap are common, or anywhere for size 0.
CollisionMesh random_soup(RandomStream& random, int dim, int lattice, Positions& X)
{
    const int num_faces = dim == 3 ? static_cast<int>(random.below(8)) : 0,
              num_edges = static_cast<int>(random.below(8));
    const int num_points = static_cast<int>(random.below(6)) + 1;
    X.resize(3 * num_faces + 2 * num_edges + num_points, dim);
    for (Eigen::Index k = 0; k < X.size(); ++k)
        X.data()[k] = lattice == 0 ? random.uniform(-1, 1) : static_cast<double>(random.below(lattice));
    Elements faces(num_faces, 3), edges(num_edges, 2);
    for (Eigen::Index k = 0; k < faces.size(); ++k)
        faces.data()[k] = static_cast<int>(k);
    for (Eigen::Index k = 0; k < edges.size(); ++k)
        edges.data()[k] = static_cast<int>(3 * num_faces + k);
    // Rest positions need not be the positions that are tested, and these may all coincide.
    Positions rest(X.rows(), dim);
    for (Eigen::Index k = 0; k < rest.size(); ++k)
        rest.data()[k] = random.uniform(-1, 1);
    return CollisionMesh(rest, edges, faces);
}

TEST(Intersections, EqualAnExactBruteForceOnRandomAndDegenerateSoups)
{
    std::array<int, 5> seen{};
    for (const int dim : {2, 3})
        for (const int lattice : {0, 1, 2, 3, 5})
            for (std::uint64_t trial = 0; trial < 200; ++trial) {
                RandomStream random(17 + dim, 1000 * lattice + trial);
                Positions X;
                const CollisionMesh mesh = random_soup(random, dim, lattice, X);
                const auto found = find_intersections(mesh, X);
                ASSERT_EQ(keys(found), by_brute_force(mesh, X))
                    << "dim " << dim << ", lattice " << lattice << ", trial " << trial;
                ASSERT_EQ(has_intersections(mesh, X), !found.empty());
                for (const Intersection& i : found) {
                    ++seen[static_cast<int>(i.kind)];
                    ASSERT_TRUE(i.location.allFinite());
                }
            }
    for (const int count : seen)
        EXPECT_GT(count, 100) << "every kind must occur";
}

TEST(Intersections, AreLocatedWhereTheElementsMeet)
{
    Positions X(5, 3);
    X << 0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1, 1, 1, 3;
    Elements faces(1, 3), edges(1, 2);
    faces << 0, 1, 2;
    edges << 3, 4;
    const auto found = find_intersections(CollisionMesh(X, edges, faces), X);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_LT((found[0].location - Vec3(1, 1, 0)).norm(), 1e-15);
}

TEST(Intersections, OfTwoOverlappingCubesAreFound)
{
    MeshData cubes = generate::box();
    append(cubes, translated(generate::box(), Vec3(0.3, 0.2, 0.9)));
    EXPECT_TRUE(has_intersections(CollisionMesh(cubes), cubes.vertices));
    cubes.vertices.bottomRows(8).col(2).array() += 0.1 + 1e-9;
    EXPECT_FALSE(has_intersections(CollisionMesh(cubes), cubes.vertices));
}

TEST(Intersections, ATouchingOrCoplanarStartCounts)
{
    MeshData cubes = generate::box();
    append(cubes, translated(generate::box(), Vec3(0.25, 1, 0.25)));
    EXPECT_TRUE(has_intersections(CollisionMesh(cubes), cubes.vertices)) << "faces lie in one plane";
    MeshData tips = generate::icosphere({.subdivisions = 0});
    append(tips, translated(generate::icosphere({.subdivisions = 0}), 2 * tips.vertices.row(0).transpose()));
    const int opposite = [&] {
        for (int v = 12; v < 24; ++v)
            if (tips.vertices.row(v) == tips.vertices.row(0))
                return v;
        return -1;
    }();
    ASSERT_GE(opposite, 0) << "the second sphere's lowest vertex is the first's highest";
    EXPECT_TRUE(has_intersections(CollisionMesh(tips), tips.vertices)) << "they touch in one vertex";
}

TEST(Intersections, RespectTheFilter)
{
    MeshData cubes = generate::box();
    append(cubes, translated(generate::box(), Vec3(0.3, 0.2, 0.9)));
    std::vector<bool> is_static(16, true);
    const CollisionMesh mesh(cubes, {.filter = CollisionFilter::static_obstacles(is_static)});
    EXPECT_FALSE(has_intersections(mesh, cubes.vertices));
}

TEST(Intersections, AreTheSameForAnyNumberOfThreads)
{
    MeshData spheres = generate::icosphere({.subdivisions = 4});
    append(spheres, translated(generate::icosphere({.subdivisions = 4}), Vec3(0.7, 0.1, 0.2)));
    const CollisionMesh mesh(spheres);
    set_num_threads(1);
    const auto one = find_intersections(mesh, spheres.vertices);
    EXPECT_GT(one.size(), 100u);
    for (const int threads : {2, 4}) {
        set_num_threads(threads);
        const auto many = find_intersections(mesh, spheres.vertices);
        ASSERT_EQ(keys(one), keys(many));
        for (std::size_t i = 0; i < one.size(); ++i)
            ASSERT_EQ(one[i].location, many[i].location);
    }
    set_num_threads(0);
    EXPECT_THROW((void)find_intersections(mesh, spheres.vertices, 10), LimitReached);
}

TEST(Intersections, AgreeWithTheReferenceToolkit)
{
    for (const char* name : test::reference_scene_names) {
        const test::ReferenceScene scene = test::read_reference_scene(name);
        const nlohmann::json& result = scene.queries[0]["result"];
        EXPECT_EQ(has_intersections(scene.mesh, scene.X0), result["has_intersections_t0"]) << name;
        EXPECT_EQ(has_intersections(scene.mesh, scene.X1), result["has_intersections_t1"]) << name;
    }
}

TEST(Intersections, RejectBadPositions)
{
    const CollisionMesh mesh(generate::box());
    Positions X = mesh.rest_positions();
    EXPECT_THROW((void)has_intersections(mesh, X.topRows(3)), InvalidInput);
    X(2, 1) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW((void)find_intersections(mesh, X), InvalidInput);
}

} // namespace
} // namespace abut::test::intersections_test
