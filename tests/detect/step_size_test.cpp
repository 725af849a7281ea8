// The collision-free step against the exact oracle over all pairs of elements: never too long, never zero without
// contact, and limited by the pair it names.

#include "abut/detect/step_size.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "support/exact_ccd.hpp"
#include "support/exact_distance.hpp"
#include "support/mesh_pairs.hpp"
#include "support/random_meshes.hpp"
#include "support/reference_scene.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <bit>
#include <iostream>

namespace abut::test::step_size_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Every test leaves the number of threads as it found it.
class StepSize : public ::testing::Test {
protected:
    void TearDown() override { set_num_threads(0); }
};

Positions moved(const Positions& X0, double step, const Positions& X1) { return X0 + step * (X1 - X0); }

/// The first contact within dmin among all collidable pairs, by the oracle.
FirstContact first_contact(const CollisionMesh& mesh, const Positions& X0, const Positions& X1, double dmin)
{
    FirstContact first;
    for (const MeshPair& pair : collidable_pairs(mesh)) {
        const FirstContact contact = exact_first_contact(pair_query(mesh, X0, X1, pair), dmin);
        if (contact.hit && (!first.hit || contact.hi < first.hi))
            first = contact;
    }
    return first;
}

/// Expects what the step promises, by the oracle; returns the step. A start in contact has the step 0, and only that.
double expect_safe_step(
    const CollisionMesh& mesh, const Positions& X0, const Positions& X1, const StepSizeOptions& options = {})
{
    const StepLimit limit = find_collision_free_stepsize(mesh, X0, X1, options);
    const FirstContact contact = first_contact(mesh, X0, X1, options.dmin);
    const bool touches_at_start = contact.hit && contact.hi == 0;
    EXPECT_GE(limit.step, 0);
    EXPECT_LE(limit.step, 1);
    EXPECT_EQ(limit.step == 0, touches_at_start);
    EXPECT_TRUE(!contact.hit || mpq_class(limit.step) <= contact.hi) << limit.step << ' ' << contact.hi.get_d();
    EXPECT_EQ(compute_collision_free_stepsize(mesh, X0, X1, options), limit.step);
    // The library agrees with itself, and rounding the positions lets nothing touch.
    const Positions X = moved(X0, limit.step, X1);
    EXPECT_EQ(is_step_collision_free(mesh, X0, X, options.dmin), !touches_at_start);
    EXPECT_EQ(first_contact(mesh, X0, X, options.dmin).hit, touches_at_start);
    // With the pairs near the start known, and their range such that these alone can limit the step.
    const double range = options.dmin + 2.5 / options.rescaling * (X1 - X0).rowwise().norm().maxCoeff();
    if (range > 0) {
        Detection detection(mesh, {.range = range});
        detection.update(X0);
        const StepLimit near = find_collision_free_stepsize(mesh, detection, X0, X1, options);
        EXPECT_EQ(near.step == 0, touches_at_start);
        EXPECT_TRUE(!contact.hit || mpq_class(near.step) <= contact.hi) << near.step << ' ' << contact.hi.get_d();
        EXPECT_EQ(first_contact(mesh, X0, moved(X0, near.step, X1), options.dmin).hit, touches_at_start);
    }
    // The whole step: never a false yes.
    EXPECT_FALSE(contact.hit && is_step_collision_free(mesh, X0, X1, options.dmin));
    return limit.step;
}

MovingMesh listed_mesh(int index, RandomStream& random)
{
    SoupOptions soup;
    soup.dim = index % 3 == 0 ? 2 : 3;
    soup.triangles = static_cast<int>(random.below(8));
    soup.edges = static_cast<int>(random.below(8));
    soup.points = 2 + static_cast<int>(random.below(6));
    soup.element_size = random.uniform(0.02, 0.4);
    soup.motion = std::pow(10, random.uniform(-1.5, 0.5));
    const CollisionFilter filter = random_filter(random);
    MovingMesh moving = random_soup(soup, random, filter);
    lay_out(moving, layouts[static_cast<std::size_t>(index) % layouts.size()], random);
    return moving;
}

/// Of mesh i of a list of random ones; returns the step.
double expect_safe_step_of_listed(std::uint64_t seed, int i)
{
    SCOPED_TRACE(testing::Message() << "mesh " << i << ", " << name(layouts[i % layouts.size()]));
    RandomStream random(seed, i);
    const MovingMesh moving = listed_mesh(i, random);
    StepSizeOptions options;
    if (i % 4 == 1)
        options.dmin = scale(layouts[i % layouts.size()]) * std::pow(10, random.uniform(-8, -1));
    if (i % 4 == 2) {
        options.rescaling = random.uniform(0.01, 0.99);
        options.tolerance = std::pow(10, random.uniform(-8, -0.5));
    }
    return expect_safe_step(moving.mesh, moving.X0, moving.X1, options);
}

void expect_safe_steps(std::uint64_t seed, int count)
{
    int num_zero = 0, num_one = 0;
    for (int i = 0; i < count; ++i) {
        const double step = expect_safe_step_of_listed(seed, i);
        num_zero += step == 0 ? 1 : 0;
        num_one += step == 1 ? 1 : 0;
    }
    std::cout << count << " meshes: " << num_zero << " touch at the start, " << num_one << " do not touch" << std::endl;
    EXPECT_LT(num_zero, count / 2);
    EXPECT_LT(num_one, count / 2);
}

TEST_F(StepSize, IsSafeOnRandomMeshes) { expect_safe_steps(201, 330); }

// Two edges, stretched by 1e9 along an axis, pass each other within the error of projections: exact arithmetic decides.
TEST_F(StepSize, OfEdgesThatPassEachOtherWithinRoundingIsFreeOfCollisions)
{
    const double step = expect_safe_step_of_listed(100'000, 10'184);
    EXPECT_GT(step, 0.3);
    EXPECT_LT(step, 0.31);
}

TEST(LongStepSize, IsSafeOnRandomMeshes) { expect_safe_steps(100'000, 22'000); }

TEST_F(StepSize, OfPairsThatAreKnownLooksAtFewOfThem)
{
    MeshData data = generate::icosphere({.radius = 0.5, .subdivisions = 3});
    append(data, translated(generate::icosphere({.radius = 0.5, .subdivisions = 3}), Vec3(0.05, 1.005, 0.02)));
    const CollisionMesh mesh(data);
    Detection detection(mesh, {.range = 0.05});
    detection.update(data.vertices);
    const Eigen::Index half = data.vertices.rows() / 2;
    const auto lowered = [&](double by) {
        Positions X = data.vertices;
        X.bottomRows(half).col(1).array() -= by;
        return X;
    };
    const auto limits = [&](const Positions& X0, const Positions& X1) {
        return std::pair(
            find_collision_free_stepsize(mesh, X0, X1), find_collision_free_stepsize(mesh, detection, X0, X1));
    };
    // Short against the range of 0.05: only those that the motion could bring together.
    for (const double by : {1e-4, 1e-3, 5e-3, 0.019}) {
        const auto [all, near] = limits(data.vertices, lowered(by));
        EXPECT_NEAR(near.step, all.step, 0.02 * all.step) << by; // to the tolerance of a step, 1e-2
        EXPECT_LT(near.num_pairs, all.num_pairs / 4) << by;
    }
    EXPECT_LT(limits(data.vertices, lowered(0.019)).second.step, 1);
    // Long ones, and those from elsewhere, are searched.
    for (const auto& [X0, X1] :
         {std::pair(Positions(data.vertices), lowered(0.04)), std::pair(lowered(1e-3), lowered(2e-3))}) {
        const auto [all, near] = limits(X0, X1);
        EXPECT_EQ(near.step, all.step);
        EXPECT_EQ(near.num_pairs, all.num_pairs);
    }
}

TEST_F(StepSize, KeepsTheMinimumDistanceOnTheWay)
{
    for (int i = 0; i < 40; ++i) {
        RandomStream random(211, i);
        const MovingMesh moving = random_soup(
            {.dim = i % 3 == 0 ? 2 : 3, .triangles = 5, .edges = 5, .points = 5, .element_size = 0.2, .motion = 1},
            random);
        const double dmin = 1e-3;
        const double step = compute_collision_free_stepsize(moving.mesh, moving.X0, moving.X1, {.dmin = dmin});
        const mpq_class least = mpq_class(dmin) * dmin;
        for (const MeshPair& pair : collidable_pairs(moving.mesh)) {
            const CcdQuery query = pair_query(moving.mesh, moving.X0, moving.X1, pair);
            for (int k = 0; k <= 8 && step > 0; ++k)
                EXPECT_GT(exact_squared_distance(query, mpq_class(step) * mpq_class(k, 8)), least)
                    << pair << " of mesh " << i;
        }
    }
}

/// The pair that is named uses up its share of the distance at the end of the step, and no sooner or much later.
TEST_F(StepSize, NamesThePairThatLimitsIt)
{
    int num_limited = 0;
    for (int i = 0; i < 200; ++i) {
        RandomStream random(223, i);
        const MovingMesh moving = random_soup(
            {.dim = i % 3 == 0 ? 2 : 3, .triangles = 6, .edges = 6, .points = 6, .element_size = 0.2, .motion = 1},
            random);
        const StepSizeOptions options{
            .dmin = i % 2 == 0 ? 0 : 1e-3, .rescaling = random.uniform(0.3, 0.95), .tolerance = 1e-4};
        const StepLimit limit = find_collision_free_stepsize(moving.mesh, moving.X0, moving.X1, options);
        if (limit.kind == PairKind::none) {
            EXPECT_EQ(limit.step, 1);
            EXPECT_EQ(limit.pair, (IndexPair{-1, -1}));
            continue;
        }
        const MeshPair pair{limit.kind, limit.pair};
        const std::vector<MeshPair> all = collidable_pairs(moving.mesh);
        ASSERT_TRUE(std::binary_search(all.begin(), all.end(), pair)) << pair;
        const CcdQuery query = pair_query(moving.mesh, moving.X0, moving.X1, pair);
        const double distance = square_root(exact_squared_distance(query, 0));
        if (distance <= options.dmin * (1 + 1e-12)) {
            EXPECT_EQ(limit.step, 0);
            continue;
        }
        ++num_limited;
        // Not above the exact one, and below it by no more than the rounding of a direction across the elements.
        EXPECT_LE(limit.initial_distance, distance);
        EXPECT_NEAR(limit.initial_distance, distance, 1e-12);
        const double kept = options.dmin + (1 - options.rescaling) * (distance - options.dmin);
        EXPECT_GT(square_root(exact_squared_distance(query, limit.step)), kept - 1e-12) << pair;
        const FirstContact reached = exact_first_contact(query, kept);
        ASSERT_TRUE(reached.hit) << pair << " of mesh " << i << " never comes that close";
        EXPECT_LE(limit.step, reached.hi.get_d() * (1 + 1e-9)) << pair << " of mesh " << i;
        EXPECT_GE(limit.step, reached.lo.get_d() * (1 - 10 * options.tolerance)) << pair << " of mesh " << i;
    }
    EXPECT_GT(num_limited, 80);
}

TEST_F(StepSize, OfAStillMeshIsOne)
{
    for (int i = 0; i < 30; ++i) {
        RandomStream random(227, i);
        const MovingMesh moving = random_soup({.element_size = 0.1}, random);
        const bool touches = first_contact(moving.mesh, moving.X0, moving.X0, 0).hit;
        const StepLimit limit = find_collision_free_stepsize(moving.mesh, moving.X0, moving.X0);
        EXPECT_EQ(limit.step, touches ? 0 : 1);
        EXPECT_EQ(limit.kind == PairKind::none, !touches);
        EXPECT_EQ(is_step_collision_free(moving.mesh, moving.X0, moving.X0), !touches);
    }
}

// ---- By hand

/// A triangle in the plane z = 0 and a loose point.
CollisionMesh triangle_and_point()
{
    Positions V(4, 3);
    V << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, 1;
    Elements F(1, 3);
    F << 0, 1, 2;
    return CollisionMesh(V, Elements(0, 2), F);
}

/// The positions of that mesh with the point at `height`.
Positions point_at(double height)
{
    Positions X = triangle_and_point().rest_positions();
    X(3, 2) = height;
    return X;
}

TEST_F(StepSize, OfAFallLeavesItsShareOfTheGap)
{
    const CollisionMesh mesh = triangle_and_point();
    const StepLimit limit = find_collision_free_stepsize(mesh, point_at(1), point_at(-1), {.tolerance = 1e-6});
    EXPECT_NEAR(limit.step, 0.4, 1e-5);
    EXPECT_LE(limit.step, 0.4);
    EXPECT_EQ(limit.kind, PairKind::face_vertex);
    EXPECT_EQ(limit.pair, (IndexPair{0, 3}));
    EXPECT_NEAR(limit.initial_distance, 1, 1e-14);
    EXPECT_FALSE(limit.is_cut_by_max_pairs);
    EXPECT_EQ(compute_collision_free_stepsize(mesh, point_at(1), point_at(2)), 1);
    EXPECT_TRUE(is_step_collision_free(mesh, point_at(1), point_at(1e-9)));
    EXPECT_FALSE(is_step_collision_free(mesh, point_at(1), point_at(0)));
    EXPECT_FALSE(is_step_collision_free(mesh, point_at(1), point_at(-1)));
    EXPECT_FALSE(is_step_collision_free(mesh, point_at(1), point_at(0.1), 0.1));
    EXPECT_TRUE(is_step_collision_free(mesh, point_at(1), point_at(0.1), 0.0999));
}

TEST_F(StepSize, OfEdgesThatTouchBeginsAtDistanceZeroAndNotBelow)
{
    Positions X0(4, 3), X1(4, 3);
    X0 << -1, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 1;
    X1 = X0;
    X1.bottomRows(2).array() += 0.25;
    Edges edges(2, 2);
    edges << 0, 1, 2, 3;
    const StepLimit limit = find_collision_free_stepsize(CollisionMesh(X0, edges, Faces(0, 3)), X0, X1);
    EXPECT_EQ(limit.kind, PairKind::edge_edge);
    EXPECT_EQ(limit.step, 0);
    EXPECT_EQ(limit.initial_distance, 0);
}

TEST_F(StepSize, FromATouchingStartIsZero)
{
    const CollisionMesh mesh = triangle_and_point();
    for (const double end : {-1.0, 0.0, 1.0}) {
        EXPECT_EQ(compute_collision_free_stepsize(mesh, point_at(0), point_at(end)), 0);
        EXPECT_EQ(compute_collision_free_stepsize(mesh, point_at(0.5), point_at(end), {.dmin = 0.5}), 0);
        EXPECT_FALSE(is_step_collision_free(mesh, point_at(0), point_at(end)));
    }
    const StepLimit limit = find_collision_free_stepsize(mesh, point_at(0), point_at(1));
    EXPECT_EQ(limit.kind, PairKind::face_vertex);
    EXPECT_EQ(limit.pair, (IndexPair{0, 3}));
}

TEST_F(StepSize, FromGapsBelowResolutionIsPositive)
{
    const CollisionMesh mesh = triangle_and_point();
    for (const double height : {1e-15, 1e-17, 1e-30, 1e-100, 1e-300, 1e-310})
        for (const double end : {-1.0, -1e-300, 0.0, 1.0}) {
            SCOPED_TRACE(testing::Message() << height << " to " << end);
            expect_safe_step(mesh, point_at(height), point_at(end));
            expect_safe_step(mesh, point_at(-height), point_at(-end));
        }
    // Tilted, at a place where no coordinate can hold the gap: ulps decide.
    for (int i = 0; i < 200; ++i) {
        SCOPED_TRACE(i);
        RandomStream random(229, i);
        Positions X(4, 3);
        for (double& x : X.reshaped())
            x = random.uniform(1, 2);
        const Vec3 w = Vec3(random.uniform(), random.uniform(), random.uniform()) / 3;
        X.row(3) = X.row(0) + w[0] * (X.row(1) - X.row(0)) + w[1] * (X.row(2) - X.row(0));
        Positions Y = X;
        for (double& x : Y.reshaped())
            x += random.uniform(-1, 1) * std::pow(10, random.uniform(-18, 0));
        expect_safe_step(mesh, X, Y);
    }
}

TEST_F(StepSize, IsSafeForBodiesOfSizeOneABillionAway)
{
    const MeshData cube = generate::box();
    for (int i = 0; i < 8; ++i) {
        SCOPED_TRACE(i);
        RandomStream random(233, i);
        const Vec3 offset = 1e9 * random_direction<3>(random);
        MeshData data = translated(cube, offset);
        const Vec3 beside(
            random.uniform(-0.5, 0.5), 1 + std::pow(10, random.uniform(-6, -1)), random.uniform(-0.5, 0.5));
        append(data, translated(transformed(cube, random_rotation<3>(random) * 0.5), offset + beside));
        const CollisionMesh mesh(data);
        Positions X1 = mesh.rest_positions();
        for (Eigen::Index v = 8; v < X1.rows(); ++v)
            X1.row(v) += Vec3(random.uniform(-0.2, 0.2), -2, random.uniform(-0.2, 0.2)).transpose();
        EXPECT_LT(expect_safe_step(mesh, mesh.rest_positions(), X1), 1);
    }
}

TEST_F(StepSize, SeesLoosePointsRodsAndCurves)
{
    // Two points in space pass through each other; two in the plane; a point through a rod; a rod through a rod.
    const auto expect_stop = [](const CollisionMesh& mesh, const Positions& X0, const Positions& X1, PairKind kind) {
        const StepLimit limit = find_collision_free_stepsize(mesh, X0, X1);
        EXPECT_EQ(limit.kind, kind);
        EXPECT_GT(limit.step, 0.3);
        EXPECT_LT(limit.step, 0.5);
        expect_safe_step(mesh, X0, X1);
    };
    Positions two(2, 3), two_after(2, 3);
    two << 0, 0, 0, 1, 0, 0;
    two_after << 1, 0, 0, 0, 0, 0;
    expect_stop(CollisionMesh(two), two, two_after, PairKind::vertex_vertex);
    const Positions plane = two.leftCols(2), plane_after = two_after.leftCols(2);
    expect_stop(CollisionMesh(plane), plane, plane_after, PairKind::vertex_vertex);

    Elements rod(1, 2);
    rod << 0, 1;
    Positions X(3, 3), Y(3, 3);
    X << -1, 0, 0, 1, 0, 0, 0, 1, 0;
    Y << -1, 0, 0, 1, 0, 0, 0, -1, 0;
    expect_stop(CollisionMesh(X, rod), X, Y, PairKind::edge_vertex);
    const Positions X_plane = X.leftCols(2), Y_plane = Y.leftCols(2);
    expect_stop(CollisionMesh(X_plane, rod), X_plane, Y_plane, PairKind::edge_vertex);

    Elements rods(2, 2);
    rods << 0, 1, 2, 3;
    Positions A(4, 3), B(4, 3);
    A << -1, 0, 0, 1, 0, 0, 0, 1, -1, 0, 1, 1;
    B << -1, 0, 0, 1, 0, 0, 0, -1, -1, 0, -1, 1;
    expect_stop(CollisionMesh(A, rods), A, B, PairKind::edge_edge);
}

TEST_F(StepSize, IgnoresPairsThatTheFilterExcludes)
{
    const CollisionMesh all = triangle_and_point();
    const std::vector<std::pair<int, int>> excluded{{3, 0}, {3, 1}, {3, 2}};
    const CollisionMesh none(
        all.rest_positions(), all.edges(), all.faces(), {.filter = CollisionFilter::except_pairs(excluded)});
    EXPECT_LT(compute_collision_free_stepsize(all, point_at(1), point_at(-1)), 1);
    EXPECT_EQ(compute_collision_free_stepsize(none, point_at(1), point_at(-1)), 1);
    EXPECT_TRUE(is_step_collision_free(none, point_at(1), point_at(-1)));
    // One vertex of the triangle that may collide is enough.
    const CollisionMesh some(
        all.rest_positions(), all.edges(), all.faces(),
        {.filter = CollisionFilter::except_pairs(std::span(excluded).first(2))});
    EXPECT_LT(compute_collision_free_stepsize(some, point_at(1), point_at(-1)), 1);
}

// ---- Large scenes

/// Spheres side by side: 27 of them, 162 vertices each.
MeshData spheres()
{
    MeshData data;
    for (int i = 0; i < 27; ++i)
        append(
            data, translated(generate::icosphere({.radius = 0.45, .subdivisions = 2}), Vec3(i % 3, i / 3 % 3, i / 9)));
    return data;
}

TEST_F(StepSize, HasTheSameBitsForAnyNumberOfThreads)
{
    const CollisionMesh mesh(spheres());
    const Positions& X0 = mesh.rest_positions();
    for (int i = 0; i < 4; ++i) {
        Positions X1 = X0;
        RandomStream random(239, i);
        for (double& x : X1.reshaped())
            x += random.uniform(-1, 1) * std::pow(10, -i);
        std::vector<StepLimit> limits;
        for (const int threads : {1, 2, 4}) {
            set_num_threads(threads);
            limits.push_back(
                find_collision_free_stepsize(mesh, X0, X1, {.max_pairs = i % 2 == 0 ? 100'000'000 : 50'000}));
        }
        for (const StepLimit& limit : limits) {
            EXPECT_EQ(std::bit_cast<std::uint64_t>(limit.step), std::bit_cast<std::uint64_t>(limits[0].step));
            EXPECT_EQ(limit.kind, limits[0].kind);
            EXPECT_EQ(limit.pair, limits[0].pair);
            EXPECT_EQ(limit.initial_distance, limits[0].initial_distance);
            EXPECT_EQ(limit.is_cut_by_max_pairs, limits[0].is_cut_by_max_pairs);
        }
        EXPECT_GT(limits[0].step, 0);
        EXPECT_TRUE(is_step_collision_free(mesh, X0, moved(X0, limits[0].step, X1)));
    }
}

TEST_F(StepSize, OfAStepAcrossTheSceneTakesBoundedWorkAndMemory)
{
    // Every vertex goes somewhere else in a scene a thousand times as large: all boxes overlap, 10^8 pairs of them.
    const CollisionMesh mesh(spheres());
    const Positions& X0 = mesh.rest_positions();
    Positions X1 = X0;
    RandomStream random(241);
    for (double& x : X1.reshaped())
        x = random.uniform(-1000, 1000);
    rusage before{}, after{};
    getrusage(RUSAGE_SELF, &before);
    const StepLimit limit = find_collision_free_stepsize(mesh, X0, X1, {.max_pairs = 200'000});
    getrusage(RUSAGE_SELF, &after);
    EXPECT_GT(limit.step, 0);
    EXPECT_LT(limit.step, 0.01);
    EXPECT_TRUE(is_step_collision_free(mesh, X0, moved(X0, limit.step, X1)));
    EXPECT_LE(limit.num_pairs, 3 * 200'000) << "of the samples and of the whole";
    EXPECT_LT(limit.num_intervals, 50'000'000);
    EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 256 * 1024) << "kilobytes; all pairs would take a gigabyte";
    std::cout << "across the scene: " << limit.num_pairs << " pairs, " << limit.num_intervals << " intervals"
              << std::endl;
}

TEST_F(StepSize, IsCutWhereOnlyTheNumberOfPairsLimitsIt)
{
    // Points that fly apart and past each other on parallel lines: no contact, but every box overlaps every other.
    const int n = 300;
    Positions X0(n, 3), X1(n, 3);
    RandomStream random(251);
    for (int v = 0; v < n; ++v) {
        X0.row(v) << v, 0.5 * v * v, 0;
        X1.row(v) << v + 1000, 0.5 * v * v, 0;
    }
    for (int v = 0; v < n; ++v) // a common tilt makes boxes overlap that the lines do not
        X1.row(v).array() += 1e5 * Vec3(1, 1, 1).transpose().array();
    const CollisionMesh mesh(X0);
    EXPECT_EQ(compute_collision_free_stepsize(mesh, X0, X1), 1);
    const StepLimit limit = find_collision_free_stepsize(mesh, X0, X1, {.max_pairs = 5000});
    EXPECT_GT(limit.step, 0);
    EXPECT_LT(limit.step, 1);
    EXPECT_TRUE(limit.is_cut_by_max_pairs);
    EXPECT_EQ(limit.kind, PairKind::none);
    EXPECT_TRUE(is_step_collision_free(mesh, X0, moved(X0, limit.step, X1)));
}

TEST_F(StepSize, EndsAtTheLimitWhereStandingStillHasTooManyPairs)
{
    const CollisionMesh mesh(spheres());
    Positions X1 = mesh.rest_positions();
    X1.array() += 1;
    EXPECT_THROW((void)find_collision_free_stepsize(mesh, mesh.rest_positions(), X1, {.max_pairs = 1}), LimitReached);
}

// ---- The reference toolkit

TEST_F(StepSize, AgreesWithTheReference)
{
    for (const char* scene_name : reference_scene_names) {
        const auto [mesh, X0, X1, queries] = read_reference_scene(scene_name);
        for (const nlohmann::json& query : queries) {
            SCOPED_TRACE(testing::Message() << scene_name << ' ' << query.at("result").dump());
            const double dmin = query.value("min_distance", 0.0);
            const nlohmann::json &inclusion = query.at("result").at("tight_inclusion"),
                                 &additive = query.at("result").at("additive");
            EXPECT_EQ(is_step_collision_free(mesh, X0, X1, dmin), inclusion.at("is_step_collision_free").get<bool>());
            expect_safe_step(mesh, X0, X1, {.dmin = dmin});

            const double their_inclusion = inclusion.at("collision_free_stepsize"),
                         their_additive = additive.at("collision_free_stepsize");
            const double rescaling = query.value("accd_conservative_rescaling", 0.9);
            const StepLimit limit =
                find_collision_free_stepsize(mesh, X0, X1, {.dmin = dmin, .rescaling = rescaling, .tolerance = 1e-6});
            if (their_inclusion == 0) {
                // The cubes overlap, but no candidate pair touches: the smallest exact distance is 3.2e-18. The
                // reference calls that 0, we leave the time it takes.
                EXPECT_LT(limit.step, 1e-15);
                continue;
            }
            // Additive CCD keeps a tenth of the gap, or the share it is given, along bounds on speeds: it stops up to
            // that share before we do.
            EXPECT_GE(limit.step, their_additive * (1 - 1e-5));
            EXPECT_LE(limit.step, their_additive / rescaling);
            if (their_inclusion == 1) {
                EXPECT_EQ(limit.step, 1);
                continue;
            }
            // Tight inclusion keeps 1e-4 of the distance, or a fifth of the gap where that is less. It stops a little
            // earlier than we do. The bands are measured, not derived: at most 1.5e-5 without, 1.4e-3 with a minimum
            // distance.
            const double gap = limit.initial_distance - dmin, kept = std::min(0.2 * gap, 1e-4);
            const double sharp = compute_collision_free_stepsize(
                mesh, X0, X1, {.dmin = dmin, .rescaling = 1 - kept / gap, .tolerance = 1e-8});
            EXPECT_GE(sharp, their_inclusion - 1e-6);
            EXPECT_LE(sharp, their_inclusion + (dmin == 0 ? 5e-5 : 5e-3));
        }
    }
}

// ---- Bad input

TEST_F(StepSize, RejectsBadInput)
{
    const CollisionMesh mesh = triangle_and_point();
    const Positions X = point_at(1);
    const auto expect_rejected = [](auto&& call, const std::string& field) {
        try {
            call();
            ADD_FAILURE() << "no error";
        } catch (const InvalidInput& error) {
            EXPECT_TRUE(std::string(error.what()).starts_with(field)) << error.what();
        }
    };
    const auto step = [&](const StepSizeOptions& options) {
        return [&, options] { (void)find_collision_free_stepsize(mesh, X, X, options); };
    };
    for (const double dmin : {-1e-300, -1.0, infinity, nan}) {
        expect_rejected(step({.dmin = dmin}), "dmin");
        expect_rejected([&] { (void)is_step_collision_free(mesh, X, X, dmin); }, "dmin");
    }
    for (const double rescaling : {0.0, -0.5, 1.0, nan})
        expect_rejected(step({.rescaling = rescaling}), "rescaling");
    for (const double tolerance : {0.0, -1.0, 1.0, nan})
        expect_rejected(step({.tolerance = tolerance}), "tolerance");
    for (const std::int64_t max_pairs : {0, -1})
        expect_rejected(step({.max_pairs = max_pairs}), "max_pairs");
    for (const Positions& Y : {Positions(0, 3), Positions(Positions::Zero(3, 3)), Positions(Positions::Zero(4, 2))}) {
        expect_rejected([&] { (void)compute_collision_free_stepsize(mesh, Y, X); }, "X0");
        expect_rejected([&] { (void)compute_collision_free_stepsize(mesh, X, Y); }, "X1");
        expect_rejected([&] { (void)is_step_collision_free(mesh, X, Y); }, "X1");
    }
    for (const double bad : {nan, infinity, 1e300}) {
        Positions Y = X;
        Y(2, 1) = bad;
        expect_rejected([&] { (void)compute_collision_free_stepsize(mesh, X, Y); }, "X1: row 2");
        expect_rejected([&] { (void)is_step_collision_free(mesh, Y, X); }, "X0: row 2");
    }
}

} // namespace
} // namespace abut::test::step_size_test
