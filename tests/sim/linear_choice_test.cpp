// Scenes that choose their linear solver: the same motion, the same bits after a resume, and errors where a choice
// makes no sense.

#include "abut/base/parallel.hpp"
#include "support/simulated.hpp"

namespace abut::test {

namespace {

Scene cloth_by(const std::string& linear, const std::string& preconditioner = "auto")
{
    Scene scene = falling_cloth();
    scene.solver.linear = linear;
    scene.solver.preconditioner = preconditioner;
    return scene;
}

TEST(LinearChoice, EveryPreconditionerLeadsToTheSameMotion)
{
    Simulation exact(cloth_by("direct"));
    const StepReport expected = run(exact, 12);
    EXPECT_EQ(expected.num_linear_iterations(), 0);
    ASSERT_GT(expected.num_contacts, 0U);
    for (const char* name : {"auto", "block_jacobi", "incomplete_cholesky", "schwarz", "contact"}) {
        SCOPED_TRACE(name);
        Simulation simulation(cloth_by("pcg", name));
        const StepReport report = run(simulation, 12);
        EXPECT_GT(report.num_linear_iterations(), 0);
        EXPECT_EQ(report.num_linear_fallbacks(), 0);
        EXPECT_NE(report.linear_method().find("conjugate gradients"), std::string::npos);
        // Newton's tolerance leaves as much.
        const double tolerance = exact.model().parameters.tolerance * exact.scene().time.dt;
        EXPECT_LE((simulation.state().x - exact.state().x).cwiseAbs().maxCoeff(), 20 * tolerance);
        EXPECT_LE(std::abs(report.balance.momentum_defect), 1e-3);
    }
}

TEST(LinearChoice, NewtonTakesAsManyIterationsWithConjugateGradients)
{
    const auto iterations = [](const Scene& scene) {
        Simulation simulation(scene);
        std::size_t sum = 0;
        for (int i = 0; i < 15; ++i)
            sum += run(simulation, 1).iterations.size();
        return static_cast<double>(sum);
    };
    const double direct = iterations(cloth_by("direct"));
    EXPECT_LE(iterations(cloth_by("pcg")), 1.1 * direct + 1);
}

TEST(LinearChoice, HasTheSameBitsForAnyNumberOfThreadsAndAfterAResume)
{
    for (const char* name : {"auto", "schwarz", "contact"}) {
        SCOPED_TRACE(name);
        const auto final_state = [&](int threads) {
            set_num_threads(threads);
            Simulation simulation(cloth_by("pcg", name));
            run(simulation, 14);
            set_num_threads(0);
            return simulation.state();
        };
        const State one = final_state(1);
        EXPECT_EQ(final_state(3), one);
        EXPECT_NE(one.history.find("linear_solver.memory"), nullptr) << "what decides the next step is in the state";
        for (const int before : {1, 5, 11}) {
            Simulation first(cloth_by("pcg", name)), second(cloth_by("pcg", name));
            run(first, before);
            second.set_state(first.state());
            run(second, 14 - before);
            EXPECT_EQ(second.state(), one) << before;
        }
    }
}

/// A rod that is held at one end, wrung at the other, and sags; vertices of three unknowns, arcs of one, both also
/// fixed.
Scene wrung_rod(const std::string& linear, const std::string& preconditioner = "auto")
{
    Scene scene;
    SceneObject rod{.name = "rod", .mesh = generate::rod({.length = 1, .segments = 120})};
    rod.kind = ObjectKind::rod;
    rod.youngs_modulus = 1e7;
    rod.rod.section = {0.01, 0.006};
    scene.objects = {rod};
    VertexScript hold, turn;
    hold.vertices = {0, 1};
    turn.vertices = {119, 120};
    turn.axis = Vec3::UnitX();
    turn.angular_velocity = 20;
    scene.scripts = {hold, turn};
    scene.solver.linear = linear;
    scene.solver.preconditioner = preconditioner;
    return scene;
}

TEST(LinearChoice, RodsTwistAsWithTheDirectMethodAndHaveTheSameBitsForAnyNumberOfThreads)
{
    Simulation exact(wrung_rod("direct"));
    run(exact, 5);
    ASSERT_GT(exact.state().others.size(), 100);
    const double tolerance = exact.model().parameters.tolerance * exact.scene().time.dt;
    for (const char* name : {"block_jacobi", "incomplete_cholesky", "schwarz", "contact"}) {
        SCOPED_TRACE(name);
        const auto moved = [&](int threads, int resumed_after) {
            set_num_threads(threads);
            Simulation first(wrung_rod("pcg", name)), second(wrung_rod("pcg", name));
            run(first, resumed_after);
            second.set_state(first.state());
            const StepReport report = run(second, 5 - resumed_after);
            set_num_threads(0);
            EXPECT_GT(report.num_linear_iterations(), 0);
            return second.state();
        };
        const State one = moved(1, 2);
        EXPECT_LE((one.x - exact.state().x).cwiseAbs().maxCoeff(), 20 * tolerance);
        EXPECT_LE((one.others - exact.state().others).cwiseAbs().maxCoeff(), 20 * tolerance);
        EXPECT_EQ(moved(3, 4), one);
    }
}

/// Iterations per system in the first steps of a stiff ball that falls on a floor.
double iterations_per_system(int shells, const char* preconditioner, const Vec3& moved = Vec3::Zero())
{
    Scene scene;
    scene.planes = {Plane{moved, Vec3::UnitY()}};
    SceneObject ball{.name = "ball", .mesh = generate::tet_ball({.radius = 0.5, .shells = shells})};
    ball.mesh = translated(ball.mesh, Vec3(moved + Vec3(0, 0.505, 0)));
    ball.youngs_modulus = 1e7;
    ball.velocity = Vec3(0, -1, 0);
    scene.objects = {ball};
    scene.solver.linear = "pcg";
    scene.solver.preconditioner = preconditioner;
    Simulation simulation(scene);
    double iterations = 0, systems = 0;
    for (int k = 0; k < 2; ++k) {
        const StepReport report = run(simulation, 1);
        EXPECT_EQ(report.outcome, Outcome::converged);
        EXPECT_EQ(report.num_linear_fallbacks(), 0);
        iterations += static_cast<double>(report.num_linear_iterations());
        systems += static_cast<double>(report.iterations.size());
    }
    return iterations / systems;
}

TEST(LinearChoice, SchwarzMindsNeitherStiffnessNorRefinement)
{
    const double coarse = iterations_per_system(10, "schwarz"), fine = iterations_per_system(14, "schwarz");
    EXPECT_LE(fine, iterations_per_system(14, "block_jacobi") / 3);
    EXPECT_LE(fine, 1.2 * coarse) << "with nearly three times as many unknowns";
    // What turns is known by distances, not by places.
    EXPECT_LE(iterations_per_system(10, "schwarz", Vec3(3e4, 1e4, -2e4)), 1.2 * coarse);
}

TEST(LinearChoice, DirectOrderingsThatAreKeptLeaveNoTrace)
{
    const auto final_state = [](int resumed_after) {
        Simulation simulation(cloth_by("direct"));
        run(simulation, resumed_after);
        Simulation second(cloth_by("direct"));
        second.set_state(simulation.state());
        run(second, 14 - resumed_after);
        return second.state();
    };
    const State whole = final_state(0);
    for (const int after : {1, 6, 10, 13})
        EXPECT_EQ(final_state(after), whole) << after;
}

TEST(LinearChoice, StaysDirectWhereUnknownsAreFewWithTheBitsOfTheDirectMethod)
{
    Simulation chosen(cloth_by("auto")), direct(cloth_by("direct"));
    const StepReport report = run(chosen, 8);
    run(direct, 8);
    EXPECT_EQ(chosen.state(), direct.state());
    EXPECT_NE(report.linear_method().find("unknowns are few"), std::string::npos) << report.linear_method();
}

TEST(LinearChoice, RecordsSystemsThatAreLeftToTheDirectMethod)
{
    Scene scene = cloth_by("pcg", "block_jacobi");
    scene.solver.linear_tolerance = 1e-30; // below rounding, where no iteration ends
    Simulation simulation(scene);
    const StepReport report = run(simulation, 2);
    EXPECT_GT(report.num_linear_fallbacks(), 0);
    EXPECT_NE(report.linear_method().find("rounding leaves a residual"), std::string::npos) << report.linear_method();
}

TEST(LinearChoice, RejectsWhatMakesNoSense)
{
    const auto message = [](auto&& change) -> std::string {
        Scene scene = falling_cloth();
        change(scene.solver);
        try {
            const Simulation simulation(scene);
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_EQ(
        message([](SceneSolver& solver) {
            solver.linear = "direct";
            solver.preconditioner = "schwarz";
        }),
        "solver.preconditioner: 'schwarz' counts only with conjugate gradients, but solver.linear is 'direct'; set "
        "that "
        "to pcg or auto, or remove this");
    EXPECT_EQ(
        message([](SceneSolver& solver) {
            solver.linear = "eigen";
            solver.linear_tolerance = 1e-3;
        }),
        "solver.linear_tolerance: counts only with iterative methods, but solver.linear is 'eigen', which goes to "
        "rounding; set that to pcg or auto, or remove this");
    EXPECT_EQ(
        message([](SceneSolver& solver) { solver.preconditioner = "jacobi"; }),
        "solver.preconditioner: 'jacobi' is not one of auto, block_jacobi, incomplete_cholesky, schwarz, contact");
    for (const double wrong : {0.0, -1.0, 1.0, double(NAN), double(INFINITY)})
        EXPECT_NE(
            message([&](SceneSolver& solver) { solver.linear_tolerance = wrong; }).find("solver.linear_tolerance"),
            std::string::npos)
            << wrong;
}

} // namespace

} // namespace abut::test
