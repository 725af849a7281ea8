// Planes in detection: against all planes and vertices one by one, in rational arithmetic.

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/detect/detection.hpp"
#include "abut/detect/intersections.hpp"
#include "abut/detect/step_size.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "support/exact_distance.hpp"
#include "support/random_meshes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <iostream>

namespace abut::test::planes_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Every test leaves the number of threads as it found it.
class Planes : public ::testing::Test {
protected:
    void TearDown() override { set_num_threads(0); }
};

Vec3 lifted_row(const Positions& X, int v) { return {X(v, 0), X(v, 1), X.cols() == 3 ? X(v, 2) : 0}; }

mpq_class exact_distance(const Plane& plane, const Vec3& x)
{
    return dot(exact<3>(plane.normal), minus(exact<3>(x), exact<3>(plane.point)));
}

CollisionMesh with_planes(const CollisionMesh& mesh, const std::vector<Plane>& planes)
{
    CollisionMeshOptions options;
    options.filter = mesh.filter();
    options.planes = planes;
    return CollisionMesh(mesh.rest_positions(), mesh.edges(), mesh.faces(), options);
}

/// Loose points.
CollisionMesh points_with_planes(const Positions& X, const std::vector<Plane>& planes)
{
    CollisionMeshOptions options;
    options.planes = planes;
    return CollisionMesh(X, Elements(0, 2), Elements(0, 3), options);
}

/// A point at a height above the floor.
Positions at_height(double y)
{
    Positions X(1, 3);
    X << 0.25, y, -3;
    return X;
}

CollisionMesh point_over_floor() { return points_with_planes(at_height(1), {Plane{}}); }

/// A few planes across a soup, some through vertices of it.
std::vector<Plane> random_planes(const MovingMesh& moving, RandomStream& random)
{
    std::vector<Plane> planes;
    const int dim = moving.mesh.dim();
    for (std::uint32_t i = random.below(4) + 1; i > 0; --i) {
        Plane plane;
        plane.point = lifted_row(
            random.below(2) == 0 ? moving.X0 : moving.X1,
            static_cast<int>(random.below(static_cast<std::uint32_t>(moving.X0.rows()))));
        if (random.below(2) == 0)
            plane.point *= random.uniform(0.5, 1.5);
        plane.normal = random.below(3) == 0 ? Vec3(Vec3::Unit(static_cast<int>(random.below(dim))))
                                            : Vec3(random_direction<3>(random));
        if (dim == 2)
            plane.normal.z() = 0;
        planes.push_back(plane);
    }
    return planes;
}

/// Mesh `index` of an endless list of soups with planes, in all layouts and both dimensions.
MovingMesh listed_mesh(std::uint64_t seed, int index, RandomStream& random)
{
    random = RandomStream(seed, static_cast<std::uint64_t>(index));
    SoupOptions soup;
    soup.dim = index % 3 == 0 ? 2 : 3;
    soup.triangles = static_cast<int>(random.below(6));
    soup.edges = static_cast<int>(random.below(6));
    soup.points = 2 + static_cast<int>(random.below(6));
    soup.motion = std::pow(10, random.uniform(-2, 0.5));
    const CollisionFilter filter = random_filter(random);
    MovingMesh moving = random_soup(soup, random, filter);
    lay_out(moving, layouts[static_cast<std::size_t>(index) % layouts.size()], random);
    moving.mesh = with_planes(moving.mesh, random_planes(moving, random));
    return moving;
}

double listed_scale(int index) { return scale(layouts[static_cast<std::size_t>(index) % layouts.size()]); }

// ---- Candidates

TEST_F(Planes, AreCandidatesWithEveryVertexWithinTwiceTheInflationAndNoOther)
{
    int num_near = 0, num_far = 0;
    for (int i = 0; i < 660; ++i) {
        RandomStream random(0);
        const MovingMesh moving = listed_mesh(409, i, random);
        const CollisionMesh& mesh = moving.mesh;
        const double inflation = listed_scale(i) * (i % 5 == 0 ? 0 : std::pow(10, random.uniform(-6, 0)));
        Candidates still, swept, slow;
        still.build(mesh, moving.X0, inflation);
        swept.build(mesh, moving.X0, moving.X1, inflation);
        slow.build(mesh, moving.X0, moving.X1, inflation, {.method = BroadPhase::brute_force});
        EXPECT_EQ(swept, slow) << "mesh " << i;
        for (const std::vector<IndexPair>* pv : {&still.pv, &swept.pv}) {
            EXPECT_TRUE(std::is_sorted(pv->begin(), pv->end())) << "mesh " << i;
            EXPECT_EQ(std::adjacent_find(pv->begin(), pv->end()), pv->end()) << "mesh " << i;
        }
        const double largest = moving.X0.cwiseAbs().maxCoeff() + moving.X1.cwiseAbs().maxCoeff();
        const mpq_class range = 2 * mpq_class(inflation), beyond = range + mpq_class(1e-14 * (largest + inflation));
        for (int p = 0; p < static_cast<int>(mesh.planes().size()); ++p)
            for (int v = 0; v < mesh.num_vertices(); ++v) {
                const mpq_class d0 = exact_distance(mesh.planes()[p], lifted_row(moving.X0, v));
                const mpq_class d1 = exact_distance(mesh.planes()[p], lifted_row(moving.X1, v));
                const mpq_class least = std::min(d0, d1);
                const IndexPair pair{p, v};
                const bool in_still = std::binary_search(still.pv.begin(), still.pv.end(), pair);
                const bool in_swept = std::binary_search(swept.pv.begin(), swept.pv.end(), pair);
                EXPECT_TRUE(d0 > range || in_still) << "mesh " << i << ", plane " << p << ", vertex " << v;
                EXPECT_TRUE(least > range || in_swept) << "mesh " << i << ", plane " << p << ", vertex " << v;
                EXPECT_FALSE(d0 > beyond && in_still) << "mesh " << i << ", plane " << p << ", vertex " << v;
                EXPECT_FALSE(least > beyond && in_swept) << "mesh " << i << ", plane " << p << ", vertex " << v;
                num_near += least <= range ? 1 : 0;
                num_far += least > beyond ? 1 : 0;
            }
    }
    EXPECT_GT(num_near, 5000);
    EXPECT_GT(num_far, 5000);
}

/// A plane has no box that grows too, so its vertices need the full distance: half of it would miss contacts.
TEST_F(Planes, CountTheFullDistanceOfTwiceTheInflation)
{
    const CollisionMesh mesh = point_over_floor();
    const std::vector<IndexPair> one{{0, 0}};
    Candidates found;
    const double inflation = 0.1;
    found.build(mesh, at_height(0.15), inflation);
    EXPECT_EQ(found.pv, one) << "farther than the inflation, within twice of it";
    found.build(mesh, at_height(0.1999), inflation);
    EXPECT_EQ(found.pv, one);
    found.build(mesh, at_height(0.2001), inflation);
    EXPECT_TRUE(found.empty());
    found.build(mesh, at_height(0.5), 0.25);
    EXPECT_EQ(found.pv, one) << "exactly at twice the inflation, as touching boxes count";
    found.build(mesh, at_height(std::nextafter(0.0, 1)), 0);
    EXPECT_EQ(found.pv, one) << "to rounding";
    found.build(mesh, at_height(-1e9), inflation);
    EXPECT_EQ(found.pv, one) << "behind the plane, however far";
    found.build(mesh, at_height(5), at_height(0.19), inflation);
    EXPECT_EQ(found.pv, one);
    found.build(mesh, at_height(0.19), at_height(5), inflation);
    EXPECT_EQ(found.pv, one);
    found.build(mesh, at_height(5), at_height(0.21), inflation);
    EXPECT_TRUE(found.empty());
    // A detection that reports pairs within a range finds them all through candidates.
    Detection detection(mesh, {.range = 0.2, .slack = 0});
    detection.update(at_height(0.19));
    EXPECT_EQ(detection.pairs().pv.pairs, one);
}

TEST_F(Planes, AreCountedInSizesAndComparisons)
{
    Candidates found, none;
    found.build(point_over_floor(), at_height(0), 0.1);
    EXPECT_EQ(found.size(), 1u);
    EXPECT_FALSE(found.empty());
    EXPECT_NE(found, none);
    found.build(CollisionMesh(at_height(0)), at_height(0), 0.1);
    EXPECT_EQ(found, none) << "what was found before is forgotten";
}

TEST_F(Planes, EndAtTheLimitOfPairs)
{
    const MeshData sphere = generate::icosphere({.radius = 1, .subdivisions = 5});
    const CollisionMesh mesh(sphere, {.planes = {Plane{}, Plane{.point = {0, 2, 0}}}});
    Candidates found, again;
    found.build(mesh, sphere.vertices, 0);
    const auto count = static_cast<std::int64_t>(found.pv.size());
    ASSERT_GT(count, 15'000);
    again.build(mesh, sphere.vertices, 0, {.max_pairs = count});
    EXPECT_EQ(again, found);
    try {
        again.build(mesh, sphere.vertices, 0, {.max_pairs = count - 1});
        ADD_FAILURE() << "no error";
    } catch (const LimitReached& error) {
        EXPECT_NE(std::string(error.what()).find("plane-vertex"), std::string::npos) << error.what();
    }
    const CollisionMesh points = points_with_planes(sphere.vertices.topRows(100), {Plane{.point = {0, 2, 0}}});
    const CandidatesOptions brute_force{.method = BroadPhase::brute_force, .max_pairs = 99};
    EXPECT_THROW(found.build(points, points.rest_positions(), 0, brute_force), LimitReached);
}

TEST_F(Planes, AreNotFiltered)
{
    const CollisionFilter nothing = CollisionFilter::callable([](int, int) { return false; });
    const CollisionMesh mesh(at_height(1), Elements(0, 2), Elements(0, 3), {.filter = nothing, .planes = {Plane{}}});
    Candidates found;
    found.build(mesh, at_height(0.1), 0.1);
    EXPECT_EQ(found.pv.size(), 1u);
    EXPECT_LT(compute_collision_free_stepsize(mesh, at_height(1), at_height(-1)), 0.5);
    EXPECT_TRUE(has_intersections(mesh, at_height(-1)));
}

TEST_F(Planes, LeaveAllOtherPairsAsTheyAre)
{
    for (int i = 0; i < 60; ++i) {
        RandomStream random(0);
        const MovingMesh moving = listed_mesh(419, i, random);
        const CollisionMesh without = with_planes(moving.mesh, {});
        const double inflation = 0.05 * listed_scale(i);
        Candidates with, expected;
        with.build(moving.mesh, moving.X0, moving.X1, inflation);
        expected.build(without, moving.X0, moving.X1, inflation);
        EXPECT_TRUE(expected.pv.empty());
        with.pv.clear();
        EXPECT_EQ(with, expected) << i;
    }
}

// ---- Detection

TEST_F(Planes, AreDetectedWithSquaredSignedDistances)
{
    int num_near = 0, num_behind = 0;
    for (int i = 0; i < 330; ++i) {
        RandomStream random(0);
        const MovingMesh moving = listed_mesh(421, i, random);
        const CollisionMesh& mesh = moving.mesh;
        const double range = listed_scale(i) * std::pow(10, random.uniform(-3, 0));
        Detection detection(mesh, {.range = range});
        detection.update(moving.X0);
        std::vector<IndexPair> expected;
        double smallest = infinity;
        std::size_t k = 0;
        for (int p = 0; p < static_cast<int>(mesh.planes().size()); ++p)
            for (int v = 0; v < mesh.num_vertices(); ++v) {
                const Vec3 x = lifted_row(moving.X0, v);
                const mpq_class distance = exact_distance(mesh.planes()[p], x);
                const double rounding = 1e-14 * (moving.X0.cwiseAbs().maxCoeff() + range);
                const bool is_listed =
                    k < detection.pairs().pv.size() && detection.pairs().pv.pairs[k] == IndexPair{p, v};
                if (abs(distance - mpq_class(range)) > mpq_class(rounding) && range > 1e-150) {
                    ASSERT_EQ(is_listed, distance < mpq_class(range)) << "mesh " << i;
                }
                if (!is_listed)
                    continue;
                const double squared = detection.pairs().pv.squared_distances[k];
                EXPECT_EQ(detection.pairs().pv.features[k], 0);
                ASSERT_TRUE(distance > 0 || squared == 0) << "mesh " << i;
                ASSERT_TRUE(distance < mpq_class(1e-150) || squared > 0) << "mesh " << i;
                EXPECT_NEAR(std::sqrt(squared), std::max(0.0, distance.get_d()), std::max(rounding, 1e-150));
                smallest = std::min(smallest, squared);
                num_behind += distance <= 0 ? 1 : 0;
                ++num_near;
                ++k;
            }
        EXPECT_EQ(k, detection.pairs().pv.size()) << "mesh " << i;
        EXPECT_LE(detection.smallest_distance(), std::sqrt(smallest));
        EXPECT_EQ(
            detection.size(), detection.pairs().vv.size() + detection.pairs().ev.size() + detection.pairs().ee.size() +
                                  detection.pairs().fv.size() + detection.pairs().pv.size());
    }
    EXPECT_GT(num_behind, 1000);
    EXPECT_GT(num_near, num_behind + 200);
}

TEST_F(Planes, TouchAtDistanceZeroOnAndBehindThem)
{
    const CollisionMesh mesh = point_over_floor();
    Detection detection(mesh, {.range = 0.1});
    for (const double height : {0.0, -0.0, -5e-324, -1e-9, -0.5, -1e9}) {
        detection.update(at_height(height));
        ASSERT_EQ(detection.pairs().pv.size(), 1u) << height;
        EXPECT_EQ(detection.pairs().pv.squared_distances[0], 0) << height;
        EXPECT_EQ(detection.smallest_distance(), 0) << height;
        EXPECT_EQ(compute_minimum_distance(mesh, at_height(height)), 0) << height;
    }
    detection.update(at_height(0.0625));
    EXPECT_EQ(detection.smallest_distance(), 0.0625);
    EXPECT_EQ(detection.size(), 1u);
    detection.update(at_height(0.1));
    EXPECT_EQ(detection.size(), 0u) << "the range is open";
    EXPECT_EQ(detection.smallest_distance(), infinity);
}

TEST_F(Planes, AreDetectedAfterSmallMovesAsByASearch)
{
    MeshData sphere = generate::icosphere({.radius = 0.5, .subdivisions = 2});
    const CollisionMesh mesh(
        sphere, {.planes = {{.point = {0, -0.52, 0}}, {.point = {0.51, 0, 0}, .normal = {-1, 0.3, 0.1}}}});
    Detection kept(mesh, {.range = 0.08, .slack = 0.5});
    Positions X = sphere.vertices;
    RandomStream random(431);
    for (int step = 0; step < 40; ++step) {
        kept.update(X);
        Detection fresh(mesh, {.range = 0.08, .slack = 0});
        fresh.update(X);
        EXPECT_EQ(kept.pairs().pv, fresh.pairs().pv);
        EXPECT_GT(fresh.pairs().pv.size(), 0u);
        for (double& x : X.reshaped())
            x += random.uniform(-0.003, 0.003);
    }
    EXPECT_LT(kept.num_searches(), 35);
    EXPECT_GT(kept.num_searches(), 1);
}

TEST_F(Planes, AreInTheMinimumDistanceHoweverFar)
{
    const MeshData box = generate::box();
    const double own = compute_minimum_distance(CollisionMesh(box), box.vertices);
    for (const double gap : {1e-9, 0.01, 0.1, 3.0, 1e6}) {
        const CollisionMesh mesh(box, {.planes = {{.point = {0, -gap - 0.5, 0}}}});
        EXPECT_NEAR(compute_minimum_distance(mesh, box.vertices), std::min(gap, own), 1e-15) << gap;
    }
    for (const double gap : {1e-9, 3.0, 1e6}) {
        const CollisionMesh mesh = points_with_planes(at_height(0), {{.point = {0, -gap, 0}}});
        EXPECT_NEAR(compute_minimum_distance(mesh, at_height(0)), gap, 1e-15 * gap) << "one point has no other pair";
    }
    Positions X(2, 2);
    X << 0, 1, 5, 2;
    EXPECT_EQ(compute_minimum_distance(points_with_planes(X, {Plane{}}), X), 1);
}

// ---- Steps

/// When the vertex first has a signed distance of dmin or less: linear, so a division. Nothing if never.
std::optional<mpq_class> exact_contact(const Plane& plane, const Vec3& x0, const Vec3& x1, const mpq_class& dmin)
{
    const mpq_class d0 = exact_distance(plane, x0) - dmin, d1 = exact_distance(plane, x1) - dmin;
    if (d0 <= 0)
        return mpq_class(0);
    if (d1 > 0)
        return std::nullopt;
    return mpq_class(d0 / (d0 - d1));
}

/// X0 + t (X1 - X0), rounded after each operation, or with the product and the sum as one.
Vec3 moved(const Vec3& x0, double t, const Vec3& x1, bool is_fused)
{
    Vec3 x;
    for (int axis = 0; axis < 3; ++axis) {
        const double motion = x1[axis] - x0[axis];
        volatile double product = t * motion;
        x[axis] = is_fused ? std::fma(t, motion, x0[axis]) : x0[axis] + product;
    }
    return x;
}

/// What went wrong with the step of a mesh, or nothing. Of meshes without other contacts, which the step also respects.
std::string find_fault(
    const CollisionMesh& mesh, const Positions& X0, const Positions& X1, const StepSizeOptions& options,
    const StepLimit& limit)
{
    if (!(limit.step >= 0 && limit.step <= 1))
        return "out of range";
    bool touches_at_start = false;
    for (const Plane& plane : mesh.planes())
        for (int v = 0; v < mesh.num_vertices(); ++v) {
            const Vec3 x0 = lifted_row(X0, v), x1 = lifted_row(X1, v);
            const auto contact = exact_contact(plane, x0, x1, options.dmin);
            touches_at_start |= contact && *contact == 0;
            if (contact && mpq_class(limit.step) > *contact)
                return "late";
        }
    if (touches_at_start)
        return limit.step == 0 ? "" : "a start in contact";
    for (const Plane& plane : mesh.planes())
        for (int v = 0; v < mesh.num_vertices(); ++v)
            for (const bool is_fused : {false, true}) {
                const Vec3 x = moved(lifted_row(X0, v), limit.step, lifted_row(X1, v), is_fused);
                if (exact_distance(plane, x) <= mpq_class(options.dmin))
                    return is_fused ? "touches as rounded, fused" : "touches as rounded";
            }
    if (limit.kind == PairKind::plane_vertex) {
        const Plane& plane = mesh.planes()[limit.pair[0]];
        const mpq_class distance = exact_distance(plane, lifted_row(X0, limit.pair[1]));
        if (abs(mpq_class(limit.initial_distance) - distance) >
            mpq_class(signed_distance_error(plane, lifted_row(X0, limit.pair[1]))))
            return "wrong initial distance";
    }
    if (limit.step == 0)
        return "zero without contact";
    return "";
}

/// A vertex and a plane made to be hard: on it, an ulp above dmin, far away, tiny, parallel, hardly approaching.
struct HardStep {
    Plane plane;
    Vec3 x0, x1;
    StepSizeOptions options;
};

HardStep random_hard_step(RandomStream& random)
{
    HardStep step;
    step.plane = normalized({random_points<3>(random), random_points<3>(random)}, 3, "plane");
    if (random.below(3) == 0)
        step.plane.normal = Vec3::Unit(static_cast<int>(random.below(3)));
    const Vec3 n = step.plane.normal;
    if (random.below(2) == 0)
        step.options.dmin = std::pow(10, random.uniform(-12, 0));
    if (random.below(2) == 0)
        step.options.rescaling = random.below(2) == 0 ? random.uniform(1e-3, 0.999) : 1 - 0x1p-53;
    const auto height = [&] {
        switch (random.below(4)) {
        case 0:
            return step.options.dmin;
        case 1:
            return step.options.dmin + std::pow(10, random.uniform(-20, 0));
        case 2:
            return step.options.dmin * random.uniform(0, 2);
        default:
            return random.uniform(-0.3, 1);
        }
    };
    const auto place = [&](double d) {
        Vec3 x = step.plane.point + random_points<3>(random) * std::pow(10, random.uniform(-3, 3));
        for (int k = 0; k < 2; ++k)
            x -= (n.dot(x - step.plane.point) - d) * n;
        const int axis = static_cast<int>(random.below(3));
        for (std::uint32_t k = random.below(3); k > 0; --k)
            x[axis] = std::nextafter(x[axis], random.below(2) == 0 ? infinity : -infinity);
        return x;
    };
    step.x0 = place(height() + (random.below(3) == 0 ? 0 : std::pow(10, random.uniform(-16, 0))));
    step.x1 = random.below(4) == 0 ? Vec3(step.x0 + 1e-8 * random_points<3>(random)) : place(height());
    // Far away, where an ulp is larger than the gap; tiny, where squares underflow; huge.
    if (random.below(3) == 0) {
        const Vec3 offset = random_points<3>(random) * std::pow(10, random.uniform(0, 12));
        step.plane.point += offset;
        step.x0 += offset;
        step.x1 += offset;
    }
    if (random.below(3) == 0) {
        const double scale = std::ldexp(1.0, static_cast<int>(random.below(1060)) - 950);
        step.plane.point *= scale;
        step.x0 *= scale;
        step.x1 *= scale;
        step.options.dmin = std::min(step.options.dmin * scale, 1e50);
    }
    const double largest = std::max(
        {step.plane.point.cwiseAbs().maxCoeff(), step.x0.cwiseAbs().maxCoeff(), step.x1.cwiseAbs().maxCoeff()});
    if (largest > 1e50) {
        step.plane.point *= 1e-20;
        step.x0 *= 1e-20;
        step.x1 *= 1e-20;
    }
    return step;
}

struct StepCounts {
    int zero = 0, limited = 0, whole = 0;
};

/// Runs one hard step; returns what is wrong with it.
std::string try_hard_step(RandomStream& random, StepCounts& counts)
{
    const HardStep hard = random_hard_step(random);
    Positions X0(1, 3), X1(1, 3);
    X0.row(0) = hard.x0.transpose();
    X1.row(0) = hard.x1.transpose();
    const CollisionMesh mesh = points_with_planes(X0, {hard.plane});
    const StepLimit limit = find_collision_free_stepsize(mesh, X0, X1, hard.options);
    ++(limit.step == 0 ? counts.zero : limit.step == 1 ? counts.whole : counts.limited);
    std::string fault = find_fault(mesh, X0, X1, hard.options, limit);
    if (fault.empty() && (limit.kind == PairKind::none) != (limit.step == 1))
        fault = "no pair is named, or one for a whole step";
    // Planes allow exact answers about whole steps.
    const bool is_free = !exact_contact(mesh.planes()[0], hard.x0, hard.x1, hard.options.dmin);
    if (is_step_collision_free(mesh, X0, X1, hard.options.dmin) != is_free)
        fault += " is_step_collision_free is wrong";
    if (!fault.empty()) {
        std::ostringstream text;
        text << std::hexfloat << fault << ": step " << limit.step << ", dmin " << hard.options.dmin << ", rescaling "
             << hard.options.rescaling << ", normal " << hard.plane.normal.transpose() << ", point "
             << hard.plane.point.transpose() << ", from " << hard.x0.transpose() << " to " << hard.x1.transpose();
        return text.str();
    }
    return "";
}

RC_GTEST_PROP(PlaneSteps, AreSafeInExactArithmeticAsRounded, (std::uint64_t seed))
{
    RandomStream random(seed);
    StepCounts counts;
    for (int i = 0; i < 200; ++i) {
        const std::string fault = try_hard_step(random, counts);
        if (!fault.empty())
            RC_FAIL(fault);
    }
}

TEST_F(Planes, LimitHardStepsSafelyAndOftenEnoughToTell)
{
    StepCounts counts;
    for (int i = 0; i < 30'000; ++i) {
        RandomStream random(433, i);
        ASSERT_EQ(try_hard_step(random, counts), "") << i;
    }
    std::cout << counts.zero << " touch at the start, " << counts.limited << " are cut, " << counts.whole << " are not"
              << std::endl;
    EXPECT_GT(counts.zero, 3000);
    EXPECT_GT(counts.limited, 3000);
    EXPECT_GT(counts.whole, 3000);
}

TEST_F(Planes, LimitStepsOfMeshes)
{
    int num_limited = 0;
    for (int i = 0; i < 330; ++i) {
        SCOPED_TRACE(testing::Message() << "mesh " << i << ", " << name(layouts[i % layouts.size()]));
        RandomStream random(0);
        MovingMesh moving = listed_mesh(439, i, random);
        // Planes below everything at the start, so that steps are not all zero.
        std::vector<Plane> planes;
        for (Plane plane : moving.mesh.planes()) {
            double lowest = infinity;
            for (int v = 0; v < moving.mesh.num_vertices(); ++v)
                lowest = std::min(lowest, signed_distance(plane, lifted_row(moving.X0, v)));
            plane.point += (lowest - listed_scale(i) * std::pow(10, random.uniform(-12, 0))) * plane.normal;
            planes.push_back(plane);
        }
        const CollisionMesh mesh = with_planes(moving.mesh, planes), without = with_planes(moving.mesh, {});
        StepSizeOptions options;
        if (i % 2 == 1)
            options.dmin = listed_scale(i) * std::pow(10, random.uniform(-14, -2));
        const StepLimit limit = find_collision_free_stepsize(mesh, moving.X0, moving.X1, options);
        const double alone = compute_collision_free_stepsize(without, moving.X0, moving.X1, options);
        if (alone == 0) {
            EXPECT_EQ(limit.step, 0) << "other pairs touch at the start";
            continue;
        }
        EXPECT_EQ(find_fault(mesh, moving.X0, moving.X1, options, limit), "");
        num_limited += limit.kind == PairKind::plane_vertex ? 1 : 0;
        const Positions X = moving.X0 + limit.step * (moving.X1 - moving.X0);
        EXPECT_EQ(is_step_collision_free(mesh, moving.X0, X, options.dmin), limit.step > 0);
    }
    EXPECT_GT(num_limited, 50);
}

TEST_F(Planes, LeaveAFallItsShareOfTheGap)
{
    const CollisionMesh mesh = point_over_floor();
    const StepLimit limit = find_collision_free_stepsize(mesh, at_height(1), at_height(-1));
    EXPECT_NEAR(limit.step, 0.4, 1e-12) << "0.8 of the height, and half of the step is above the floor";
    EXPECT_LE(limit.step, 0.4);
    EXPECT_EQ(limit.kind, PairKind::plane_vertex);
    EXPECT_EQ(limit.pair, (IndexPair{0, 0}));
    EXPECT_EQ(limit.initial_distance, 1);
    EXPECT_EQ(limit.num_pairs, 1);
    EXPECT_FALSE(limit.is_cut_by_max_pairs);
    EXPECT_NEAR(compute_collision_free_stepsize(mesh, at_height(1), at_height(-1), {.dmin = 0.5}), 0.2, 1e-12);
    // Only pairs that come within dmin keep a share.
    for (const double end : {2.0, 0.5, 0.01, 1e-9})
        EXPECT_EQ(compute_collision_free_stepsize(mesh, at_height(1), at_height(end)), 1) << end;
    EXPECT_TRUE(is_step_collision_free(mesh, at_height(1), at_height(5e-324)));
    EXPECT_FALSE(is_step_collision_free(mesh, at_height(1), at_height(0)));
    EXPECT_FALSE(is_step_collision_free(mesh, at_height(1), at_height(-1)));
    EXPECT_FALSE(is_step_collision_free(mesh, at_height(1), at_height(0.1), 0.1));
    EXPECT_TRUE(is_step_collision_free(mesh, at_height(1), at_height(std::nextafter(0.1, 1)), 0.1));
}

TEST_F(Planes, AllowNoStepFromOnOrBehindThem)
{
    const CollisionMesh mesh = point_over_floor();
    for (const double start : {0.0, -5e-324, -0.5, -1e9})
        for (const double end : {-2.0, 0.0, 1.0}) {
            const StepLimit limit = find_collision_free_stepsize(mesh, at_height(start), at_height(end));
            EXPECT_EQ(limit.step, 0);
            EXPECT_EQ(limit.kind, PairKind::plane_vertex);
            EXPECT_EQ(limit.pair, (IndexPair{0, 0}));
            EXPECT_EQ(limit.initial_distance, start);
            EXPECT_FALSE(is_step_collision_free(mesh, at_height(start), at_height(end)));
        }
    EXPECT_EQ(compute_collision_free_stepsize(mesh, at_height(0.5), at_height(1), {.dmin = 0.5}), 0);
}

/// X0 + 1 (X1 - X0) is 0 here, not X1: the step is judged by where it leads as rounded.
TEST_F(Planes, JudgeAStepByItsRoundedEnd)
{
    const CollisionMesh mesh = points_with_planes(at_height(1e9), {Plane{}});
    ASSERT_EQ(1e9 + (1e-9 - 1e9), 0);
    const StepLimit limit = find_collision_free_stepsize(mesh, at_height(1e9), at_height(1e-9));
    EXPECT_EQ(limit.kind, PairKind::plane_vertex);
    EXPECT_LT(limit.step, 1);
    EXPECT_GT(limit.step, 0.1);
    EXPECT_TRUE(is_step_collision_free(mesh, at_height(1e9), at_height(1e-9))) << "the end as given is free";
}

/// A vertex slides along a slope an ulp or two above it, by far more than that, and another cuts the step somewhere: at
/// that very time the first must be above the slope as rounded, fused or not.
TEST_F(Planes, AreNotTouchedByWhatSlidesAlongThemWhileAnotherPairCutsTheStep)
{
    int num_cut = 0;
    for (int i = 0; i < 4000; ++i) {
        RandomStream random(457, i);
        const Plane slope = normalized({random_points<3>(random), random_points<3>(random)}, 3, "slope");
        const auto just_above = [&](Vec3 x) {
            x -= signed_distance(slope, x) * slope.normal;
            const int axis = static_cast<int>(random.below(3));
            const double up = slope.normal[axis] > 0 ? infinity : -infinity;
            while (side_of_plane(slope, x) <= 0)
                x[axis] = std::nextafter(x[axis], up);
            return x;
        };
        Positions X0(2, 3), X1(2, 3);
        X0.row(0) = just_above(random_points<3>(random)).transpose();
        X1.row(0) = just_above(random_points<3>(random)).transpose();
        const Vec3 high = slope.point + random.uniform(1, 2) * slope.normal;
        X0.row(1) = high.transpose();
        X1.row(1) = (high - random.uniform(3, 5) * slope.normal).transpose();
        const CollisionMesh mesh = points_with_planes(X0, {slope});
        const StepLimit limit = find_collision_free_stepsize(mesh, X0, X1);
        ASSERT_EQ(find_fault(mesh, X0, X1, {}, limit), "") << i;
        num_cut += limit.pair == IndexPair{0, 1} ? 1 : 0;
    }
    EXPECT_GT(num_cut, 1000);
}

TEST_F(Planes, LetGapsBelowResolutionMove)
{
    const CollisionMesh mesh = point_over_floor();
    for (const double height : {1e-15, 1e-17, 1e-30, 1e-100, 1e-300, 1e-310}) {
        const double step = compute_collision_free_stepsize(mesh, at_height(height), at_height(-1));
        EXPECT_GT(step, 0) << height;
        EXPECT_LT(step, height) << height;
        EXPECT_EQ(compute_collision_free_stepsize(mesh, at_height(height), at_height(1)), 1) << height;
        EXPECT_EQ(compute_collision_free_stepsize(mesh, at_height(height), at_height(height)), 1) << height;
    }
}

TEST_F(Planes, AtTheLimitOfCoordinatesKeepTheirShare)
{
    const CollisionMesh mesh = points_with_planes(at_height(1e50), {{.point = {0, -1e50, 0}}});
    const StepLimit limit = find_collision_free_stepsize(mesh, at_height(1e50), at_height(-1e50), {.rescaling = 0.01});
    EXPECT_NEAR(limit.step, 0.01, 1e-10);
}

TEST_F(Planes, LimitStepsBesideOtherPairs)
{
    // Two points above each other; the upper falls onto the lower at a third, the lower to the floor at a half.
    Positions X0(2, 3), X1(2, 3);
    X0 << 0, 1, 0, 0, 2, 0;
    X1 << 0, -1, 0, 0, -3, 0;
    const CollisionMesh mesh = points_with_planes(X0, {Plane{}});
    const double alone = compute_collision_free_stepsize(CollisionMesh(X0), X0, X1, {.tolerance = 1e-6});
    const StepLimit limit = find_collision_free_stepsize(mesh, X0, X1, {.tolerance = 1e-6});
    EXPECT_NEAR(alone, 0.8 / 3, 1e-5);
    EXPECT_NEAR(limit.step, 0.8 / 3, 1e-5);
    EXPECT_EQ(limit.kind, PairKind::vertex_vertex) << "the pair that comes first is named";
    // A plane that comes first is named, of two planes the nearer.
    const CollisionMesh two = points_with_planes(X0, {{.point = {0, -5, 0}}, {.point = {0, 0.95, 0}}});
    X1 << 0, -9, 0, 0, 2, 0;
    const StepLimit nearer = find_collision_free_stepsize(two, X0, X1);
    EXPECT_EQ(nearer.kind, PairKind::plane_vertex);
    EXPECT_EQ(nearer.pair, (IndexPair{1, 0}));
}

TEST_F(Planes, AreNotNamedWhereTheNumberOfPairsCutsTheStep)
{
    // Points that fly past each other on parallel lines, whose boxes all overlap, and a plane that they meet late.
    const int n = 300;
    Positions X0(n, 3), X1(n, 3);
    for (int v = 0; v < n; ++v) {
        X0.row(v) << v, 0.5 * v * v, 0;
        X1.row(v) = X0.row(v).array() + 1e5;
    }
    const CollisionMesh mesh = points_with_planes(X0, {{.point = {9e4, 0, 0}, .normal = {-1, 0, 0}}});
    EXPECT_EQ(find_collision_free_stepsize(mesh, X0, X1).kind, PairKind::plane_vertex);
    const StepLimit cut = find_collision_free_stepsize(mesh, X0, X1, {.max_pairs = 5000});
    EXPECT_TRUE(cut.is_cut_by_max_pairs);
    EXPECT_EQ(cut.kind, PairKind::none);
    EXPECT_EQ(cut.pair, (IndexPair{-1, -1}));
    EXPECT_LT(cut.step, 0.2);
    EXPECT_GT(cut.step, 0);
}

// ---- Intersections

TEST_F(Planes, AreIntersectedExactlyByVerticesBehindThem)
{
    int num_behind = 0, num_on = 0;
    for (int i = 0; i < 330; ++i) {
        RandomStream random(0);
        const MovingMesh moving = listed_mesh(443, i, random);
        const CollisionMesh& mesh = moving.mesh;
        std::vector<IndexPair> expected, found;
        for (int p = 0; p < static_cast<int>(mesh.planes().size()); ++p)
            for (int v = 0; v < mesh.num_vertices(); ++v) {
                const int side = sgn(exact_distance(mesh.planes()[p], lifted_row(moving.X0, v)));
                if (side < 0)
                    expected.push_back({p, v});
                num_on += side == 0 ? 1 : 0;
            }
        std::vector<Intersection> others;
        for (const Intersection& intersection : find_intersections(mesh, moving.X0)) {
            if (intersection.kind != IntersectionKind::plane_vertex) {
                EXPECT_TRUE(found.empty()) << "planes come last";
                others.push_back(intersection);
                continue;
            }
            found.push_back(intersection.pair);
            EXPECT_EQ(intersection.location, lifted_row(moving.X0, intersection.pair[1]));
        }
        EXPECT_EQ(found, expected) << "mesh " << i;
        EXPECT_EQ(has_intersections(mesh, moving.X0), !found.empty() || !others.empty());
        EXPECT_EQ(find_intersections(with_planes(mesh, {}), moving.X0).size(), others.size());
        num_behind += static_cast<int>(expected.size());
    }
    EXPECT_GT(num_behind, 1000);
    EXPECT_GT(num_on, 50);
}

TEST_F(Planes, AreNotIntersectedByVerticesOnThem)
{
    const CollisionMesh mesh = point_over_floor();
    EXPECT_FALSE(has_intersections(mesh, at_height(0)));
    EXPECT_FALSE(has_intersections(mesh, at_height(1e-300)));
    EXPECT_TRUE(has_intersections(mesh, at_height(-5e-324)));
    // Through (0, 1 / 3) along (1, 3): rounding decides on which side points lie, and the exact sign tells.
    const Plane slope{{0, 1.0 / 3, 0}, {3, -1, 0}};
    Positions X(1, 2);
    X << 1, 3 + 1.0 / 3;
    const CollisionMesh line = points_with_planes(X, {slope});
    EXPECT_EQ(has_intersections(line, X), exact_distance(line.planes()[0], lifted_row(X, 0)) < 0);
    EXPECT_THROW((void)find_intersections(mesh, at_height(-1), 0), LimitReached);
}

// ---- Threads

TEST_F(Planes, GiveTheSameBitsForAnyNumberOfThreads)
{
    MeshData data = generate::icosphere({.radius = 1, .subdivisions = 5});
    const CollisionMesh mesh(
        data,
        {.planes = {{.point = {0, -0.9, 0}, .normal = {0.1, 1, 0.2}}, {.point = {0, 0.95, 0}, .normal = {0, -1, 0}}}});
    const CollisionMesh above(data, {.planes = {{.point = {0, -1.005, 0}}}});
    Positions X1 = data.vertices;
    X1.col(1).array() -= 0.01;
    std::vector<Candidates> candidates;
    std::vector<DetectedPairs> detected;
    std::vector<StepLimit> limits;
    std::vector<std::vector<IndexPair>> behind;
    std::vector<double> smallest;
    for (const int threads : {1, 2, 4}) {
        set_num_threads(threads);
        candidates.emplace_back().build(mesh, data.vertices, X1, 0);
        Detection detection(mesh, {.range = 0.02});
        detection.update(data.vertices);
        detected.push_back(detection.pairs().pv);
        limits.push_back(find_collision_free_stepsize(above, data.vertices, X1));
        behind.emplace_back();
        for (const Intersection& intersection : find_intersections(mesh, data.vertices))
            behind.back().push_back(intersection.pair);
        smallest.push_back(compute_minimum_distance(above, data.vertices));
    }
    EXPECT_GT(candidates[0].pv.size(), 500u);
    EXPECT_GT(detected[0].size(), 500u);
    EXPECT_GT(behind[0].size(), 500u);
    EXPECT_EQ(limits[0].kind, PairKind::plane_vertex);
    for (std::size_t k = 1; k < 3; ++k) {
        EXPECT_EQ(candidates[k].pv, candidates[0].pv);
        EXPECT_EQ(detected[k], detected[0]);
        EXPECT_EQ(behind[k], behind[0]);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(limits[k].step), std::bit_cast<std::uint64_t>(limits[0].step));
        EXPECT_EQ(limits[k].kind, limits[0].kind);
        EXPECT_EQ(limits[k].pair, limits[0].pair);
        EXPECT_EQ(smallest[k], smallest[0]);
    }
}

} // namespace
} // namespace abut::test::planes_test
