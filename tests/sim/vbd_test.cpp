// Vertex block descent in simulations: the same minimum as Newton's method, nothing ever intersects or inverts, the
// same bits, and honest outcomes.

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/base/random.hpp"
#include "abut/contact/ogc/vertex_regions.hpp"
#include "support/simulated.hpp"

#include <fmt/format.h>

#include <functional>

namespace abut::test::vbd_test {

namespace {

using Change = std::function<void(Scene&)>;

Scene with(Scene scene, const Change& change)
{
    change(scene);
    return scene;
}

/// A vertical sheet that is held at two corners.
Scene hanging_sheet(ElasticModel model)
{
    Scene scene;
    SceneObject sheet;
    sheet.name = "sheet";
    sheet.kind = ObjectKind::shell;
    sheet.model = model;
    sheet.mesh = generate::plane_grid({.size = {0.4, 0.4}, .cells = {4, 4}});
    sheet.youngs_modulus = 3e4;
    sheet.density = 200;
    sheet.weave = {.warp = 4e4, .weft = 2e4, .shear = 1e4, .warp_direction = Vec3(1, 0, 0.5)};
    scene.objects = {sheet};
    VertexScript held;
    held.vertices = {0, 4};
    scene.scripts = {held};
    scene.contact.model = "none";
    scene.time.dt = 5e-3;
    return scene;
}

Scene falling_cube(ElasticModel model)
{
    Scene scene;
    scene.objects = {cube("cube", 0.2, Vec3(0, 0.104, 0))};
    scene.objects[0].model = model;
    scene.objects[0].youngs_modulus = 1e5;
    scene.objects[0].velocity = Vec3(0.2, -1, 0);
    scene.planes = {floor_plane()};
    scene.contact.model = "ogc";
    scene.contact.dhat = 5e-3;
    scene.time.dt = 5e-3;
    scene.verify = Verify::step;
    return scene;
}

Scene wrung_rod()
{
    Scene scene;
    SceneObject rod;
    rod.name = "rod";
    rod.kind = ObjectKind::rod;
    rod.mesh = generate::rod({.length = 1, .segments = 12});
    rod.youngs_modulus = 1e6;
    rod.poisson_ratio = 0.3;
    rod.density = 1000;
    rod.rod.section = {0.01, 0.01};
    scene.objects = {rod};
    VertexScript held, turned;
    held.vertices = {0, 1};
    turned.vertices = {11, 12};
    turned.axis = Vec3::UnitX();
    turned.angular_velocity = 1;
    scene.scripts = {held, turned};
    scene.contact.model = "none";
    scene.time.dt = 5e-3;
    return scene;
}

Scene balloon(bool is_gas)
{
    Scene scene;
    SceneObject object;
    object.name = "balloon";
    object.kind = ObjectKind::shell;
    object.mesh = generate::icosphere({.radius = 0.1, .subdivisions = 1});
    object.youngs_modulus = 1e6;
    object.thickness = 1e-3;
    object.pressure = ScenePressure{.value = 500, .is_gas = is_gas, .ambient = 1e4};
    scene.objects = {object};
    scene.contact.model = "none";
    scene.gravity.setZero();
    scene.time.dt = 2e-3;
    return scene;
}

Scene stitched()
{
    Scene scene = hanging_sheet(ElasticModel::fixed_corotated);
    scene.objects.push_back(scene.objects[0]);
    scene.objects[1].name = "other";
    scene.objects[1].mesh = translated(scene.objects[1].mesh, Vec3(0.42, 0, 0));
    SceneStitches stitches;
    stitches.object = 0;
    stitches.other = 1;
    const std::vector<int> a = vertices_at(scene.objects[0].mesh, 0, 0.2),
                           b = vertices_at(scene.objects[1].mesh, 0, 0.22);
    for (std::size_t k = 0; k < a.size(); ++k)
        stitches.vertices.emplace_back(a[k], b[k]);
    stitches.stiffness = 50;
    scene.stitches = {stitches};
    return scene;
}

Scene planar_drop()
{
    Scene scene;
    scene.objects = {planar_block("low", 0.053), planar_block("high", 0.157)};
    scene.planes = {floor_plane()};
    scene.contact.model = "ogc";
    scene.contact.dhat = 5e-3;
    scene.contact.mu = 0.3;
    scene.time.dt = 5e-3;
    scene.verify = Verify::step;
    return scene;
}

Scene cloth_on_ball()
{
    Scene scene = falling_cloth(8);
    scene.contact.model = "ogc";
    scene.time.dt = 1e-2;
    return scene;
}

void by_descent(Scene& scene)
{
    scene.solver.method = "vbd";
    scene.solver.residual = 1e-10;
    scene.solver.max_iterations = 100000;
}

/// From the same state, after a few steps, both methods go to the same place.
void expect_same_minimum(const Scene& scene, int steps, double tolerance)
{
    Scene exact = scene;
    exact.solver.tolerance = 1e-9;
    Simulation newton(exact), descent(with(scene, by_descent));
    for (int k = 0; k < steps; ++k)
        ASSERT_EQ(newton.step().outcome, Outcome::converged);
    descent.set_state(newton.state());
    const StepReport one = newton.step(), other = descent.step();
    ASSERT_EQ(one.outcome, Outcome::converged) << one.message;
    ASSERT_EQ(other.outcome, Outcome::converged) << other.message;
    EXPECT_GT(other.iterations.size(), 0u);
    EXPECT_LE(other.relative_residual, 1e-9);
    EXPECT_LE((newton.state().x - descent.state().x).rowwise().norm().maxCoeff(), tolerance);
    if (newton.state().others.size() > 0) {
        EXPECT_LE((newton.state().others - descent.state().others).cwiseAbs().maxCoeff(), 1e-5);
    }
}

TEST(VertexBlockDescent, FindsNewtonsMinimumOfEveryMaterial)
{
    for (const ElasticModel model :
         {ElasticModel::neo_hookean, ElasticModel::fixed_corotated, ElasticModel::stvk, ElasticModel::baraff_witkin}) {
        SCOPED_TRACE(to_string(model));
        expect_same_minimum(hanging_sheet(model), 6, 1e-8);
    }
    for (const ElasticModel model :
         {ElasticModel::neo_hookean, ElasticModel::fixed_corotated, ElasticModel::stable_neo_hookean}) {
        SCOPED_TRACE(to_string(model));
        expect_same_minimum(falling_cube(model), 2, 1e-8);
    }
}

TEST(VertexBlockDescent, FindsNewtonsMinimumWithRodsPressureStitchesLimitsLoadsAndDamping)
{
    {
        SCOPED_TRACE("rod");
        expect_same_minimum(wrung_rod(), 4, 1e-6); // forces of its scripts are large at first, and so what is left
    }
    for (const bool is_gas : {false, true}) {
        SCOPED_TRACE(is_gas ? "gas" : "constant pressure");
        expect_same_minimum(balloon(is_gas), 4, 1e-8);
    }
    {
        SCOPED_TRACE("stitches");
        expect_same_minimum(stitched(), 4, 1e-8);
    }
    {
        SCOPED_TRACE("strain limit");
        Scene scene = hanging_sheet(ElasticModel::fixed_corotated);
        scene.objects[0].strain_limit = SceneStrainLimit{.stretch = 1.05};
        expect_same_minimum(scene, 20, 1e-8);
    }
    {
        SCOPED_TRACE("damping, drag and a load");
        Scene scene = hanging_sheet(ElasticModel::fixed_corotated);
        scene.objects[0].damping = SceneDamping{.mass = 0.5, .stiffness = 1e-3};
        scene.objects[0].force = Vec3(0.01, 0, 0.02);
        expect_same_minimum(scene, 6, 1e-8);
    }
    for (const char* integrator : {"bdf2", "newmark"}) {
        SCOPED_TRACE(integrator);
        Scene scene = hanging_sheet(ElasticModel::fixed_corotated);
        scene.time.integrator = integrator;
        expect_same_minimum(scene, 6, 1e-8);
    }
}

TEST(VertexBlockDescent, FindsNewtonsMinimumInContactWithFrictionAndAdhesion)
{
    {
        SCOPED_TRACE("a cube on the floor");
        Scene scene = falling_cube(ElasticModel::neo_hookean);
        scene.contact.mu = 0.4;
        expect_same_minimum(scene, 6, 1e-6);
    }
    {
        SCOPED_TRACE("blocks in the plane");
        expect_same_minimum(planar_drop(), 6, 1e-6);
    }
    {
        SCOPED_TRACE("adhesion");
        Scene scene = falling_cube(ElasticModel::neo_hookean);
        scene.contact.adhesion = SceneAdhesion{.critical_strain = 0.1, .dhat_a = 1.5e-2, .mu_a = 0.3};
        expect_same_minimum(scene, 6, 1e-6);
    }
}

/// With few iterations steps are far from converged, and still nothing intersects or inverts.
void expect_safe(const Scene& given, int iterations, int steps)
{
    Scene scene = given;
    scene.solver.method = "vbd";
    scene.solver.iterations = iterations;
    scene.verify = Verify::step;
    Simulation simulation(scene);
    int unconverged = 0;
    std::size_t contacts = 0;
    for (int k = 0; k < steps; ++k) {
        const StepReport report = simulation.step();
        ASSERT_TRUE(report.outcome == Outcome::converged || report.outcome == Outcome::not_converged) << report.message;
        unconverged += report.outcome == Outcome::not_converged ? 1 : 0;
        if (report.outcome == Outcome::not_converged) {
            EXPECT_FALSE(report.message.empty());
            EXPECT_GT(report.relative_residual, 0);
        }
        contacts = std::max(contacts, report.num_contacts);
        ASSERT_TRUE(report.verification.is_checked);
        ASSERT_EQ(report.verification.num_intersections, 0) << "step " << report.step;
        ASSERT_EQ(report.verification.num_inverted, 0) << "step " << report.step;
    }
    EXPECT_GT(contacts, 0u);
    if (iterations == 1) {
        EXPECT_GT(unconverged, 0);
    }
}

TEST(VertexBlockDescent, NeverIntersectsOrInvertsHoweverFewIterations)
{
    for (const int iterations : {1, 3, 20}) {
        SCOPED_TRACE(iterations);
        expect_safe(cloth_on_ball(), iterations, 40);
        expect_safe(falling_cube(ElasticModel::neo_hookean), iterations, 30);
        Scene soft = falling_cube(ElasticModel::neo_hookean);
        soft.objects[0].youngs_modulus = 2e3;
        soft.objects[0].velocity = Vec3(0, -4, 0);
        expect_safe(soft, iterations, 20);
        expect_safe(planar_drop(), iterations, 30);
    }
}

TEST(VertexBlockDescent, KeepsScriptsAndObstaclesWithinBounds)
{
    // A block that a script drives into a cube, which a floor holds.
    Scene scene = falling_cube(ElasticModel::neo_hookean);
    scene.objects[0].velocity = Vec3::Zero();
    SceneObject press;
    press.name = "press";
    press.kind = ObjectKind::obstacle;
    press.mesh = translated(generate::icosphere({.radius = 0.05, .subdivisions = 1}), Vec3(0, 0.27, 0));
    scene.objects.push_back(press);
    VertexScript down;
    down.object = 1;
    for (int v = 0; v < press.mesh.vertices.rows(); ++v)
        down.vertices.push_back(v);
    down.velocity = Vec3(0, -1, 0);
    scene.scripts = {down};
    for (const int iterations : {1, 10})
        expect_safe(scene, iterations, 25);
}

TEST(VertexBlockDescent, GivesTheSameBitsForAnyNumberOfThreadsAndAfterResume)
{
    for (Scene scene : {cloth_on_ball(), falling_cube(ElasticModel::neo_hookean), planar_drop()}) {
        scene.solver.method = "vbd";
        scene.solver.iterations = 12;
        std::vector<State> states;
        std::vector<State> ends;
        for (const int threads : {1, 2, 3}) {
            set_num_threads(threads);
            Simulation simulation(scene);
            for (int k = 0; k < 24; ++k) {
                (void)simulation.step();
                if (threads == 1)
                    states.push_back(simulation.state());
            }
            ends.push_back(simulation.state());
        }
        set_num_threads(0);
        EXPECT_EQ(ends[0], ends[1]);
        EXPECT_EQ(ends[0], ends[2]);
        Simulation resumed(scene);
        resumed.set_state(states[13]);
        for (int k = 14; k < 24; ++k)
            (void)resumed.step();
        EXPECT_EQ(resumed.state(), ends[0]);
    }
}

TEST(VertexBlockDescent, ConvergesAtRest)
{
    Scene scene = falling_cube(ElasticModel::neo_hookean);
    scene.objects[0].velocity = Vec3::Zero();
    scene.objects[0].damping = SceneDamping{.mass = 5, .stiffness = 1e-2};
    scene.solver.method = "vbd";
    scene.solver.residual = 1e-3;
    scene.solver.max_iterations = 2000;
    Simulation simulation(scene);
    StepReport report;
    for (int k = 0; k < 200; ++k) {
        report = simulation.step();
        ASSERT_EQ(report.outcome, Outcome::converged) << report.step << ": " << report.message;
    }
    EXPECT_LT(simulation.state().v.cwiseAbs().maxCoeff(), 1e-3);
    EXPECT_LE(report.iterations.size(), 100u);
}

TEST(VertexBlockDescent, FallsFreelyInNoIterations)
{
    Scene scene = falling_cube(ElasticModel::neo_hookean);
    scene.objects[0].velocity = Vec3(0, 0.5, 0);
    scene.objects[0].mesh = translated(scene.objects[0].mesh, Vec3(0, 1, 0));
    scene.contact.model = "none";
    scene.solver.method = "vbd";
    Simulation simulation(scene);
    for (int k = 0; k < 5; ++k) {
        const StepReport report = simulation.step();
        EXPECT_EQ(report.outcome, Outcome::converged);
        EXPECT_EQ(report.iterations.size(), 0u);
    }
}

/// A cube in empty space whose surface has 1016 vertices.
Scene lone_cube(const Vec3& velocity, const Vec3& spin)
{
    Scene scene;
    scene.objects = {cube("cube", 0.2, Vec3::Zero(), 13)};
    scene.objects[0].youngs_modulus = 1e9;
    scene.objects[0].velocity = velocity;
    scene.objects[0].angular_velocity = spin;
    scene.contact.model = "ogc";
    scene.verify = Verify::step;
    scene.solver.method = "vbd";
    scene.solver.iterations = 2;
    return scene;
}

TEST(VertexBlockDescent, ALoneBodyIsDetectedOnceAStepAtAnySpeed)
{
    const std::array<std::pair<Vec3, Vec3>, 5> motions{
        {{Vec3(1, 0, 0), Vec3::Zero()},
         {Vec3(0, 10, 0), Vec3::Zero()},
         {Vec3(30, 0, 40), Vec3::Zero()},
         {Vec3::Zero(), Vec3(0, 100, 0)},
         {Vec3(50, 1, 0), Vec3(60, 0, 80)}}};
    for (const auto& [velocity, spin] : motions) {
        SCOPED_TRACE(fmt::format("{} m/s, {} rad/s", velocity.norm(), spin.norm()));
        Simulation simulation(lone_cube(velocity, spin));
        for (int k = 0; k < 2; ++k) {
            const StepReport report = simulation.step();
            EXPECT_EQ(report.num_detections, 1);
            EXPECT_EQ(report.verification.num_intersections, 0);
            EXPECT_EQ(report.verification.num_inverted, 0);
        }
        const Positions& x = simulation.state().x;
        const Vec3 expected = 0.02 * velocity - Vec3(0, 9.81 * 1e-4 * 3, 0); // 1 + 2 steps of gravity
        EXPECT_LT((Vec3(x.colwise().mean()) - expected).norm(), 1e-6);
    }
}

TEST(VertexBlockDescent, WhatFliesHasTheMotionThatNewtonsMethodFinds)
{
    Scene scene = falling_cube(ElasticModel::neo_hookean);
    scene.objects[0].mesh = translated(scene.objects[0].mesh, Vec3(0, 1, 0));
    scene.objects[0].angular_velocity = Vec3(10, 0, 30);
    scene.objects[0].youngs_modulus = 1e6;
    expect_same_minimum(scene, 3, 1e-7);
}

TEST(VertexBlockDescent, WithNewtonsStepsTheWayToTheEndIsShorter)
{
    // A bar that is held at one end, a half of which is stiffer by so much
    constexpr int most = 400;
    const auto iterations = [](const char* method, double contrast) {
        Scene scene;
        scene.contact.model = "none";
        for (const double side : {-1.0, 1.0}) {
            SceneObject half = box(side < 0 ? "left" : "right", Vec3(0.4, 0.1, 0.1), Vec3(0.2 * side, 0, 0), {8, 2, 2});
            half.youngs_modulus = side < 0 ? 1e5 * contrast : 1e5;
            scene.objects.push_back(half);
        }
        VertexScript held;
        held.object = 0;
        held.vertices = vertices_at(scene.objects[0].mesh, 0, -0.4);
        scene.scripts = {held};
        SceneStitches joint;
        joint.object = 0;
        joint.other = 1;
        const std::vector<int> a = vertices_at(scene.objects[0].mesh, 0, 0),
                               b = vertices_at(scene.objects[1].mesh, 0, 0);
        for (std::size_t k = 0; k < a.size(); ++k)
            joint.vertices.emplace_back(a[k], b[k]);
        joint.stiffness = 1e5;
        scene.stitches = {joint};
        scene.solver.method = method;
        scene.solver.residual = 1e-4;
        scene.solver.max_iterations = most;
        Simulation simulation(scene);
        return static_cast<int>(simulation.step().iterations.size());
    };
    const int even = iterations("auto", 1), uneven = iterations("auto", 1e4);
    EXPECT_LT(uneven, 2 * even);
    EXPECT_LT(uneven, most / 5);
    EXPECT_EQ(iterations("vbd", 1e4), most) << "and was not there yet";
}

TEST(VertexBlockDescent, WithNewtonsStepsConvergesWithTheSameBits)
{
    Scene scene = cloth_on_ball();
    scene.solver.method = "auto";
    scene.solver.residual = 1e-6;
    scene.solver.max_iterations = 2000;
    std::vector<State> ends;
    for (const int threads : {1, 2}) {
        set_num_threads(threads);
        Simulation simulation(scene);
        State half;
        for (int k = 0; k < 20; ++k) {
            const StepReport report = simulation.step();
            EXPECT_EQ(report.outcome, Outcome::converged) << report.message;
            if (k == 11)
                half = simulation.state();
        }
        ends.push_back(simulation.state());
        Simulation resumed(scene);
        resumed.set_state(half);
        for (int k = 12; k < 20; ++k)
            (void)resumed.step();
        ends.push_back(resumed.state());
    }
    set_num_threads(0);
    for (const State& end : ends)
        EXPECT_EQ(end, ends[0]);
}

void expect_rejected(const Scene& scene, const std::string& words)
{
    try {
        Simulation{scene};
        FAIL() << words;
    } catch (const InvalidInput& error) {
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}

TEST(VertexBlockDescent, RejectsWhatItCannotDo)
{
    const Scene scene = falling_cube(ElasticModel::neo_hookean);
    for (const char* model : {"ipc", "convergent_ipc", "gipc", "gcp"})
        expect_rejected(
            with(
                scene,
                [&](Scene& s) {
                    s.solver.method = "vbd";
                    s.contact.model = model;
                }),
            "set contact.model to ogc, or solver.method to newton");
    expect_rejected(with(scene, [](Scene& s) { s.solver.method = "descent"; }), "solver.method: 'descent' is none");
    expect_rejected(with(scene, [](Scene& s) { s.solver.iterations = 3; }), "solver.iterations: counts only with");
    expect_rejected(with(scene, [](Scene& s) { s.solver.residual = 0.1; }), "solver.residual: counts only with");
    expect_rejected(
        with(
            scene,
            [](Scene& s) {
                s.solver.method = "auto";
                s.solver.residual = 0.1;
                s.contact.model = "ipc";
            }),
        "contact.model ipc has none, and auto takes newton");
    expect_rejected(
        with(
            scene,
            [](Scene& s) {
                s.solver.method = "vbd";
                s.solver.residual = 1;
            }),
        "solver.residual: 1 is not a share");
    expect_rejected(
        with(
            scene,
            [](Scene& s) {
                s.solver.method = "vbd";
                s.solver.iterations = 0;
            }),
        "solver.iterations: 0 is below 1");
    expect_rejected(with(scene, [](Scene& s) { s.solver.relaxation = 1.2; }), "solver.relaxation: counts only with");
    for (const double relaxation : {0.9, 2.0, double(NAN)})
        expect_rejected(
            with(
                scene,
                [&](Scene& s) {
                    s.solver.method = "vbd";
                    s.solver.relaxation = relaxation;
                }),
            "is not from 1 up to, but not including, 2; leave it out for 1.5");
}

TEST(VertexBlockDescent, OverRelaxedVerticesStayInTheirRegions)
{
    for (const auto& start : {cloth_on_ball, planar_drop}) {
        Scene scene = start();
        scene.solver.relaxation = 1.95;
        expect_safe(scene, 10, 40);
    }
}

/// Kernels of contact look at a pair again when one of its vertices has come far enough: not a moment too late.
TEST(ContactKernels, LeavePairsAloneOnlyWhereTheyPressOnNothing)
{
    constexpr double dhat = 0.03;
    Scene scene;
    for (const double height : {0.05, 0.08, 0.12}) {
        SceneObject sheet;
        sheet.name = fmt::format("sheet {}", height);
        sheet.kind = ObjectKind::shell;
        sheet.mesh = generate::plane_grid({.size = {0.4, 0.4}, .cells = {6, 6}});
        sheet.mesh.vertices.col(1).array() += height;
        sheet.mesh.vertices.col(0).array() += height / 3;
        scene.objects.push_back(sheet);
    }
    scene.planes = {floor_plane()};
    scene.contact.model = "ogc";
    scene.contact.dhat = dhat;
    const auto model = make_model(scene);
    System system(*model);
    RandomStream random(17);
    bool is_any_late = false;
    for (int repeat = 0; repeat < 8; ++repeat) {
        State state = model->start;
        for (double& number : state.x.reshaped())
            number += random.uniform(-0.008, 0.008);
        system.save(state.history);
        system.begin_step(state);
        const Eigen::VectorXd x = system.unknowns_of(state);
        system.find_contacts(x);
        BlockGroups groups;
        for (int v = 0; v < model->num_vertices(); ++v)
            groups.blocks.push_back(v);
        groups.blocks.resize((groups.blocks.size() + 3) / 4 * 4, -1);
        groups.colour_starts.push_back(groups.num_groups());
        const std::unique_ptr<BlockTerms> kernels = system.contact()->by_blocks(groups, system.view(x));
        ASSERT_NE(kernels, nullptr);
        const auto sums_at = [&](const std::vector<double>& points) {
            std::vector<double> sums(groups.blocks.size() * num_block_sums, 0);
            kernels->add(points.data(), 0, groups.num_groups(), sums.data());
            return sums;
        };
        for (const double size : {0.0, 1e-4, 1e-3, 3e-3, 0.01, 0.03}) {
            std::vector<double> points(4 * std::size_t(model->num_vertices()));
            for (int v = 0; v < model->num_vertices(); ++v) {
                const Vec3 way = size * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
                for (int a = 0; a < 3; ++a)
                    points[4 * v + a] = x[3 * v + a] + way[a];
                points[4 * v + 3] = way.norm();
            }
            std::vector<double> far = points, near = points;
            for (std::size_t k = 3; k < points.size(); k += 4) {
                far[k] = INFINITY; // every pair is looked at
                near[k] = 0;       // as if nothing had moved
            }
            EXPECT_EQ(sums_at(points), sums_at(far)) << size;
            is_any_late = is_any_late || sums_at(near) != sums_at(far);
        }
    }
    EXPECT_TRUE(is_any_late) << "no pair was left alone";
}

/// Vertices that move at random within their regions, again and again, never bring elements closer than they may come.
TEST(VertexRegions, KeepElementsApartWhateverVerticesDo)
{
    const MeshData ball = generate::icosphere({.radius = 0.1, .subdivisions = 1});
    MeshData both;
    both.vertices.resize(2 * ball.vertices.rows(), 3);
    both.vertices << ball.vertices, ball.vertices.rowwise() + Eigen::RowVector3d(0.005, 0.203, 0.01);
    both.faces.resize(2 * ball.faces.rows(), 3);
    both.faces << ball.faces, (ball.faces.array() + static_cast<int>(ball.vertices.rows())).matrix();
    const CollisionMesh mesh(both);
    RandomStream random(7);
    Positions X = mesh.rest_positions();
    std::vector<std::uint8_t> is_fixed(X.rows(), 0);
    for (int v = 0; v < X.rows(); v += 5)
        is_fixed[v] = 1;
    int num_cut = 0;
    for (int round = 0; round < 20; ++round) {
        Detection detection(mesh, {.range = 0.02});
        detection.update(X);
        const double dmin = 0.2 * detection.smallest_distance();
        const VertexRegions regions(detection, mesh, X, is_fixed, {.dmin = dmin, .contact_range = 0.01});
        EXPECT_GT(regions.num_half_spaces(), 0u);
        EXPECT_TRUE(regions.contains(3, X.row(3)));
        EXPECT_FALSE(regions.contains(3, X.row(3) + Eigen::RowVector3d(0, 0.02, 0)));
        for (int sweep = 0; sweep < 5; ++sweep)
            for (int v = 0; v < X.rows(); ++v) {
                if (is_fixed[v] != 0)
                    continue;
                Vec3 wanted;
                for (double& entry : wanted)
                    entry = random.uniform(-0.01, 0.01);
                wanted.y() += v < ball.vertices.rows() ? 0.004 : -0.004;
                Vec3 step = wanted;
                const Vec3 x = X.row(v);
                const bool is_cut = regions.cut(v, x, -wanted, step);
                num_cut += is_cut ? 1 : 0;
                EXPECT_EQ(is_cut, step != wanted);
                EXPECT_GE(wanted.dot(step), 0) << "neither descends nor stays";
                X.row(v) = x + step;
            }
        EXPECT_GT(compute_minimum_distance(mesh, X), dmin);
    }
    EXPECT_GT(num_cut, 100);
}

} // namespace

} // namespace abut::test::vbd_test
