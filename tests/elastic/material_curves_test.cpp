// Force per area of homogeneous patches over stretch and shear, against the closed forms of docs/materials.md.

#include "abut/elastic/strain_limit.hpp"
#include "abut/elastic/woven_elasticity.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "elastic_states.hpp"

#include <gtest/gtest.h>

namespace abut::test::material_curves_test {
namespace {

constexpr double tolerance = 1e-8;
constexpr double h = 0.02; // thickness of sheets
constexpr std::array uniaxial_stretches{0.7, 0.9, 0.999, 1.001, 1.1, 1.5, 2.0};
constexpr std::array shears{-0.8, -0.01, 0.001, 0.2, 1.0};

MeshData box() { return generate::tet_box({.size = Vec3(1, 1, 1), .subdivisions = {2, 3, 2}}); }

/// A sheet of 1 m x 1 m in the plane z = 0, at x and y from -1/2 to 1/2.
MeshData sheet()
{
    MeshData mesh = generate::plane_grid({.size = Vec2(1, 1), .cells = {3, 2}});
    const Eigen::VectorXd z = mesh.vertices.col(2);
    mesh.vertices.col(2).setZero();
    mesh.vertices.col(1) = mesh.vertices.col(0);
    mesh.vertices.col(0) = z;
    return mesh;
}

MeshData planar()
{
    MeshData mesh = sheet();
    mesh.vertices = mesh.vertices.leftCols(2).eval();
    return mesh;
}

/// The traction on the end of the patch where rest coordinate `axis` is largest, per area of the end at rest, which is
/// `area`: column `axis` of P.
template <typename Energy, int Dim>
Vec<Dim> traction(const Energy& energy, const MeshData& mesh, const Mat<Dim, Dim>& F, int axis, double area)
{
    const Assembled all =
        assembled(energy, mapped<Dim, Dim>(mesh.vertices, F), PSDProjectionMethod::none, Order::gradient);
    const double end = mesh.vertices.col(axis).maxCoeff() - 1e-9;
    Vec<Dim> sum = Vec<Dim>::Zero();
    for (Eigen::Index i = 0; i < mesh.vertices.rows(); ++i)
        if (mesh.vertices(i, axis) > end)
            sum += all.gradient.template segment<Dim>(Dim * i);
    return sum / area;
}

/// A point of the curve of a bar that is pulled and free at its sides.
struct FreeBar {
    double along, side; ///< stretches
    double stress;      ///< force per area at rest
};

/// `num_sides`: how many directions are free, two of solids and one of sheets.
FreeBar free_bar(ElasticModel model, const LameParameters& lame, double stretch, int num_sides)
{
    const auto [mu, lambda] = lame;
    switch (model) {
    case ElasticModel::neo_hookean: {
        // The side is the free parameter: nearest to the stretch at small strains
        const double side = 1 - lambda / (2 * mu + num_sides * lambda) * (stretch - 1) * (stretch < 1 ? 1 : 0.5);
        const double along = std::exp(-mu * (side * side - 1) / lambda) / std::pow(side, num_sides);
        return {along, side, mu * (along * along - side * side) / along};
    }
    case ElasticModel::stable_neo_hookean: {
        EXPECT_EQ(num_sides, 2);
        const double k = lambda + 5.0 / 6 * mu, l = stretch;
        const double A = 2 * k * l * l, B = 8.0 / 3 * mu + k * l * l * (l * l + 1) - 2 * l * (k + mu),
                     C = 4.0 / 3 * mu * l * l - l * (k + mu) * (l * l + 1);
        const double squared = (-B + std::sqrt(B * B - 4 * A * C)) / (2 * A), I = l * l + 2 * squared;
        return {l, std::sqrt(squared), 4.0 / 3 * mu * I / (I + 1) * (l - squared / l)};
    }
    case ElasticModel::fixed_corotated: {
        if (num_sides == 1) {
            const double side = (2 * mu + lambda * stretch) / (2 * mu + lambda * stretch * stretch);
            return {stretch, side, 2 * mu * (stretch - 1) + lambda * (stretch * side - 1) * side};
        }
        const double side = 1 - lambda / (2 * (mu + lambda)) * (stretch - 1) * (stretch < 1 ? 1 : 0.5);
        const double along =
            (lambda * side +
             std::sqrt(lambda * lambda * side * side - 8 * mu * lambda * std::pow(side, 3) * (side - 1))) /
            (2 * lambda * std::pow(side, 3));
        return {along, side, 2 * mu * (along - 1) - 2 * mu * (side - 1) * side / along};
    }
    case ElasticModel::stvk: {
        const double nu = lambda / (2 * mu + num_sides * lambda);
        const double young = 2 * mu * (1 + nu);
        return {stretch, std::sqrt(1 - nu * (stretch * stretch - 1)), young * stretch * (stretch * stretch - 1) / 2};
    }
    case ElasticModel::hencky: {
        const double nu = lambda / (2 * mu + num_sides * lambda);
        return {stretch, std::pow(stretch, -nu), 2 * mu * (1 + nu) * std::log(stretch) / stretch};
    }
    case ElasticModel::baraff_witkin:
        break;
    }
    ADD_FAILURE();
    return {};
}

/// P_12 of F = I + gamma e_1 e_2ᵀ.
double shear_stress(ElasticModel model, const LameParameters& lame, double gamma)
{
    const auto [mu, lambda] = lame;
    const double squared = gamma * gamma;
    switch (model) {
    case ElasticModel::neo_hookean:
        return mu * gamma;
    case ElasticModel::stable_neo_hookean:
        return 4.0 / 3 * mu * gamma * (3 + squared) / (4 + squared);
    case ElasticModel::fixed_corotated:
        return 2 * mu * gamma * (1 - 1 / std::sqrt(4 + squared));
    case ElasticModel::stvk:
        return mu * gamma + (mu + lambda / 2) * squared * gamma;
    case ElasticModel::hencky:
        return 4 * mu * std::asinh(gamma / 2) / std::sqrt(4 + squared);
    case ElasticModel::baraff_witkin:
        break;
    }
    ADD_FAILURE();
    return 0;
}

Mat<3, 3> sheared(double gamma)
{
    Mat<3, 3> F = Mat<3, 3>::Identity();
    F(0, 1) = gamma;
    return F;
}

TEST(MaterialCurves, SolidsThatArePulledFollowTheClosedForm)
{
    const MeshData mesh = box();
    const LameParameters lame = lame_parameters(rubber);
    for (const ElasticModel model : all_models) {
        const TetElasticity energy(mesh.vertices, mesh.tets, {model, {lame}});
        for (const double stretch : uniaxial_stretches) {
            SCOPED_TRACE(fmt::format("{} {}", to_string(model), stretch));
            const FreeBar bar = free_bar(model, lame, stretch, 2);
            const Mat<3, 3> F = Vec3(bar.along, bar.side, bar.side).asDiagonal();
            EXPECT_NEAR(traction(energy, mesh, F, 0, 1)[0], bar.stress, tolerance * std::abs(bar.stress));
            for (const int side : {1, 2})
                EXPECT_NEAR(traction(energy, mesh, F, side, 1)[side], 0, tolerance * std::abs(bar.stress));
        }
    }
}

TEST(MaterialCurves, SheetsThatArePulledFollowTheClosedForm)
{
    const MeshData mesh = sheet();
    const LameParameters lame = plane_stress_lame_parameters(rubber);
    for (const ElasticModel model : sheet_models) {
        const MembraneElasticity energy(mesh.vertices, mesh.faces, {model, {lame}, {h}});
        for (const double stretch : uniaxial_stretches) {
            SCOPED_TRACE(fmt::format("{} {}", to_string(model), stretch));
            const FreeBar bar = free_bar(model, lame, stretch, 1);
            const Mat<3, 3> F = Vec3(bar.along, bar.side, 1).asDiagonal();
            EXPECT_NEAR(traction(energy, mesh, F, 0, h)[0], bar.stress, tolerance * std::abs(bar.stress));
            EXPECT_NEAR(traction(energy, mesh, F, 1, h)[1], 0, tolerance * std::abs(bar.stress));
        }
    }
}

TEST(MaterialCurves, PlanarBodiesThatArePulledFollowTheClosedForm)
{
    const MeshData mesh = planar();
    const LameParameters lame = lame_parameters(rubber);
    for (const ElasticModel model :
         {ElasticModel::neo_hookean, ElasticModel::fixed_corotated, ElasticModel::stvk, ElasticModel::hencky}) {
        const PlanarElasticity energy(mesh.vertices, mesh.faces, {model, {lame}, {h}});
        for (const double stretch : {0.9, 1.001, 1.1, 1.5}) {
            SCOPED_TRACE(fmt::format("{} {}", to_string(model), stretch));
            // Of a sheet with the parameters of solids: what is held across the plane is in them
            const FreeBar bar = free_bar(model, lame, stretch, 1);
            const Mat<2, 2> F = Vec2(bar.along, bar.side).asDiagonal();
            EXPECT_NEAR(traction(energy, mesh, F, 0, h)[0], bar.stress, tolerance * std::abs(bar.stress));
            EXPECT_NEAR(traction(energy, mesh, F, 1, h)[1], 0, tolerance * std::abs(bar.stress));
        }
    }
    // Free sides would be a cubic equation: with held ones
    const PlanarElasticity energy(mesh.vertices, mesh.faces, {ElasticModel::stable_neo_hookean, {lame}, {h}});
    for (const double l : {0.9, 1.001, 1.1, 1.5}) {
        const double I = l * l + 2, k = lame.lambda + 5.0 / 6 * lame.mu;
        const double stress = 4.0 / 3 * lame.mu * I / (I + 1) * l + k * (l - 1) - lame.mu;
        const Mat<2, 2> F = Vec2(l, 1).asDiagonal();
        EXPECT_NEAR(traction(energy, mesh, F, 0, h)[0], stress, tolerance * std::abs(stress));
    }
}

TEST(MaterialCurves, ShearFollowsTheClosedForm)
{
    const MeshData solid = box(), flat = sheet(), plane = planar();
    const LameParameters lame = lame_parameters(rubber), thin = plane_stress_lame_parameters(rubber);
    for (const double gamma : shears) {
        const Mat<3, 3> F = sheared(gamma);
        for (const ElasticModel model : all_models) {
            SCOPED_TRACE(fmt::format("{} {}", to_string(model), gamma));
            const double right = shear_stress(model, lame, gamma);
            const TetElasticity energy(solid.vertices, solid.tets, {model, {lame}});
            EXPECT_NEAR(traction(energy, solid, F, 1, 1)[0], right, tolerance * std::abs(right));
            const PlanarElasticity cut(plane.vertices, plane.faces, {model, {lame}, {h}});
            const Mat<2, 2> F_2 = F.topLeftCorner<2, 2>();
            EXPECT_NEAR(traction(cut, plane, F_2, 1, h)[0], right, tolerance * std::abs(right));
        }
        for (const ElasticModel model : sheet_models) {
            SCOPED_TRACE(fmt::format("sheet {} {}", to_string(model), gamma));
            const double right = shear_stress(model, thin, gamma);
            const MembraneElasticity energy(flat.vertices, flat.faces, {model, {thin}, {h}});
            EXPECT_NEAR(traction(energy, flat, F, 1, h)[0], right, tolerance * std::abs(right));
        }
    }
}

TEST(MaterialCurves, ClothFollowsTheClosedForm)
{
    const MeshData mesh = sheet();
    const WovenModuli k{.warp = 3, .weft = 2, .shear = 0.5};
    const WovenElasticity energy(mesh.vertices, mesh.faces, {{k}, {h}, {Vec3::UnitX()}});
    for (const double l : uniaxial_stretches) {
        const Mat<3, 3> warp = Vec3(l, 1, 1).asDiagonal(), weft = Vec3(1, l, 1).asDiagonal();
        EXPECT_NEAR(traction(energy, mesh, warp, 0, h)[0], k.warp * (l - 1), tolerance * std::abs(l - 1));
        EXPECT_NEAR(traction(energy, mesh, warp, 1, h)[1], 0, tolerance * std::abs(l - 1));
        EXPECT_NEAR(traction(energy, mesh, weft, 1, h)[1], k.weft * (l - 1), tolerance * std::abs(l - 1));
        EXPECT_NEAR(traction(energy, mesh, weft, 0, h)[0], 0, tolerance * std::abs(l - 1));
    }
    for (const double gamma : shears) {
        const double right = k.shear * gamma + k.weft * gamma * (1 - 1 / std::sqrt(1 + gamma * gamma));
        EXPECT_NEAR(traction(energy, mesh, sheared(gamma), 1, h)[0], right, tolerance * std::abs(right)) << gamma;
    }
}

TEST(MaterialCurves, LimitedStretchFollowsTheClosedForm)
{
    const MeshData mesh = sheet();
    const StretchLimit limit{.stretch = 1.2, .from = 1.05, .stiffness = 3};
    const StrainLimit energy(mesh.vertices, mesh.faces, {{limit}, {h}});
    for (const double l : {0.9, 1.0, 1.04, 1.06, 1.1, 1.15, 1.19, 1.1999}) {
        const double width = limit.stretch - limit.from, y = std::max(0.0, (l - limit.from) / width);
        const double right = limit.stiffness * width * (-2 * y * std::log1p(-y) + y * y / (1 - y));
        const Mat<3, 3> F = Vec3(l, 1, 1).asDiagonal();
        EXPECT_NEAR(traction(energy, mesh, F, 0, h)[0], right, tolerance * right) << l;
    }
}

} // namespace
} // namespace abut::test::material_curves_test
