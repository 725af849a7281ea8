// The gradient of the barrier by the rest positions, which enter through area weights and mollifier thresholds.

#include "abut/base/error.hpp"
#include "abut/contact/barrier_potential.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "support/finite_differences.hpp"

namespace abut::test::shape_derivative_test {

namespace {

struct Scene {
    Positions rest, X;
    Elements edges{0, 2}, faces{0, 3};
};

/// Derivative of the gradient over sets that are built anew for every rest shape, by differences.
void expect_matches_differences(const Scene& scene, const NormalCollisionsOptions& options)
{
    const BarrierPotential barrier(options.dhat, 3.0);
    const auto gradient = [&](const Eigen::VectorXd& r) -> Eigen::VectorXd {
        Positions rest = scene.rest;
        std::copy(r.begin(), r.end(), rest.data());
        const CollisionMesh mesh(rest, scene.edges, scene.faces);
        NormalCollisions collisions;
        collisions.build(mesh, scene.X, options);
        return barrier.gradient(collisions, mesh, scene.X);
    };
    const CollisionMesh mesh(scene.rest, scene.edges, scene.faces);
    NormalCollisions collisions;
    collisions.build(mesh, scene.X, options);
    ASSERT_FALSE(collisions.empty());
    const Eigen::MatrixXd analytic = barrier.shape_derivative(collisions, mesh, scene.X);
    const Eigen::VectorXd r = Eigen::Map<const Eigen::VectorXd>(scene.rest.data(), scene.rest.size());
    const Eigen::MatrixXd numeric = central_differences(gradient, r);
    EXPECT_GT(numeric.norm(), 0);
    EXPECT_LE((analytic - numeric).norm(), 1e-7 * numeric.norm());
}

/// Two sheets, one above the other and turned a little, whose rest shape is another than their shape.
Scene two_sheets(double angle)
{
    MeshData both = generate::plane_grid({.cells = {2, 2}});
    append(
        both,
        translated(
            transformed(both, Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix()), Vec3(0.13, 0.05, 0.07)));
    Scene scene;
    scene.X = both.vertices;
    scene.faces = both.faces;
    scene.rest = 1.3 * both.vertices;
    for (Eigen::Index i = 0; i < scene.rest.rows(); ++i)
        scene.rest(i, 1) += 0.1 * std::sin(3.0 * double(i));
    return scene;
}

TEST(ShapeDerivative, MatchesDifferencesThroughAreaWeights)
{
    expect_matches_differences(
        two_sheets(0.4), {.dhat = 0.1, .use_area_weighting = true, .enable_shape_derivatives = true});
}

TEST(ShapeDerivative, MatchesDifferencesForTheConvergentSet)
{
    expect_matches_differences(
        two_sheets(0.4), {.dhat = 0.1,
                          .set_type = CollisionSetType::convergent,
                          .use_area_weighting = true,
                          .enable_shape_derivatives = true});
}

TEST(ShapeDerivative, MatchesDifferencesThroughTheMollifiersThreshold)
{
    // Angles below asin(sqrt(1e-3)) = 0.0316 are mollified.
    expect_matches_differences(two_sheets(0.02), {.dhat = 0.1, .enable_shape_derivatives = true});
}

TEST(ShapeDerivative, MatchesDifferencesInThePlane)
{
    Scene scene;
    scene.X.resize(7, 2);
    scene.X << 0, 0, 1, 0.05, 2, 0, 3, 0.02, 0.4, 0.1, 1.6, 0.12, 5, 5;
    scene.rest = 1.2 * scene.X;
    scene.edges.resize(4, 2);
    scene.edges << 0, 1, 1, 2, 2, 3, 4, 5;
    for (const auto type : {CollisionSetType::ipc, CollisionSetType::convergent})
        expect_matches_differences(
            scene, {.dhat = 0.2, .set_type = type, .use_area_weighting = true, .enable_shape_derivatives = true});
}

TEST(ShapeDerivative, NeedsASetThatRemembersItsWeights)
{
    const Scene scene = two_sheets(0.4);
    const CollisionMesh mesh(scene.rest, scene.edges, scene.faces);
    NormalCollisions collisions;
    collisions.build(mesh, scene.X, {.dhat = 0.1});
    EXPECT_THROW((void)BarrierPotential(0.1).shape_derivative(collisions, mesh, scene.X), InvalidInput);
}

} // namespace

} // namespace abut::test::shape_derivative_test
