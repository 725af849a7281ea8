// When a step ends: at once where nothing is to be done, and always in a named outcome.

#include "abut/base/error.hpp"
#include "support/simulated.hpp"

namespace abut::test {

namespace {

TEST(Convergence, NothingMovesWithoutForces)
{
    Scene scene;
    scene.gravity.setZero();
    scene.objects = {cube("cube", 0.2, Vec3(0, 0.2, 0)), cube("other", 0.2, Vec3(0.5, 0.2, 0))};
    scene.planes = {floor_plane()};
    scene.contact.mu = 0.3;
    for (const std::string integrator : {"implicit_euler", "quasi_static"}) {
        scene.time.integrator = integrator;
        Simulation simulation(scene);
        const Positions start = simulation.state().x;
        const StepReport report = run(simulation, 1);
        EXPECT_LE(report.iterations.size(), 1u);
        // The rounding of a deformation gradient at rest.
        EXPECT_LE((simulation.state().x - start).cwiseAbs().maxCoeff(), 1e-14);
        EXPECT_LE(std::abs(report.balance.gain), 1e-20);
    }
}

TEST(Convergence, AStepIsAFunctionOfItsState)
{
    // Bodies that meet: contact between them changes what is coupled, step by step. Without friction the first system
    // of a step often has the pattern of the last one before it, which was once solved with an ordering found earlier.
    for (const double mu : {0.0, 0.3}) {
        Scene scene;
        scene.objects = {cube("lower", 0.2, Vec3(0, 0.1002, 0)), cube("upper", 0.2, Vec3(0.03, 0.306, 0.02))};
        scene.objects[1].velocity = Vec3(0.2, -1, 0);
        scene.planes = {floor_plane()};
        scene.contact.mu = mu;
        Simulation simulation(scene);
        std::vector<State> states{simulation.state()};
        for (int i = 0; i < 15; ++i) {
            run(simulation, 1);
            states.push_back(simulation.state());
        }
        for (std::size_t k = 0; k + 1 < states.size(); ++k) {
            Simulation fresh(scene);
            fresh.set_state(states[k]);
            run(fresh, 1);
            EXPECT_TRUE(fresh.state() == states[k + 1]) << "resumed after step " << k << ", mu = " << mu;
            simulation.set_state(states[k]);
            run(simulation, 1);
            EXPECT_TRUE(simulation.state() == states[k + 1]) << "set back to step " << k << ", mu = " << mu;
            simulation.set_state(states[(7 * k + 3) % 15]); // so that the next comes from elsewhere
            run(simulation, 1);
        }
    }
}

TEST(Convergence, ARestingContactStartedAtItsSolutionIsDoneAtOnce)
{
    Scene scene;
    // On a plane, where contact has no part along the plane that keeps them moving
    scene.objects = {cube("cube", 0.2, Vec3(0, 0.1001, 0)), cube("other", 0.1, Vec3(1.013, 0.0501, 0.007), 3)};
    scene.planes = {floor_plane()};
    scene.solver.tolerance = 1e-7;
    Simulation simulation(scene);
    StepReport report;
    for (int i = 0; i < 400 && !(i > 10 && report.balance.kinetic < 1e-16); ++i)
        report = run(simulation, 1);
    ASSERT_LT(report.balance.kinetic, 1e-16) << "it must come to rest";
    ASSERT_GT(report.num_contacts, 0u);
    State state = simulation.state();
    state.v.setZero();
    Simulation again(scene);
    again.set_state(state);
    EXPECT_LE(run(again, 1).iterations.size(), 2u);
    EXPECT_LE((again.state().x - state.x).cwiseAbs().maxCoeff(), 1e-8);
}

/// A cube thrown at a floor, which takes several iterations.
Scene thrown()
{
    Scene scene;
    scene.objects = {cube("cube", 0.2, Vec3(0, 0.103, 0))};
    scene.objects[0].velocity = Vec3(0.3, -2, 0.1);
    scene.planes = {floor_plane()};
    scene.solver.tolerance = 1e-9;
    scene.verify = Verify::step;
    return scene;
}

TEST(Convergence, LimitsEndInNamedOutcomes)
{
    Scene scene = thrown();
    scene.solver.max_iterations = 2;
    Simulation few(scene);
    const StepReport by_iterations = few.step();
    EXPECT_EQ(by_iterations.outcome, Outcome::iteration_limit);
    EXPECT_EQ(by_iterations.iterations.size(), 2u);
    for (const char* words : {"2 iterations", "above the tolerance 1e-11 m", "inertia", "elasticity", "contact"})
        EXPECT_NE(by_iterations.message.find(words), std::string::npos) << by_iterations.message;

    scene = thrown();
    scene.solver.max_seconds = 1e-300;
    Simulation brief(scene);
    const StepReport by_time = brief.step();
    EXPECT_EQ(by_time.outcome, Outcome::time_limit);
    EXPECT_EQ(by_time.iterations.size(), 0u);
    for (const StepReport& report : {by_iterations, by_time})
        EXPECT_TRUE(report.verification.is_checked && report.verification.is_good());
}

TEST(Convergence, FailuresNameThePairThatLimitedTheStep)
{
    Scene scene = thrown();
    scene.objects.push_back(cube("table", 0.3, Vec3(0, -0.3, 0), 1));
    scene.objects[1].kind = ObjectKind::obstacle;
    scene.objects[0].mesh = translated(scene.objects[0].mesh, Vec3(0, -0.15, 0));
    scene.planes.clear();
    scene.solver.max_iterations = 2;
    Simulation simulation(scene);
    StepReport report = simulation.step();
    for (int i = 0; i < 10 && report.message.find("limited by") == std::string::npos; ++i)
        report = simulation.step();
    for (const char* words : {"steps were limited by", "of 'cube'", "of 'table'", "m apart near ("})
        EXPECT_NE(report.message.find(words), std::string::npos) << report.message;
}

TEST(Convergence, TheRelativeNormIsTheLargestInExtents)
{
    Scene scene = thrown();
    const MeshData& mesh = scene.objects[0].mesh;
    const double extent = (mesh.vertices.colwise().maxCoeff() - mesh.vertices.colwise().minCoeff()).norm();
    const auto final_state = [&](ConvergenceNorm norm, std::optional<double> tolerance) {
        scene.solver.norm = norm;
        scene.solver.tolerance = tolerance;
        Simulation simulation(scene);
        int iterations = 0;
        for (int i = 0; i < 10; ++i)
            iterations += static_cast<int>(run(simulation, 1).iterations.size());
        return std::pair(simulation.state(), iterations);
    };
    const auto relative = final_state(ConvergenceNorm::relative, 1e-2);
    EXPECT_EQ(relative, final_state(ConvergenceNorm::largest, 1e-2 * extent));
    EXPECT_NE(relative, final_state(ConvergenceNorm::largest, 1e-2)) << "extents matter";
    EXPECT_EQ(final_state(ConvergenceNorm::relative, {}), final_state(ConvergenceNorm::largest, {}))
        << "and the defaults mean the same";
    scene.solver = {.norm = ConvergenceNorm::relative};
    const Simulation simulation(scene);
    const auto is_tolerance = [](const Choice& choice) { return choice.name == "solver.tolerance"; };
    const auto& choices = simulation.choices();
    const auto found = std::find_if(choices.begin(), choices.end(), is_tolerance);
    ASSERT_NE(found, choices.end());
    EXPECT_EQ(std::get<double>(found->value), 1e-3) << "in the unit of the norm";
}

} // namespace

} // namespace abut::test
