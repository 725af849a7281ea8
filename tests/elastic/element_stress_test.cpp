#include "abut/elastic/element_stress.hpp"

#include "elastic_states.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <gtest/gtest.h>

namespace abut::test {

namespace {

const LameParameters solid = lame_parameters(rubber), sheet = plane_stress_lame_parameters(rubber);

/// One tetrahedron, whose corners go where F takes them.
const Elements tet = (Elements(1, 4) << 0, 1, 2, 3).finished();
const Positions tet_rest = (Positions(4, 3) << 0.1, 0.2, 0, 1.3, 0.1, 0.2, -0.1, 0.9, 0.3, 0.2, 0.1, 1.1).finished();
/// One triangle in the plane, and one in space.
const Elements triangle = (Elements(1, 3) << 0, 1, 2).finished();
const Positions planar_rest = (Positions(3, 2) << 0.1, 0.2, 1.2, 0.4, 0.3, 1.5).finished();
const Positions sheet_rest = (Positions(3, 3) << 0.1, 0.2, 0.3, 1.2, 0.4, -0.1, 0.3, 1.5, 0.4).finished();

template <int Dim>
Positions moved(const Positions& rest, const Mat<Dim, Dim>& F)
{
    return rest * F.transpose();
}

ElementStress solid_stress(ElasticModel model, const Mat<3, 3>& F)
{
    return solid_stresses(tet_rest, tet, {model, solid}, moved<3>(tet_rest, F)).at(0);
}

ElementStress sheet_stress(ElasticModel model, const Positions& x)
{
    const MembraneElasticity membrane(sheet_rest, triangle, {model, {sheet}, {0.25}});
    return membrane_stresses(sheet_rest, membrane, x).at(0);
}

const Mat<3, 3> I = Mat<3, 3>::Identity();
Mat<3, 3> stretched(double s) { return Vec3(s, 1, 1).asDiagonal(); }
Mat<3, 3> sheared(double g) { return I + g * Vec3::UnitX() * Vec3::UnitY().transpose(); }

/// The rotation of the polar decomposition: of a stretch along the axes the identity, of a simple shear by hand.
Mat<3, 3> turn_of_shear(double g)
{
    Mat<3, 3> R = I;
    R.topLeftCorner<2, 2>() << 1, g / 2, -g / 2, 1;
    R.topLeftCorner<2, 2>() /= std::sqrt(1 + g * g / 4);
    return R;
}

/// Cauchy's stress in closed form; R is the rotation of F.
Mat<3, 3> expected_cauchy(ElasticModel model, const LameParameters& lame, const Mat<3, 3>& F, const Mat<3, 3>& R)
{
    const auto [mu, lambda] = lame;
    const double J = F.determinant(), trace = F.squaredNorm();
    const Mat<3, 3> B = F * F.transpose(), E = 0.5 * (F.transpose() * F - I);
    switch (model) {
    case ElasticModel::neo_hookean:
        return (mu * (B - I) + lambda * std::log(J) * I) / J;
    case ElasticModel::stable_neo_hookean:
        return 4.0 / 3 * mu * trace / (trace + 1) * B / J + ((lambda + 5.0 / 6 * mu) * (J - 1) - mu) * I;
    case ElasticModel::fixed_corotated:
        return 2 * mu * (F - R) * F.transpose() / J + lambda * (J - 1) * I;
    case ElasticModel::stvk:
        return F * (2 * mu * E + lambda * E.trace() * I) * F.transpose() / J;
    case ElasticModel::hencky: {
        const Eigen::SelfAdjointEigenSolver<Mat<3, 3>> squares(B);
        const Mat<3, 3> log_B = squares.eigenvectors() * squares.eigenvalues().array().log().matrix().asDiagonal() *
                                squares.eigenvectors().transpose();
        return (mu * log_B + lambda * std::log(J) * I) / J;
    }
    case ElasticModel::baraff_witkin: // not isotropic: tested by itself
        break;
    }
    return {};
}

void expect_near(const Mat<3, 3>& a, const Mat<3, 3>& b, double tolerance)
{
    EXPECT_LE((a - b).cwiseAbs().maxCoeff(), tolerance) << a << "\n\n" << b;
}

} // namespace

TEST(ElementStress, IsThatOfAUniaxialStretchInClosedForm)
{
    for (const ElasticModel model : all_models)
        for (const double s : {0.6, 1.0, 1.001, 1.8}) {
            const ElementStress found = solid_stress(model, stretched(s));
            expect_near(found.cauchy, expected_cauchy(model, solid, stretched(s), I), 1e-14 * 20);
            expect_near(found.green_strain, Vec3((s * s - 1) / 2, 0, 0).asDiagonal(), 1e-14);
            // One axis differs: von Mises' stress is the difference.
            EXPECT_NEAR(found.von_mises(), std::abs(found.cauchy(0, 0) - found.cauchy(1, 1)), 1e-14 * 20);
        }
}

TEST(ElementStress, IsThatOfASimpleShearInClosedForm)
{
    for (const ElasticModel model : all_models)
        for (const double g : {-0.7, 1e-3, 0.4, 1.5}) {
            const ElementStress found = solid_stress(model, sheared(g));
            expect_near(found.cauchy, expected_cauchy(model, solid, sheared(g), turn_of_shear(g)), 1e-14 * 20);
            Mat<3, 3> E = Mat<3, 3>::Zero();
            E(0, 1) = E(1, 0) = g / 2;
            E(1, 1) = g * g / 2;
            expect_near(found.green_strain, E, 1e-14);
        }
}

TEST(ElementStress, IsHookesForSmallStrains)
{
    const double s = 1e-6;
    for (const ElasticModel model : all_models) {
        EXPECT_NEAR(solid_stress(model, stretched(1 + s)).cauchy(0, 0) / s, solid.lambda + 2 * solid.mu, 1e-4);
        EXPECT_NEAR(solid_stress(model, sheared(s)).cauchy(0, 1) / s, solid.mu, 1e-4);
        EXPECT_NEAR(solid_stress(model, sheared(s)).von_mises() / s, std::sqrt(3) * solid.mu, 1e-4);
    }
    for (const ElasticModel model : sheet_models) {
        // In its own plane a sheet that is pulled along x, and free across, has the stress E strain.
        const Vec3 along = (sheet_rest.row(1) - sheet_rest.row(0)).transpose().normalized();
        const Vec3 normal =
            Vec3(sheet_rest.row(1) - sheet_rest.row(0)).cross(Vec3(sheet_rest.row(2) - sheet_rest.row(0)));
        const Vec3 across = normal.normalized().cross(along);
        const Mat<3, 3> F = I + s * (along * along.transpose() - rubber.poisson * across * across.transpose());
        const Mat<3, 3> stress = sheet_stress(model, moved<3>(sheet_rest, F)).cauchy / s;
        EXPECT_NEAR(along.dot(stress * along), rubber.young, 1e-4);
        EXPECT_NEAR(across.dot(stress * across), 0, 1e-4);
        EXPECT_NEAR(normal.dot(stress * normal), 0, 1e-12);
    }
}

TEST(ElementStress, TurnsWithTheBodyWhoseStrainDoesNot)
{
    const Mat<3, 3> turn = Eigen::AngleAxisd(0.8, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    const Mat<3, 3> F = stretched(1.3) * sheared(0.4);
    for (const ElasticModel model : all_models) {
        const ElementStress still = solid_stress(model, F), turned = solid_stress(model, turn * F);
        expect_near(turned.cauchy, turn * still.cauchy * turn.transpose(), 1e-13);
        expect_near(turned.green_strain, still.green_strain, 1e-14);
        EXPECT_NEAR(turned.von_mises(), still.von_mises(), 1e-13);
    }
    for (const ElasticModel model : sheet_models) {
        const Positions x = moved<3>(sheet_rest, F);
        const ElementStress still = sheet_stress(model, x), turned = sheet_stress(model, moved<3>(x, turn));
        expect_near(turned.cauchy, turn * still.cauchy * turn.transpose(), 1e-13);
        expect_near(turned.green_strain, still.green_strain, 1e-14);
    }
}

/// dpsi/dF by differences of an element's energy over its volume, as P = J stress F⁻ᵀ should be.
template <typename Energy, int Dim>
Mat<Dim, Dim> differences(const Energy& energy, const Positions& rest, const Mat<Dim, Dim>& F)
{
    constexpr double h = 1e-5;
    Mat<Dim, Dim> P;
    for (int a = 0; a < Dim; ++a)
        for (int b = 0; b < Dim; ++b) {
            const auto at = [&](double step) {
                Mat<Dim, Dim> near = F;
                near(a, b) += step;
                double value = 0;
                energy.evaluate(moved<Dim>(rest, near), {.values = &value});
                return value / energy.rest_volume(0);
            };
            P(a, b) = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
        }
    return P;
}

TEST(ElementStress, IsTheDerivativeOfTheEnergy)
{
    const Mat<3, 3> F = Eigen::AngleAxisd(0.5, Vec3::UnitZ()).toRotationMatrix() * stretched(1.2) * sheared(0.3);
    const Mat<2, 2> F2 = F.topLeftCorner<2, 2>();
    for (const ElasticModel model : all_models) {
        const Mat<3, 3> cauchy = solid_stress(model, F).cauchy;
        const Mat<3, 3> P = F.determinant() * cauchy * F.inverse().transpose();
        expect_near(P, differences<TetElasticity, 3>({tet_rest, tet, {model, {solid}}}, tet_rest, F), 1e-9);

        const Mat<3, 3> plane =
            solid_stresses(planar_rest, triangle, {model, solid}, moved<2>(planar_rest, F2)).at(0).cauchy;
        const Mat<2, 2> P2 = F2.determinant() * plane.topLeftCorner<2, 2>() * F2.inverse().transpose();
        const PlanarElasticity planar(planar_rest, triangle, {model, {solid}, {0.3}});
        const Mat<2, 2> expected = differences<PlanarElasticity, 2>(planar, planar_rest, F2);
        EXPECT_LE((P2 - expected).cwiseAbs().maxCoeff(), 1e-9);
        // Held across the plane
        Mat<3, 3> lifted = I;
        lifted.topLeftCorner<2, 2>() = F2;
        expect_near(plane, solid_stress(model, lifted).cauchy, 1e-13);
        EXPECT_NE(plane(2, 2), 0);
    }
}

TEST(ElementStress, OfASheetIsTheDerivativeOfItsEnergy)
{
    // Along the sheet's plane the energy grows by the stress of the membrane; across it, not at all.
    const Mat<3, 3> F = Eigen::AngleAxisd(0.5, Vec3::UnitX()).toRotationMatrix() * stretched(1.2) * sheared(0.3);
    const Positions x = moved<3>(sheet_rest, F);
    const Vec3 e = x.row(1) - x.row(0), f = x.row(2) - x.row(0);
    const Vec3 e0 = sheet_rest.row(1) - sheet_rest.row(0), f0 = sheet_rest.row(2) - sheet_rest.row(0);
    const double areas = e.cross(f).norm() / e0.cross(f0).norm();
    for (const ElasticModel model : sheet_models) {
        const MembraneElasticity membrane(sheet_rest, triangle, {model, {sheet}, {0.25}});
        const ElementStress found = sheet_stress(model, x);
        // d psi / dF Fᵀ over the areas, by a velocity gradient L: F + h L F.
        const Mat<3, 3> P = differences<MembraneElasticity, 3>(membrane, sheet_rest, F);
        expect_near(found.cauchy, P * F.transpose() / areas, 1e-9);
        EXPECT_LE((found.cauchy * e.cross(f)).norm(), 1e-14) << "nothing across";
        EXPECT_NEAR(2 * e0.dot(found.green_strain * f0), e.dot(f) - e0.dot(f0), 1e-14);
        EXPECT_NEAR(2 * e0.dot(found.green_strain * e0), e.dot(e) - e0.dot(e0), 1e-14);
        EXPECT_LE((found.green_strain * e0.cross(f0)).norm(), 1e-14);
    }
}

TEST(ElementStress, OfElementsWithoutVolumeIsNoNumber)
{
    for (const ElasticModel model : all_models)
        for (const double s : {0.0, -0.5}) {
            EXPECT_TRUE(solid_stress(model, stretched(s)).cauchy.hasNaN());
            EXPECT_TRUE(std::isnan(solid_stress(model, stretched(s)).von_mises()));
        }
    // One of two sheets has no area: the other keeps its stress.
    const Elements two = (Elements(2, 3) << 0, 1, 2, 3, 4, 5).finished();
    Positions rest(6, 3), x(6, 3);
    rest << sheet_rest, sheet_rest;
    x << 0 * sheet_rest, 1.1 * sheet_rest;
    const MembraneElasticity membrane(rest, two, {ElasticModel::stvk, {sheet}, {0.25}});
    const std::vector<ElementStress> found = membrane_stresses(rest, membrane, x);
    EXPECT_TRUE(found[0].cauchy.hasNaN());
    expect_near(found[1].cauchy, sheet_stress(ElasticModel::stvk, 1.1 * sheet_rest).cauchy, 1e-14);
}

} // namespace abut::test
