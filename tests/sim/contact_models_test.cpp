#include "abut/base/parallel.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "abut/sim/simulation.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace abut::test {

namespace {

constexpr const char* models[]{"ipc", "convergent_ipc", "ogc", "gipc"};

/// A cloth above a sphere, coarse enough for tests.
Scene cloth_on_sphere(const std::string& model)
{
    Scene scene;
    SceneObject cloth;
    cloth.name = "cloth";
    cloth.kind = ObjectKind::shell;
    cloth.mesh = generate::plane_grid({.cells = {14, 14}});
    cloth.model = ElasticModel::fixed_corotated;
    cloth.youngs_modulus = 26667;
    cloth.poisson_ratio = 1. / 3;
    cloth.density = 200;
    SceneObject sphere;
    sphere.name = "sphere";
    sphere.kind = ObjectKind::obstacle;
    sphere.mesh = translated(generate::icosphere({.radius = 0.1748, .subdivisions = 2}), Vec3(0, -0.1989, 0));
    scene.objects = {cloth, sphere};
    scene.contact.model = model;
    scene.contact.use_area_weighting = model == "convergent_ipc";
    scene.contact.dhat = 3e-3;
    scene.contact.mu = 0.5;
    scene.contact.eps_v = 1e-3;
    scene.solver.tolerance = 1e-3;
    scene.solver.norm = ConvergenceNorm::root_mean_square;
    scene.verify = Verify::step;
    return scene;
}

/// A block of rubber on a floor, its top pulled up step by step.
struct Pull {
    double strain_at_detachment = 0; ///< the largest strain of the block while it stuck
    bool is_detached = false;
};

Pull pull_block(const std::string& model, double critical_strain, int cells, double dhat = 1e-3)
{
    constexpr double size = 0.1, speed = 1;
    Scene scene;
    scene.gravity.setZero();
    SceneObject block;
    block.name = "block";
    block.model = ElasticModel::fixed_corotated;
    block.poisson_ratio = 0; // so that stress is E times strain, and the block does not thin
    block.mesh = translated(
        generate::tet_box({.size = Vec3::Constant(size), .subdivisions = {cells, cells, cells}}),
        Vec3(0, size / 2 + 0.7 * dhat, 0));
    scene.objects = {block};
    scene.planes = {{Vec3::Zero(), Vec3::UnitY()}};
    scene.contact.model = model;
    scene.contact.dhat = dhat;
    scene.contact.adhesion = SceneAdhesion{.critical_strain = critical_strain};
    scene.time.integrator = "quasi_static";
    scene.time.dt = 0.01 * critical_strain * size / speed; // a hundredth of the way to detachment
    scene.solver.tolerance = 1e-3 * speed;
    VertexScript top;
    const Positions& X = block.mesh.vertices;
    std::vector<int> low;
    for (int v = 0; v < X.rows(); ++v) {
        if (X(v, 1) > X.col(1).maxCoeff() - 1e-9)
            top.vertices.push_back(v);
        if (X(v, 1) < X.col(1).minCoeff() + 1e-9)
            low.push_back(v);
    }
    top.velocity = Vec3(0, speed, 0);
    scene.scripts = {top};
    Simulation simulation(scene);
    Pull pull;
    for (int step = 0; step < 200 && !pull.is_detached; ++step) {
        const StepReport report = simulation.step();
        EXPECT_EQ(report.outcome, Outcome::converged) << report.message;
        const Eigen::VectorXd y = simulation.state().x.col(1);
        pull.is_detached = y.minCoeff() > 2 * dhat;
        double bottom = 0;
        for (const int v : low)
            bottom += y[v] / static_cast<double>(low.size());
        if (!pull.is_detached)
            pull.strain_at_detachment = std::max(pull.strain_at_detachment, (y.maxCoeff() - bottom) / size - 1);
    }
    return pull;
}

} // namespace

TEST(ContactModels, AClothLiesOnASphereWithEachAndNothingIntersects)
{
    for (const std::string model : models) {
        Simulation simulation(cloth_on_sphere(model));
        std::size_t most_contacts = 0;
        for (int step = 0; step < 40; ++step) {
            const StepReport report = simulation.step();
            ASSERT_EQ(report.outcome, Outcome::converged) << model << ": " << report.message;
            ASSERT_EQ(report.verification.num_intersections, 0) << model;
            most_contacts = std::max(most_contacts, report.num_contacts);
        }
        EXPECT_GT(most_contacts, 30u) << model;
        // It hangs over the sphere: its middle is held, its corners are below.
        const auto& y = simulation.state().x.col(1);
        EXPECT_GT(y[7 * 15 + 7], -0.03);
        EXPECT_LT(y[0], -0.15);
    }
}

TEST(ContactModels, OffsetContactAndAdhesionHaveTheSameBitsForEveryNumberOfThreads)
{
    for (const std::string model : {"ogc", "gipc"}) {
        std::vector<State> states;
        for (const int threads : {1, 2, 4}) {
            set_num_threads(threads);
            Scene scene = cloth_on_sphere(model);
            scene.contact.adhesion = SceneAdhesion{.critical_strain = 0.01, .mu_a = 0.5};
            Simulation simulation(scene);
            for (int step = 0; step < 15; ++step)
                EXPECT_EQ(simulation.step().outcome, Outcome::converged);
            states.push_back(simulation.state());
        }
        set_num_threads(0);
        EXPECT_EQ(states[0], states[1]);
        EXPECT_EQ(states[0], states[2]);
    }
}

TEST(ContactModels, ABlockDetachesAtItsCriticalStrain)
{
    for (const double critical_strain : {0.02, 0.1, 0.5})
        for (const int cells : {4, 8}) {
            const Pull pull = pull_block("ipc", critical_strain, cells);
            EXPECT_TRUE(pull.is_detached) << critical_strain << ", " << cells;
            EXPECT_NEAR(pull.strain_at_detachment, critical_strain, 0.05 * critical_strain) << cells << " cells";
            fmt::print("eps_c {}: {} cells detach at {:.4f}\n", critical_strain, cells, pull.strain_at_detachment);
            RecordProperty(
                "strain_" + std::to_string(critical_strain) + "_" + std::to_string(cells),
                std::to_string(pull.strain_at_detachment));
        }
}

TEST(ContactModels, ACoarseBlockHoldsTooLong)
{
    // The area of a vertex at the rim of the bottom includes its share of the sides. With two cells nearly all are at
    // the rim, for any dhat; four cells are enough, since the inside lets go first.
    for (const double dhat : {1e-3, 1e-4}) {
        const Pull coarse = pull_block("ipc", 0.1, 2, dhat);
        EXPECT_GT(coarse.strain_at_detachment, 0.12);
        EXPECT_LT(coarse.strain_at_detachment, 0.13);
        EXPECT_NEAR(pull_block("ipc", 0.1, 4, dhat).strain_at_detachment, 0.1, 0.005);
    }
}

TEST(ContactModels, BondsWorkWithEveryModel)
{
    for (const std::string model : models) {
        const Pull pull = pull_block(model, 0.1, 4);
        EXPECT_TRUE(pull.is_detached) << model;
        EXPECT_NEAR(pull.strain_at_detachment, 0.1, 0.005) << model;
    }
}

TEST(ContactModels, TangentialAdhesionHoldsWhatWouldSlide)
{
    // A cube on a slope without friction: it slides, or its bonds hold it.
    const auto slid = [](double mu_a) {
        Scene scene;
        SceneObject cube;
        cube.mesh =
            translated(generate::tet_box({.size = Vec3::Constant(0.2), .subdivisions = {2, 2, 2}}), Vec3(0, 0.1003, 0));
        cube.youngs_modulus = 1e6;
        scene.objects = {cube};
        scene.planes = {{Vec3::Zero(), Vec3::UnitY()}};
        scene.gravity = Vec3(4, -9, 0);
        scene.contact.adhesion = SceneAdhesion{.critical_strain = 0.01, .mu_a = mu_a, .eps_a = 1e-2};
        scene.solver.tolerance = 1e-5;
        Simulation simulation(scene);
        for (int step = 0; step < 30; ++step)
            EXPECT_EQ(simulation.step().outcome, Outcome::converged);
        return simulation.state().x.col(0).mean();
    };
    EXPECT_GT(slid(0), 0.1); // 4 m/s² for 0.3 s: 0.18 m
    EXPECT_LT(slid(1), 0.01);
}

} // namespace abut::test
