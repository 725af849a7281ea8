// Stitches: springs between vertices, whose elements count as neighbours.

#include "abut/sim/stitch_energy.hpp"

#include "abut/detect/intersections.hpp"
#include "support/energy_contract.hpp"
#include "support/simulated.hpp"

namespace abut::test::stitches_test {

namespace {

SceneObject sheet(const std::string& name, const Vec3& at, int cells = 4)
{
    SceneObject object;
    object.name = name;
    object.kind = ObjectKind::shell;
    object.model = ElasticModel::fixed_corotated;
    object.mesh = translated(generate::plane_grid({.size = {0.4, 0.4}, .cells = {cells, cells}}), at);
    object.youngs_modulus = 3e4;
    object.density = 200;
    return object;
}

/// Two sheets side by side whose edges at x = 0 are sewn together, held at one side.
Scene seam(double gap, double rest_length = 0)
{
    Scene scene;
    scene.objects = {sheet("left", Vec3(-0.2 - gap / 2, 0, 0)), sheet("right", Vec3(0.2 + gap / 2, 0, 0))};
    SceneStitches stitches;
    stitches.object = 0;
    stitches.other = 1;
    const std::vector<int> a = vertices_at(scene.objects[0].mesh, 0, -gap / 2),
                           b = vertices_at(scene.objects[1].mesh, 0, gap / 2);
    for (std::size_t k = 0; k < a.size(); ++k)
        stitches.vertices.emplace_back(a[k], b[k]);
    stitches.stiffness = 500;
    stitches.rest_length = rest_length;
    scene.stitches = {stitches};
    VertexScript held;
    held.object = 0;
    held.vertices = vertices_at(scene.objects[0].mesh, 0, -0.4 - gap / 2);
    scene.scripts = {held};
    scene.contact.dhat = 2e-3;
    scene.verify = Verify::step;
    return scene;
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

TEST(Stitches, KeepTheContractOfEnergies)
{
    // Drawn out, pressed together, without a length, at rest
    const StitchEnergy energy({{0, 1, 50, 0.5}, {1, 2, 80, 3}, {0, 3, 20, 0}, {2, 3, 10, std::sqrt(2)}});
    Eigen::VectorXd x(12);
    x << 0, 0, 0, 1, 0.2, 0, 1, 1, 1, 0, 0, 1;
    expect_energy_contract(energy, BlockLayout(4, 3), x, {.has_momentum = true});
    const StitchEnergy flat({{0, 1, 50, 0.5}, {1, 2, 80, 3}, {0, 2, 20, 0}});
    expect_energy_contract(flat, BlockLayout(3, 2), x.head(6), {.has_momentum = true});
    // Two ends at one place: nothing is divided by zero.
    const StitchEnergy met({{0, 1, 50, 0.5}, {0, 1, 50, 0}});
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(6);
    const EvaluatedTerms terms = evaluate_all(met, BlockLayout(2, 3), zero, HessianForm::clamp);
    for (const auto& numbers : {terms.values, terms.gradients, terms.blocks})
        for (const double number : numbers)
            EXPECT_TRUE(std::isfinite(number));
    EXPECT_EQ(terms.gradients, std::vector<double>(12, 0.0));
}

TEST(Stitches, HoldASheetThroughContactDistanceAndBeyond)
{
    Simulation simulation(seam(1e-3)); // within dhat from the start
    for (int k = 0; k < 15; ++k)
        EXPECT_LE(run(simulation, 1).balance.momentum_defect, 1e-2);
    const State& state = simulation.state();
    double widest = 0, lowest = 0;
    for (const auto& [v, w] : simulation.model().scene.stitches[0].vertices) {
        const int other = simulation.model().object_starts[1] + w;
        widest = std::max(widest, (state.x.row(v) - state.x.row(other)).norm());
    }
    for (Eigen::Index v = simulation.model().object_starts[1]; v < state.x.rows(); ++v)
        lowest = std::min(lowest, state.x(v, 1));
    EXPECT_LT(widest, 2e-3);
    EXPECT_LT(lowest, -0.05); // it hangs
    EXPECT_GT(lowest, -1);    // and does not fall
}

/// Ends at the same place from the start, which would be an error without the stitch.
TEST(Stitches, MayHaveTheirEndsAtOnePlace)
{
    Scene scene = seam(0);
    Simulation simulation(scene);
    run(simulation, 5);
    EXPECT_EQ(verify(simulation.model(), simulation.state().x).num_intersections, 0);
    scene.stitches.clear();
    EXPECT_THROW(Simulation{scene}, InvalidStart);
    // One stitch fewer leaves two vertices that touch.
    scene = seam(0);
    scene.stitches[0].vertices.pop_back();
    EXPECT_THROW(Simulation{scene}, InvalidStart);
}

TEST(Stitches, LeaveOutNothingButTheElementsAtTheirEnds)
{
    const auto model = make_model(seam(1e-3));
    const CollisionFilter& filter = model->mesh->filter();
    EXPECT_TRUE(filter.joins());
    const auto& [v, w] = model->scene.stitches[0].vertices[1];
    const int other = model->object_starts[1] + w;
    EXPECT_TRUE(filter.are_joined(v, other));
    EXPECT_TRUE(filter.are_joined(other, v));
    EXPECT_FALSE(filter.are_joined(v, other + 1));
    const auto plain = make_model([] {
        Scene scene = seam(1e-3);
        scene.stitches.clear();
        return scene;
    }());
    EXPECT_FALSE(plain->mesh->filter().joins());
    // A fold that brings the far ends together is still seen.
    Positions x = model->rest;
    for (int k = model->object_starts[1]; k < model->num_vertices(); ++k) {
        x(k, 0) = -x(k, 0) - 0.05; // turned over onto the first, a little shifted
        x(k, 1) += 0.1 * x(k, 0) + 0.01;
    }
    EXPECT_GT(find_intersections(*model->mesh, model->mesh->vertices(x)).size(), 0u);
    // What is left out is counted.
    const auto choice = std::find_if(
        model->choices.begin(), model->choices.end(), [](const Choice& each) { return each.name == "stitches"; });
    ASSERT_NE(choice, model->choices.end());
    EXPECT_GT(std::get<double>(choice->value), 50);
    EXPECT_NE(choice->reason.find("5 stitches"), std::string::npos);
}

TEST(Stitches, AreFilteredUnderEveryModelOfContact)
{
    for (const std::string contact : {"ipc", "convergent_ipc", "ogc", "gipc", "gcp"}) {
        SCOPED_TRACE(contact);
        Scene scene = seam(5e-4);
        scene.contact.model = contact;
        scene.contact.use_area_weighting = contact == "convergent_ipc";
        Simulation simulation(scene);
        run(simulation, 6);
    }
}

TEST(Stitches, ThatCrossAnObstacleAreAnError)
{
    Scene scene = seam(0.2);
    SceneObject wall;
    wall.name = "wall";
    wall.kind = ObjectKind::obstacle;
    wall.mesh = generate::box({.size = Vec3(0.02, 1, 1)});
    scene.objects.push_back(wall);
    expect_rejected(scene, "stitches[0]: the stitch from");
    expect_rejected(scene, "goes through the obstacle 'wall'; place the objects");
    // The same of tetrahedra
    scene.objects.back().mesh = generate::tet_box({.size = Vec3(0.02, 1, 1), .subdivisions = {1, 2, 2}});
    expect_rejected(scene, "goes through the obstacle 'wall'");
    // And in the plane
    Scene plane;
    plane.objects = {planar_block("low", 0), planar_block("high", 1), planar_block("between", 0.5)};
    plane.objects[2].kind = ObjectKind::obstacle;
    plane.stitches = {{.object = 0, .other = 1, .vertices = {{2, 2}}, .stiffness = 1}};
    expect_rejected(plane, "goes through the obstacle 'between'");
    plane.objects[2].mesh = translated(plane.objects[2].mesh, Vec2(3, 0));
    Simulation{plane};
    scene.objects.back().mesh = translated(wall.mesh, Vec3(0, 5, 0));
    Simulation{scene};
    // A stitch may end at an obstacle.
    Scene hung = seam(0.2);
    wall.mesh = translated(wall.mesh, Vec3(0.4 + 0.1 + 0.02, 0, 0));
    hung.objects.push_back(wall);
    SceneStitches hook{.object = 1, .other = 2, .stiffness = 10};
    hook.vertices = {{vertices_at(hung.objects[1].mesh, 0, 0.5)[0], 0}};
    hung.stitches.push_back(hook);
    Simulation{hung};
}

TEST(Stitches, RejectWhatCanNeverBeRight)
{
    const auto with = [](auto change) {
        Scene scene = seam(1e-3);
        change(scene.stitches[0]);
        return scene;
    };
    expect_rejected(with([](SceneStitches& s) { s.stiffness = 0; }), "stitches[0]: stiffness: 0 is not a positive");
    expect_rejected(with([](SceneStitches& s) { s.rest_length = -1; }), "stitches[0]: rest_length: -1 is not");
    expect_rejected(with([](SceneStitches& s) { s.rest_length = NAN; }), "rest_length: nan");
    expect_rejected(with([](SceneStitches& s) { s.other = 7; }), "stitches[0]: there is no object 7");
    expect_rejected(with([](SceneStitches& s) { s.vertices[0].second = 400; }), "vertex 400 of 'right', which has 25");
    expect_rejected(
        with([](SceneStitches& s) {
            s.other = 0;
            s.vertices = {{3, 3}};
        }),
        "vertex 3 of 'left' is stitched to itself");
}

} // namespace

} // namespace abut::test::stitches_test
