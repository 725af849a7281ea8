// GCP at rest: with adaptive extents, nothing acts on a shape that has only been moved rigidly. And that sets of pairs
// do not depend on how they were found.

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/gcp/smooth_contact_potential.hpp"
#include "abut/detect/detection.hpp"
#include "support/gcp_shapes.hpp"

#include <gtest/gtest.h>

namespace abut::test::gcp_rest_test {

namespace {

/// The positions of a collision mesh's own vertices: those on the surface of solids.
const Positions& rest(const CollisionMesh& mesh) { return mesh.rest_positions(); }

TEST(GcpRest, NothingActsAfterRigidMotions)
{
    RandomStream random(1);
    for (const RestShape& shape : rest_shapes())
        for (const double alpha_t : {0.1, 0.5, 0.95}) {
            SCOPED_TRACE(shape.name + ", alpha_t " + std::to_string(alpha_t));
            const CollisionMesh mesh(shape.data);
            const SmoothContactParameters params{.dhat = shape.dhat, .alpha_t = alpha_t};
            const SmoothContactPotential potential(params, 1e9);
            const SmoothExtents extents = adaptive_extents(mesh, rest(mesh), params);
            SmoothCollisions set;
            for (int n = 0; n < 12; ++n) {
                // The first stays, the others go up to 1000 m away
                const Positions X = n == 0 ? rest(mesh) : rigidly_moved(rest(mesh), random, n % 4 == 0 ? 1e3 : n);
                set.build(mesh, X, params, extents);
                EXPECT_EQ(potential(set, mesh, X), 0) << "motion " << n;
                EXPECT_EQ(potential.gradient(set, mesh, X).cwiseAbs().sum(), 0) << "motion " << n;
            }
        }
}

TEST(GcpRest, MirrorImagesAreAtRestToo)
{
    // A mirror turns outsides in, unless the elements are turned around as transformed() does.
    for (const RestShape& shape : rest_shapes()) {
        SCOPED_TRACE(shape.name);
        Eigen::MatrixXd mirror = Eigen::MatrixXd::Identity(shape.data.vertices.cols(), shape.data.vertices.cols());
        mirror(0, 0) = -1;
        const CollisionMesh mesh(shape.data), mirrored(transformed(shape.data, mirror));
        const SmoothContactParameters params{.dhat = shape.dhat};
        const SmoothExtents extents = adaptive_extents(mesh, rest(mesh), params),
                            other = adaptive_extents(mirrored, rest(mirrored), params);
        EXPECT_LE((extents.vertices - other.vertices).cwiseAbs().maxCoeff(), 1e-12);
        SmoothCollisions set;
        set.build(mirrored, rest(mirrored), params, other);
        EXPECT_TRUE(set.empty());
    }
}

TEST(GcpRest, ExtentsStayWholeWhereNothingIsNear)
{
    // At convex bodies, and at a notch of 90 degrees, extents above the lengths of edges and the thickness of walls
    // need no reduction at all.
    for (const RestShape& shape : rest_shapes()) {
        SCOPED_TRACE(shape.name);
        const CollisionMesh mesh(shape.data);
        const SmoothContactParameters params{.dhat = shape.dhat};
        const SmoothExtents extents = adaptive_extents(mesh, rest(mesh), params);
        const double smallest = std::min(extents.vertices.minCoeff(), extents.edges.minCoeff());
        EXPECT_EQ(smallest < shape.dhat, shape.is_reduced) << smallest;
        EXPECT_GT(smallest, 0);
        // Without adaptive extents, that is where the potential acts.
        SmoothCollisions set;
        set.build(mesh, rest(mesh), params);
        EXPECT_EQ(SmoothContactPotential(params)(set, mesh, rest(mesh)) > 0, shape.is_reduced);
    }
}

TEST(GcpRest, ExtentsAreTheShareOfTheDistanceAtRest)
{
    MeshData blocks = generate::box();
    append(blocks, translated(generate::box(), Vec3(0.1, 1.02, 0.1)));
    const CollisionMesh mesh(blocks);
    for (const double ratio : {0.25, 0.5, 0.9}) {
        const SmoothContactParameters params{.dhat = 0.1};
        const SmoothExtents extents = adaptive_extents(mesh, rest(mesh), params, ratio);
        EXPECT_NEAR(extents.vertices.minCoeff(), ratio * 0.02, 1e-12);
        EXPECT_EQ(extents.vertices.maxCoeff(), 0.1); // far sides keep theirs
        for (int f = 0; f < mesh.num_faces(); ++f)
            for (int k = 0; k < 3; ++k) {
                EXPECT_LE(extents.faces[f], extents.vertices[mesh.faces()(f, k)]);
                EXPECT_LE(extents.faces[f], extents.edges[mesh.faces_to_edges()(f, k)]);
            }
        // Moved together by more than the rest of the share, they act.
        Positions X = rest(mesh);
        X.bottomRows(8).col(1).array() -= 0.02 * (1 - 0.5 * ratio);
        SmoothCollisions set;
        set.build(mesh, X, params, extents);
        EXPECT_GT(SmoothContactPotential(params)(set, mesh, X), 0);
    }
}

TEST(GcpRest, ExtentsHaveToFitTheMesh)
{
    const CollisionMesh mesh(generate::box()), other(generate::icosphere({.subdivisions = 1}));
    const SmoothContactParameters params{.dhat = 0.1};
    SmoothExtents extents = adaptive_extents(mesh, rest(mesh), params);
    SmoothCollisions set;
    EXPECT_NO_THROW(set.build(mesh, rest(mesh), params, extents));
    EXPECT_THROW(set.build(other, rest(other), params, extents), InvalidInput);
    extents.edges[2] = 0;
    EXPECT_THROW(set.build(mesh, rest(mesh), params, extents), InvalidInput);
}

// --- However they were found ---

/// Each shape squeezed to two thirds along x and shaken, so that many pairs act; and its parameters.
template <typename Visit>
void for_each_active(Visit&& visit)
{
    RandomStream random(3);
    for (const RestShape& shape : rest_shapes()) {
        SCOPED_TRACE(shape.name);
        const CollisionMesh mesh(shape.data);
        Positions X = rest(mesh);
        X.col(0) *= 2.0 / 3;
        for (double& x : X.reshaped())
            x += random.uniform(-1e-3, 1e-3);
        visit(mesh, X, SmoothContactParameters{.dhat = 2 * shape.dhat, .alpha_t = 0.8});
    }
}

TEST(GcpSets, AreTheSameByBruteForceByDetectionAndByCandidates)
{
    std::size_t pairs = 0;
    for_each_active([&](const CollisionMesh& mesh, const Positions& X, const SmoothContactParameters& params) {
        SmoothCollisions by_bvh, by_brute_force, by_candidates, by_detection;
        const SmoothExtents adaptive = adaptive_extents(mesh, rest(mesh), params),
                            by_force = adaptive_extents(mesh, rest(mesh), params, 0.5, BroadPhase::brute_force);
        EXPECT_EQ(adaptive.vertices, by_force.vertices);
        EXPECT_EQ(adaptive.edges, by_force.edges);
        EXPECT_EQ(adaptive.faces, by_force.faces);
        Candidates candidates;
        candidates.build(mesh, X, 1.5 * params.dhat);
        Detection detection(mesh, {.range = 1.1 * params.dhat});
        detection.update(rest(mesh)); // and then somewhere else
        detection.update(X);
        for (const SmoothExtents& extents : {SmoothExtents(), adaptive}) {
            by_bvh.build(mesh, X, params, extents);
            by_brute_force.build(mesh, X, params, extents, BroadPhase::brute_force);
            by_candidates.build(candidates, mesh, X, params, extents);
            by_detection.build(detection, mesh, X, params, extents);
            EXPECT_EQ(by_bvh, by_brute_force);
            EXPECT_EQ(by_bvh, by_candidates);
            EXPECT_EQ(by_bvh, by_detection);
            pairs += by_bvh.size();
        }
        Detection near(mesh, {.range = 0.5 * params.dhat});
        near.update(X);
        EXPECT_THROW(by_detection.build(near, mesh, X, params), InvalidInput);
    });
    EXPECT_GT(pairs, 1000u);
}

TEST(GcpSets, AndPotentialsAreTheSameForAnyNumberOfThreads)
{
    for_each_active([&](const CollisionMesh& mesh, const Positions& X, const SmoothContactParameters& params) {
        const auto run = [&](int threads) {
            set_num_threads(threads);
            SmoothCollisions set;
            const SmoothExtents extents = adaptive_extents(mesh, rest(mesh), params);
            set.build(mesh, X, params);
            const SmoothContactPotential potential(params);
            std::vector<double> all{potential(set, mesh, X)};
            const Eigen::VectorXd gradient = potential.gradient(set, mesh, X);
            const Eigen::SparseMatrix<double> H = potential.hessian(set, mesh, X, PSDProjectionMethod::clamp);
            all.insert(all.end(), extents.edges.begin(), extents.edges.end());
            all.insert(all.end(), gradient.begin(), gradient.end());
            all.insert(all.end(), H.valuePtr(), H.valuePtr() + H.nonZeros());
            set_num_threads(0);
            return all;
        };
        const std::vector<double> one = run(1);
        for (const int threads : {2, 5})
            EXPECT_EQ(run(threads), one); // bit by bit
    });
}

TEST(GcpSets, HaveTheSameEnergyAfterRigidMotions)
{
    RandomStream random(8);
    for_each_active([&](const CollisionMesh& mesh, const Positions& X, const SmoothContactParameters& params) {
        const SmoothContactPotential potential(params);
        SmoothCollisions set;
        set.build(mesh, X, params);
        const double E = potential(set, mesh, X);
        const Positions moved = rigidly_moved(X, random, 3);
        SmoothCollisions set_moved;
        set_moved.build(mesh, moved, params);
        // Pairs whose energy is almost zero may come and go by rounding; the sum does not notice.
        EXPECT_NEAR(potential(set_moved, mesh, moved), E, 1e-9 * E);
    });
}

/// Energy of a set built anew.
double energy_at(const CollisionMesh& mesh, const Positions& X, const SmoothContactParameters& params)
{
    SmoothCollisions set;
    set.build(mesh, X, params);
    return SmoothContactPotential(params)(set, mesh, X);
}

TEST(GcpSets, ANeighbouringFaceWithoutAreaTestsNothing)
{
    // A triangle 0.11 m from the edge of another, whose third vertex then lies on the line through that edge.
    Positions X(6, 3);
    X << 0, 0, 0, 1, 0, 0, 0.5, -1, 0, 0.5, 0.1, 0.05, 0.5, 1, 0.5, 1, 1, 0.6;
    const CollisionMesh mesh(X, Elements(Eigen::MatrixXi(0, 2)), Elements(Eigen::MatrixXi{{0, 1, 2}, {3, 4, 5}}));
    const SmoothContactParameters params{.dhat = 0.2};
    X.row(2) << 2, 0, 0;
    const double flat = energy_at(mesh, X, params);
    EXPECT_TRUE(std::isfinite(flat));
    EXPECT_GT(flat, 0) << "the edge and the vertex are near each other, whatever the face behind the edge";
    // With a little area the face keeps its edges' pairs on one side, and those of the edge that it hides on the other.
    X(2, 1) = -1e-14;
    const double below = energy_at(mesh, X, params);
    X(2, 1) = 1e-14;
    const double above = energy_at(mesh, X, params);
    EXPECT_NEAR(above, 20.26, 5e-3);
    EXPECT_NEAR(flat, below + above, 1e-9 * flat);
}

TEST(GcpSets, ALooseEdgeWithoutLengthHasABarrier)
{
    Positions X(3, 3);
    X << 0, 0, 0, 1, 0, 0, 0.05, 0, 0.1;
    const CollisionMesh mesh(X, Elements(Eigen::MatrixXi{{0, 1}}));
    X.row(1) = X.row(0);
    const SmoothContactParameters params{.dhat = 0.2};
    EXPECT_GT(energy_at(mesh, X, params), 0);
    EXPECT_NO_THROW(energy_at(mesh, X, SmoothContactParameters::toolkit(0.2)));
}

TEST(GcpSets, StayAsTheyWereWhereTheyCannotBeBuilt)
{
    MeshData squares = closed_curve({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
    append(squares, translated(squares, Vec2(1.05, 0.3)));
    const CollisionMesh mesh(squares);
    const SmoothContactParameters params{.dhat = 0.1};
    SmoothCollisions set;
    set.build(mesh, rest(mesh), params);
    ASSERT_FALSE(set.empty());
    const SmoothCollisions before = set;
    Positions touching = rest(mesh);
    touching.bottomRows(4).col(0).array() -= 1.05 - 1;
    EXPECT_THROW(set.build(mesh, touching, params), InvalidStart);
    EXPECT_EQ(set, before);
}

TEST(GcpSets, RejectWhatDoesNotFit)
{
    const CollisionMesh mesh(generate::box());
    const SmoothContactParameters params{.dhat = 0.1};
    SmoothCollisions set;
    EXPECT_THROW(set.build(mesh, Positions::Zero(3, 3), params), InvalidInput);
    Positions X = rest(mesh);
    X(0, 0) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(set.build(mesh, X, params), InvalidInput);
    EXPECT_THROW((void)adaptive_extents(mesh, X, params), InvalidInput);
    EXPECT_THROW((void)set[0], InvalidInput);
    // Touching: two squares that share a point
    MeshData squares = closed_curve({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
    append(squares, translated(squares, Vec2(1, 1)));
    const CollisionMesh touching(squares);
    EXPECT_THROW(set.build(touching, rest(touching), params), InvalidStart);
}

} // namespace

} // namespace abut::test::gcp_rest_test
