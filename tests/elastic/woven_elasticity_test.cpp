#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/elastic/woven_elasticity.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "elastic_states.hpp"
#include "support/finite_differences.hpp"
#include "support/term_subsets.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace abut::test::woven_elasticity_test {
namespace {

constexpr WovenModuli cotton{.warp = 3, .weft = 2, .shear = 0.5};
constexpr double thickness = 0.5;

/// A triangle in the plane z = 0, of irregular shape; its warp is somewhere between its edges.
struct Triangle {
    Positions vertices = Positions(3, 3);
    Elements faces = Elements(1, 3);
    Vec3 warp = Vec3(2, 1, 0), weft = Vec3(-1, 2, 0);

    Triangle()
    {
        vertices << 0.1, 0, 0, 1.2, 0.1, 0, 0.3, 0.9, 0;
        faces << 0, 1, 2;
        warp.normalize();
        weft.normalize();
    }
    [[nodiscard]] WovenElasticity energy(const WovenModuli& moduli = cotton) const
    {
        // Of any length, and with a part across the plane, which does not matter
        return {vertices, faces, {{moduli}, {thickness}, {3 * warp + Vec3(0, 0, 7)}}};
    }
    /// Moved so that unit vectors along warp and weft become these columns.
    [[nodiscard]] Positions moved(const Vec3& f_u, const Vec3& f_w) const
    {
        const Mat<3, 3> F = f_u * warp.transpose() + f_w * weft.transpose();
        return mapped<3, 3>(vertices, F, Vec3(0.3, -0.2, 0.7));
    }
};

Mat<3, 3> any_turn() { return Eigen::AngleAxisd(1.9, Vec3(1, -2, 0.5).normalized()).toRotationMatrix(); }

struct Case {
    const char* name;
    Vec3 f_u, f_w;
};
std::vector<Case> cases()
{
    return {
        {"rest", {1, 0, 0}, {0, 1, 0}},
        {"tension", {1.3, 0, 0}, {0, 1.1, 0}},
        {"compression", {0.7, 0, 0}, {0, 0.5, 0}},
        {"strong compression", {0.1, 0, 0}, {0, 0.05, 0}},
        {"warp pulled, weft pressed", {1.4, 0, 0}, {0, 0.6, 0}},
        {"sheared", {1, 0, 0}, {0.4, 0.9, 0}},
        {"sheared the other way", {1, 0, 0}, {-0.4, 0.9, 0}},
        {"sheared and compressed", {0.6, 0.1, 0}, {0.3, 0.5, 0.1}},
        {"far sheared", {1.1, 0, 0}, {0.9, 0.3, 0}},
        {"warp on weft", {0.9, 0, 0}, {0.9, 0, 0}},
        {"warp against weft", {0.9, 0, 0}, {-0.9, 0, 0}},
        {"turned over", {1.1, 0, 0}, {0.2, -0.9, 0}},
    };
}

void expect_differences_match(const WovenElasticity& energy, const Positions& x, double length)
{
    const auto at = [&](const Eigen::VectorXd& flat) {
        return assembled(energy, Positions(flat.reshaped(3, x.rows()).transpose()));
    };
    const VectorFunction value = [&](const Eigen::VectorXd& flat) -> Eigen::VectorXd {
        return Eigen::VectorXd::Constant(1, at(flat).value());
    };
    const VectorFunction gradient = [&](const Eigen::VectorXd& flat) -> Eigen::VectorXd { return at(flat).gradient; };
    const Eigen::VectorXd flat = x.transpose().reshaped();
    const Assembled all = at(flat);
    expect_matches(all.gradient.transpose(), central_differences(value, flat, length), "gradient");
    expect_matches(all.hessian, central_differences(gradient, flat, length), "Hessian");
}

TEST(WovenElasticity, IsBaraffAndWitkinsEnergy)
{
    const Triangle triangle;
    const WovenElasticity energy = triangle.energy();
    const Mat<3, 3> turn = any_turn();
    for (const Case& each : cases()) {
        const double u = each.f_u.norm() - 1, w = each.f_w.norm() - 1, shear = each.f_u.dot(each.f_w);
        const double right =
            energy.rest_volume(0) / 2 * (cotton.warp * u * u + cotton.weft * w * w + cotton.shear * shear * shear);
        EXPECT_NEAR(
            assembled(energy, triangle.moved(turn * each.f_u, turn * each.f_w)).value(), right, 1e-14 + 1e-13 * right)
            << each.name;
    }
}

TEST(WovenElasticity, DerivativesMatchDifferencesInEveryBranch)
{
    const Triangle triangle;
    for (const Mat<3, 3>& turn : {Mat<3, 3>(Mat<3, 3>::Identity()), any_turn()})
        for (const Case& each : cases()) {
            SCOPED_TRACE(each.name);
            const double length = 0.3 * std::min({1.0, each.f_u.norm(), each.f_w.norm()});
            expect_differences_match(triangle.energy(), triangle.moved(turn * each.f_u, turn * each.f_w), length);
        }
}

TEST(WovenElasticity, HasTheSameDerivativesFarFromTheOrigin)
{
    const Triangle triangle;
    const WovenElasticity energy = triangle.energy();
    for (const Case& each : cases()) {
        const Positions x = triangle.moved(each.f_u, each.f_w);
        const Assembled near = assembled(energy, x);
        const Assembled far = assembled(energy, x.rowwise() + Eigen::RowVector3d(1000, -500, 200));
        EXPECT_LE((far.gradient - near.gradient).norm(), 1e-11) << each.name;
        EXPECT_LE((far.hessian - near.hessian).norm(), 1e-9) << each.name;
    }
}

/// The sum of its parts, each projected by its eigenvalues as numbers.
Eigen::MatrixXd projected_parts(const Triangle& triangle, const Positions& x, PSDProjectionMethod projection)
{
    constexpr double tiny = 1e-300; // moduli of threads are positive
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(9, 9);
    for (const WovenModuli& part :
         {WovenModuli{cotton.warp, tiny, 0}, WovenModuli{tiny, cotton.weft, 0},
          WovenModuli{tiny, tiny, cotton.shear}}) {
        sum += densely_projected(assembled(triangle.energy(part), x).hessian, projection);
    }
    return sum;
}

TEST(WovenElasticity, ProjectedHessiansAreThoseOfItsPartsInRegularTriangles)
{
    // In an equilateral triangle the eigenvalues of the element are those of the material.
    Triangle triangle;
    triangle.vertices << 0, 0, 0, 1, 0, 0, 0.5, std::sqrt(0.75), 0;
    for (const Case& each : cases())
        for (const PSDProjectionMethod projection : projections) {
            SCOPED_TRACE(each.name);
            const Positions x = triangle.moved(any_turn() * each.f_u, any_turn() * each.f_w);
            const Eigen::MatrixXd right = projected_parts(triangle, x, projection);
            const Eigen::MatrixXd own = assembled(triangle.energy(), x, projection).hessian;
            EXPECT_LE((own - right).norm(), 1e-12 * right.norm());
        }
}

TEST(WovenElasticity, ProjectedHessiansArePositiveSemidefiniteAndExactWhereNothingIsNegative)
{
    const Triangle triangle;
    for (const Case& each : cases())
        for (const PSDProjectionMethod projection : projections) {
            SCOPED_TRACE(each.name);
            const Assembled all = assembled(triangle.energy(), triangle.moved(each.f_u, each.f_w), projection);
            EXPECT_GE(smallest_eigenvalue(all.hessian), -1e-14 * all.hessian.norm());
        }
    const Positions pulled = triangle.moved(Vec3(1.3, 0, 0), Vec3(0, 1.1, 0));
    const Eigen::MatrixXd exact = assembled(triangle.energy(), pulled).hessian;
    EXPECT_LE(
        (assembled(triangle.energy(), pulled, PSDProjectionMethod::clamp).hessian - exact).norm(),
        1e-13 * exact.norm());
}

/// A strip of 2 m x 1 m, whose warp runs along x.
struct Strip {
    MeshData mesh = generate::plane_grid({.size = {2, 1}, .cells = {4, 3}});
    WovenElasticity energy{mesh.vertices, mesh.faces, {{cotton}, {thickness}, {Vec3::UnitX()}}};

    /// Stretched along its sides: the forces that hold the ends x = 1 and z = 1/2, and the gradient's largest entry
    /// across its plane.
    struct Pull {
        double along_x = 0, along_z = 0, across = 0;
    };
    [[nodiscard]] Pull pull(double x, double z, const Mat<3, 3>& turn = Mat<3, 3>::Identity()) const
    {
        const Mat<3, 3> F = turn * Vec3(x, 1, z).asDiagonal();
        const Assembled all = assembled(energy, mapped<3, 3>(mesh.vertices, F));
        Pull sum;
        for (Eigen::Index i = 0; i < mesh.vertices.rows(); ++i) {
            const Vec3 force = turn.transpose() * all.gradient.segment<3>(3 * i);
            sum.along_x += mesh.vertices(i, 0) > 0.99 ? force.x() : 0;
            sum.along_z += mesh.vertices(i, 2) > 0.49 ? force.z() : 0;
            sum.across = std::max(sum.across, std::abs(force.y()));
        }
        return sum;
    }
};

TEST(WovenElasticity, PullingAlongTheWarpGivesItsStiffnessAndLeavesTheWeftAlone)
{
    const Strip strip;
    for (const double strain : {1e-4, 0.01, 0.2, -0.3})
        for (const Mat<3, 3>& turn : {Mat<3, 3>(Mat<3, 3>::Identity()), any_turn()}) {
            const Strip::Pull warp = strip.pull(1 + strain, 1, turn);
            EXPECT_NEAR(warp.along_x, cotton.warp * strain * thickness * 1, 1e-13); // over a width of 1 m
            EXPECT_NEAR(warp.along_z, 0, 1e-13);
            EXPECT_NEAR(warp.across, 0, 1e-13);
            const Strip::Pull weft = strip.pull(1, 1 + strain, turn);
            EXPECT_NEAR(weft.along_z, cotton.weft * strain * thickness * 2, 1e-13); // over a width of 2 m
            EXPECT_NEAR(weft.along_x, 0, 1e-13);
        }
}

TEST(WovenElasticity, TheSameForceStretchesTheWeakerThreadsMore)
{
    // Force per width over k h is the strain, in closed form: 2 to 3 as the moduli are 3 to 2.
    const Strip strip;
    const double warp = strip.pull(1.02, 1).along_x / 1, weft = strip.pull(1, 1.03).along_z / 2;
    EXPECT_NEAR(warp, weft, 1e-13);
}

TEST(WovenElasticity, FeelsNoRigidMotionAndPushesNothingAsAWhole)
{
    const MeshData mesh = generate::icosphere({.radius = 0.7, .subdivisions = 1});
    const WovenElasticity energy(mesh.vertices, mesh.faces, {{cotton}, {thickness}, {Vec3(1, 0.3, -0.2)}});
    const Assembled rest = assembled(energy, mapped<3, 3>(mesh.vertices, any_turn(), Vec3(1, 2, 3)));
    EXPECT_LE(rest.value(), 1e-28);
    EXPECT_LE(rest.gradient.cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_GE(smallest_eigenvalue(rest.hessian), -1e-13 * rest.hessian.norm());
    const Positions x = shaken(mesh.vertices, 0.1);
    const Assembled all = assembled(energy, x);
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
        const Vec3 own = all.gradient.segment<3>(3 * i), place = x.row(i).transpose();
        force += own;
        torque += place.cross(own);
    }
    EXPECT_LE(force.norm(), 1e-13 * all.gradient.norm());
    EXPECT_LE(torque.norm(), 1e-13 * all.gradient.norm());
}

TEST(WovenElasticity, IsFiniteWhereThreadsVanish)
{
    const Triangle triangle;
    for (const PSDProjectionMethod projection : {PSDProjectionMethod::none, PSDProjectionMethod::clamp}) {
        const Assembled all = assembled(triangle.energy(), triangle.moved(Vec3::Zero(), Vec3::Zero()), projection);
        EXPECT_TRUE(std::isfinite(all.value()) && all.gradient.allFinite() && all.hessian.allFinite());
    }
}

TEST(WovenElasticity, HasTheSameBitsForAnyNumberOfThreadsAndInAnySubset)
{
    const MeshData mesh = generate::icosphere({.radius = 1, .subdivisions = 3});
    const WovenElasticity energy(mesh.vertices, mesh.faces, {{cotton}, {0.1}, {Vec3(1, 0.3, -0.2)}});
    const Positions x = shaken(0.9 * mesh.vertices, 0.02);
    for (const HessianForm form : {HessianForm::exact, HessianForm::clamp, HessianForm::absolute}) {
        const auto numbers = [&](const WovenElasticity& own) {
            return term_numbers(
                own.stencils(), 3, {.hessian = form}, [&](const TermOutput& out) { own.evaluate(x, out); });
        };
        const TermNumbers all = numbers(energy);
        for (const TermList& terms : any_subsets(energy.stencils().size()))
            expect_same_bits(all, terms, numbers(energy.subset(terms)));
        set_num_threads(1);
        EXPECT_EQ(numbers(energy).blocks, all.blocks);
        set_num_threads(0);
    }
}

TEST(WovenElasticity, RejectsBadMaterialsAndDirections)
{
    const Triangle triangle;
    const auto message = [&](const WovenOptions& options) -> std::string {
        try {
            (void)WovenElasticity(triangle.vertices, triangle.faces, options);
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_EQ(message({{cotton}, {1}}), "accepted");
    EXPECT_EQ(message({{{1, 1, 0}}, {1}}), "accepted");
    EXPECT_NE(message({{{0, 1, 1}}, {1}}).find("moduli: entry 0 has warp = 0"), std::string::npos);
    EXPECT_NE(message({{{1, -1, 1}}, {1}}).find("moduli: entry 0 has weft = -1"), std::string::npos);
    EXPECT_NE(message({{{1, 1, NAN}}, {1}}).find("moduli: entry 0 has shear = nan"), std::string::npos);
    EXPECT_NE(message({{}, {1}}).find("moduli: expected one entry"), std::string::npos);
    EXPECT_NE(message({{cotton}, {-1}}).find("thickness: entry 0 is -1"), std::string::npos);
    EXPECT_NE(message({{cotton}, {1}, {Vec3::UnitZ()}}).find("is normal to row 0 of faces"), std::string::npos);
    EXPECT_NE(message({{cotton}, {1}, {Vec3::Zero()}}).find("has no length"), std::string::npos);
    EXPECT_NE(message({{cotton}, {1}, {}}).find("warp_direction: expected one entry"), std::string::npos);
    EXPECT_THROW(
        MembraneElasticity(
            triangle.vertices, triangle.faces, {ElasticModel::baraff_witkin, {lame_parameters(rubber)}, {1}}),
        InvalidInput);
}

} // namespace
} // namespace abut::test::woven_elasticity_test
