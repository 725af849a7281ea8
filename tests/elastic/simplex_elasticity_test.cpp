#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/elastic/deformation.hpp"
#include "abut/elastic/simplex_elasticity.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "elastic_states.hpp"
#include "support/finite_differences.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <numbers>

namespace abut::test::simplex_elasticity_test {
namespace {

// --- Bodies of each kind ---

TetElasticity tets_of(const MeshData& mesh, ElasticModel model)
{
    return {mesh.vertices, mesh.tets, {.model = model, .lame = {lame_parameters(rubber)}}};
}

/// A square of triangles in the plane.
MeshData planar_square(int cells)
{
    const MeshData sheet = generate::plane_grid({.size = Vec2(1, 1), .cells = {cells, cells}});
    MeshData mesh;
    mesh.vertices.resize(sheet.vertices.rows(), 2);
    mesh.vertices << sheet.vertices.col(2), sheet.vertices.col(0); // faces +y, so (z, x) is right-handed
    mesh.faces = sheet.faces;
    return mesh;
}

PlanarElasticity planar_of(const MeshData& mesh, ElasticModel model)
{
    return {mesh.vertices, mesh.faces, {.model = model, .lame = {lame_parameters(rubber)}, .thickness = {0.5}}};
}

MembraneElasticity membrane_of(const MeshData& mesh, ElasticModel model)
{
    return {
        mesh.vertices,
        mesh.faces,
        {.model = model, .lame = {plane_stress_lame_parameters(rubber)}, .thickness = {0.25}}};
}

/// One element of irregular shape.
template <int D>
MeshData one_element()
{
    MeshData mesh;
    if constexpr (D == 3) {
        mesh.vertices.resize(4, 3);
        mesh.vertices << 0.1, 0, 0, 1.2, 0.1, -0.1, 0.3, 0.9, 0.2, 0.2, 0.3, 0.8;
        mesh.tets.resize(1, 4);
        mesh.tets << 0, 1, 2, 3;
    } else {
        mesh.vertices.resize(3, 2);
        mesh.vertices << 0.1, 0, 1.2, 0.1, 0.3, 0.9;
        mesh.faces.resize(1, 3);
        mesh.faces << 0, 1, 2;
    }
    return mesh;
}

MeshData one_triangle_in_space()
{
    MeshData mesh = one_element<2>();
    Mat<3, 2> into;
    into << 0.6, 0, 0, 1, 0.8, 0;
    mesh.vertices = mapped(mesh.vertices, into);
    return mesh;
}

/// Every kind of body with every model it takes, as callbacks that hide the kind.
struct Body {
    std::string name;
    MeshData mesh;
    std::function<Assembled(const Positions&, PSDProjectionMethod)> at;
};

std::vector<Body> bodies(const MeshData& solid, const MeshData& planar, const MeshData& sheet)
{
    std::vector<Body> list;
    const auto add = [&](std::string name, const MeshData& mesh, auto energy) {
        list.push_back({std::move(name), mesh, [energy](const Positions& x, PSDProjectionMethod projection) {
                            return assembled(energy, x, projection);
                        }});
    };
    for (const ElasticModel model : all_models) {
        add("tets, " + std::string(to_string(model)), solid, tets_of(solid, model));
        add("planar, " + std::string(to_string(model)), planar, planar_of(planar, model));
    }
    for (const ElasticModel model : sheet_models)
        add("membrane, " + std::string(to_string(model)), sheet, membrane_of(sheet, model));
    return list;
}

std::vector<Body> single_elements() { return bodies(one_element<3>(), one_element<2>(), one_triangle_in_space()); }
std::vector<Body> small_bodies()
{
    return bodies(
        generate::tet_box({.size = Vec3(1, 1, 1), .subdivisions = {2, 2, 1}}), planar_square(3),
        generate::icosphere({.radius = 0.7, .subdivisions = 1}));
}

// --- Derivatives ---

TEST(SimplexElasticity, DerivativesMatchDifferences)
{
    for (const Body& body : single_elements())
        for (int seed = 1; seed <= 5; ++seed) {
            SCOPED_TRACE(body.name);
            const Positions x = shaken(body.mesh.vertices, 0.15, seed);
            const int dim = static_cast<int>(x.cols());
            const auto at = [&](const Eigen::VectorXd& flat) {
                return body.at(flat.reshaped(dim, x.rows()).transpose(), PSDProjectionMethod::none);
            };
            const VectorFunction value = [&](const Eigen::VectorXd& flat) -> Eigen::VectorXd {
                return Eigen::VectorXd::Constant(1, at(flat).value());
            };
            const VectorFunction gradient = [&](const Eigen::VectorXd& flat) -> Eigen::VectorXd {
                return at(flat).gradient;
            };
            const Eigen::VectorXd flat = x.transpose().reshaped();
            const Assembled all = at(flat);
            expect_matches(all.gradient.transpose(), central_differences(value, flat, 0.3), "gradient");
            expect_matches(all.hessian, central_differences(gradient, flat, 0.3), "Hessian");
        }
}

TEST(SimplexElasticity, DerivativesOfInvertedElementsMatchDifferences)
{
    const MeshData mesh = one_element<3>();
    Positions x = mesh.vertices;
    x.row(3) << 0.4, 0.2, -0.5; // through the opposite face
    for (const ElasticModel model :
         {ElasticModel::stable_neo_hookean, ElasticModel::fixed_corotated, ElasticModel::stvk}) {
        const TetElasticity energy = tets_of(mesh, model);
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
        expect_matches(at(flat).gradient.transpose(), central_differences(value, flat, 0.3), "gradient");
        expect_matches(at(flat).hessian, central_differences(gradient, flat, 0.3), "Hessian");
    }
}

TEST(SimplexElasticity, WhatIsAskedForDoesNotDependOnWhatElseIs)
{
    const MeshData mesh = generate::tet_box({.subdivisions = {2, 1, 1}});
    const TetElasticity energy = tets_of(mesh, ElasticModel::neo_hookean);
    const Positions x = shaken(mesh.vertices, 0.05);
    const auto all = assembled(energy, x);
    EXPECT_EQ(assembled(energy, x, PSDProjectionMethod::none, Order::value).values, all.values);
    EXPECT_EQ(assembled(energy, x, PSDProjectionMethod::none, Order::gradient).gradient, all.gradient);
    std::vector<double> blocks(energy.stencils().num_blocks() * 9), again(blocks.size());
    std::vector<double> values(energy.stencils().size());
    energy.evaluate(x, {.blocks = blocks.data()});
    energy.evaluate(x, {.values = values.data(), .blocks = again.data()});
    EXPECT_EQ(blocks, again);
    EXPECT_EQ(values, all.values);
    energy.evaluate(x, {}); // nothing asked for
}

// --- The rest shape ---

TEST(SimplexElasticity, TheRestShapeIsAMinimum)
{
    for (const Body& body : small_bodies()) {
        SCOPED_TRACE(body.name);
        const Assembled rest = body.at(body.mesh.vertices, PSDProjectionMethod::none);
        EXPECT_LE(rest.value(), 1e-28);
        EXPECT_LE(rest.gradient.cwiseAbs().maxCoeff(), 1e-14);
        EXPECT_GE(smallest_eigenvalue(rest.hessian), -1e-13 * rest.hessian.norm());
    }
}

/// Stiffness matrix V Bᵀ C B of linear elasticity, C by the compliance that E and nu define: the inverse of Hooke's law
/// strain_x = (stress_x - nu (stress_y + stress_z)) / E, shear = 2 (1 + nu) / E stress.
template <int D>
Eigen::MatrixXd linear_stiffness(const Positions& X, double volume, const IsotropicModuli& moduli, bool is_plane_stress)
{
    constexpr int num_strains = D * (D + 1) / 2;
    const double E = moduli.young, nu = moduli.poisson;
    // Normal strains do not mix with shear.
    Mat<3, 3> compliance = Mat<3, 3>::Constant(-nu / E);
    compliance.diagonal().setConstant(1 / E);
    Eigen::MatrixXd C = E / (2 * (1 + nu)) * Eigen::MatrixXd::Identity(num_strains, num_strains);
    if (D == 3)
        C.topLeftCorner<3, 3>() = compliance.inverse();
    else if (is_plane_stress) // stresses across the plane vanish: the compliance is restricted
        C.topLeftCorner<2, 2>() = Mat<2, 2>(compliance.topLeftCorner<2, 2>()).inverse();
    else // strains across the plane vanish: the stiffness is
        C.topLeftCorner<2, 2>() = Mat<3, 3>(compliance.inverse()).topLeftCorner<2, 2>();
    Mat<D, D> edges;
    for (int i = 0; i < D; ++i)
        edges.col(i) = (X.row(i + 1) - X.row(0)).transpose();
    Mat<D + 1, D> g;
    g.template bottomRows<D>() = edges.inverse();
    g.row(0) = -g.template bottomRows<D>().colwise().sum();
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(num_strains, D * (D + 1));
    for (int v = 0; v <= D; ++v)
        for (int a = 0; a < D; ++a) {
            B(a, v * D + a) = g(v, a);
            int row = D;
            for (int p = 0; p < D; ++p)
                for (int q = p + 1; q < D; ++q, ++row) {
                    if (a == p)
                        B(row, v * D + a) += g(v, q);
                    if (a == q)
                        B(row, v * D + a) += g(v, p);
                }
        }
    return volume * B.transpose() * C * B;
}

TEST(SimplexElasticity, AtRestTheHessianIsTheStiffnessMatrixOfLinearElasticity)
{
    for (const double nu : {-0.4, 0.0, 0.3, 0.49}) {
        const IsotropicModuli moduli{.young = 3, .poisson = nu};
        for (const ElasticModel model : all_models) {
            const MeshData solid = one_element<3>(), planar = one_element<2>();
            const TetElasticity tet(solid.vertices, solid.tets, {.model = model, .lame = {lame_parameters(moduli)}});
            Eigen::MatrixXd K = linear_stiffness<3>(solid.vertices, tet.rest_volume(0), moduli, false);
            EXPECT_LE((assembled(tet, solid.vertices).hessian - K).norm(), 1e-13 * K.norm()) << to_string(model) << nu;

            const PlanarElasticity triangle(
                planar.vertices, planar.faces, {.model = model, .lame = {lame_parameters(moduli)}, .thickness = {0.5}});
            K = linear_stiffness<2>(planar.vertices, triangle.rest_volume(0), moduli, false);
            EXPECT_LE((assembled(triangle, planar.vertices).hessian - K).norm(), 1e-13 * K.norm()) << to_string(model);
        }
        for (const ElasticModel model : sheet_models) {
            const MeshData planar = one_element<2>();
            Positions flat(3, 3); // in the plane z = 0
            flat << planar.vertices, Eigen::Vector3d::Zero();
            const MembraneElasticity sheet(
                flat, planar.faces,
                {.model = model, .lame = {plane_stress_lame_parameters(moduli)}, .thickness = {0.1}});
            const Eigen::MatrixXd H = assembled(sheet, flat).hessian;
            const Eigen::MatrixXd K = linear_stiffness<2>(planar.vertices, sheet.rest_volume(0), moduli, true);
            const std::array<int, 6> in_plane{0, 1, 3, 4, 6, 7};
            EXPECT_LE((H(in_plane, in_plane) - K).norm(), 1e-13 * K.norm()) << to_string(model);
            EXPECT_LE(std::abs(H.norm() - K.norm()), 1e-13 * K.norm()); // nothing else at rest
        }
    }
}

// --- Invariance ---

template <int Dim>
void expect_turns_with(const Body& body)
{
    RandomStream random(9);
    const Mat<Dim, Dim> R = random_rotation<Dim>(random);
    const Vec<Dim> shift = random_points<Dim>(random);
    const Positions x = shaken(body.mesh.vertices, 0.05);
    const Assembled before = body.at(x, PSDProjectionMethod::none);
    const Assembled after = body.at(mapped<Dim, Dim>(x, R, shift), PSDProjectionMethod::none);
    const auto n = x.rows();
    Eigen::MatrixXd turn = Eigen::MatrixXd::Zero(n * Dim, n * Dim);
    for (Eigen::Index v = 0; v < n; ++v)
        turn.block<Dim, Dim>(v * Dim, v * Dim) = R;
    EXPECT_NEAR(after.value(), before.value(), 1e-12 * before.value());
    EXPECT_LE((after.gradient - turn * before.gradient).norm(), 1e-12 * before.hessian.norm());
    EXPECT_LE((after.hessian - turn * before.hessian * turn.transpose()).norm(), 1e-12 * before.hessian.norm());
}

TEST(SimplexElasticity, EnergyStaysAndForcesTurnWithTheBody)
{
    for (const Body& body : small_bodies()) {
        SCOPED_TRACE(body.name);
        if (body.mesh.vertices.cols() == 2)
            expect_turns_with<2>(body);
        else
            expect_turns_with<3>(body);
    }
}

TEST(SimplexElasticity, ThereIsNoNetForceAndNoNetTorque)
{
    for (const Body& body : small_bodies()) {
        SCOPED_TRACE(body.name);
        const Positions x = shaken(body.mesh.vertices, 0.08);
        const Eigen::VectorXd gradient = body.at(x, PSDProjectionMethod::none).gradient;
        const Positions forces = gradient.reshaped(x.cols(), x.rows()).transpose();
        EXPECT_LE(forces.colwise().sum().cwiseAbs().maxCoeff(), 1e-13);
        Vec3 torque = Vec3::Zero();
        for (Eigen::Index v = 0; v < x.rows(); ++v) {
            Vec3 arm = Vec3::Zero(), force = Vec3::Zero();
            arm.head(x.cols()) = x.row(v);
            force.head(x.cols()) = forces.row(v);
            torque += arm.cross(force);
        }
        EXPECT_LE(torque.cwiseAbs().maxCoeff(), 1e-13);
        EXPECT_GT(forces.norm(), 0.01);
    }
}

TEST(SimplexElasticity, AnAffineDeformationHasOneStressAndNoForcesInside)
{
    Mat<3, 3> F;
    F << 1.2, 0.3, 0, -0.1, 0.9, 0.2, 0.1, 0, 1.1;
    const MeshData mesh = generate::tet_box({.subdivisions = {4, 3, 3}});
    std::vector<bool> is_inside(mesh.vertices.rows(), true);
    for (Eigen::Index v = 0; v < mesh.vertices.rows(); ++v)
        is_inside[v] = mesh.vertices.row(v).cwiseAbs().maxCoeff() < 0.49;
    ASSERT_EQ(std::count(is_inside.begin(), is_inside.end(), true), 3 * 2 * 2);
    for (const ElasticModel model : all_models) {
        const TetElasticity energy = tets_of(mesh, model);
        const Assembled all = assembled(energy, mapped<3, 3>(mesh.vertices, F));
        const double density = deformation_energy<3, 3>(model, lame_parameters(rubber), F, Order::value).value;
        double largest = 0;
        for (std::size_t t = 0; t < all.values.size(); ++t)
            EXPECT_NEAR(all.values[t], density * energy.rest_volume(t), 1e-13 * density);
        for (Eigen::Index v = 0; v < mesh.vertices.rows(); ++v) {
            const double force = all.gradient.segment<3>(3 * v).norm();
            largest = std::max(largest, force);
            if (is_inside[v]) {
                EXPECT_LE(force, 1e-14);
            }
        }
        EXPECT_GT(largest, 0.01);
    }
}

// --- Projection ---

TEST(SimplexElasticity, ProjectedHessiansArePositiveSemidefinite)
{
    for (const Body& body : small_bodies())
        for (const double size : {0.0, 0.02, 0.1})
            for (const PSDProjectionMethod method : projections) {
                SCOPED_TRACE(body.name);
                const Eigen::MatrixXd H = body.at(shaken(body.mesh.vertices, size), method).hessian;
                EXPECT_GE(smallest_eigenvalue(H), -1e-12 * H.norm());
                EXPECT_EQ(H, Eigen::MatrixXd(H.transpose()));
            }
}

TEST(SimplexElasticity, InARegularTetrahedronTheProjectionIsThatOfItsDenseHessian)
{
    MeshData mesh = one_element<3>();
    mesh.vertices << 1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1;
    mesh.vertices /= std::sqrt(8.0);
    mesh.tets << 0, 2, 1, 3;
    ASSERT_NO_THROW(tets_of(mesh, ElasticModel::stvk));
    int num_indefinite = 0;
    for (const ElasticModel model : all_models)
        for (int seed = 1; seed <= 10; ++seed) {
            const TetElasticity energy = tets_of(mesh, model);
            const Positions x = shaken(0.8 * mesh.vertices, 0.2, seed);
            if (keeps_volume(model) &&
                !std::isfinite(assembled(energy, x, PSDProjectionMethod::none, Order::value).value()))
                continue;
            const Eigen::MatrixXd exact = assembled(energy, x).hessian;
            num_indefinite += smallest_eigenvalue(exact) < -1e-3 ? 1 : 0;
            for (const PSDProjectionMethod method : projections)
                EXPECT_LE(
                    (assembled(energy, x, method).hessian - densely_projected(exact, method)).cwiseAbs().maxCoeff(),
                    1e-10 * exact.cwiseAbs().maxCoeff())
                    << to_string(model);
        }
    EXPECT_GT(num_indefinite, 20);
}

TEST(SimplexElasticity, InOtherTetrahedraTheProjectionIsThatOfTheDenseHessianByTheDeformation)
{
    const MeshData mesh = one_element<3>();
    Mat<3, 3> edges;
    for (int i = 0; i < 3; ++i)
        edges.col(i) = (mesh.vertices.row(i + 1) - mesh.vertices.row(0)).transpose();
    const Mat<3, 3> inverse = edges.inverse();
    Mat<4, 3> g;
    g << -inverse.colwise().sum(), inverse;
    Eigen::MatrixXd dF(9, 12); // F column by column, x vertex by vertex
    for (int v = 0; v < 4; ++v)
        for (int b = 0; b < 3; ++b)
            dF.block<3, 3>(3 * b, 3 * v) = g(v, b) * Mat<3, 3>::Identity();
    for (const ElasticModel model : all_models)
        for (int seed = 1; seed <= 5; ++seed) {
            const TetElasticity energy = tets_of(mesh, model);
            const Positions x = shaken(0.8 * mesh.vertices, 0.1, seed);
            Mat<3, 3> now;
            for (int i = 0; i < 3; ++i)
                now.col(i) = (x.row(i + 1) - x.row(0)).transpose();
            const Mat<3, 3> F = now * inverse;
            if (keeps_volume(model) && F.determinant() <= 0)
                continue;
            const auto psi = deformation_energy<3, 3>(model, lame_parameters(rubber), F, Order::hessian);
            for (const PSDProjectionMethod method : projections) {
                const Eigen::MatrixXd expected =
                    energy.rest_volume(0) * dF.transpose() * densely_projected(psi.hessian, method) * dF;
                EXPECT_LE(
                    (assembled(energy, x, method).hessian - expected).cwiseAbs().maxCoeff(),
                    1e-10 * expected.cwiseAbs().maxCoeff())
                    << to_string(model);
            }
        }
}

// --- Sheets ---

TEST(MembraneElasticity, AStripPulledAlongItsLengthHasYoungsModulus)
{
    // A strip 1 m long and 1/4 m wide, pulled by a strain of 1e-5; its width is free and found by Newton's method.
    const IsotropicModuli moduli{.young = 5e4, .poisson = 0.35};
    const double thickness = 1e-3, strain = 1e-5, width = 0.25;
    const MeshData mesh = generate::cloth({.size = Vec2(1, width), .cells = {8, 2}});
    for (const ElasticModel model : sheet_models) {
        const MembraneElasticity energy(
            mesh.vertices, mesh.faces,
            {.model = model, .lame = {plane_stress_lame_parameters(moduli)}, .thickness = {thickness}});
        const auto stretched = [&](double across) {
            return mapped<3, 3>(mesh.vertices, Vec3(1 + strain, 1, across).asDiagonal());
        };
        const auto along_width = [&](double across) { // dE/dacross
            const Assembled all = assembled(energy, stretched(across));
            double sum = 0;
            for (Eigen::Index v = 0; v < mesh.vertices.rows(); ++v)
                sum += all.gradient[3 * v + 2] * mesh.vertices(v, 2);
            return sum;
        };
        double across = 1;
        for (int k = 0; k < 5; ++k) {
            const double slope = (along_width(across + 1e-6) - along_width(across - 1e-6)) / 2e-6;
            across -= along_width(across) / slope;
        }
        EXPECT_NEAR((1 - across) / strain, moduli.poisson, 1e-4) << to_string(model);
        const Assembled all = assembled(energy, stretched(across));
        double force = 0;
        for (Eigen::Index v = 0; v < mesh.vertices.rows(); ++v)
            if (mesh.vertices(v, 0) > 0.49)
                force += all.gradient[3 * v];
        EXPECT_NEAR(force / (moduli.young * strain * thickness * width), 1, 1e-4) << to_string(model);
    }
}

TEST(MembraneElasticity, ATautSheetResistsAcrossAndASlackOneDoesNot)
{
    const MeshData mesh = one_triangle_in_space();
    const MembraneElasticity energy = membrane_of(mesh, ElasticModel::stvk);
    const Vec3 u = mesh.vertices.row(1) - mesh.vertices.row(0), v = mesh.vertices.row(2) - mesh.vertices.row(0);
    const Vec3 n = u.cross(v).normalized();
    for (const double stretch : {0.9, 1.0, 1.1}) {
        const Eigen::MatrixXd H = assembled(energy, stretch * mesh.vertices).hessian;
        const double across = n.dot(H.topLeftCorner<3, 3>() * n);
        EXPECT_TRUE(stretch < 1 ? across < -1e-3 : stretch > 1 ? across > 1e-3 : std::abs(across) < 1e-13) << across;
    }
}

// --- Threads and materials ---

TEST(SimplexElasticity, HasTheSameBitsForEveryNumberOfThreads)
{
    const MeshData mesh = generate::tet_box({.subdivisions = {8, 8, 7}}); // not a multiple of the lanes
    const Positions x = shaken(mesh.vertices, 0.02);
    const TetElasticity energy = tets_of(mesh, ElasticModel::stable_neo_hookean);
    const auto run = [&](int threads) {
        set_num_threads(threads);
        std::vector<double> numbers(
            energy.stencils().size() + energy.stencils().num_entries() * 3 + energy.stencils().num_blocks() * 9);
        double* const gradients = numbers.data() + energy.stencils().size();
        energy.evaluate(
            x, {.values = numbers.data(),
                .gradients = gradients,
                .blocks = gradients + energy.stencils().num_entries() * 3,
                .hessian = HessianForm::clamp});
        set_num_threads(0);
        return numbers;
    };
    const auto one = run(1);
    for (const int threads : {2, 4}) {
        const auto several = run(threads);
        EXPECT_EQ(std::memcmp(one.data(), several.data(), one.size() * sizeof(double)), 0);
    }
}

TEST(SimplexElasticity, ElementsHaveTheirOwnMaterialAndThickness)
{
    const MeshData mesh = planar_square(2);
    std::vector<LameParameters> lame;
    std::vector<double> thickness;
    for (int f = 0; f < mesh.faces.rows(); ++f) {
        lame.push_back({1.0 + f, 2.0 + f});
        thickness.push_back(0.1 * (f + 1));
    }
    const Positions x = shaken(mesh.vertices, 0.05);
    const PlanarElasticity all(mesh.vertices, mesh.faces, {ElasticModel::neo_hookean, lame, thickness});
    for (int f = 0; f < mesh.faces.rows(); ++f) {
        const PlanarElasticity one(
            mesh.vertices, mesh.faces.row(f), {ElasticModel::neo_hookean, {lame[f]}, {thickness[f]}});
        EXPECT_EQ(assembled(all, x).values[f], assembled(one, x).values[0]);
    }
}

TEST(SimplexElasticity, AMeshWithoutElementsHasNoEnergy)
{
    const MeshData mesh = one_element<3>();
    const TetElasticity energy(mesh.vertices, Tets(0, 4), {.lame = {lame_parameters(rubber)}});
    EXPECT_EQ(assembled(energy, mesh.vertices).value(), 0);
    EXPECT_EQ(energy.largest_uninverted_step(mesh.vertices, mesh.vertices), 1);
}

// --- Bad input ---

template <typename Exception, typename Function>
std::string message_of(Function&& function)
{
    try {
        function();
    } catch (const Exception& error) {
        return error.what();
    }
    return "accepted";
}

TEST(SimplexElasticity, NeoHookeanIsInfiniteWhereInvertedAndHasNoDerivativesThere)
{
    const MeshData mesh = generate::tet_box({.subdivisions = {2, 2, 2}});
    const TetElasticity energy = tets_of(mesh, ElasticModel::neo_hookean);
    Positions x = mesh.vertices;
    x.row(0) *= -1; // a corner of the box through the box
    const auto values = assembled(energy, x, PSDProjectionMethod::none, Order::value).values;
    const auto inverted = std::find(values.begin(), values.end(), std::numeric_limits<double>::infinity());
    ASSERT_NE(inverted, values.end());
    const std::string message = message_of<InvalidStart>([&] { assembled(energy, x); });
    EXPECT_NE(message.find(fmt::format("x: row {} of tets", inverted - values.begin())), std::string::npos) << message;
}

TEST(MembraneElasticity, OnlyNeoHookeanPushesWithoutBoundAsATriangleCollapsesInItsPlane)
{
    const MeshData mesh = one_triangle_in_space();
    const auto squeezed = [&](double share) { // the last corner is moved to the middle of the opposite edge
        Positions x = mesh.vertices;
        x.row(2) = share * x.row(2) + (1 - share) * (x.row(0) + x.row(1)) / 2;
        return x;
    };
    for (const ElasticModel model : sheet_models) {
        SCOPED_TRACE(to_string(model));
        const MembraneElasticity energy = membrane_of(mesh, model);
        const auto force = [&](double share) {
            const Assembled all = assembled(energy, squeezed(share), PSDProjectionMethod::none, Order::gradient);
            return all.gradient.tail<3>().norm();
        };
        if (keeps_volume(model))
            EXPECT_GT(force(1e-5), 900 * force(1e-2)); // as 1 / share, and a logarithm
        else
            EXPECT_LT(force(1e-5), 2 * force(1e-2));
    }
}

TEST(MembraneElasticity, ANeoHookeanTriangleWithoutAreaHasInfiniteEnergyAndNoDerivatives)
{
    const MeshData mesh = one_triangle_in_space();
    const MembraneElasticity energy = membrane_of(mesh, ElasticModel::neo_hookean);
    const Positions x = mesh.vertices.row(0).replicate(3, 1); // without rounding, which leaves a line some area
    EXPECT_EQ(
        assembled(energy, x, PSDProjectionMethod::none, Order::value).value(), std::numeric_limits<double>::infinity());
    const std::string message = message_of<InvalidStart>([&] { assembled(energy, x); });
    EXPECT_NE(message.find("x: row 0 of faces"), std::string::npos) << message;
    EXPECT_NE(message.find("fixed_corotated"), std::string::npos) << message;
}

TEST(SimplexElasticity, RejectsBadRestShapes)
{
    const LameParameters lame = lame_parameters(rubber);
    const MeshData mesh = generate::tet_box({.subdivisions = {1, 1, 1}});
    const auto tets = [&](const Positions& X, const Elements& T) {
        return message_of<InvalidInput>([&] { TetElasticity(X, T, {.lame = {lame}}); });
    };
    EXPECT_EQ(tets(mesh.vertices, mesh.tets), "accepted");
    Elements T = mesh.tets;
    std::swap(T(3, 0), T(3, 1));
    EXPECT_NE(tets(mesh.vertices, T).find("tets: row 3 (vertices"), std::string::npos);
    EXPECT_NE(tets(mesh.vertices, T).find("is inverted at rest"), std::string::npos);
    T = mesh.tets;
    T(2, 1) = 8;
    EXPECT_NE(tets(mesh.vertices, T).find("tets: row 2 has index 8"), std::string::npos);
    T = mesh.tets;
    T(2, 1) = T(2, 0);
    EXPECT_NE(tets(mesh.vertices, T), "accepted");
    Positions X = mesh.vertices;
    X(5, 1) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(tets(X, mesh.tets).find("rest_positions: row 5"), std::string::npos);
    X = mesh.vertices;
    X.col(2).setZero();
    EXPECT_NE(tets(X, mesh.tets).find("tets: row 0"), std::string::npos);
    EXPECT_NE(tets(X, mesh.tets).find("is degenerate at rest"), std::string::npos);
    EXPECT_NE(tets(mesh.vertices.leftCols(2), mesh.tets).find("rest_positions: "), std::string::npos);
    EXPECT_NE(tets(mesh.vertices, mesh.tets.leftCols(3)).find("tets: "), std::string::npos);
    // Flat by exact arithmetic but not by rounding, and the reverse
    X = one_element<3>().vertices;
    X.row(3) = (X.row(0) + X.row(1) + X.row(2)) / 3;
    EXPECT_NE(tets(X, one_element<3>().tets).find("row 0"), std::string::npos);
    X(3, 2) += 1e-15;
    EXPECT_NE(tets(X, one_element<3>().tets).find("row 0"), std::string::npos);

    Positions line(3, 3);
    line << 0, 0, 0, 1, 2, 3, 2, 4, 6;
    Elements face(1, 3);
    face << 0, 1, 2;
    EXPECT_NE(
        message_of<InvalidInput>([&] {
            MembraneElasticity(line, face, {.lame = {lame}, .thickness = {1}});
        }).find("faces: row 0 (vertices 0, 1, 2) is degenerate at rest"),
        std::string::npos);
    line.row(1) = line.row(0);
    EXPECT_NE(
        message_of<InvalidInput>([&] {
            MembraneElasticity(line, face, {.lame = {lame}, .thickness = {1}});
        }).find("is degenerate at rest"),
        std::string::npos);
}

TEST(SimplexElasticity, RejectsBadMaterials)
{
    const MeshData mesh = planar_square(2);
    const auto planar = [&](const PlanarOptions& options) {
        return message_of<InvalidInput>([&] { PlanarElasticity(mesh.vertices, mesh.faces, options); });
    };
    const LameParameters lame = lame_parameters(rubber);
    EXPECT_EQ(planar({.lame = {lame}}), "accepted");
    EXPECT_NE(planar({}).find("lame: expected one entry, or one for each of the 8 elements, got 0"), std::string::npos);
    EXPECT_NE(planar({.lame = {lame, lame}}).find("got 2"), std::string::npos);
    EXPECT_NE(planar({.lame = {{0, 1}}}).find("lame: entry 0 has mu = 0"), std::string::npos);
    EXPECT_NE(planar({.lame = {{1, -1.1}}}).find("lame: entry 0 has lambda = -1.1"), std::string::npos);
    EXPECT_NE(planar({.lame = {{1, std::nan("")}}}).find("lame: entry 0 has lambda"), std::string::npos);
    for (const double thickness : {0.0, -1.0, std::nan("")})
        EXPECT_NE(planar({.lame = {lame}, .thickness = {thickness}}).find("thickness: entry 0 is"), std::string::npos);
    EXPECT_NE(planar({.lame = {lame}, .thickness = {1, 2}}).find("thickness: expected"), std::string::npos);
    const MeshData triangle = one_triangle_in_space();
    EXPECT_NE(
        message_of<InvalidInput>([&] {
            membrane_of(triangle, ElasticModel::stable_neo_hookean);
        }).find("model: stable_neo_hookean"),
        std::string::npos);
}

TEST(SimplexElasticity, RejectsBadPositions)
{
    const MeshData mesh = one_element<3>();
    const TetElasticity energy = tets_of(mesh, ElasticModel::stvk);
    Positions x = mesh.vertices;
    x(2, 0) = std::numeric_limits<double>::infinity();
    EXPECT_NE(message_of<InvalidInput>([&] { assembled(energy, x); }).find("x: row 2"), std::string::npos);
    EXPECT_NE(
        message_of<InvalidInput>([&] { energy.evaluate(mesh.vertices.topRows(3), {}); }).find("x: "),
        std::string::npos);
}

} // namespace
} // namespace abut::test::simplex_elasticity_test
