// What objects have of their own: loads and spins, materials by pairs, and groups that do not collide.

#include "abut/base/error.hpp"
#include "abut/sim/energy_kinds.hpp"
#include "support/simulated.hpp"

#include <algorithm>

namespace abut::test::per_object_test {

namespace {

constexpr const char* all_models[]{"ipc", "convergent_ipc", "ogc", "gipc", "gcp"};

void expect_rejected(const Scene& scene, const std::string& words)
{
    try {
        (void)make_model(scene);
        FAIL() << "not rejected: " << words;
    } catch (const InvalidInput& error) {
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}

Vec3 mean_velocity(const Simulation& simulation, int object)
{
    const int start = simulation.object_starts()[object], size = simulation.object_starts()[object + 1] - start;
    Vec3 momentum = Vec3::Zero();
    double mass = 0;
    for (int v = start; v < start + size; ++v) {
        momentum += simulation.masses()[v] * lifted(simulation.state().v, v);
        mass += simulation.masses()[v];
    }
    return momentum / mass;
}

TEST(Loads, AForceAcceleratesTheWholeByItsMassAndBalances)
{
    const Vec3 force(3, 50, -2);
    Scene scene;
    scene.objects = {cube("pushed", 0.2, Vec3(0, 1, 0)), cube("other", 0.2, Vec3(5, 1, 0))};
    scene.objects[0].force = force;
    Simulation simulation(scene);
    const double dt = scene.time.dt, mass = simulation.masses().head(simulation.object_starts()[1]).sum();
    const Vec3 both = force / mass + scene.gravity;
    double gravity = NAN;
    for (int i = 1; i <= 10; ++i) {
        const StepReport report = run(simulation, 1);
        EXPECT_LE((mean_velocity(simulation, 0) - dt * i * both).norm(), 1e-10);
        EXPECT_LE((mean_velocity(simulation, 1) - dt * i * scene.gravity).norm(), 1e-10);
        EXPECT_LE(report.balance.momentum_defect, 1e-12);
        // Each loses ½ m (a dt)² by implicit Euler.
        const double loss = 0.5 * mass * dt * dt * (both.squaredNorm() + scene.gravity.squaredNorm());
        EXPECT_NEAR(report.balance.gain, -loss, 1e-9);
        EXPECT_LE(report.balance.elastic, 1e-12);
        if (i > 1) { // v_i over the step
            EXPECT_NEAR(
                report.balance.gravity - gravity,
                -mass * dt * dt * i * (both.squaredNorm() + scene.gravity.squaredNorm()), 1e-9);
        }
        gravity = report.balance.gravity;
    }
}

TEST(Loads, GravityIsScaledObjectByObject)
{
    Scene scene;
    for (const double scale : {1.0, 0.0, -1.0, 0.25}) {
        scene.objects.push_back(cube(
            "cube" + std::to_string(scene.objects.size()), 0.2, Vec3(static_cast<double>(scene.objects.size()), 3, 0)));
        scene.objects.back().gravity_scale = scale;
    }
    Simulation simulation(scene);
    for (int i = 1; i <= 5; ++i) {
        const StepReport report = run(simulation, 1);
        EXPECT_LE(report.balance.momentum_defect, 1e-12);
        EXPECT_LE(report.balance.gain, 0);
        for (int k = 0; k < 4; ++k)
            EXPECT_LE(
                (mean_velocity(simulation, k) - scene.objects[k].gravity_scale * scene.time.dt * i * scene.gravity)
                    .norm(),
                1e-10);
    }
}

/// The floor carries weight and force, also without inertia, where nothing but forces tells how large a defect is.
TEST(Loads, PressOnTheFloor)
{
    for (const char* integrator : {"implicit_euler", "quasi_static"}) {
        SCOPED_TRACE(integrator);
        Scene scene;
        scene.time.integrator = integrator;
        scene.objects = {cube("cube", 0.2, Vec3(0, 0.1002, 0))};
        scene.objects[0].youngs_modulus = 1e6;
        scene.objects[0].gravity_scale = 0.5;
        scene.objects[0].force = Vec3(0, -200, 0);
        scene.planes = {floor_plane()};
        scene.solver.tolerance = 1e-9;
        Simulation simulation(scene);
        StepReport report;
        for (int i = 0; i < 60; ++i)
            report = run(simulation, 1);
        ASSERT_EQ(report.forces.size(), 1u);
        EXPECT_NEAR(std::abs(report.forces[0].contact.y()), 0.5 * 9.81 * simulation.masses().sum() + 200, 0.5);
        EXPECT_LE(report.balance.momentum_defect, 1e-3);
    }
}

TEST(Loads, InThePlane)
{
    Scene scene;
    scene.objects = {planar_block("block", 1)};
    scene.objects[0].gravity_scale = 0;
    scene.objects[0].force = Vec3(2, 0, 0);
    Simulation simulation(scene);
    run(simulation, 4);
    const double mass = simulation.masses().sum();
    EXPECT_LE((mean_velocity(simulation, 0) - Vec3(2 / mass * 4 * scene.time.dt, 0, 0)).norm(), 1e-10);
}

TEST(Loads, CostNothingWhereThereAreNone)
{
    Scene scene;
    scene.objects = {cube("cube", 0.2, Vec3(0, 1, 0))};
    const auto plain = make_model(scene);
    EXPECT_TRUE(make_constant_loads(*plain).empty());
    scene.objects[0].force = Vec3(0, 1, 0);
    EXPECT_EQ(make_constant_loads(*make_model(scene)).size(), 1u);
}

TEST(Loads, AreRejectedWhereTheyCanNeverBeRight)
{
    Scene scene;
    scene.objects = {cube("cube", 0.2, Vec3(0, 1, 0))};
    Scene wrong = scene;
    wrong.objects[0].gravity_scale = NAN;
    expect_rejected(wrong, "objects[0].gravity_scale: nan is not a finite number");
    wrong = scene;
    wrong.objects[0].force = Vec3(0, INFINITY, 0);
    expect_rejected(wrong, "objects[0].force: not all of its numbers are finite");
    wrong = scene;
    wrong.objects[0].angular_velocity = Vec3(0, NAN, 0);
    expect_rejected(wrong, "objects[0].angular_velocity: not all of its numbers are finite");
    wrong.objects[0] = planar_block("block", 1);
    wrong.objects[0].angular_velocity = Vec3(1, 0, 0);
    expect_rejected(wrong, "objects[0].angular_velocity: in the plane everything turns about z");
    for (const int which : {0, 1, 2}) {
        wrong = scene;
        SceneObject obstacle;
        obstacle.name = "wall";
        obstacle.kind = ObjectKind::obstacle;
        obstacle.mesh = translated(generate::box({}), Vec3(9, 0, 0));
        if (which == 0)
            obstacle.force = Vec3(1, 0, 0);
        if (which == 1)
            obstacle.gravity_scale = 0;
        if (which == 2)
            obstacle.angular_velocity = Vec3(1, 0, 0);
        wrong.objects.push_back(obstacle);
        expect_rejected(wrong, "an obstacle has no mass and follows no force");
    }
}

/// v + omega x (x − c): no momentum but that of the velocity; also of what is tiny, or far away.
TEST(Spin, IsAboutTheCentreOfMass)
{
    for (const double size : {1e-6, 0.2, 30.0})
        for (const double far : {0.0, 1e3}) {
            Scene scene;
            scene.objects = {box("box", Vec3(size, 2 * size, 3 * size), Vec3(far, 2 * far, -far), {2, 3, 4})};
            scene.objects[0].velocity = Vec3(1, 2, 3);
            scene.objects[0].angular_velocity = Vec3(0.3, -2, 5);
            const auto model = make_model(scene);
            const Vec3 centre(far, 2 * far, -far);
            Vec3 momentum = Vec3::Zero();
            const double rounding = 1e-15 * far;
            for (int v = 0; v < model->num_vertices(); ++v) {
                const Vec3 arm = lifted(model->rest, v) - centre;
                const Vec3 expected = scene.objects[0].velocity + scene.objects[0].angular_velocity.cross(arm);
                EXPECT_LE((lifted(model->start.v, v) - expected).norm(), 20 * rounding + 1e-14 * size + 1e-15);
                momentum += model->masses[v] * lifted(model->start.v, v);
            }
            EXPECT_LE((momentum / model->masses.sum() - scene.objects[0].velocity).norm(), 1e-13 + rounding);
        }
}

TEST(Spin, TurnsFreeBodiesAndKeepsTheirPlace)
{
    Scene scene;
    scene.gravity.setZero();
    scene.objects = {cube("cube", 0.2, Vec3(1, 2, 3))};
    scene.objects[0].youngs_modulus = 1e7;
    scene.objects[0].angular_velocity = Vec3(0, 0, 1);
    scene.time.dt = 1e-3;
    Simulation simulation(scene);
    const Positions start = simulation.state().x;
    run(simulation, 100);
    // Implicit Euler slows it a little.
    const Vec3 arm0 = lifted(start, 0) - Vec3(1, 2, 3), arm = lifted(simulation.state().x, 0) - Vec3(1, 2, 3);
    const double angle = std::atan2(arm0.cross(arm).z(), arm0.head<2>().dot(arm.head<2>()));
    EXPECT_NEAR(angle, 0.1, 2e-3);
    EXPECT_LE(mean_velocity(simulation, 0).norm(), 1e-10);
}

TEST(Spin, InThePlaneIsAboutZ)
{
    Scene scene;
    scene.objects = {planar_block("block", 1)};
    scene.objects[0].angular_velocity = Vec3(0, 0, 2);
    const auto model = make_model(scene);
    for (int v = 0; v < model->num_vertices(); ++v) {
        const Vec3 arm = lifted(model->rest, v) - Vec3(0, 1, 0);
        EXPECT_LE((lifted(model->start.v, v) - Vec3(-2 * arm.y(), 2 * arm.x(), 0)).norm(), 1e-14);
    }
}

/// A stiff cube that slides over the floor, another one beside it.
Scene sliding(const std::string& model)
{
    Scene scene;
    scene.objects = {cube("first", 0.2, Vec3(0, 0.1001, 0), 1), cube("second", 0.2, Vec3(0, 0.1001, 1), 1)};
    for (SceneObject& object : scene.objects) {
        object.velocity = Vec3(2, 0, 0);
        object.youngs_modulus = 1e7;
    }
    scene.planes = {floor_plane()};
    scene.contact.model = model;
    scene.contact.use_area_weighting = model == "convergent_ipc";
    scene.contact.dhat = 2e-4;
    scene.contact.eps_v = 1e-3;
    scene.solver.tolerance = 1e-6;
    scene.solver.friction_iterations = 3;
    return scene;
}

/// How much the two cubes are slowed, over g, once they slide steadily.
std::array<double, 2> slowed(const Scene& scene)
{
    Simulation simulation(scene);
    run(simulation, 10);
    const Vec3 first = mean_velocity(simulation, 0), second = mean_velocity(simulation, 1);
    run(simulation, 10);
    const double time = 9.81 * 10 * scene.time.dt;
    return {(first - mean_velocity(simulation, 0)).x() / time, (second - mean_velocity(simulation, 1)).x() / time};
}

TEST(Materials, GiveEachBodyItsFriction)
{
    for (const std::string model : all_models) {
        SCOPED_TRACE(model);
        Scene scene = sliding(model);
        scene.contact.mu = 0.5;
        scene.objects[0].surface = {.name = "ice", .mu = 0.1};
        const std::array<double, 2> by_side = slowed(scene); // the plane has that of all
        EXPECT_NEAR(by_side[0], 0.3, 0.02);
        EXPECT_NEAR(by_side[1], 0.5, 0.02);
        scene.plane_materials = {{.name = "floor"}};
        scene.contact.pairs = {{.materials = {"floor", "ice"}, .friction = ScenePair::Friction{.mu = 0}}};
        const std::array<double, 2> by_pair = slowed(scene);
        EXPECT_NEAR(by_pair[0], 0, 1e-6);
        EXPECT_NEAR(by_pair[1], 0.5, 0.02);
    }
}

TEST(Materials, BlendByEveryRule)
{
    Scene scene = sliding("ipc");
    scene.contact.mu = 0.3;
    scene.contact.mu_k = 0.2;
    scene.objects[0].surface = {.mu = 0.8, .mu_k = 0.5};
    scene.objects[1].surface = {.mu = 0.2};
    const std::array expected{0.5, 0.2, 0.8, 0.16, 0.4};                // of both
    const std::array with_plane{0.55, 0.3, 0.8, 0.24, std::sqrt(0.24)}; // of the first and the default
    const std::array kinetic{0.35, 0.2, 0.5, 0.1, std::sqrt(0.1)};
    for (std::size_t k = 0; k < blend_rules.size(); ++k) {
        scene.contact.blend = blend_rules[k].second;
        const auto model = make_model(scene);
        const ContactMaterials& materials = *model->parameters.materials;
        const int first = materials.of_object[0], second = materials.of_object[1], plane = materials.of_plane[0];
        EXPECT_NEAR(materials.mu_s(first, second), expected[k], 1e-15);
        EXPECT_NEAR(materials.mu_s(second, first), expected[k], 1e-15);
        EXPECT_NEAR(materials.mu_s(first, plane), with_plane[k], 1e-15);
        EXPECT_NEAR(materials.mu_k(first, second), kinetic[k], 1e-15);
        EXPECT_EQ(materials.mu_s(plane, plane), 0.3);
        EXPECT_EQ(materials.mu_k(plane, plane), 0.2);
    }
}

TEST(Materials, PairsComeBeforeSidesAndSidesBeforeTheDefault)
{
    Scene scene = sliding("ipc");
    scene.contact.mu = 0.3;
    EXPECT_FALSE(make_model(scene)->parameters.materials.has_value()) << "one number for all, as ever";
    scene.objects[0].surface = {.name = "a", .mu = 0.7};
    scene.objects[1].surface = {.name = "b", .mu = 0.9};
    scene.contact.pairs = {{.materials = {"b", "a"}, .friction = ScenePair::Friction{.mu = 0.05, .mu_k = 0.04}}};
    const auto model = make_model(scene);
    const ContactMaterials& materials = *model->parameters.materials;
    const int a = materials.of_object[0], b = materials.of_object[1];
    EXPECT_EQ(materials.mu_s(a, b), 0.05);
    EXPECT_EQ(materials.mu_k(b, a), 0.04);
    EXPECT_NEAR(materials.mu_s(a, a), 0.7, 1e-15);
    EXPECT_EQ(materials.pull.size(), 0);
    const auto is_said = [&](const char* name) {
        return std::any_of(
            model->choices.begin(), model->choices.end(), [&](const Choice& choice) { return choice.name == name; });
    };
    EXPECT_TRUE(is_said("contact.friction.mu of 'a' and plane 0"));
    EXPECT_FALSE(is_said("contact.friction.mu of 'a' and 'b'")) << "it was given";
    EXPECT_TRUE(model->warnings.empty());
    scene.contact.mu = 0;
    const auto bare = make_model(scene);
    ASSERT_EQ(bare->warnings.size(), 1u);
    EXPECT_NE(bare->warnings[0].find("material.mu: plane 0 has none"), std::string::npos) << bare->warnings[0];
}

TEST(Materials, AreRejectedWhereTheyCanNeverBeRight)
{
    const Scene scene = sliding("ipc");
    Scene wrong = scene;
    wrong.objects[1].surface.mu = -1;
    expect_rejected(wrong, "objects[1].material.mu: -1 is not a number >= 0");
    wrong = scene;
    wrong.objects[1].surface.mu_k = 1;
    expect_rejected(wrong, "objects[1].material.mu_k: there is no mu beside it");
    wrong = scene;
    wrong.plane_materials = {{.mu = NAN}};
    expect_rejected(wrong, "planes[0].material.mu: nan is not a number >= 0");
    wrong.plane_materials = {{}, {}};
    expect_rejected(wrong, "plane_materials: 2 of them for 1 planes");
    wrong = scene;
    wrong.objects[0].surface.name = "rubber";
    wrong.contact.pairs = {{.materials = {"rubber", "ruber"}, .friction = ScenePair::Friction{}}};
    expect_rejected(
        wrong,
        "contact.pairs[0].materials[1]: no material is called 'ruber'; there are rubber; did you mean 'rubber'?");
    wrong.contact.pairs = {{.materials = {"rubber", "rubber"}}};
    expect_rejected(wrong, "contact.pairs[0]: it gives neither friction nor adhesion");
    wrong.contact.pairs = {{.materials = {"rubber", "rubber"}, .friction = ScenePair::Friction{.mu = INFINITY}}};
    expect_rejected(wrong, "contact.pairs[0].friction.mu: inf is not a number >= 0");
    wrong.contact.pairs = {{.materials = {"rubber", "rubber"}, .adhesion = ScenePair::Adhesion{.youngs_modulus = 0}}};
    expect_rejected(wrong, "contact.pairs[0].adhesion.youngs_modulus: 0 is not a positive number");
    wrong.contact.pairs = {{.materials = {"rubber", "rubber"}, .adhesion = ScenePair::Adhesion{}}};
    wrong.contact.model = "gcp";
    expect_rejected(wrong, "contact.pairs: there is no adhesion with the model 'gcp'");
}

/// Two cubes, one over the other within reach of bonds, and the floor.
Scene sticky()
{
    Scene scene;
    scene.objects = {cube("low", 0.2, Vec3(0, 0.1012, 0)), cube("high", 0.2, Vec3(0.013, 0.3024, 0.007))};
    scene.objects[0].surface.name = "a";
    scene.objects[1].surface.name = "b";
    scene.planes = {floor_plane()};
    scene.plane_materials = {{.name = "floor"}};
    scene.contact.dhat = 1e-3;
    scene.time.dt = 1e-3;
    return scene;
}

TEST(Materials, ScaleAdhesionByPairs)
{
    Scene usual = sticky();
    usual.contact.adhesion = SceneAdhesion{.critical_strain = 0.2, .mu_a = 0.5};
    Simulation strong(usual);
    const Positions all = strong.contact_forces();
    const int split = strong.object_starts()[1];
    EXPECT_GT(all.bottomRows(all.rows() - split).norm(), 1);

    // The same by a pair of half the default's strength, doubled; the floor sticks as before.
    Scene paired = usual;
    paired.contact.adhesion->critical_strain = 0.1;
    paired.contact.pairs = {
        {.materials = {"a", "b"}, .adhesion = ScenePair::Adhesion{.critical_strain = 0.2}},
        {.materials = {"floor", "a"}, .adhesion = ScenePair::Adhesion{.youngs_modulus = 2e5}}};
    Simulation by_pair(paired);
    EXPECT_LE((by_pair.contact_forces() - all).norm(), 1e-12 * all.norm());
    const StepReport one = strong.step(), other = by_pair.step();
    EXPECT_EQ(one.outcome, Outcome::converged);
    EXPECT_LE((strong.state().x - by_pair.state().x).norm(), 1e-9);
    EXPECT_EQ(one.forces.size(), other.forces.size());

    // Without a default that pair alone sticks; a strain of 0 lets go.
    paired.contact.adhesion.reset();
    paired.contact.pairs.pop_back();
    paired.contact.pairs[0].adhesion = ScenePair::Adhesion{.critical_strain = 0.2};
    Simulation alone(paired);
    const Positions upper = alone.contact_forces();
    EXPECT_LE((upper - all).bottomRows(all.rows() - split).norm(), 1e-12 * all.norm());
    EXPECT_GT((upper - all).topRows(split).norm(), 1e-3 * all.norm()) << "the floor does not stick";
    Scene loose = usual;
    loose.contact.pairs = {{.materials = {"a", "b"}, .adhesion = ScenePair::Adhesion{.critical_strain = 0}}};
    Simulation free(loose);
    EXPECT_EQ(free.contact_forces().bottomRows(all.rows() - split).norm(), 0);
    EXPECT_GT(free.contact_forces().topRows(split).norm(), 0);
}

/// A block that starts within another one, and falls on the floor; a third one meets both.
Scene overlapping(const std::string& model)
{
    Scene scene;
    scene.objects = {
        cube("one", 0.2, Vec3(0, 0.1002, 0)), cube("two", 0.2, Vec3(0.05, 0.1202, 0.03)),
        cube("three", 0.2, Vec3(0.02, 0.3304, 0.01))};
    scene.objects[0].contact_group = "ghosts";
    scene.objects[1].contact_group = "walls";
    scene.objects[2].velocity = Vec3(0, -1, 0);
    scene.planes = {floor_plane()};
    scene.contact.model = model;
    scene.contact.use_area_weighting = model == "convergent_ipc";
    scene.contact.dhat = 1e-3;
    scene.time.dt = 5e-3;
    scene.verify = Verify::step;
    return scene;
}

double lowest(const Simulation& simulation, int object)
{
    const int start = simulation.object_starts()[object];
    return simulation.state().x.middleRows(start, simulation.object_starts()[object + 1] - start).col(1).minCoeff();
}

TEST(ContactGroups, ThatAreIgnoredPassThroughEachOtherAndNothingElse)
{
    for (const std::string model : all_models) {
        SCOPED_TRACE(model);
        Scene scene = overlapping(model);
        EXPECT_THROW((Simulation{scene}), InvalidStart);
        scene.contact.ignore = {{"walls", "ghosts"}};
        Simulation simulation(scene);
        bool is_met = false;
        for (int i = 0; i < 12; ++i) {
            const StepReport report = run(simulation, 1); // converged, without intersections
            for (const BodyForce& force : report.forces) {
                EXPECT_FALSE(force.body == 0 && force.other == 1);
                is_met = is_met || (force.body == 1 && force.other == 2);
            }
        }
        EXPECT_TRUE(is_met);
        EXPECT_EQ(simulation.verify().num_intersections, 0);
        for (int k = 0; k < 3; ++k)
            EXPECT_GT(lowest(simulation, k), 0) << "the floor is met by all";
        EXPECT_GT(lowest(simulation, 2), 0.1) << "it lies on the others";
        const auto& choices = simulation.choices();
        const auto said = std::find_if(
            choices.begin(), choices.end(), [](const Choice& choice) { return choice.name == "contact.ignore"; });
        ASSERT_NE(said, choices.end());
        EXPECT_EQ(std::get<std::string>(said->value), "1 pair of bodies");
    }
}

TEST(ContactGroups, WithThemselvesMeetNeitherOthersOfTheGroupNorThemselves)
{
    for (const std::string model : all_models) {
        SCOPED_TRACE(model);
        Scene scene = overlapping(model);
        scene.objects.pop_back();
        scene.objects[1].contact_group = "ghosts";
        // A sheet that is folded through itself
        SceneObject sheet;
        sheet.name = "sheet";
        sheet.kind = ObjectKind::shell;
        sheet.contact_group = "ghosts";
        sheet.mesh = translated(generate::plane_grid({.size = {0.2, 0.2}, .cells = {4, 4}}), Vec3(3, 0.2, 0));
        append(sheet.mesh, translated(generate::box({.size = Vec3::Constant(0.1)}), Vec3(3, 0.2, 0)));
        scene.objects.push_back(sheet);
        EXPECT_THROW((Simulation{scene}), InvalidStart);
        scene.contact.ignore = {{"ghosts", "ghosts"}};
        Simulation simulation(scene);
        run(simulation, 3);
        EXPECT_EQ(simulation.verify().num_intersections, 0);
        const auto& choices = simulation.choices();
        const auto said = std::find_if(
            choices.begin(), choices.end(), [](const Choice& choice) { return choice.name == "contact.ignore"; });
        ASSERT_NE(said, choices.end());
        EXPECT_EQ(std::get<std::string>(said->value), "3 pairs of bodies");
        EXPECT_NE(said->reason.find("3 bodies do not meet themselves"), std::string::npos) << said->reason;
    }
}

TEST(ContactGroups, AreRejectedWhereNamesAreWrong)
{
    Scene scene = overlapping("ipc");
    scene.contact.ignore = {{"walls", "gosts"}};
    expect_rejected(
        scene,
        "contact.ignore[0][1]: no contact_group is called 'gosts'; there are ghosts, walls; did you mean 'ghosts'?");
    scene.contact.ignore = {{"walls", "ghosts"}, {"ghosts", "walls"}};
    expect_rejected(scene, "contact.ignore[1][0]: the pair of 'ghosts' and 'walls' is there already, as number 0");
}

} // namespace

} // namespace abut::test::per_object_test
