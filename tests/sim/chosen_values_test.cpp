// What a scene leaves open follows the bodies that can move, each by itself: not where they are, nor what stands still.

#include "abut/base/error.hpp"
#include "support/simulated.hpp"

namespace abut::test {

namespace {

void expect_same_choices(const Simulation& a, const Simulation& b)
{
    ASSERT_EQ(a.choices().size(), b.choices().size());
    for (std::size_t k = 0; k < a.choices().size(); ++k) {
        EXPECT_EQ(a.choices()[k].name, b.choices()[k].name);
        EXPECT_EQ(a.choices()[k].value, b.choices()[k].value) << a.choices()[k].name;
    }
}

double chosen(const Scene& scene, const std::string& name)
{
    const Simulation simulation(scene);
    for (const Choice& choice : simulation.choices())
        if (choice.name == name)
            return std::get<double>(choice.value);
    ADD_FAILURE() << name << " was not chosen";
    return 0;
}

SceneObject points(const Positions& X)
{
    SceneObject object;
    object.name = "points";
    object.kind = ObjectKind::points;
    object.mesh.vertices = X;
    return object;
}

TEST(ChosenValues, AreThoseOfOneBodyForTwoFarApart)
{
    // Two cubes of 0.2 m that are 1 km apart had a dhat of 1 m, and shot up from the floor at 130 m/s.
    Scene alone, far;
    alone.planes = far.planes = {floor_plane()};
    alone.objects = {cube("near", 0.2, Vec3(0, 0.11, 0))};
    far.objects = {alone.objects[0], cube("far", 0.2, Vec3(1000, 0.11, 0))};
    Simulation one(alone), two(far);
    expect_same_choices(one, two);
    run(one, 50);
    run(two, 50);
    const Eigen::Index n = one.num_vertices();
    EXPECT_LT((two.state().x.topRows(n) - one.state().x).cwiseAbs().maxCoeff(), 1e-6 * 0.2);
    Positions shifted = two.state().x.bottomRows(n);
    shifted.col(0).array() -= 1000;
    EXPECT_LT((shifted - one.state().x).cwiseAbs().maxCoeff(), 1e-6 * 0.2);
}

TEST(ChosenValues, FollowNeitherAPileNorWhatStandsStill)
{
    Scene alone, pile;
    alone.objects = {cube("0", 0.2, Vec3(0, 0.11, 0), 1)};
    for (int k = 0; k < 20; ++k)
        pile.objects.push_back(cube(fmt::format("{}", k), 0.2, Vec3(0, 0.11 + 0.22 * k, 0), 1));
    pile.objects.push_back(cube("held", 5, Vec3(20, 0, 0), 1));
    pile.scripts = {{.object = 20}};
    SceneObject obstacle = cube("obstacle", 1e-3, Vec3(-20, 0, 0), 1);
    obstacle.kind = ObjectKind::obstacle;
    pile.objects.push_back(obstacle);
    const Simulation one(alone), many(pile);
    expect_same_choices(one, many);
    EXPECT_TRUE(many.warnings().empty());
}

TEST(ChosenValues, SuitTheSmallestBodyUnlessSizesAreTooFarApart)
{
    Scene scene;
    scene.objects = {cube("large", 1, Vec3::Zero(), 1), cube("small", 0.1, Vec3(2, 0, 0), 1)};
    EXPECT_NEAR(chosen(scene, "contact.dhat"), 1e-4 * std::sqrt(3), 1e-9);
    EXPECT_TRUE(Simulation(scene).warnings().empty());
    scene.objects[1] = cube("crumb", 1e-3, Vec3(2, 0, 0), 1);
    EXPECT_NEAR(chosen(scene, "contact.dhat"), 1e-5 * std::sqrt(3), 1e-10);
    const Simulation simulation(scene);
    ASSERT_EQ(simulation.warnings().size(), 1u);
    EXPECT_NE(simulation.warnings()[0].find("'crumb'"), std::string::npos) << simulation.warnings()[0];
    scene.contact.dhat = 1e-5;
    EXPECT_TRUE(Simulation(scene).warnings().empty()) << "who gives dhat knows";
}

TEST(ChosenValues, OfPointsFollowTheirSpacingAndAreNeverZero)
{
    Positions X(8, 3);
    for (int v = 0; v < 8; ++v) // two pairs of pairs, 0.1 m apart, in places 1 km from each other
        X.row(v) = Vec3(v < 4 ? 0 : 1000, 0.1 * (v % 4), 0).transpose();
    Scene scene;
    scene.objects = {points(X)};
    EXPECT_NEAR(chosen(scene, "contact.dhat"), 1e-4, 1e-9);
    scene.objects = {points(X.topRows(1))};
    EXPECT_GT(chosen(scene, "contact.dhat"), 0);
    EXPECT_GT(chosen(scene, "contact.friction.eps_v"), 0);
    EXPECT_GT(chosen(scene, "solver.tolerance"), 0);
}

TEST(StaticPairs, MayBeSunkIntoEachOther)
{
    // Of obstacles, bodies that are held for ever, and planes: neither can move, and nothing between them is a contact.
    for (const std::string model : {"ipc", "ogc", "gcp"}) {
        SCOPED_TRACE(model);
        Scene scene;
        scene.contact.model = model;
        scene.planes = {floor_plane()};
        scene.verify = Verify::step;
        scene.objects = {
            cube("obstacle", 0.2, Vec3(0, 0.05, 0), 1), cube("held", 0.2, Vec3(0.18, 0.07, 0.01), 1),
            cube("free", 0.1, Vec3(0, 0.21, 0), 1)};
        scene.objects[0].kind = ObjectKind::obstacle;
        scene.scripts = {{.object = 1}};
        Simulation simulation(scene);
        const StepReport report = run(simulation, 10);
        for (const BodyForce& force : report.forces)
            EXPECT_TRUE(force.body == 2 || force.other == 2) << force.body << " and " << force.other;
        EXPECT_TRUE(simulation.verify().is_good());
        EXPECT_GT(simulation.state().x.bottomRows(8).col(1).minCoeff(), 0.15) << "the free cube is carried";
    }
}

TEST(StaticPairs, AreNotThoseOfBodiesThatScriptsMoveOrRelease)
{
    Scene scene;
    scene.planes = {floor_plane()};
    scene.objects = {cube("cube", 0.2, Vec3(0, 0.05, 0), 1)};
    scene.scripts = {{.object = 0, .velocity = Vec3(0, 1, 0)}};
    EXPECT_THROW(Simulation{scene}, InvalidStart);
    scene.scripts = {{.object = 0, .release_time = 1}};
    EXPECT_THROW(Simulation{scene}, InvalidStart);
    scene.scripts = {{.object = 0}};
    EXPECT_NO_THROW(Simulation{scene});
}

} // namespace

} // namespace abut::test
