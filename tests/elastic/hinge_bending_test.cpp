#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/elastic/hinge_bending.hpp"
#include "abut/elastic/material.hpp"
#include "abut/elastic/plastic_hinges.hpp"
#include "abut/geometry/hinge_frame.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "elastic_states.hpp"
#include "support/finite_differences.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace abut::test::hinge_bending_test {
namespace {

HingeBending bending_of(const MeshData& mesh, RestAngles rest_angles = RestAngles::rest_shape, double stiffness = 1)
{
    return {mesh.vertices, mesh.faces, {.stiffness = {stiffness}, .rest_angles = rest_angles}};
}

/// Two triangles that meet at a given angle, of irregular shape.
MeshData hinge(double angle)
{
    MeshData mesh;
    mesh.vertices.resize(4, 3);
    mesh.vertices << 0, 0, 0, 1, 0, 0, 0.3, 0.8, 0, 0.6, -0.9 * std::cos(angle), -0.9 * std::sin(angle);
    mesh.faces.resize(2, 3);
    mesh.faces << 0, 1, 2, 1, 0, 3;
    return mesh;
}

TEST(HingeBending, DerivativesMatchDifferences)
{
    for (const double rest : {0.0, 0.7, -1.2})
        for (const double angle : {0.0, 1e-9, 0.4, -0.9, 2.5}) {
            const HingeBending energy = bending_of(hinge(rest));
            const Positions x = shaken(hinge(angle).vertices, 0.1);
            const auto at = [&](const Eigen::VectorXd& flat) {
                return assembled(energy, Positions(flat.reshaped(3, 4).transpose()));
            };
            const VectorFunction value = [&](const Eigen::VectorXd& flat) -> Eigen::VectorXd {
                return Eigen::VectorXd::Constant(1, at(flat).value());
            };
            const VectorFunction gradient = [&](const Eigen::VectorXd& flat) -> Eigen::VectorXd {
                return at(flat).gradient;
            };
            const Eigen::VectorXd flat = x.transpose().reshaped();
            expect_matches(at(flat).gradient.transpose(), central_differences(value, flat), "gradient");
            expect_matches(at(flat).hessian, central_differences(gradient, flat), "Hessian");
        }
}

TEST(HingeBending, TheRestShapeHasNoEnergyAndNoForceToTheBit)
{
    const MeshData mesh = generate::icosphere({.subdivisions = 1});
    const HingeBending energy = bending_of(mesh);
    const Assembled rest = assembled(energy, mesh.vertices);
    EXPECT_EQ(energy.stencils().size(), 120U);
    EXPECT_EQ(rest.value(), 0);
    EXPECT_EQ(rest.gradient.cwiseAbs().maxCoeff(), 0);
    EXPECT_GE(smallest_eigenvalue(rest.hessian), -1e-13 * rest.hessian.norm());
    EXPECT_GT(assembled(bending_of(mesh, RestAngles::flat), mesh.vertices).value(), 1);
}

TEST(HingeBending, StiffnessIsThatOfDiscreteShells)
{
    // Legs 3 and 4 m: |e|² = 25 m², two triangles of 6 m².
    MeshData mesh;
    mesh.vertices.resize(4, 3);
    mesh.vertices << 0, 0, 0, 3, 0, 0, 3, 4, 0, 0, 4, 0;
    mesh.faces.resize(2, 3);
    mesh.faces << 0, 1, 2, 0, 2, 3;
    const IsotropicModuli moduli{.young = 1e6, .poisson = 0.25};
    const double h = 0.01, D = plate_stiffness(moduli, h);
    const HingeBending energy(mesh.vertices, mesh.faces, {.stiffness = {D}});
    ASSERT_EQ(energy.stencils().size(), 1U);
    const double c = moduli.young * h * h * h / (72 * (1 - moduli.poisson * moduli.poisson));
    EXPECT_NEAR(energy.stiffness(0) / 2, c * 3 * 25 / 12, 1e-12 * c);
    // Different faces: weighted by area, which is the same for both.
    const HingeBending mixed(mesh.vertices, mesh.faces, {.stiffness = {1, 3}});
    EXPECT_DOUBLE_EQ(mixed.stiffness(0), 2 * 25.0 / 12);
}

/// The point of a sheet rolled up without stretch about an axis that makes `angle` with z, at the curvature kappa.
Vec3 rolled(const Vec3& X, double angle, double kappa)
{
    const Vec3 axis(std::sin(angle), 0, std::cos(angle)), across(std::cos(angle), 0, -std::sin(angle));
    const double s = kappa * X.dot(across);
    return X.dot(axis) * axis + std::sin(s) / kappa * across + (1 - std::cos(s)) / kappa * Vec3(0, 1, 0);
}

double rolled_energy(const MeshData& mesh, double angle, double kappa, double D)
{
    Positions x = mesh.vertices;
    for (Eigen::Index v = 0; v < x.rows(); ++v)
        x.row(v) = rolled(mesh.vertices.row(v), angle, kappa);
    return assembled(bending_of(mesh, RestAngles::rest_shape, D), x, PSDProjectionMethod::none, Order::value).value();
}

TEST(HingeBending, APlateRolledToACylinderHasTheEnergyOfThePlate)
{
    const IsotropicModuli moduli{.young = 1e7, .poisson = 0};
    const double h = 2e-3, kappa = 1.5, D = plate_stiffness(moduli, h);
    ASSERT_DOUBLE_EQ(D, moduli.young * h * h * h / 12);
    const double expected = 0.5 * D * kappa * kappa * 2 * 1; // a plate of 2 m by 1 m
    double last_error = 1;
    for (const int cells : {16, 32, 64, 128}) {
        const MeshData mesh = generate::cloth({.size = Vec2(2, 1), .cells = {2 * cells, cells}});
        const double error = std::abs(rolled_energy(mesh, 0, kappa, D) / expected - 1);
        EXPECT_LT(error, 0.55 * last_error); // the rims, which have no hinges, are what is missing
        last_error = error;
    }
    EXPECT_LT(last_error, 0.005);
}

/// A sheet of equilateral triangles with sides of 1 / n.
MeshData equilateral_sheet(int n)
{
    MeshData mesh = generate::plane_grid({.size = Vec2(1, 1), .cells = {n, n}});
    // Shears squares with parallel diagonals to rhombi of two equilateral triangles; one of the two shears does.
    for (const double sign : {1.0, -1.0}) {
        Mat<3, 3> shear = Mat<3, 3>::Identity();
        shear(0, 2) = sign * 0.5;
        shear(2, 2) = std::sqrt(0.75);
        MeshData sheared = mesh;
        sheared.vertices = mapped<3, 3>(mesh.vertices, shear);
        const auto corner = [&](int i) { return Vec3(sheared.vertices.row(sheared.faces(0, i))); };
        if (std::abs((corner(1) - corner(0)).norm() - (corner(2) - corner(1)).norm()) < 1e-9 &&
            std::abs((corner(1) - corner(0)).norm() - (corner(2) - corner(0)).norm()) < 1e-9)
            return sheared;
    }
    ADD_FAILURE() << "no equilateral triangles";
    return mesh;
}

TEST(HingeBending, EquilateralTrianglesRollAboutEveryAxisAlike)
{
    const MeshData mesh = equilateral_sheet(100);
    const double area = std::sqrt(0.75), kappa = 0.5;
    for (const double angle : {0.0, 0.2, 0.5, 1.0, 1.5})
        EXPECT_NEAR(rolled_energy(mesh, angle, kappa, 1) / (0.5 * kappa * kappa * area), 1, 0.02) << angle;
}

TEST(HingeBending, EnergyStaysAndForcesTurnWithTheSheet)
{
    RandomStream random(3);
    const MeshData mesh = generate::icosphere({.subdivisions = 1});
    const HingeBending energy = bending_of(mesh);
    const Positions x = shaken(mesh.vertices, 0.1);
    const Mat<3, 3> R = random_rotation<3>(random);
    const Assembled before = assembled(energy, x), after = assembled(energy, mapped<3, 3>(x, R, Vec3(1, 2, 3)));
    EXPECT_NEAR(before.value(), after.value(), 1e-12 * before.value());
    for (Eigen::Index v = 0; v < x.rows(); ++v)
        EXPECT_LE(
            (after.gradient.segment<3>(3 * v) - R * before.gradient.segment<3>(3 * v)).norm(),
            1e-12 * before.hessian.norm());
}

TEST(HingeBending, ThereIsNoNetForceAndNoNetTorque)
{
    const MeshData mesh = generate::icosphere({.subdivisions = 1});
    const Positions x = shaken(mesh.vertices, 0.1);
    const Eigen::VectorXd gradient = assembled(bending_of(mesh), x).gradient;
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (Eigen::Index v = 0; v < x.rows(); ++v) {
        force += gradient.segment<3>(3 * v);
        torque += Vec3(x.row(v)).cross(gradient.segment<3>(3 * v));
    }
    EXPECT_LE(force.norm(), 1e-12 * gradient.norm());
    EXPECT_LE(torque.norm(), 1e-12 * gradient.norm());
}

TEST(HingeBending, ProjectionIsThatOfTheDenseFormInTheCoordinatesOfTheHinge)
{
    int num_indefinite = 0;
    for (int seed = 1; seed <= 20; ++seed)
        for (const PSDProjectionMethod method : projections) {
            const HingeBending energy = bending_of(hinge(0.3));
            const Positions x = shaken(hinge(1.5).vertices, 0.2, seed);
            const Eigen::MatrixXd exact = assembled(energy, x).hessian;
            num_indefinite += smallest_eigenvalue(exact) < -1e-3 ? 1 : 0;
            const Eigen::MatrixXd H = assembled(energy, x, method).hessian;
            EXPECT_GE(smallest_eigenvalue(H), -1e-12 * H.norm());

            // H = Jᵀ S J with the eight coordinates as the rows of J; S is found without the frame's formulas.
            const std::span<const int> v = energy.stencils()[0];
            const HingeFrame frame(x.row(v[0]), x.row(v[1]), x.row(v[2]), x.row(v[3]));
            Eigen::MatrixXd J(8, 12);
            int row = 0;
            for (const HingeFrame::Pair& pair : frame.second_derivative())
                for (const Vec<12>* f : {&pair.first, &pair.second}) {
                    for (int i = 0; i < 4; ++i)
                        J.block<1, 3>(row, 3 * v[i]) = f->segment<3>(3 * i).transpose();
                    ++row;
                }
            const Eigen::MatrixXd inverse = J.completeOrthogonalDecomposition().pseudoInverse();
            const Eigen::MatrixXd S = inverse.transpose() * exact * inverse;
            EXPECT_LE((J.transpose() * S * J - exact).norm(), 1e-12 * exact.norm());
            EXPECT_LE((J.transpose() * densely_projected(S, method) * J - H).norm(), 1e-10 * exact.norm());
        }
    EXPECT_GT(num_indefinite, 20);
}

TEST(HingeBending, FacesMayBeTurnedAround)
{
    // The angle of a hinge does not ask for the orientation of its second face.
    MeshData mesh = hinge(0.8);
    const Positions x = hinge(0.1).vertices;
    const double energy = assembled(bending_of(mesh), x).value();
    EXPECT_GT(energy, 0.1);
    std::swap(mesh.faces(1, 0), mesh.faces(1, 1));
    EXPECT_NEAR(assembled(bending_of(mesh), x).value(), energy, 1e-14);
    std::swap(mesh.faces(0, 0), mesh.faces(0, 1));
    EXPECT_NEAR(assembled(bending_of(mesh), x).value(), energy, 1e-14);
}

TEST(HingeBending, HasTheSameBitsForEveryNumberOfThreads)
{
    const MeshData mesh = generate::icosphere({.subdivisions = 3});
    const Positions x = shaken(mesh.vertices, 0.01);
    const HingeBending energy = bending_of(mesh);
    const auto run = [&](int threads) {
        set_num_threads(threads);
        std::vector<double> gradients(energy.stencils().num_entries() * 3), blocks(energy.stencils().num_blocks() * 9);
        energy.evaluate(x, {.gradients = gradients.data(), .blocks = blocks.data(), .hessian = HessianForm::clamp});
        set_num_threads(0);
        blocks.insert(blocks.end(), gradients.begin(), gradients.end());
        return blocks;
    };
    const auto one = run(1);
    for (const int threads : {2, 4})
        EXPECT_EQ(one, run(threads));
}

std::string message_of(const std::function<void()>& function)
{
    try {
        function();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "accepted";
}

TEST(HingeBending, RejectsBadInput)
{
    const MeshData mesh = hinge(0.1);
    const auto with = [](const Positions& X, const Elements& F, std::vector<double> stiffness) {
        return message_of([&] { HingeBending(X, F, {.stiffness = std::move(stiffness)}); });
    };
    EXPECT_EQ(with(mesh.vertices, mesh.faces, {1}), "accepted");
    EXPECT_NE(with(mesh.vertices, mesh.faces, {}).find("stiffness: expected one"), std::string::npos);
    EXPECT_NE(with(mesh.vertices, mesh.faces, {1, 2, 3}).find("got 3"), std::string::npos);
    EXPECT_NE(with(mesh.vertices, mesh.faces, {1, -2}).find("stiffness: entry 1 is -2"), std::string::npos);
    EXPECT_NE(with(mesh.vertices, mesh.faces, {std::nan("")}).find("stiffness: entry 0"), std::string::npos);
    EXPECT_NE(with(mesh.vertices.leftCols(2), mesh.faces, {1}).find("rest_positions: "), std::string::npos);
    Elements F = mesh.faces;
    F(1, 2) = 4;
    EXPECT_NE(with(mesh.vertices, F, {1}).find("faces: row 1 has index 4"), std::string::npos);
    Positions X = mesh.vertices;
    X.row(3) = (X.row(0) + X.row(1)) / 2;
    EXPECT_NE(with(X, mesh.faces, {1}).find("faces: row 1 (vertices 1, 0, 3) is degenerate"), std::string::npos);
    X.resize(5, 3);
    X << mesh.vertices, 0.5, 0.5, 0.5;
    F.resize(3, 3);
    F << mesh.faces, 0, 1, 4;
    EXPECT_NE(with(X, F, {1}).find("the edge of vertices 0 and 1 belongs to 3 faces"), std::string::npos);
}

TEST(HingeBending, ASingleTriangleDoesNotBend)
{
    const MeshData mesh = hinge(0.1);
    const HingeBending energy(mesh.vertices, mesh.faces.topRows(1), {.stiffness = {1}});
    EXPECT_TRUE(energy.stencils().empty());
    EXPECT_EQ(assembled(energy, mesh.vertices).value(), 0);
    const HingeBending none(mesh.vertices, Faces(0, 3), {.stiffness = {1}});
    EXPECT_TRUE(none.stencils().empty());
}

TEST(HingeBending, AlmostFlatHingesHaveFiniteHessians)
{
    // The square of a Hessian's smallest parts underflows below 1e-154.
    const HingeBending energy = bending_of(hinge(0));
    for (double height = 1; height > 0; height /= 10)
        for (const PSDProjectionMethod method :
             {PSDProjectionMethod::none, PSDProjectionMethod::clamp, PSDProjectionMethod::abs}) {
            Positions x = hinge(0).vertices;
            x(3, 2) = height;
            const Assembled all = assembled(energy, x, method);
            EXPECT_TRUE(all.gradient.allFinite() && all.hessian.allFinite()) << height;
            EXPECT_GT(all.hessian.norm(), 1) << height;
        }
}

TEST(HingeBending, CollapsedTrianglesHaveFiniteDerivatives)
{
    const HingeBending energy = bending_of(hinge(0.4));
    Positions x = hinge(0.4).vertices;
    x.row(2) = (x.row(0) + x.row(1)) / 2;
    const Assembled all = assembled(energy, x, PSDProjectionMethod::clamp);
    EXPECT_TRUE(all.gradient.allFinite() && all.hessian.allFinite());
}

void expect_full_plastic_moment(double Y)
{
    // A strip bent about its edges: M = Y h² / 4 times the length of the edge, whatever the angle.
    const double h = 0.02, length = 0.5, moment = Y * h * h / 4 * length;
    MeshData mesh;
    mesh.vertices.resize(4, 3);
    mesh.vertices << 0, 0, 0, 0, length, 0, 1, length / 2, 0, -1, length / 2, 0;
    mesh.faces.resize(2, 3);
    mesh.faces << 0, 2, 1, 0, 1, 3;
    const double young = 1e9;
    PlasticHinges strip(
        HingeBending(mesh.vertices, mesh.faces, {.stiffness = {plate_stiffness({young, 0}, h)}}), mesh.vertices, {h},
        {{Y, 0, 0}});
    const auto bent = [&](double angle) {
        Positions x = mesh.vertices;
        x(2, 0) = std::cos(angle);
        x(2, 2) = std::sin(angle);
        return x;
    };
    PlasticState state = strip.initial();
    for (const double angle : {0.5, 1.0, 0.4}) {
        strip.begin_step(state, 1);
        // The tip at a distance of 1 feels the moment as a force across its arm.
        const Eigen::VectorXd gradient = assembled(strip, bent(angle)).gradient;
        const double force = gradient.segment<3>(6).norm();
        EXPECT_NEAR(force, moment, 2e-12 * moment);
        state = strip.flowed(bent(angle));
    }
    // There and back: flow adds up, the angle that stays does not.
    const double elastic = moment / (plate_stiffness({young, 0}, h) * length * length / (length));
    EXPECT_NEAR(std::abs(state.deformation[0]), 0.4 + elastic, 1e-12);
    const double way = (1.0 - elastic) + (1.0 - elastic - 0.4 - elastic);
    EXPECT_NEAR(state.strain[0], h / 2 * length / length * way, 1e-12);
    EXPECT_NEAR(strip.sums(bent(0.4)).heat, moment * (0.6 - 2 * elastic), 1e-12 * moment);
}

TEST(HingeBending, YieldsAtTheFullPlasticMomentOfItsSection) { expect_full_plastic_moment(3e4); }

TEST(HingeBending, KeepsItsMomentHoweverLittleItIsOfTheElasticOne) { expect_full_plastic_moment(1e-12); }

} // namespace
} // namespace abut::test::hinge_bending_test
