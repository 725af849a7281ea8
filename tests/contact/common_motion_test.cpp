// Bodies that move as rigid ones before anything is bounded: what fits best, that free motion is not cut, and that
// nothing passes through anything.

#include "abut/contact/ogc/common_motion.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/base/random.hpp"
#include "abut/detect/group_steps.hpp"
#include "abut/detect/intersections.hpp"
#include "abut/detect/step_size.hpp"
#include "abut/mesh/generate/generators.hpp"

#include <gtest/gtest.h>

namespace abut::test::common_motion_test {

namespace {

Vec3 random_vector(RandomStream& random, double size)
{
    return size * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
}

Eigen::Matrix3d random_rotation(RandomStream& random)
{
    return Eigen::AngleAxisd(random.uniform(0, 3), random_vector(random, 1).normalized()).toRotationMatrix();
}

std::vector<int> one_group(Eigen::Index size) { return std::vector<int>(static_cast<std::size_t>(size), 0); }

RigidMotion fit_one(const Positions& X, const Positions& Y)
{
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(X.rows());
    return fit_rigid_motions(one_group(X.rows()), 1, X, Y, ones)[0];
}

/// Sum of squares of what a motion leaves of a move.
double misfit(const RigidMotion& motion, const Positions& X, const Positions& Y)
{
    Positions moved = X;
    apply(std::span(&motion, 1), one_group(X.rows()), moved);
    return (moved - Y).squaredNorm();
}

/// Bodies of several kinds in a row of random places and orientations, free of intersections.
MeshData random_bodies(RandomStream& random, int count, double spread)
{
    MeshData all;
    while (count > 0) {
        MeshData body;
        switch (static_cast<int>(random.uniform(0, 4))) {
        case 0:
            body = generate::icosphere({.radius = 0.3, .subdivisions = 1});
            break;
        case 1:
            body = generate::cloth({.size = {0.8, 0.8}, .cells = {4, 4}});
            break;
        case 2:
            body = generate::rod({.segments = 4});
            break;
        default:
            body = generate::tet_box({.size = Vec3::Constant(0.4), .subdivisions = {2, 2, 2}});
        }
        MeshData candidate = all;
        append(candidate, translated(transformed(body, random_rotation(random)), random_vector(random, spread)));
        const CollisionMesh mesh(candidate);
        if (has_intersections(mesh, mesh.rest_positions()) ||
            compute_minimum_distance(mesh, mesh.rest_positions()) < 1e-4)
            continue;
        all = candidate;
        --count;
    }
    return all;
}

struct Started {
    CollisionMesh mesh;
    Positions X;
    Detection detection;

    Started(CollisionMesh given, double range)
        : mesh(std::move(given)), X(mesh.rest_positions()), detection(mesh, {.range = range})
    {
        detection.update(X);
    }
};

} // namespace

TEST(RigidMotion, TheFitFindsRotationAndShift)
{
    RandomStream random(7);
    for (int repeat = 0; repeat < 50; ++repeat) {
        Positions X(6, 3);
        for (Eigen::Index v = 0; v < 6; ++v)
            X.row(v) = random_vector(random, 1).transpose();
        const Eigen::Matrix3d R = random_rotation(random);
        const Vec3 shift = random_vector(random, 5);
        const Positions Y = (X * R.transpose()).rowwise() + shift.transpose();
        EXPECT_LT(misfit(fit_one(X, Y), X, Y), 1e-24);
    }
}

TEST(RigidMotion, NoOtherMotionFitsBetter)
{
    RandomStream random(8);
    for (int repeat = 0; repeat < 20; ++repeat) {
        Positions X(5, 3), Y(5, 3);
        for (Eigen::Index v = 0; v < 5; ++v) {
            X.row(v) = random_vector(random, 1).transpose();
            Y.row(v) = X.row(v) + random_vector(random, 0.5).transpose();
        }
        const RigidMotion best = fit_one(X, Y);
        for (int other = 0; other < 20; ++other) {
            RigidMotion motion = best;
            motion.shift += random_vector(random, 0.1);
            const Eigen::AngleAxisd turned(random_rotation(random) * best.rotation());
            motion.axis = turned.axis();
            motion.angle = turned.angle();
            EXPECT_GT(misfit(motion, X, Y), misfit(best, X, Y));
        }
    }
}

TEST(RigidMotion, ABodyThatSpinsTurnsByTheArcTangentOfItsPrediction)
{
    // Implicit Euler's prediction x + dt ω × x is longer than x; the rotation nearest to I + dt [ω] has this angle.
    const Positions X = generate::icosphere({.radius = 0.1, .subdivisions = 1}).vertices;
    for (const double angle : {1e-6, 0.1, 1.0, 10.0}) {
        Positions Y = X;
        for (Eigen::Index v = 0; v < X.rows(); ++v)
            Y.row(v) += angle * Vec3(0, 0, 1).cross(Vec3(X.row(v))).transpose();
        const RigidMotion motion = fit_one(X, Y);
        EXPECT_NEAR(motion.angle, std::atan(angle), 1e-12);
        EXPECT_NEAR(motion.axis.z(), 1, 1e-9);
    }
}

TEST(RigidMotion, WhereRotationsFitAlikeTheLeastIsTaken)
{
    Positions point(1, 3), line(3, 3);
    point << 1, 2, 3;
    const RigidMotion of_point = fit_one(point, point.array() + 1);
    EXPECT_EQ(of_point.angle, 0);
    EXPECT_EQ(of_point.shift, Vec3::Constant(1));
    line << 0, 0, 0, 1, 0, 0, 3, 0, 0;
    Positions turned(3, 3);
    turned << 0, 0, 0, 0, 1, 0, 0, 3, 0;
    const RigidMotion of_line = fit_one(line, turned);
    EXPECT_NEAR(of_line.angle, M_PI / 2, 1e-12);
    EXPECT_NEAR(of_line.axis.z(), 1, 1e-12) << "not about the line itself";
    EXPECT_NEAR(fit_one(line, line).angle, 0, 1e-12);
    // What has no weight does not move.
    EXPECT_TRUE(fit_rigid_motions(one_group(3), 1, line, turned, Eigen::VectorXd::Zero(3))[0].is_none());
}

TEST(RigidMotion, InThePlaneTurnsAreAboutZ)
{
    const Positions X = generate::squircle({.segments = 12}).vertices;
    ASSERT_EQ(X.cols(), 2);
    const Eigen::Matrix2d R = Eigen::Rotation2Dd(0.7).toRotationMatrix();
    const Positions Y = (X * R.transpose()).rowwise() + Eigen::RowVector2d(3, -1);
    const RigidMotion motion = fit_one(X, Y);
    EXPECT_NEAR(motion.angle, 0.7, 1e-12);
    EXPECT_NEAR(motion.axis.z(), 1, 1e-12);
    EXPECT_LT(misfit(motion, X, Y), 1e-24);
}

TEST(CommonMotion, ABodyInEmptySpaceGoesAnyWay)
{
    for (const double size : {1e-3, 1.0, 1e3})
        for (const double place : {0.0, 1e4}) {
            MeshData cube = generate::tet_box({.size = Vec3::Constant(size), .subdivisions = {4, 4, 4}});
            cube = translated(cube, Vec3(place, 0, -place));
            const Started at(CollisionMesh(cube), 1e-3 * size);
            const CommonMotion motion(at.mesh, {.clearance = 1e-3 * size});
            for (const double way : {1e-3, 1.0, 100.0}) {
                RigidMotion wanted{.center = Vec3(at.X.colwise().mean()), .shift = Vec3(0, way * size, 0)};
                wanted.axis = Vec3(1, 2, -1).normalized();
                wanted.angle = 1;
                const CommonMove moved = motion.move(at.detection, at.X, std::span(&wanted, 1));
                EXPECT_EQ(moved.num_cut, 0);
                EXPECT_EQ(moved.shares[0], 1);
                // Distances are the same but for rounding.
                const double rounding = 64 * 0x1p-53 * (place + 101 * way * size + 2 * size);
                for (int e = 0; e < at.mesh.num_edges(); ++e) {
                    const int i = at.mesh.edges()(e, 0), j = at.mesh.edges()(e, 1);
                    EXPECT_NEAR((moved.X.row(i) - moved.X.row(j)).norm(), (at.X.row(i) - at.X.row(j)).norm(), rounding);
                }
            }
        }
}

TEST(CommonMotion, ABodyStopsBeforeAWallAPlaneAndOtherBodies)
{
    MeshData bodies = generate::tet_box({.size = Vec3::Constant(0.2), .subdivisions = {3, 3, 3}});
    const auto small = bodies.vertices.rows();
    append(bodies, translated(generate::cloth({.size = {2, 2}, .cells = {6, 6}}), Vec3(0, -1, 0)));
    for (const bool has_plane : {false, true}) {
        CollisionMeshOptions options;
        if (has_plane)
            options.planes = {{Vec3(0, -0.5, 0), Vec3::UnitY()}};
        MeshData above = bodies;
        if (has_plane)
            above.vertices.bottomRows(bodies.vertices.rows() - small).col(1).array() += 5;
        const Started at(CollisionMesh(above, options), 0.012);
        const CommonMotion motion(at.mesh, {.dmin = 1e-3, .clearance = 0.01});
        std::vector<RigidMotion> wanted(2);
        wanted[0].shift = Vec3(0.1, -50, 0);
        const CommonMove moved = motion.move(at.detection, at.X, wanted);
        EXPECT_EQ(moved.num_cut, 1);
        EXPECT_EQ(moved.shares[1], 1);
        const double gap = moved.X.topRows(at.mesh.num_vertices() - 49).col(1).minCoeff() - (has_plane ? -0.5 : -1);
        EXPECT_GT(gap, 0.011);
        EXPECT_LT(gap, 0.05) << "it comes near in one go";
    }
}

TEST(CommonMotion, WhatPressesStaysUnlessAsked)
{
    MeshData bodies = generate::tet_box({.size = Vec3::Constant(0.2), .subdivisions = {2, 2, 2}});
    append(bodies, translated(bodies, Vec3(0.03, 0.205, 0)));
    append(bodies, translated(generate::icosphere({.radius = 0.1, .subdivisions = 1}), Vec3(2, 0, 0)));
    const Started at(CollisionMesh(bodies), 0.01);
    std::vector<RigidMotion> wanted(3);
    wanted[1].shift = Vec3(0.5, 0.1, 0);
    wanted[2].shift = Vec3(0, 1, 0);
    const CommonMove still = CommonMotion(at.mesh, {.clearance = 0.01}).move(at.detection, at.X, wanted);
    EXPECT_EQ(still.shares[1], 0);
    EXPECT_EQ(still.shares[2], 1);
    const CommonMove moved =
        CommonMotion(at.mesh, {.clearance = 0.01, .moves_touching = true}).move(at.detection, at.X, wanted);
    EXPECT_EQ(moved.shares[1], 1) << "it slides and lifts off";
    // Downwards it keeps half of its gap of 5 mm.
    wanted[1].shift = Vec3(0, -1, 0);
    const CommonMove down =
        CommonMotion(at.mesh, {.clearance = 0.01, .moves_touching = true}).move(at.detection, at.X, wanted);
    EXPECT_GE(compute_minimum_distance(at.mesh, down.X), 2.5e-3);
    EXPECT_LT(compute_minimum_distance(at.mesh, down.X), 4e-3);
}

TEST(CommonMotion, NothingPassesThroughAnythingHoweverBodiesFly)
{
    RandomStream random(21);
    int num_whole = 0, num_cut = 0, num_held = 0;
    for (int repeat = 0; repeat < 60; ++repeat) {
        const int count = 2 + repeat % 5;
        const MeshData bodies = random_bodies(random, count, 0.6);
        CollisionMeshOptions options;
        if (repeat % 3 == 0)
            options.planes = {{Vec3(0, bodies.vertices.col(1).minCoeff() - 0.35, 0), Vec3(0.1, 1, 0)}};
        CollisionMesh mesh(bodies, options);
        if (repeat % 4 == 1)
            mesh = mesh.with_offsets(ContactOffsets(std::vector<double>(mesh.num_vertices(), 2e-5)));
        const double dmin = repeat % 2 == 0 ? 0 : 2e-5;
        const Started at(mesh, 0.021);
        const CommonMotion motion(at.mesh, {.dmin = dmin, .clearance = 0.02, .moves_touching = repeat % 4 < 2});
        ASSERT_EQ(motion.num_groups(), count);
        std::vector<RigidMotion> wanted(count);
        for (int g = 0; g < count; ++g) {
            wanted[g].center = random_vector(random, 1);
            wanted[g].shift = random_vector(random, std::pow(10, random.uniform(-2, 0.7)));
            wanted[g].axis = random_vector(random, 1).normalized();
            wanted[g].angle = random.uniform(0, 3.1);
        }
        const CommonMove moved = motion.move(at.detection, at.X, wanted);
        // The straight lines, within groups too: there at no distance but above 0 half-way
        EXPECT_TRUE(is_step_collision_free(at.mesh.with_offsets({}), at.X, moved.X)) << repeat;
        EXPECT_FALSE(has_intersections(at.mesh, moved.X)) << repeat;
        EXPECT_GT(compute_minimum_distance(at.mesh, moved.X), dmin) << repeat;
        for (int g = 0; g < count; ++g) {
            num_whole += moved.shares[g] == 1;
            num_held += moved.shares[g] == 0;
            num_cut += moved.shares[g] > 0 && moved.shares[g] < 1;
        }
        // The same for other numbers of threads
        set_num_threads(1 + repeat % 3);
        EXPECT_EQ(motion.move(at.detection, at.X, wanted).X, moved.X);
        set_num_threads(0);
    }
    EXPECT_GT(num_whole, 20);
    EXPECT_GT(num_cut, 20);
    EXPECT_GT(num_held, 5);
}

TEST(CommonMotion, CurvesInThePlaneStopBeforeEachOther)
{
    MeshData curves = generate::squircle({.segments = 20});
    append(curves, translated(generate::squircle({.segments = 16}), Vec2(0.1, 2.5)));
    const Started at(CollisionMesh(curves), 0.1);
    const CommonMotion motion(at.mesh, {.clearance = 0.1});
    std::vector<RigidMotion> wanted(2);
    wanted[0].angle = 1;
    wanted[1].center = Vec3(0.1, 2.5, 0);
    wanted[1].shift = Vec3(0, -4, 0);
    wanted[1].angle = 0.5;
    const CommonMove moved = motion.move(at.detection, at.X, wanted);
    EXPECT_TRUE(is_step_collision_free(at.mesh, at.X, moved.X));
    EXPECT_GT(moved.shares[1], 0);
    EXPECT_LT(moved.shares[1], 0.2);
    const double distance = compute_minimum_distance(at.mesh, moved.X);
    EXPECT_GT(distance, 0.1);
    EXPECT_LT(distance, 0.3);
}

TEST(CommonMotion, GroupsThatSplitAnElementAreRejected)
{
    const CollisionMesh mesh(generate::icosphere({.radius = 1, .subdivisions = 0}));
    std::vector<int> groups(mesh.num_vertices(), 0);
    groups[3] = 1;
    EXPECT_THROW(CommonMotion(mesh, groups, {.clearance = 0.1}), InvalidInput);
    groups.pop_back();
    EXPECT_THROW(CommonMotion(mesh, groups, {.clearance = 0.1}), InvalidInput);
    EXPECT_THROW(CommonMotion(mesh, {.clearance = 0}), InvalidInput);
}

TEST(CommonMotion, ADetectionThatIsTooShortIsRejected)
{
    const Started at(CollisionMesh(generate::icosphere({.radius = 1, .subdivisions = 0})), 0.01);
    const std::vector<RigidMotion> wanted{{.shift = Vec3(0, 1, 0)}};
    const CommonMotion still(at.mesh, {.dmin = 1e-3, .clearance = 0.01});
    EXPECT_THROW((void)still.move(at.detection, at.X, wanted), InvalidInput);
    const CommonMotion touching(at.mesh, {.dmin = 1e-3, .clearance = 0.01, .moves_touching = true});
    EXPECT_EQ(touching.move(at.detection, at.X, wanted).shares[0], 1);
}

TEST(CommonMotion, WhatComesNearNothingFliesWithoutADetection)
{
    RandomStream random(11);
    int num_flown = 0, num_left = 0;
    for (int repeat = 0; repeat < 40; ++repeat) {
        const MeshData bodies = random_bodies(random, 5, 4);
        CollisionMeshOptions options;
        options.planes = {{Vec3(0, -6, 0), Vec3::UnitY()}};
        const CollisionMesh mesh(bodies, options);
        const CommonMotion motion(mesh, {.clearance = 0.05});
        std::vector<RigidMotion> wanted(motion.num_groups());
        for (RigidMotion& each : wanted) {
            each.shift = random_vector(random, 3);
            each.angle = random.uniform(0, 2.5);
            each.axis = random_vector(random, 1).normalized();
        }
        wanted[0] = {};
        const double range = 0.1;
        const Positions X0 = mesh.rest_positions(); // without what is inside of bodies
        const CommonMove moved = motion.fly(X0, wanted, range);
        EXPECT_EQ(moved.shares[0], 0);
        for (int g = 0; g < motion.num_groups(); ++g) {
            EXPECT_EQ(moved.shares[g] == 0, moved.motions[g].is_none());
            num_flown += moved.shares[g] > 0;
            num_left += moved.shares[g] == 0;
        }
        // Detection agrees, on the way and at its end
        for (const double share : {0.5, 1.0}) {
            const Positions X = X0 + share * (moved.X - X0);
            Detection detection(mesh, {.range = range});
            detection.update(X);
            for_each_kind(
                [&](PairKind kind, const DetectedPairs& near) {
                    for (const IndexPair& pair : near.pairs) {
                        const auto group = [&](ElementKind element, int i) {
                            return element == ElementKind::plane    ? -1
                                   : element == ElementKind::vertex ? motion.group_of_vertex()[i]
                                   : element == ElementKind::edge   ? motion.group_of_vertex()[mesh.edges()(i, 0)]
                                                                    : motion.group_of_vertex()[mesh.faces()(i, 0)];
                        };
                        const int a = group(element_kinds(kind)[0], pair[0]),
                                  b = group(element_kinds(kind)[1], pair[1]);
                        if (a != b) {
                            EXPECT_EQ(a < 0 ? 0 : moved.shares[a], 0);
                            EXPECT_EQ(moved.shares[b], 0);
                        }
                    }
                },
                detection.pairs());
        }
    }
    EXPECT_GT(num_flown, 10);
    EXPECT_GT(num_left, 60);
}

TEST(GroupSteps, AgreeWithTheStepOfTheWholeMeshWhereGroupsAreOneElementEach)
{
    // Two triangles: the share of both is that of the whole step, but for tolerance.
    RandomStream random(5);
    int num_hits = 0;
    for (int repeat = 0; repeat < 400; ++repeat) {
        Positions X0(6, 3), X1(6, 3);
        for (int v = 0; v < 6; ++v) {
            X0.row(v) = random_vector(random, 0.4).transpose() + (v < 3 ? 1 : -1) * Eigen::RowVector3d(0, 0.6, 0);
            X1.row(v) = X0.row(v) + random_vector(random, 2).transpose();
        }
        Faces faces(2, 3);
        faces << 0, 1, 2, 3, 4, 5;
        const CollisionMesh mesh(X0, Edges(0, 2), faces);
        const std::vector<int> groups{0, 0, 0, 1, 1, 1};
        const std::vector<double> shares = find_group_steps(mesh, groups, 2, X0, X1, {.dmin = 0.01, .clearance = 1e-9});
        EXPECT_EQ(shares[0], shares[1]);
        const double exact =
            compute_collision_free_stepsize(mesh, X0, X1, {.dmin = 0.01, .rescaling = 1 - 1e-9, .tolerance = 1e-6});
        EXPECT_LE(shares[0], exact * (1 + 1e-6));
        EXPECT_GE(shares[0], exact * 0.97);
        num_hits += exact < 1;
    }
    EXPECT_GT(num_hits, 50);
    EXPECT_LT(num_hits, 350);
}

} // namespace abut::test::common_motion_test
