// Steps without inertia: each is an equilibrium, which theory knows for a few shapes.

#include "support/simulated.hpp"

#include <fmt/format.h>

namespace abut::test {

namespace {

/// A bar along x or y, held at one end, under its own weight.
Scene held_bar(const Vec3& size, std::array<int, 3> cells, int axis, const Vec3& gravity)
{
    Scene scene;
    scene.gravity = gravity;
    scene.objects = {box("bar", size, Vec3::Zero(), cells)};
    scene.objects[0].youngs_modulus = 1e8;
    scene.objects[0].poisson_ratio = 0;
    VertexScript held;
    held.vertices = vertices_at(scene.objects[0].mesh, axis, axis == 0 ? -size[0] / 2 : size[axis] / 2);
    scene.scripts = {held};
    scene.contact.model = "none";
    scene.time.integrator = "quasi_static";
    scene.solver.tolerance = 1e-8; // times dt: 1e-10 m
    return scene;
}

TEST(QuasiStatic, AHangingBarBecomesLongerByItsWeight)
{
    // ρ g L² / 2E, at strains of 1e-4
    const double length = 1, expected = 1000 * 9.81 * length * length / (2 * 1e8);
    double before = INFINITY;
    for (const int n : {1, 2, 4}) {
        Simulation simulation(held_bar(Vec3(0.2, length, 0.2), {n, 5 * n, n}, 1, Vec3(0, -9.81, 0)));
        const Positions start = simulation.state().x;
        const StepReport report = run(simulation, 1);
        EXPECT_LE(report.iterations.size(), 4u);
        double longer = 0;
        const std::vector<int> tip = vertices_at(simulation.scene().objects[0].mesh, 1, -length / 2);
        for (const int v : tip)
            longer += (start(v, 1) - simulation.state().x(v, 1)) / static_cast<double>(tip.size());
        const double error = std::abs(longer - expected) / expected;
        EXPECT_LT(error, before) << n << " cells across";
        before = error;
        RecordProperty("error" + std::to_string(n), std::to_string(error));
    }
    EXPECT_LT(before, 3e-4);
}

TEST(QuasiStatic, AStepIsAnEquilibriumThatTheNextKeeps)
{
    Simulation simulation(held_bar(Vec3(1, 0.2, 0.2), {5, 1, 1}, 0, Vec3(0, -9.81, 0)));
    run(simulation, 1);
    const Positions first = simulation.state().x;
    EXPECT_LT(first.col(1).minCoeff(), -0.1) << "it bends";
    const StepReport report = run(simulation, 1);
    EXPECT_LE(report.iterations.size(), 1u);
    EXPECT_LE((simulation.state().x - first).cwiseAbs().maxCoeff(), 1e-10);
    EXPECT_EQ(report.balance.kinetic, 0);
}

TEST(QuasiStatic, ACubeLandsOnAPlaneInOneStep)
{
    Scene scene;
    scene.objects = {cube("cube", 0.2, Vec3(0, 0.15, 0))};
    scene.objects[0].youngs_modulus = 1e6;
    scene.planes = {floor_plane()};
    scene.time.integrator = "quasi_static";
    scene.solver.tolerance = 1e-6;
    scene.verify = Verify::step;
    Simulation simulation(scene);
    const StepReport report = run(simulation, 1);
    const double weight = simulation.masses().sum() * 9.81;
    const Vec3 force = simulation.contact_forces().colwise().sum();
    EXPECT_NEAR(force.y(), weight, 1e-8 * weight);
    EXPECT_LE(std::hypot(force.x(), force.z()), 1e-12 * weight);
    ASSERT_EQ(report.forces.size(), 1u);
    EXPECT_NEAR(report.forces[0].contact.y(), weight, 1e-8 * weight);
    const Positions first = simulation.state().x;
    run(simulation, 1);
    // It stays, also along the plane, where nothing but the damping of neutral motion holds it.
    EXPECT_LE((simulation.state().x - first).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(QuasiStatic, ABodyWithNothingBelowEndsInANamedOutcome)
{
    Scene scene;
    scene.objects = {cube("cube", 0.2, Vec3::Zero())};
    scene.time.integrator = "quasi_static";
    scene.solver.max_iterations = 30;
    Simulation simulation(scene);
    const StepReport report = simulation.step();
    EXPECT_TRUE(
        report.outcome == Outcome::iteration_limit || report.outcome == Outcome::linear_solve_failed ||
        report.outcome == Outcome::not_finite)
        << to_string(report.outcome);
    EXPECT_FALSE(report.message.empty());
    EXPECT_LE(report.iterations.size(), 30u);
    EXPECT_TRUE(simulation.state().x.allFinite());
}

/// The deflection of the tip of a cantilever with n cells across its height, at small strains.
double tip_deflection(int n)
{
    constexpr double length = 1, height = 0.1;
    Simulation simulation(
        held_bar(Vec3(length, height, height / 2), {10 * n, n, std::max(1, n / 2)}, 0, Vec3(0, -0.0981, 0)));
    const Positions start = simulation.state().x;
    const StepReport report = run(simulation, 1);
    EXPECT_EQ(report.outcome, Outcome::converged);
    const std::vector<int> tip = vertices_at(simulation.scene().objects[0].mesh, 0, length / 2);
    double sum = 0;
    for (const int v : tip)
        sum += start(v, 1) - simulation.state().x(v, 1);
    return sum / static_cast<double>(tip.size());
}

TEST(QuasiStatic, ACantileverBendsAsBeamTheorySays)
{
    // Timoshenko with ν = 0: w = ρ g A L⁴ / (8 E I) + ρ g L² / (2 κ G), κ = 5/6, G = E / 2. The second, shear, is
    // 0.8 (h / L)² = 0.8 % of the first.
    constexpr double length = 1, height = 0.1, E = 1e8, load = 1000 * 0.0981;
    const double bending = 12 * load * std::pow(length, 4) / (8 * E * height * height);
    const double expected = bending + load * length * length / (2 * 5.0 / 6 * E / 2);
    // Linear tets are too stiff in bending, by an error of second order in the size of a cell. What three refinements
    // say about that order (1.8 here, from below) must agree with it before it is used to extrapolate.
    const double coarse = tip_deflection(4), middle = tip_deflection(8), fine = tip_deflection(16);
    EXPECT_LT(coarse, middle);
    EXPECT_LT(middle, fine);
    EXPECT_LT(fine, expected);
    const double order = std::log2((middle - coarse) / (fine - middle));
    EXPECT_NEAR(order, 2, 0.3);
    const double extrapolated = fine + (fine - middle) / (std::exp2(order) - 1);
    EXPECT_NEAR(extrapolated, expected, 0.005 * expected);
    RecordProperty(
        "deflections",
        fmt::format("{} {} {}, extrapolated {}, theory {}", coarse, middle, fine, extrapolated, expected));
    RecordProperty("order", std::to_string(order));
}

} // namespace

} // namespace abut::test
