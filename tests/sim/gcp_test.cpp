// Simulations with the geometric contact potential.

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "support/simulated.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace abut::test {

namespace {

Scene with_gcp(Scene scene)
{
    scene.contact.model = "gcp";
    scene.verify = Verify::step;
    return scene;
}

/// Two cubes that meet.
Scene colliding_cubes(double gap)
{
    Scene scene = with_gcp({});
    scene.gravity.setZero();
    const double x = 0.1 + gap / 2;
    scene.objects = {cube("left", 0.2, Vec3(-x, 0, 0)), cube("right", 0.2, Vec3(x, 0.05, 0.03))};
    scene.objects[0].velocity = Vec3(2, 0, 0);
    scene.objects[1].velocity = Vec3(-1, 0.3, 0);
    return scene;
}

TEST(Gcp, CollidingCubesDoNotIntersectAndKeepTheirMomentum)
{
    Scene scene = colliding_cubes(0.1);
    scene.contact.mu = 0.4;
    Simulation simulation(scene);
    const double mass = simulation.masses().sum();
    Vec3 before = Vec3::Zero();
    for (int v = 0; v < simulation.num_vertices(); ++v)
        before += simulation.masses()[v] * simulation.state().v.row(v).transpose();
    std::size_t most_contacts = 0;
    for (int i = 0; i < 20; ++i) {
        const StepReport report = run(simulation, 1);
        most_contacts = std::max(most_contacts, report.num_contacts);
        EXPECT_LE((report.balance.momentum - before).norm(), 1e-10 * mass * 2) << "step " << report.step;
        EXPECT_LE(report.balance.momentum_defect, 1e-10);
        // The reports agree with what is found anew.
        const ContactList contacts = simulation.contacts();
        ASSERT_EQ(static_cast<std::size_t>(contacts.distances.size()), report.num_contacts);
        if (report.num_contacts == 0) {
            EXPECT_EQ(report.smallest_distance, INFINITY);
            continue;
        }
        EXPECT_EQ(contacts.distances.minCoeff(), report.smallest_distance);
        ASSERT_EQ(report.forces.size(), 1u);
        EXPECT_EQ(report.forces[0].body, 0);
        EXPECT_EQ(report.forces[0].other, 1);
        Vec3 on_left = Vec3::Zero();
        const Positions forces = simulation.contact_forces();
        for (int v = 0; v < simulation.object_starts()[1]; ++v)
            on_left += forces.row(v).transpose();
        EXPECT_LE((on_left - report.forces[0].contact).norm(), 1e-9 * on_left.norm());
        EXPECT_LT(on_left.x(), 0);
        for (Eigen::Index k = 0; k < contacts.bodies.rows(); ++k)
            EXPECT_EQ(contacts.bodies.row(k).sum(), 1) << "one element of each cube";
    }
    EXPECT_GT(most_contacts, 0u) << "they must meet";
    EXPECT_LT(simulation.state().v.col(0).head(simulation.object_starts()[1]).mean(), 2);
}

TEST(Gcp, ACubeSticksToASlopeBelowTheAngleOfFriction)
{
    Simulation simulation(with_gcp(slope(0.5, 0.4))); // tan 0.4 = 0.42
    run(simulation, 100);
    EXPECT_LT(simulation.state().v.rowwise().norm().maxCoeff(), 1e-3);
    // What carries it is its weight.
    const double weight = simulation.masses().sum() * 9.81 * std::cos(0.4);
    EXPECT_NEAR(simulation.contact_forces().col(1).sum(), weight, 0.01 * weight);
}

TEST(Gcp, ACubeSlidesDownASlopeAsCoulombSays)
{
    const double mu = 0.2, angle = 0.4;
    Simulation simulation(with_gcp(slope(mu, angle)));
    run(simulation, 40); // the landing
    const double before = simulation.state().v.col(0).mean();
    run(simulation, 50);
    const double acceleration = (simulation.state().v.col(0).mean() - before) / 0.5;
    const double expected = 9.81 * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_NEAR(acceleration, expected, 0.01 * expected);
}

TEST(Gcp, ACubeSlidesAsCoulombSaysHoweverCloseItStarts)
{
    // With what the scene chooses itself. Where it starts within dhat, extents are half of the gap, and forces steep.
    const double mu = 0.3, angle = 0.4;
    for (const double gap : {5e-5, 1.5e-4, 3e-4, 1e-3}) {
        Scene scene = with_gcp({});
        scene.objects = {cube("cube", 0.2, Vec3(0, 0.1 + gap, 0))};
        scene.objects[0].youngs_modulus = 1e7;
        scene.planes = {floor_plane()};
        scene.gravity = 9.81 * Vec3(std::sin(angle), -std::cos(angle), 0);
        scene.contact.mu = mu;
        Simulation simulation(scene);
        run(simulation, 40);
        const double before = simulation.state().v.col(0).mean();
        run(simulation, 60);
        const double expected = 9.81 * (std::sin(angle) - mu * std::cos(angle));
        EXPECT_NEAR((simulation.state().v.col(0).mean() - before) / 0.6, expected, 0.01 * expected) << gap;
    }
}

TEST(Gcp, ABodyAtRestHasNoContactHoweverFarContactReaches)
{
    Scene scene = with_gcp({});
    scene.gravity.setZero();
    scene.objects = {cube("cube", 0.2, Vec3::Zero(), 3)};
    scene.contact.dhat = 0.15; // edges are 0.067 long
    Simulation simulation(scene);
    const Positions start = simulation.state().x;
    for (int i = 0; i < 3; ++i) {
        const StepReport report = run(simulation, 1);
        EXPECT_EQ(report.num_contacts, 0u);
        EXPECT_EQ(report.balance.contact, 0);
        EXPECT_EQ(report.smallest_distance, INFINITY);
        EXPECT_EQ(simulation.state().x, start);
    }
    EXPECT_EQ(simulation.contacts().distances.size(), 0);
    EXPECT_EQ(simulation.contact_forces(), Positions::Zero(start.rows(), 3));
}

TEST(Gcp, BodiesThatStartCloseDoNotRepelEachOther)
{
    Scene scene = with_gcp({});
    scene.gravity.setZero();
    scene.objects = {cube("lower", 0.2, Vec3(0, 0, 0)), cube("upper", 0.2, Vec3(0.03, 0.201, 0.02))};
    scene.contact.dhat = 0.01; // ten times their gap
    Simulation simulation(scene);
    const Positions start = simulation.state().x;
    EXPECT_EQ(run(simulation, 2).num_contacts, 0u);
    EXPECT_EQ(simulation.state().x, start);
    // With dhat everywhere they do.
    scene.contact.gcp.use_adaptive_dhat = false;
    Simulation pushed(scene);
    EXPECT_GT(run(pushed, 2).num_contacts, 0u);
    const int upper = pushed.object_starts()[1];
    EXPECT_GT((pushed.state().x - start).bottomRows(start.rows() - upper).col(1).mean(), 1e-5);
}

TEST(Gcp, TheRatioOfAdaptiveExtentsSaysFromWhereOnCloseBodiesPress)
{
    const auto contacts_at_most_of_the_gap = [](double ratio) {
        Scene scene = with_gcp({});
        scene.objects = {cube("lower", 0.2, Vec3(0, 0, 0)), cube("upper", 0.2, Vec3(0.03, 0.201, 0.02))};
        scene.contact.dhat = 0.01;
        scene.contact.gcp.adaptive_dhat_ratio = ratio;
        Simulation simulation(scene);
        State nearer = simulation.state(); // at 0.7 of the gap of 1 mm
        nearer.x.bottomRows(nearer.x.rows() - simulation.object_starts()[1]).col(1).array() -= 3e-4;
        simulation.set_state(nearer);
        return simulation.contacts().distances.size();
    };
    EXPECT_EQ(contacts_at_most_of_the_gap(0.5), 0);
    EXPECT_GT(contacts_at_most_of_the_gap(0.9), 0);
    EXPECT_THROW(contacts_at_most_of_the_gap(1), InvalidInput);
}

TEST(Gcp, TheFeatureLengthIsThatOfTheScene)
{
    // A vertex above a plane weighs L⁴: with half of L the force on a cube's corners is a sixteenth. The chosen
    // stiffness makes up for it.
    double used = 0; // the stiffness
    const auto press = [&](double L, std::optional<double> stiffness) {
        Scene scene = with_gcp({});
        scene.objects = {cube("cube", 0.2, Vec3(0, 0.105, 0), 1)};
        scene.planes = {floor_plane()};
        scene.contact.dhat = 0.01;
        scene.contact.stiffness = stiffness;
        scene.contact.gcp.use_adaptive_dhat = false;
        scene.contact.gcp.feature_length = L;
        Simulation simulation(scene);
        used = simulation.model().parameters.stiffness;
        return simulation.contact_forces().col(1).sum();
    };
    const double whole = press(0.2, 1.0);
    ASSERT_GT(whole, 0);
    EXPECT_NEAR(press(0.1, 1.0) / whole, 1.0 / 16, 1e-12);
    const double half_by_choice = press(0.1, std::nullopt), for_half = used;
    const double whole_by_choice = press(0.2, std::nullopt), for_whole = used;
    EXPECT_NEAR(half_by_choice / whole_by_choice, for_half / for_whole / 16, 1e-12);
    EXPECT_NEAR(for_half / for_whole, 16, 16 * 1e-5) << "chosen values are rounded to six digits";
    EXPECT_THROW(press(0, 1.0), InvalidInput);
}

/// A cube of 0.2 m over a plane, with L of its own at sharp features.
Scene cube_with_sharp_length(int cells, SceneSharpLength sharp)
{
    Scene scene = with_gcp({});
    scene.objects = {cube("cube", 0.2, Vec3(0, 0.105, 0), cells)};
    scene.planes = {floor_plane()};
    scene.contact.dhat = 0.01;
    scene.contact.stiffness = 1;
    scene.contact.gcp.use_adaptive_dhat = false;
    scene.contact.gcp.sharp_length = sharp;
    return scene;
}

TEST(Gcp, TheLengthOfSharpFeaturesIsThatOfTheScene)
{
    // With one cell all vertices are corners, and with another L elsewhere nothing changes.
    const auto force = [](const Scene& scene) { return Simulation(scene).contact_forces().col(1).sum(); };
    Scene everywhere = cube_with_sharp_length(1, {});
    everywhere.contact.gcp.sharp_length.reset();
    everywhere.contact.gcp.feature_length = 0.1;
    const double whole = force(everywhere);
    ASSERT_GT(whole, 0);
    EXPECT_EQ(force(cube_with_sharp_length(1, {.length = 0.1})), whole);
    // With four cells the bottom's corners weigh L⁴, what lies on its edges (L h)², and what is within them does not
    // know of L.
    const auto by_length = [&](int cells, double L) { return force(cube_with_sharp_length(cells, {.length = L})); };
    const double pair = whole / (4 * std::pow(0.1, 4));
    const double inside = by_length(4, 0.1) - pair * (4 * std::pow(0.1, 4) + 12 * std::pow(0.1 * 0.05, 2));
    EXPECT_GT(inside, 0);
    EXPECT_NEAR(by_length(4, 0.2) - pair * (4 * std::pow(0.2, 4) + 12 * std::pow(0.2 * 0.05, 2)), inside, 1e-9 * whole);
    // Of nothing that is sharper than 91 degrees only lengths of edges are left.
    Scene by_edges = cube_with_sharp_length(4, {});
    by_edges.contact.gcp.sharp_length.reset();
    const Scene blunt = cube_with_sharp_length(4, {.length = 0.1, .angle = 91 * std::numbers::pi / 180});
    EXPECT_EQ(force(blunt), force(by_edges));
}

TEST(Gcp, SaysWhichFeaturesAreSharp)
{
    const Simulation chosen(cube_with_sharp_length(2, {.length = 0.1}));
    ASSERT_FALSE(chosen.choices().empty());
    const Choice& angle = chosen.choices().back();
    EXPECT_EQ(angle.name, "contact.feature_length.angle");
    EXPECT_EQ(std::get<double>(angle.value), 30);
    EXPECT_NE(angle.reason.find("24 edges and 8 corners"), std::string::npos) << angle.reason;
    EXPECT_TRUE(chosen.warnings().empty());
    const Simulation given(cube_with_sharp_length(2, {.length = 0.1, .angle = 2}));
    for (const Choice& choice : given.choices())
        EXPECT_NE(choice.name, "contact.feature_length.angle");
    ASSERT_EQ(given.warnings().size(), 1u);
    EXPECT_NE(given.warnings()[0].find("turns by more than 114.6 degrees"), std::string::npos) << given.warnings()[0];
}

TEST(Gcp, BlocksInThePlaneStack)
{
    Scene scene = with_gcp({});
    scene.objects = {planar_block("lower", 0.06), planar_block("upper", 0.18)};
    scene.planes = {floor_plane()};
    scene.contact.mu = 0.3;
    Simulation simulation(scene);
    const StepReport report = run(simulation, 50);
    EXPECT_GT(report.num_contacts, 0u);
    EXPECT_LT(report.balance.kinetic, 1e-3);
    // The upper one's weight passes through the lower one to the floor.
    const double weight = simulation.masses().sum() * 9.81;
    double floor = 0, between = 0;
    for (const BodyForce& force : report.forces)
        (force.other == -1 ? floor : between) += force.contact.y();
    EXPECT_NEAR(floor, weight, 0.02 * weight);
    EXPECT_NEAR(between, -weight / 2, 0.02 * weight);
}

/// A cloth above a ball, coarse enough for tests.
Scene cloth_with_gcp() { return with_gcp(falling_cloth(8)); }

TEST(Gcp, ClothLiesOnABallWhicheverSideIsUp)
{
    for (const bool is_turned : {false, true}) {
        Scene scene = cloth_with_gcp();
        Faces& faces = scene.objects[0].mesh.faces;
        if (is_turned)
            faces.col(1).swap(faces.col(2));
        Simulation simulation(scene);
        const StepReport report = run(simulation, 15);
        EXPECT_GT(report.num_contacts, 10u);
        // It is held: its middle stays above the ball, whose top is at -0.02, while free fall would be -0.118.
        EXPECT_GT(simulation.state().x(4 * 9 + 4, 1), -0.03);
    }
}

TEST(Gcp, HasTheSameBitsForAnyNumberOfThreadsAndAfterAResume)
{
    const auto final_state = [&](int threads) {
        set_num_threads(threads);
        Simulation simulation(cloth_with_gcp());
        run(simulation, 12);
        EXPECT_GT(simulation.contacts().distances.size(), 0);
        set_num_threads(0);
        return simulation.state();
    };
    const State one = final_state(1);
    EXPECT_EQ(final_state(2), one);
    EXPECT_EQ(final_state(4), one);

    // Extents are those of the scene's start, not of the state from which it continues.
    Simulation first(cloth_with_gcp()), second(cloth_with_gcp());
    run(first, 9);
    EXPECT_GT(first.contacts().distances.size(), 0) << "it must be interrupted in contact";
    second.set_state(first.state());
    run(second, 3);
    EXPECT_EQ(second.state(), one);
}

TEST(Gcp, ACubeRestsOnAFloorWithoutInertia)
{
    Scene scene = with_gcp({});
    scene.objects = {cube("cube", 0.2, Vec3(0, 0.1002, 0))};
    scene.planes = {floor_plane()};
    scene.time.integrator = "quasi_static";
    Simulation simulation(scene);
    const StepReport report = run(simulation, 5);
    EXPECT_GT(report.num_contacts, 0u);
    const double weight = simulation.masses().sum() * 9.81;
    EXPECT_NEAR(simulation.contact_forces().col(1).sum(), weight, 0.01 * weight);
}

TEST(Gcp, TheToolkitsFormulasMoveBodiesToo)
{
    Scene scene = colliding_cubes(0.04);
    scene.contact.gcp.variant = SmoothContactVariant::toolkit;
    scene.contact.gcp.exponent = 2;
    scene.contact.gcp.alpha_t = 1;
    Simulation simulation(scene);
    std::size_t most_contacts = 0;
    for (int i = 0; i < 12; ++i)
        most_contacts = std::max(most_contacts, run(simulation, 1).num_contacts);
    EXPECT_GT(most_contacts, 0u);
}

/// A soft cloth, faster than waves in it, that meets a ball with its edge first. The throws hardly differ.
Scene thrown_cloth(int number)
{
    Scene scene = with_gcp({});
    SceneObject cloth;
    cloth.name = "cloth";
    cloth.kind = ObjectKind::shell;
    const Mat<3, 3> upright = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitZ()).toRotationMatrix();
    cloth.mesh = transformed(generate::plane_grid({.size = {1, 1}, .cells = {10, 10}}), Eigen::MatrixXd(upright));
    cloth.youngs_modulus = 1e4;
    cloth.poisson_ratio = 0;
    cloth.velocity = Vec3(0, -5, 0);
    SceneObject ball;
    ball.name = "ball";
    ball.kind = ObjectKind::obstacle;
    ball.mesh = translated(
        generate::icosphere({.radius = 0.1, .subdivisions = 2}), Vec3(0, -0.62 - 1e-4 * number, 3e-5 * number));
    scene.objects = {cloth, ball};
    scene.contact.dhat = 0.005;
    scene.time.dt = 0.04;
    return scene;
}

/// The smallest area of a triangle of the first object, over that at rest.
double smallest_area_ratio(const Simulation& simulation)
{
    const MeshData& mesh = simulation.scene().objects[0].mesh;
    const auto area = [&](const Positions& x, Eigen::Index f) {
        const Vec3 corner = x.row(mesh.faces(f, 0));
        const Vec3 u = x.row(mesh.faces(f, 1)).transpose() - corner, v = x.row(mesh.faces(f, 2)).transpose() - corner;
        return u.cross(v).norm() / 2;
    };
    double least = INFINITY;
    for (Eigen::Index f = 0; f < mesh.faces.rows(); ++f)
        least = std::min(least, area(simulation.state().x, f) / area(mesh.vertices, f));
    return least;
}

TEST(Gcp, TrianglesOfASoftClothCollapseUnlessItIsNeoHookean)
{
    // Fixed corotated triangles give way until edges of their neighbours are some 1e-10 m apart, which no barrier
    // prevents; collision detection then leaves nothing of a step.
    int num_stalled = 0;
    double least_area = 1;
    for (int number = 0; number < 3; ++number) {
        Scene scene = thrown_cloth(number);
        scene.objects[0].model = ElasticModel::fixed_corotated;
        Simulation stalled(scene);
        num_stalled += stalled.step().outcome == Outcome::iteration_limit ? 1 : 0;
        least_area = std::min(least_area, smallest_area_ratio(stalled));

        scene.objects[0].model.reset();
        Simulation simulation(scene);
        for (int k = 0; k < 3; ++k) {
            run(simulation, 1);
            EXPECT_GT(smallest_area_ratio(simulation), 0.1);
        }
    }
    EXPECT_GE(num_stalled, 1);
    EXPECT_LT(least_area, 1e-3);
}

TEST(Gcp, ShellsAreNeoHookeanUnlessTheSceneSaysOtherwise)
{
    Scene scene = thrown_cloth(0);
    const Simulation with_gcp(scene);
    EXPECT_EQ(with_gcp.scene().objects[0].model, ElasticModel::neo_hookean);
    const Choice& choice = with_gcp.choices().front();
    EXPECT_EQ(choice.name, "objects[].material.model");
    EXPECT_EQ(std::get<std::string>(choice.value), "neo_hookean");
    EXPECT_NE(choice.reason.find("'gcp'"), std::string::npos) << choice.reason;
    const auto is_of_model = [](const Choice& each) { return each.name == "objects[].material.model"; };
    const auto names_model = [&](const Simulation& simulation) {
        return std::any_of(simulation.choices().begin(), simulation.choices().end(), is_of_model);
    };
    for (const std::string contact : {"ipc", "convergent_ipc", "ogc", "gipc", "none"}) {
        Scene other = scene;
        other.contact.model = contact;
        const Simulation simulation(other);
        EXPECT_EQ(simulation.scene().objects[0].model, ElasticModel::fixed_corotated) << contact;
        EXPECT_FALSE(names_model(simulation)) << contact;
    }
    scene.objects[0].model = ElasticModel::stvk;
    const Simulation given(scene);
    EXPECT_EQ(given.scene().objects[0].model, ElasticModel::stvk);
    EXPECT_FALSE(names_model(given));
}

TEST(Gcp, SaysWhichStiffnessItChoseAndWhy)
{
    Scene scene = with_gcp(slope(0, 0));
    Simulation simulation(scene);
    const Choice& choice = simulation.choices().back();
    EXPECT_EQ(choice.name, "contact.stiffness");
    EXPECT_EQ(std::get<double>(choice.value), simulation.state().history.number("contact.stiffness", 0));
    EXPECT_NE(choice.reason.find("GCP, dhat = "), std::string::npos) << choice.reason;
    scene.contact.stiffness = 123;
    EXPECT_EQ(Simulation(scene).state().history.number("contact.stiffness", 0), 123);
}

TEST(Gcp, SaysWhereItHasNoBarrier)
{
    // A cube that falls inside of a closed box: for GCP it is inside of the box's body.
    Scene scene = with_gcp({});
    SceneObject room;
    room.name = "room";
    room.kind = ObjectKind::obstacle;
    room.mesh = generate::box({.size = Vec3::Constant(0.5)});
    scene.objects = {cube("cube", 0.2, Vec3(0, -0.05, 0)), room};
    scene.solver.max_iterations = 30;
    Simulation simulation(scene);
    StepReport report = simulation.step();
    for (int step = 1; step < 60 && report.outcome == Outcome::converged; ++step)
        report = simulation.step();
    EXPECT_NE(report.outcome, Outcome::converged);
    EXPECT_NE(report.message.find("have no barrier: GCP gives none to what is inside"), std::string::npos)
        << report.message;
    EXPECT_EQ(simulation.verify().num_intersections, 0);
    // Without the test it has one.
    scene.contact.gcp.use_exterior_test = false;
    scene.solver.max_iterations = 200;
    Simulation other(scene);
    run(other, 60);
    EXPECT_EQ(other.verify().num_intersections, 0);
}

TEST(Gcp, RejectsWhatItCannotDo)
{
    const auto expect_rejected = [](const Scene& scene, const std::string& words) {
        try {
            Simulation simulation(scene);
            FAIL() << "no exception; expected: " << words;
        } catch (const InvalidInput& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    };
    Scene scene = with_gcp(slope(0, 0));
    scene.contact.dmin = 1e-3;
    expect_rejected(scene, "contact.dmin: 0.001 m");
    scene = with_gcp(slope(0, 0));
    scene.contact.adhesion.emplace();
    expect_rejected(scene, "contact.adhesion");
    scene = with_gcp(slope(0, 0));
    scene.contact.use_area_weighting = true;
    expect_rejected(scene, "contact.use_area_weighting");
    scene = with_gcp(slope(0, 0));
    scene.contact.gcp.variant = SmoothContactVariant::toolkit;
    expect_rejected(scene, "contact.gcp.variant: the toolkit's formulas know no planes");
    scene.contact.gcp.sharp_length = {.length = 0.1};
    expect_rejected(scene, "contact.gcp.sharp_length: the toolkit's formulas have no L");
    scene.contact.gcp.variant = SmoothContactVariant::paper;
    scene.contact.gcp.sharp_length = {.length = 0};
    expect_rejected(scene, "contact.gcp.sharp_length.length: 0");
    for (const double angle : {0.0, std::numbers::pi, std::nan("")}) {
        scene.contact.gcp.sharp_length = {.length = 0.1, .angle = angle};
        expect_rejected(scene, "contact.gcp.sharp_length.angle: ");
    }
    scene.contact.gcp.sharp_length.reset();
    scene.contact.gcp.variant = SmoothContactVariant::toolkit;
    scene = with_gcp(slope(0, 0));
    scene.contact.gcp.beta_t = -0.5;
    expect_rejected(scene, "contact.gcp.beta_t: -0.5");
}

} // namespace

} // namespace abut::test
