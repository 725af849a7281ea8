#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/elastic/strain_limit.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "elastic_states.hpp"
#include "support/finite_differences.hpp"
#include "support/term_subsets.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace abut::test::strain_limit_test {
namespace {

constexpr StretchLimit limit{.stretch = 1.2, .from = 1.05, .stiffness = 3};

/// A triangle in the plane z = 0, of irregular shape.
struct Triangle {
    Positions vertices = Positions(3, 3);
    Elements faces = Elements(1, 3);

    Triangle()
    {
        vertices << 0.1, 0, 0, 1.2, 0.1, 0, 0.3, 0.9, 0;
        faces << 0, 1, 2;
    }
    [[nodiscard]] StrainLimit energy(const StretchLimit& each = limit) const
    {
        return {vertices, faces, {.limits = {each}, .thickness = {0.5}}};
    }
};

/// The triangle stretched by these factors along two directions of its plane, then put somewhere in space.
Positions stretched(const Triangle& triangle, double first, double second, const Vec3& shift = Vec3::Zero())
{
    const Mat<3, 3> within = Eigen::AngleAxisd(0.4, Vec3::UnitZ()).toRotationMatrix();
    const Mat<3, 3> turn = Eigen::AngleAxisd(1.9, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
    const Mat<3, 3> F = turn * within * Vec3(first, second, 1).asDiagonal() * within.transpose();
    return mapped<3, 3>(triangle.vertices, F, shift);
}

/// What the energy is, from its definition.
double expected(const StretchLimit& each, double volume, double first, double second)
{
    double sum = 0;
    for (const double sigma : {first, second}) {
        const double width = each.stretch - each.from, y = (sigma - each.from) / width;
        if (y > 0)
            sum -= each.stiffness * width * width * y * y * std::log1p(-y);
    }
    return volume * sum;
}

struct Case {
    const char* name;
    double first, second;
};
constexpr Case cases[]{
    {"both below the threshold", 1.03, 0.9},
    {"compressed", 0.4, 0.2},
    {"one above", 1.15, 0.95},
    {"one above, one just below", 1.1, 1.05 - 1e-5},
    {"one above, one just above", 1.1, 1.05 + 1e-5},
    {"both above", 1.17, 1.08},
    {"equal", 1.12, 1.12},
    {"nearly equal", 1.12 + 1e-9, 1.12},
    {"near by a thousandth", 1.121, 1.12},
    {"near the limit", 1.19, 0.8},
    {"both near the limit", 1.19, 1.188},
    {"one near the limit, one far", 1.192, 1.051}};

TEST(StrainLimit, IsTheBarrierOfItsStretches)
{
    const Triangle triangle;
    const StrainLimit energy = triangle.energy();
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        const Positions x = stretched(triangle, each.first, each.second);
        const double value = assembled(energy, x, PSDProjectionMethod::none, Order::value).value();
        const double right = expected(limit, energy.rest_volume(0), each.first, each.second);
        EXPECT_NEAR(value, right, 1e-11 * right);
        EXPECT_NEAR(energy.largest_stretch(x, 0), each.first, 1e-14);
    }
}

void expect_differences_match(const StrainLimit& energy, const Positions& x, double length)
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

TEST(StrainLimit, DerivativesMatchDifferencesInEveryBranch)
{
    const Triangle triangle;
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        // The barrier bends over the distance to its limit.
        const double length = 0.3 * std::min(1.0, limit.stretch - each.first);
        expect_differences_match(triangle.energy(), stretched(triangle, each.first, each.second), length);
    }
}

TEST(StrainLimit, DerivativesMatchDifferencesFarFromTheOrigin)
{
    // At a distance of a thousand sizes positions keep thirteen digits, which differences feel: the same numbers as
    // at the origin are what is asked for.
    const Triangle triangle;
    const StrainLimit energy = triangle.energy();
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        const Assembled near = assembled(energy, stretched(triangle, each.first, each.second));
        const Assembled far = assembled(energy, stretched(triangle, each.first, each.second, Vec3(1000, -500, 200)));
        const double rounding = 1e-12 / (limit.stretch - std::min(each.first, 1.19));
        EXPECT_LE((far.gradient - near.gradient).norm(), 1e2 * rounding * (near.hessian.norm() + 1));
        EXPECT_LE((far.hessian - near.hessian).norm(), 1e4 * rounding * (near.hessian.norm() + 1));
    }
    expect_differences_match(triangle.energy(), stretched(triangle, 1.1, 1.08, Vec3(3, -2, 5)), 0.02);
}

TEST(StrainLimit, IsTwiceContinuouslyDifferentiableAtItsThreshold)
{
    const Triangle triangle;
    const StrainLimit energy = triangle.energy();
    for (const double distance : {1e-3, 1e-5, 1e-7}) {
        const Assembled above = assembled(energy, stretched(triangle, limit.from + distance, 0.9));
        EXPECT_LE(above.value(), 30 * std::pow(distance, 3) / (limit.stretch - limit.from));
        EXPECT_LE(above.gradient.norm(), 1e2 * distance * distance / (limit.stretch - limit.from));
        EXPECT_LE(above.hessian.norm(), 1e3 * distance / (limit.stretch - limit.from));
        EXPECT_GT(above.value(), 0);
    }
    const Assembled below = assembled(energy, stretched(triangle, limit.from - 1e-14, 0.9));
    EXPECT_EQ(below.value(), 0);
    EXPECT_EQ(below.gradient.norm(), 0);
    EXPECT_EQ(below.hessian.norm(), 0);
}

TEST(StrainLimit, IsConvexSoThatEveryFormOfItsHessianIsTheExactOne)
{
    const MeshData mesh = generate::icosphere({.radius = 1, .subdivisions = 1});
    const StrainLimit energy(mesh.vertices, mesh.faces, {.limits = {{1.6, 1, 2}}, .thickness = {0.1}});
    const Positions x = shaken(1.1 * mesh.vertices, 0.1);
    const Assembled exact = assembled(energy, x);
    EXPECT_GE(smallest_eigenvalue(exact.hessian), -1e-13 * exact.hessian.norm());
    for (const PSDProjectionMethod projection : projections)
        EXPECT_EQ(assembled(energy, x, projection).hessian, exact.hessian);
}

TEST(StrainLimit, FeelsNoRigidMotionAndPushesNothingAsAWhole)
{
    const Triangle triangle;
    const StrainLimit energy = triangle.energy({.stretch = 1.1, .from = 1, .stiffness = 1e6});
    EXPECT_LE(assembled(energy, stretched(triangle, 1, 1)).gradient.norm(), 1e-20);
    const Positions x = stretched(triangle, 1.08, 1.05);
    const Assembled all = assembled(energy, x);
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (int i = 0; i < 3; ++i) {
        const Vec3 own = all.gradient.segment<3>(3 * i), place = x.row(i).transpose();
        force += own;
        torque += place.cross(own);
    }
    EXPECT_LE(force.norm(), 1e-13 * all.gradient.norm());
    EXPECT_LE(torque.norm(), 1e-12 * all.gradient.norm());
}

TEST(StrainLimit, IsInfiniteBeyondAndHasNoDerivativesThere)
{
    const Triangle triangle;
    const StrainLimit energy = triangle.energy();
    for (const double stretch : {1.2 + 1e-12, 1.3, 5.0}) {
        const Positions x = stretched(triangle, stretch, 0.9);
        EXPECT_EQ(
            assembled(energy, x, PSDProjectionMethod::none, Order::value).value(),
            std::numeric_limits<double>::infinity());
        try {
            (void)assembled(energy, x);
            ADD_FAILURE() << "accepted";
        } catch (const InvalidStart& error) {
            EXPECT_NE(
                std::string(error.what()).find("x: row 0 of faces (vertices 0, 1, 2) is stretched by"),
                std::string::npos)
                << error.what();
        }
        EXPECT_EQ(energy.first_beyond(x), 0u);
        EXPECT_THROW((void)energy.largest_step_within(x, Positions::Zero(3, 3)), InvalidStart);
    }
    EXPECT_EQ(energy.first_beyond(stretched(triangle, 1.199, 1.19)), std::nullopt);
}

TEST(StrainLimit, StepsEndWithinTheLimit)
{
    RandomStream random(7);
    const MeshData mesh = generate::icosphere({.radius = 1, .subdivisions = 2});
    const StrainLimit energy(mesh.vertices, mesh.faces, {.limits = {limit}, .thickness = {0.1}});
    int num_cut = 0;
    for (const double size : {1e-6, 1.0, 1e6})
        for (const double shift : {0.0, 1e3})
            for (int seed = 1; seed <= 10; ++seed) {
                const StrainLimit own(size * mesh.vertices, mesh.faces, {.limits = {limit}, .thickness = {0.1 * size}});
                Positions x = size * 1.02 * shaken(mesh.vertices, 0.005, seed);
                x.array() += shift * size;
                const Positions dx =
                    size * random.uniform(0.01, 3) * shaken(Positions::Zero(x.rows(), 3), 1, 100 + seed);
                const double t = own.largest_step_within(x, dx);
                ASSERT_GT(t, 0);
                ASSERT_LE(t, 1);
                num_cut += t < 1;
                for (const double share : {0.1, 0.5, 0.9, 1.0})
                    EXPECT_EQ(own.first_beyond(x + share * t * dx), std::nullopt) << size << shift << seed;
                // Nine tenths of the way, so that a tenth more goes beyond
                if (t < 1) {
                    EXPECT_NE(own.first_beyond(x + 1.2 * t * dx), std::nullopt) << size << shift << seed;
                }
            }
    EXPECT_GT(num_cut, 20);
}

TEST(StrainLimit, AStepThatGivesWayIsFree)
{
    const Triangle triangle;
    const StrainLimit energy = triangle.energy();
    const Positions x = stretched(triangle, 1.2 - 1e-9, 0.9);
    EXPECT_EQ(energy.largest_step_within(x, stretched(triangle, 1, 1) - x), 1);
    EXPECT_EQ(energy.largest_step_within(x, Positions::Zero(3, 3)), 1);
    const Positions outward = stretched(triangle, 1.3, 0.9) - x;
    const double t = energy.largest_step_within(x, outward);
    EXPECT_NEAR(t, 0.9 * 1e-9 / (0.1 + 1e-9), 1e-11);
}

TEST(StrainLimit, AStepThatEndsAtTheLimitIsCutBeforeIt)
{
    // In numbers that doubles have: the stretch at the end is the limit to the bit, or beyond it by rounding.
    Triangle triangle;
    triangle.vertices << 0, 0, 0, 1, 0, 0, 0, 1, 0;
    const StrainLimit energy = triangle.energy({.stretch = 1.5, .from = 1, .stiffness = 1});
    for (const double beyond : {0.0, 0x1p-52, 0x1p-40}) {
        Positions dx = Positions::Zero(3, 3);
        dx(1, 0) = 0.5 + beyond;
        EXPECT_NEAR(energy.largest_step_within(triangle.vertices, dx), 0.9, 1e-3);
    }
}

TEST(StrainLimit, HasTheSameBitsForAnyNumberOfThreadsAndInAnySubset)
{
    const MeshData mesh = generate::icosphere({.radius = 1, .subdivisions = 3});
    const StrainLimit energy(mesh.vertices, mesh.faces, {.limits = {{1.5, 1, 2}}, .thickness = {0.1}});
    const Positions x = shaken(1.05 * mesh.vertices, 0.01);
    const auto numbers = [&](const StrainLimit& own) {
        return term_numbers(
            own.stencils(), 3, {.hessian = HessianForm::clamp}, [&](const TermOutput& out) { own.evaluate(x, out); });
    };
    const TermNumbers all = numbers(energy);
    for (const TermList& terms : any_subsets(energy.stencils().size()))
        expect_same_bits(all, terms, numbers(energy.subset(terms)));
    const Positions dx = shaken(Positions::Zero(x.rows(), 3), 1);
    const double t = energy.largest_step_within(x, dx);
    set_num_threads(1);
    EXPECT_EQ(numbers(energy).blocks, all.blocks);
    EXPECT_EQ(energy.largest_step_within(x, dx), t);
    set_num_threads(0);
}

TEST(StrainLimit, RejectsBadLimits)
{
    const Triangle triangle;
    const auto message = [&](const StretchLimit& each) -> std::string {
        try {
            (void)triangle.energy(each);
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_EQ(message(limit), "accepted");
    EXPECT_NE(
        message({.stretch = 1.1, .from = 1.1, .stiffness = 1}).find("limits: entry 0 ends at"), std::string::npos);
    EXPECT_NE(message({.stretch = 0.9, .from = 0.5, .stiffness = 1}).find("limits: entry 0 begins"), std::string::npos);
    for (const double bad : {0.0, -1.0, double(INFINITY), double(NAN)})
        EXPECT_NE(message({.stretch = 1.1, .from = 1, .stiffness = bad}).find("the stiffness"), std::string::npos);
    EXPECT_NE(message({.stretch = NAN, .from = 1, .stiffness = 1}).find("limits: entry 0 ends at"), std::string::npos);
    Positions flat = triangle.vertices;
    flat.col(1).setZero();
    EXPECT_THROW(StrainLimit(flat, triangle.faces, {.limits = {limit}, .thickness = {1}}), InvalidInput);
    EXPECT_THROW(StrainLimit(triangle.vertices, triangle.faces, {.limits = {limit}, .thickness = {0}}), InvalidInput);
    EXPECT_THROW(StrainLimit(triangle.vertices, triangle.faces, {.limits = {}, .thickness = {1}}), InvalidInput);
}

} // namespace
} // namespace abut::test::strain_limit_test
