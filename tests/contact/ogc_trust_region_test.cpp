// The regions in which vertices may move: distances and bounds against slow ones, steps that are cut, and what matters:
// nothing passes through anything however vertices move in their regions.

#include "abut/contact/ogc/trust_region.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/detect/intersections.hpp"
#include "abut/detect/step_size.hpp"
#include "support/contact_scenes.hpp"
#include "support/ogc_scenes.hpp"
#include "support/random_meshes.hpp"

#include <gtest/gtest.h>

namespace abut::test::ogc_trust_region_test {

namespace {

struct Scene {
    std::string name;
    CollisionMesh mesh;
    Positions X;
    double dhat;
};

/// Small scenes free of intersections: surfaces near each other and themselves, curves, loose points, planes.
std::vector<Scene> scenes()
{
    std::vector<Scene> all;
    const auto add = [&](const std::string& name, const MeshData& data, double dhat,
                         const CollisionMeshOptions& options = {}) {
        all.push_back({name, CollisionMesh(data, options), data.vertices, dhat});
    };
    add("layers of cloth", layers_of_cloth(3, 0.2), 0.03);
    add("two squircles", two_squircles(0.02), 0.1, {.planes = {{Vec3(0, -1.05, 0), Vec3::UnitY()}}});
    MeshData spheres = generate::icosphere({.radius = 0.5, .subdivisions = 1});
    append(spheres, translated(generate::icosphere({.radius = 0.5, .subdivisions = 1}), Vec3(0.02, 1.01, 0.03)));
    add("spheres", spheres, 0.1, {.planes = {{Vec3(0, -0.52, 0), Vec3(0.1, 1, 0)}}});
    MeshData rods = generate::rod({.segments = 4});
    append(
        rods, translated(
                  transformed(
                      generate::rod({.segments = 3}),
                      Eigen::AngleAxisd(1.1, Vec3(0, 1, 0.1).normalized()).toRotationMatrix()),
                  Vec3(0, 0.07, 0)));
    rods.vertices.conservativeResize(rods.vertices.rows() + 2, 3);
    rods.vertices.bottomRows(2) << 0.1, 0.03, 0.01, 0.12, 0.05, 0.02;
    add("rods and points", rods, 0.1);
    // A fold: two triangles that share an edge, nearly closed.
    MeshData fold;
    fold.vertices = Positions(4, 3);
    fold.vertices << 0, 0, 0, 0, 0, 1, 1, 0, 0.5, 1, 0.03, 0.5;
    fold.faces = Faces(2, 3);
    fold.faces << 0, 1, 2, 0, 3, 1;
    add("fold", fold, 0.1);
    for (const Scene& scene : all)
        EXPECT_FALSE(has_intersections(scene.mesh, scene.X)) << scene.name;
    return all;
}

/// Of all pairs of elements that share no vertex, at most the radius.
ElementDistances slow_distances(const CollisionMesh& mesh, const Positions& X, double radius)
{
    Candidates all;
    all.build(mesh, X, 100, {.method = BroadPhase::brute_force});
    const NearPairs pairs = find_near_pairs(all, mesh, X, 1000);
    ElementDistances distances;
    distances.query_radius = radius;
    distances.vertices.assign(mesh.num_vertices(), radius);
    distances.edges.assign(mesh.num_edges(), radius);
    distances.faces.assign(mesh.num_faces(), radius);
    const auto lower = [](double& target, double squared) { target = std::min(target, std::sqrt(squared)); };
    const auto scan = [&](const DetectedPairs& list, std::vector<double>& first, std::vector<double>& second) {
        for (std::size_t k = 0; k < list.size(); ++k) {
            lower(first[list.pairs[k][0]], list.squared_distances[k]);
            lower(second[list.pairs[k][1]], list.squared_distances[k]);
        }
    };
    scan(pairs.vv, distances.vertices, distances.vertices);
    scan(pairs.ev, distances.edges, distances.vertices);
    scan(pairs.ee, distances.edges, distances.edges);
    scan(pairs.fv, distances.faces, distances.vertices);
    if (!mesh.planes().empty()) {
        distances.planes.assign(mesh.num_vertices(), radius);
        for (std::size_t k = 0; k < pairs.pv.size(); ++k)
            lower(distances.planes[pairs.pv.pairs[k][1]], pairs.pv.squared_distances[k]);
    }
    return distances;
}

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected)
{
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i)
        EXPECT_NEAR(actual[i], expected[i], 1e-15) << i;
}

// --- Distances and bounds ---

TEST(TrustRegion, DistancesAndBoundsAreThoseOfAllPairs)
{
    for (const Scene& scene : scenes())
        for (const double dmin : {0.0, 1e-3})
            for (const double query : {1.0, 2.5, 20.0})
                for (const Truncation truncation : {Truncation::project, Truncation::planes}) {
                    SCOPED_TRACE(scene.name);
                    TrustRegion region(
                        scene.mesh, {.dhat = scene.dhat,
                                     .dmin = dmin,
                                     .query_radius = dmin + query * scene.dhat,
                                     .truncation = truncation});
                    region.update(scene.X);
                    const ElementDistances slow = slow_distances(scene.mesh, scene.X, dmin + query * scene.dhat);
                    expect_near(region.distances().vertices, slow.vertices);
                    expect_near(region.distances().edges, slow.edges);
                    expect_near(region.distances().faces, slow.faces);
                    expect_near(region.distances().planes, slow.planes);
                    for (int v = 0; v < scene.mesh.num_vertices(); ++v) {
                        // Eq. 21, plain.
                        double gap = slow.vertices[v];
                        for (const int e : scene.mesh.vertex_edges(v))
                            gap = std::min(gap, slow.edges[e]);
                        for (const int f : scene.mesh.vertex_faces(v))
                            gap = std::min(gap, slow.faces[f]);
                        gap -= dmin;
                        if (!slow.planes.empty())
                            gap = std::min(gap, 2 * (slow.planes[v] - dmin));
                        EXPECT_NEAR(region.bounds()[v], 0.45 * gap, 1e-13);
                        EXPECT_GT(region.bounds()[v], 0);
                    }
                    NormalCollisions collisions;
                    collisions.build(
                        scene.mesh, scene.X, {.dhat = scene.dhat, .dmin = dmin, .set_type = CollisionSetType::ogc});
                    EXPECT_EQ(region.collisions(), collisions);
                }
}

TEST(Surroundings, AreThoseOfAllCandidates)
{
    // Soups that touch and cross, in layouts that are hard on boxes and on rounding.
    RandomStream random(40);
    std::size_t num_pairs = 0;
    for (const Layout layout : layouts)
        for (const int dim : {2, 3})
            for (int repeat = 0; repeat < 3; ++repeat) {
                SCOPED_TRACE(std::string(name(layout)) + " in " + std::to_string(dim) + "D");
                MovingMesh soup = random_soup({.dim = dim}, random, random_filter(random));
                lay_out(soup, layout, random);
                const double range = 0.1 * scale(layout), query_radius = 0.5 * scale(layout);
                const auto near = [&](double distance) {
                    Candidates candidates;
                    candidates.build(soup.mesh, soup.X0, distance / 2, {.method = BroadPhase::brute_force});
                    return find_near_pairs(candidates, soup.mesh, soup.X0, distance);
                };
                const SurroundingsOptions options{.range = range, .query_radius = query_radius};
                BroadPhaseTrees trees; // sorted elsewhere, then refitted
                static_cast<void>(look_around(soup.mesh, soup.X1, options, trees));
                const Surroundings found = look_around(soup.mesh, soup.X0, options, trees);
                EXPECT_EQ(found.pairs, near(range));
                EXPECT_EQ(found.distances, find_element_distances(near(query_radius), soup.mesh, query_radius));
                num_pairs += found.pairs.size();
            }
    EXPECT_GT(num_pairs, 500u);
    const Scene scene = scenes()[0];
    BroadPhaseTrees trees;
    EXPECT_THROW(
        static_cast<void>(look_around(scene.mesh, scene.X, {.range = 1, .query_radius = 0.5}, trees)), InvalidInput);
    EXPECT_THROW(
        static_cast<void>(look_around(scene.mesh, scene.X, {.range = 0, .query_radius = 1}, trees)), InvalidInput);
}

TEST(TrustRegion, AnUpdateFromASharedDetectionIsTheSame)
{
    for (const Scene& scene : scenes())
        for (const Truncation truncation : {Truncation::project, Truncation::planes}) {
            const TrustRegionOptions options{.dhat = scene.dhat, .truncation = truncation};
            TrustRegion own(scene.mesh, options), shared(scene.mesh, options);
            own.update(scene.X);
            Detection detection(scene.mesh, {.range = 2 * scene.dhat});
            detection.update(scene.X);
            shared.update(detection, scene.X);
            EXPECT_EQ(own.collisions(), shared.collisions());
            EXPECT_EQ(own.distances(), shared.distances());
            EXPECT_EQ(own.bounds(), shared.bounds());
        }
}

TEST(TrustRegion, IsTheSameForAnyNumberOfThreads)
{
    const MeshData data = layers_of_cloth(40, 0.3);
    const CollisionMesh mesh(data);
    RandomStream random(1);
    Positions step = data.vertices;
    for (double& coordinate : step.reshaped())
        coordinate = random.uniform(-0.02, 0.02);
    for (const Truncation truncation : {Truncation::project, Truncation::scale, Truncation::planes}) {
        const auto run = [&](int threads) {
            set_num_threads(threads);
            // Some vertices have contacts and others look farther.
            TrustRegion region(mesh, {.dhat = 0.0093, .query_radius = 0.02, .truncation = truncation});
            region.update(data.vertices);
            Positions dx = step;
            const TruncatedStep result = region.truncate(data.vertices, dx);
            set_num_threads(0);
            return std::tuple(region.distances(), Eigen::VectorXd(region.bounds()), dx, result.num_truncated);
        };
        const auto one = run(1);
        EXPECT_GT(std::get<3>(one), 100);
        for (const int threads : {2, 4})
            EXPECT_EQ(run(threads), one);
    }
}

// --- Nothing passes through anything ---

/// Steps that a solver would never propose: towards what is nearest, as far as allowed, or in random directions.
Positions
adversarial_step(const Scene& scene, const Positions& X, const Detection& near, double length, RandomStream& random)
{
    const CollisionMesh& mesh = scene.mesh;
    const auto dim = scene.X.cols();
    Positions step(scene.X.rows(), dim);
    for (Eigen::Index v = 0; v < step.rows(); ++v)
        step.row(v) = length * random_direction<3>(random).head(dim).transpose();
    if (random.below(4) == 0)
        return step;
    // Pairs drive their elements into each other; a later pair has the last word, and the closest comes last.
    const auto at = [&](int v) {
        Vec3 x = Vec3::Zero();
        for (Eigen::Index k = 0; k < dim; ++k)
            x[k] = X(v, k);
        return x;
    };
    const auto drive = [&](const std::vector<int>& first, const std::vector<int>& second) {
        // Along the shortest way, or from one corner to another.
        Vec3 way = at(second[random.below(static_cast<std::uint32_t>(second.size()))]) -
                   at(first[random.below(static_cast<std::uint32_t>(first.size()))]);
        if (random.below(4) > 0) {
            const std::size_t size = first.size() * 10 + second.size();
            if (size == 21)
                way =
                    at(second[0]) - at(first[0]) -
                    point_edge_coordinate<3>(at(second[0]), at(first[0]), at(first[1])) * (at(first[1]) - at(first[0]));
            if (size == 22) {
                const Vec2 u = edge_edge_coordinates(at(first[0]), at(first[1]), at(second[0]), at(second[1]));
                way = at(second[0]) + u[1] * (at(second[1]) - at(second[0])) - at(first[0]) -
                      u[0] * (at(first[1]) - at(first[0]));
            }
            if (size == 31) {
                const Vec3 u = point_triangle_coordinates(at(second[0]), at(first[0]), at(first[1]), at(first[2]));
                way = at(second[0]) - u[0] * at(first[0]) - u[1] * at(first[1]) - u[2] * at(first[2]);
            }
        }
        if (way.norm() == 0)
            return;
        const Vec3 towards = length * way.normalized();
        for (Eigen::Index k = 0; k < dim; ++k) {
            for (const int v : first)
                step(v, k) = towards[k];
            for (const int v : second)
                step(v, k) = -towards[k];
        }
    };
    const auto pick = [&](const DetectedPairs& list, int first_dimension, int second_dimension, bool is_closest) {
        if (list.size() == 0)
            return;
        const auto& squares = list.squared_distances;
        const auto k = is_closest ? std::min_element(squares.begin(), squares.end()) - squares.begin()
                                  : random.below(static_cast<std::uint32_t>(list.size()));
        drive(
            corners_of(mesh, {first_dimension, list.pairs[k][0]}),
            corners_of(mesh, {second_dimension, list.pairs[k][1]}));
    };
    for (int repeat = 0; repeat < 8; ++repeat) {
        const bool is_last = repeat == 7;
        pick(near.pairs().vv, 0, 0, is_last);
        pick(near.pairs().ev, 1, 0, is_last);
        if (random.below(2) == 0) {
            pick(near.pairs().ee, 1, 1, is_last);
            pick(near.pairs().fv, 2, 0, is_last);
        } else {
            pick(near.pairs().fv, 2, 0, is_last);
            pick(near.pairs().ee, 1, 1, is_last);
        }
    }
    return step;
}

/// Takes cut steps, several from each detection, and looks at every state.
int expect_no_intersections(int num_steps, std::uint64_t seed)
{
    int num_checked = 0, num_truncated = 0;
    RandomStream random(seed);
    for (const Scene& scene : scenes())
        for (const Truncation truncation : {Truncation::project, Truncation::scale, Truncation::planes}) {
            SCOPED_TRACE(scene.name + ", truncation " + std::to_string(static_cast<int>(truncation)));
            TrustRegion region(scene.mesh, {.dhat = scene.dhat, .relaxation = 0.499, .truncation = truncation});
            Detection near(scene.mesh, {.range = 3 * scene.dhat});
            Positions X = scene.X;
            for (int i = 0; i < num_steps; ++i) {
                if (i % 4 == 0) {
                    // Back to the start now and then: driven together for long, distances end in rounding.
                    if (i % 20 == 0)
                        X = scene.X;
                    region.update(X);
                    near.update(X);
                }
                Positions dx = adversarial_step(scene, X, near, 3 * scene.dhat, random);
                num_truncated += region.truncate(X, dx).num_truncated;
                const Positions next = X + dx;
                EXPECT_FALSE(has_intersections(scene.mesh, next));
                if (i % 20 ==
                    0) { // the whole way, while distances are far above rounding, which this test must not rely on
                    EXPECT_TRUE(is_step_collision_free(scene.mesh, X, next));
                }
                if (testing::Test::HasFailure())
                    return num_checked;
                X = next;
                ++num_checked;
            }
        }
    EXPECT_GT(num_truncated, num_checked);
    return num_checked;
}

TEST(TrustRegion, NothingPassesThroughAnythingAtTheBounds) { EXPECT_EQ(expect_no_intersections(200, 1), 5 * 3 * 200); }

TEST(LongTrustRegion, NothingPassesThroughAnythingAtTheBoundsInAHundredThousandSteps)
{
    EXPECT_EQ(expect_no_intersections(6700, 2), 5 * 3 * 6700);
}

TEST(TrustRegion, BoundsAreNoSmallerThanTheyMustBe)
{
    // Two points that move towards each other by their bounds meet but for the share that is kept.
    Positions X(2, 3);
    X << 0, 0, 0, 1, 0, 0;
    const CollisionMesh mesh(X);
    for (const Truncation truncation : {Truncation::project, Truncation::scale, Truncation::planes}) {
        TrustRegion region(mesh, {.dhat = 2, .relaxation = 0.49, .truncation = truncation});
        region.update(X);
        Positions dx(2, 3);
        dx << 5, 0, 0, -5, 0, 0;
        EXPECT_EQ(region.truncate(X, dx).num_truncated, 2);
        EXPECT_NEAR(dx(0, 0), 0.49, 1e-13);
        EXPECT_NEAR(dx(1, 0), -0.49, 1e-13);
    }
}

// --- How steps are cut ---

TEST(TrustRegion, ProjectionSlidesAlongTheBallAndScalingKeepsTheDirection)
{
    const Scene scene = scenes()[0];
    RandomStream random(5);
    for (const Truncation truncation : {Truncation::project, Truncation::scale}) {
        TrustRegion region(scene.mesh, {.dhat = scene.dhat, .truncation = truncation});
        region.update(scene.X);
        Positions X = scene.X;
        int num_cut = 0;
        for (int repeat = 0; repeat < 3; ++repeat) { // from the centre, then from elsewhere in the region
            Positions step = X;
            for (double& coordinate : step.reshaped())
                coordinate = random.uniform(-0.01, 0.01);
            Positions dx = step;
            const TruncatedStep result = region.truncate(X, dx);
            int num_different = 0;
            for (int v = 0; v < scene.mesh.num_vertices(); ++v) {
                const auto c = region.centers().row(v);
                const double bound = region.bounds()[v];
                const double whole = (X.row(v) + step.row(v) - c).norm(), cut = (X.row(v) + dx.row(v) - c).norm();
                EXPECT_LE(cut, bound + 1e-15);
                if (whole <= bound) {
                    EXPECT_EQ(dx.row(v), step.row(v));
                    continue;
                }
                ++num_different;
                EXPECT_NEAR(cut, bound, 1e-15);
                if (truncation == Truncation::project) {
                    const Positions end = c + (X.row(v) + step.row(v) - c) * (bound / whole);
                    EXPECT_LE((X.row(v) + dx.row(v) - end).norm(), 1e-15);
                } else {
                    EXPECT_NEAR(dx.row(v).dot(step.row(v)), dx.row(v).norm() * step.row(v).norm(), 1e-16);
                }
            }
            EXPECT_EQ(result.num_truncated, num_different);
            EXPECT_EQ(result.scale, 1);
            num_cut += num_different;
            X += dx;
        }
        EXPECT_GT(num_cut, 10);
    }
}

TEST(TrustRegion, PlanesLetVerticesMoveAlongAndAwayAndShareTheGapByNeed)
{
    // A vertex 1 above a large triangle.
    Positions X(4, 3);
    X << 0, 1, 0, -30, 0, -30, 30, 0, -30, 0, 0, 60;
    Elements faces(1, 3);
    faces << 1, 2, 3;
    const CollisionMesh mesh(X, Elements(0, 2), faces);
    TrustRegion region(mesh, {.dhat = 2, .query_radius = 40, .truncation = Truncation::planes});
    region.update(X);
    const auto cut = [&](const Vec3& vertex, const Vec3& face) {
        Positions dx(4, 3);
        dx << vertex.transpose(), face.transpose(), face.transpose(), face.transpose();
        region.truncate(X, dx);
        return std::pair(Vec3(dx.row(0)), Vec3(dx.row(1)));
    };
    // Along, and away: as far as it wants to.
    EXPECT_EQ(cut(Vec3(10, 0, 3), Vec3::Zero()).first, Vec3(10, 0, 3));
    EXPECT_EQ(cut(Vec3(10, 9, 3), Vec3(0, -5, 0)).first, Vec3(10, 9, 3));
    // After the face, which may yet be stopped by something else: the vertex has the gap as it is.
    EXPECT_NEAR(cut(Vec3(0, -8, 0), Vec3(0, -8, 0)).first.y(), -0.9, 1e-12);
    // Only the vertex approaches: it has all of the gap but the share that is kept.
    EXPECT_NEAR(cut(Vec3(0, -8, 0), Vec3::Zero()).first.y(), -0.9, 1e-12);
    // Both: in proportion.
    const auto [down, up] = cut(Vec3(0, -6, 0), Vec3(0, 2, 0));
    EXPECT_NEAR(down.y(), -0.9 * 0.75, 1e-12);
    EXPECT_NEAR(up.y(), 0.9 * 0.25, 1e-12);
    // Little enough: nothing is cut.
    EXPECT_EQ(cut(Vec3(0, -0.5, 0), Vec3(0, 0.3, 0)).first.y(), -0.5);
}

TEST(TrustRegion, AStepThatWouldNoLongerDescendIsScaledAsAWhole)
{
    // Two vertices close together and a free one. The close ones carry the descent, the free one climbs a little.
    Positions X(3, 3);
    X << 0, 0, 0, 0.1, 0, 0, 9, 0, 0;
    const CollisionMesh mesh(X);
    TrustRegion region(mesh, {.dhat = 1});
    region.update(X);
    Positions step(3, 3);
    step << -1, 0, 0, 1, 0, 0, 0.5, 0, 0;
    Eigen::VectorXd gradient(9);
    gradient << 1, 0, 0, -1, 0, 0, 1, 0, 0;
    EXPECT_LT(gradient.dot(step.reshaped<Eigen::RowMajor>()), 0);

    Positions dx = step;
    const TruncatedStep plain = region.truncate(X, dx);
    EXPECT_EQ(plain.scale, 1);
    EXPECT_GT(gradient.dot(dx.reshaped<Eigen::RowMajor>()), 0) << "the case that is meant";

    dx = step;
    const TruncatedStep scaled = region.truncate(X, dx, gradient);
    EXPECT_NEAR(scaled.scale, 0.045, 1e-12);
    EXPECT_EQ(scaled.num_truncated, 2);
    EXPECT_EQ(dx, Positions(scaled.scale * step));
    EXPECT_DOUBLE_EQ(scaled.slope, gradient.dot(dx.reshaped<Eigen::RowMajor>()));
    EXPECT_LT(scaled.slope, 0);
    EXPECT_TRUE(region.needs_update());
    const StepScale limit = region.largest_scale(X, step);
    EXPECT_EQ(limit.scale, scaled.scale);
    EXPECT_EQ(limit.vertex, 0);

    // One that still descends is cut vertex by vertex.
    gradient[6] = 0;
    dx = step;
    const TruncatedStep cut = region.truncate(X, dx, gradient);
    EXPECT_EQ(cut.scale, 1);
    EXPECT_LT(cut.slope, 0);
    EXPECT_EQ(dx.row(2), step.row(2));

    // And a step that stays within is left alone.
    dx = 0.01 * step;
    const TruncatedStep whole = region.truncate(X, dx, gradient);
    EXPECT_EQ(whole.num_truncated, 0);
    EXPECT_EQ(dx, Positions(0.01 * step));
    EXPECT_EQ(region.largest_scale(X, 0.01 * step).vertex, -1);
}

TEST(TrustRegion, AsksForAnUpdateWhenMoreThanTheShareIsCut)
{
    // Ten vertices in pairs.
    Positions X = Positions::Zero(10, 3);
    for (int v = 0; v < 10; ++v)
        X(v, 0) = 10 * (v / 2) + 0.1 * (v % 2);
    const CollisionMesh mesh(X);
    TrustRegion region(mesh, {.dhat = 1, .max_truncated_share = 0.2});
    EXPECT_TRUE(region.needs_update());
    region.update(X);
    EXPECT_FALSE(region.needs_update());
    EXPECT_EQ(region.num_updates(), 1);
    for (int num_moved = 0; num_moved <= 4; ++num_moved) {
        region.update(X);
        Positions dx = Positions::Zero(10, 3);
        dx.topRows(num_moved).setConstant(1);
        EXPECT_EQ(region.truncate(X, dx).num_truncated, num_moved);
        EXPECT_EQ(region.needs_update(), num_moved > 2);
    }
}

TEST(TrustRegion, AWarmStartLooksAsFarAsThePredictionMoves)
{
    Positions X(2, 3);
    X << 0, 0, 0, 10, 0, 0;
    const CollisionMesh mesh(X);
    TrustRegion region(mesh, {.dhat = 1, .query_radius = 1.5, .max_query_radius = 8});
    const auto moved = [&](double by) {
        Positions predicted = X;
        predicted(0, 0) += by;
        const Positions start = region.warm_start(X, predicted);
        EXPECT_EQ(region.centers(), X);
        EXPECT_EQ(Vec3(start.row(1)), Vec3(X.row(1)));
        return start(0, 0);
    };
    EXPECT_EQ(moved(0.3), 0.3);
    EXPECT_EQ(region.query_radius(), 1.5);
    EXPECT_NEAR(moved(4), 0.45 * 5, 1e-12) << "r plus the move";
    EXPECT_EQ(region.query_radius(), 5);
    EXPECT_NEAR(moved(100), 0.45 * 8, 1e-12);
    EXPECT_EQ(region.query_radius(), 8);
}

TEST(TrustRegion, VerticesStayInTheirRegionsOverSeveralSteps)
{
    // Steps add up: what one has used is not there for the next.
    const Scene scene = scenes()[2];
    RandomStream random(6);
    for (const Truncation truncation : {Truncation::project, Truncation::scale}) {
        TrustRegion region(scene.mesh, {.dhat = scene.dhat, .truncation = truncation});
        region.update(scene.X);
        Positions X = scene.X;
        for (int i = 0; i < 10; ++i) {
            Positions dx = X;
            for (double& coordinate : dx.reshaped())
                coordinate = random.uniform(-0.02, 0.02);
            region.truncate(X, dx);
            X += dx;
            for (int v = 0; v < scene.mesh.num_vertices(); ++v)
                EXPECT_LE((X.row(v) - scene.X.row(v)).norm(), region.bounds()[v] + 1e-15);
        }
    }
}

// --- Errors ---

template <typename Exception, typename F>
std::string message_of(F&& f)
{
    try {
        f();
    } catch (const Exception& error) {
        return error.what();
    }
    return "no exception";
}

TEST(TrustRegion, RejectsWhatMakesNoSense)
{
    Positions X(2, 3);
    X << 0, 0, 0, 1, 0, 0;
    const CollisionMesh mesh(X);
    const auto rejected = [&](const TrustRegionOptions& options) {
        return message_of<InvalidInput>([&] { TrustRegion region(mesh, options); });
    };
    EXPECT_EQ(rejected({.dhat = 0}), "dhat: 0 is not a positive distance up to 1e+50 m");
    EXPECT_EQ(rejected({.dhat = NAN}).substr(0, 5), "dhat:");
    EXPECT_EQ(rejected({.dhat = 1, .dmin = -1}).substr(0, 5), "dmin:");
    EXPECT_EQ(
        rejected({.dhat = 1, .query_radius = 0.5}),
        "query_radius: 0.5 m is not between dmin + dhat = 1 m, below which contacts would be missed, and 1e+50 m");
    EXPECT_EQ(rejected({.dhat = 1, .query_radius = 3, .max_query_radius = 2}).substr(0, 17), "max_query_radius:");
    EXPECT_EQ(
        rejected({.dhat = 1, .relaxation = 0.5}), "relaxation: 0.5 is not a share between 0 and 0.5, both excluded");
    EXPECT_EQ(rejected({.dhat = 1, .max_truncated_share = 2}), "max_truncated_share: 2 is not a share between 0 and 1");

    TrustRegion region(mesh, {.dhat = 1});
    Positions dx = Positions::Zero(2, 3);
    EXPECT_EQ(
        message_of<InvalidInput>([&] { region.truncate(X, dx); }),
        "TrustRegion: it has no regions before the first update");
    region.update(X);
    Positions outside = X;
    outside(0, 1) = 0.5;
    EXPECT_EQ(
        message_of<InvalidInput>([&] { region.truncate(outside, dx); }).substr(0, 61),
        "X: vertex 0 is 0.5 m from where the last update was, but its ");
    EXPECT_EQ(
        message_of<InvalidInput>([&] { region.truncate(X, dx, Eigen::VectorXd::Zero(5)); }),
        "gradient: it has 5 entries, but the mesh 6 degrees of freedom");
    Positions wrong = Positions::Zero(3, 3);
    EXPECT_NE(message_of<InvalidInput>([&] { region.truncate(X, wrong); }), "no exception");
    EXPECT_NE(message_of<InvalidInput>([&] { static_cast<void>(region.warm_start(X, wrong)); }), "no exception");
    Positions touching = Positions::Zero(2, 3);
    EXPECT_NE(message_of<InvalidStart>([&] { region.update(touching); }), "no exception");
    // A failed update leaves the regions of the one before.
    EXPECT_EQ(region.centers(), X);
    EXPECT_EQ(region.num_updates(), 1);
    EXPECT_FALSE(region.needs_update());

    Detection short_sighted(mesh, {.range = 0.5});
    short_sighted.update(X);
    EXPECT_EQ(message_of<InvalidInput>([&] { region.update(short_sighted, X); }).substr(0, 10), "detection:");
}

} // namespace

} // namespace abut::test::ogc_trust_region_test
