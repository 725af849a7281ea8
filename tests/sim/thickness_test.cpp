// Objects whose contact surface stands off by half of their contact_thickness.

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/detect/detection.hpp"
#include "support/simulated.hpp"

#include <algorithm>

namespace abut::test::thickness_test {

namespace {

constexpr const char* models_with_distance[]{"ipc", "convergent_ipc", "ogc", "gipc"};

double lowest(const Simulation& simulation, int object)
{
    const int start = simulation.object_starts()[object], size = simulation.object_starts()[object + 1] - start;
    return simulation.state().x.col(1).segment(start, size).minCoeff();
}

double highest(const Simulation& simulation, int object)
{
    const int start = simulation.object_starts()[object], size = simulation.object_starts()[object + 1] - start;
    return simulation.state().x.col(1).segment(start, size).maxCoeff();
}

/// A cube of thickness 60 mm falls onto a floor, and one of 20 mm onto it.
Scene thick_cubes(const char* model)
{
    Scene scene;
    scene.contact.model = model;
    scene.contact.use_area_weighting = scene.contact.model == "convergent_ipc";
    scene.planes = {floor_plane()};
    scene.objects = {cube("lower", 0.2, Vec3(0, 0.14, 0), 1), cube("upper", 0.18, Vec3(0.011, 0.39, 0.007), 1)};
    scene.objects[0].contact_thickness = 0.06;
    scene.objects[1].contact_thickness = 0.02;
    scene.contact.dhat = 2e-3;
    return scene;
}

TEST(ContactThickness, KeepsEachPairAtTheMeanOfItsTwo)
{
    for (const char* model : models_with_distance) {
        SCOPED_TRACE(model);
        Simulation simulation(thick_cubes(model));
        const CollisionMesh& surface = *simulation.model().mesh;
        const CollisionMesh bodies(surface.rest_positions(), surface.edges(), surface.faces()); // as thin as they are
        StepReport report;
        bool has_touched = false;
        for (int i = 0; i < 60; ++i) {
            report = run(simulation, 1);
            EXPECT_GT(lowest(simulation, 0), 0.03);
            EXPECT_GT(compute_minimum_distance(bodies, surface.vertices(simulation.state().x)), 0.04);
            has_touched = has_touched || report.num_contacts > 0;
        }
        EXPECT_TRUE(has_touched);
        EXPECT_LT(lowest(simulation, 0), 0.03 + 2e-3);
        EXPECT_LT(compute_minimum_distance(bodies, surface.vertices(simulation.state().x)), 0.04 + 2e-3);
        EXPECT_GT(report.smallest_distance, 0);
        EXPECT_LT(report.smallest_distance, 2e-3) << "a gap";
        EXPECT_LE(report.balance.momentum_defect, 1e-3);
    }
}

TEST(ContactThickness, PlanarBodiesAndPointsHaveItToo)
{
    Scene plane;
    plane.planes = {{Vec3::Zero(), Vec3::UnitY()}};
    plane.objects = {planar_block("lower", 0.08), planar_block("upper", 0.23)};
    plane.objects[0].contact_thickness = 0.02;
    plane.objects[1].contact_thickness = 0.04;
    Simulation blocks(plane);
    run(blocks, 40);
    EXPECT_NEAR(lowest(blocks, 0), 0.01, blocks.model().parameters.dhat);
    EXPECT_NEAR(lowest(blocks, 1) - highest(blocks, 0), 0.03, 3 * blocks.model().parameters.dhat);

    Scene grains;
    grains.planes = {floor_plane()};
    SceneObject points;
    points.name = "grains";
    points.kind = ObjectKind::points;
    points.mesh.vertices = Positions(2, 3);
    points.mesh.vertices << 0, 0.05, 0, 0, 0.12, 0;
    points.contact_thickness = 0.06;
    grains.objects = {points};
    Simulation heap(grains);
    run(heap, 60);
    EXPECT_NEAR(heap.state().x(0, 1), 0.03, heap.model().parameters.dhat);
    EXPECT_NEAR(heap.state().x(1, 1), 0.09, 2 * heap.model().parameters.dhat);
}

TEST(ContactThickness, OfClothBeyondItsEdgesLeavesItFree)
{
    // Thicker than its edges are long: at rest nothing presses, and it falls and drapes.
    Scene scene = falling_cloth(12);
    const int cloth = scene.objects[0].kind == ObjectKind::shell ? 0 : 1;
    const double edge = 1.0 / 12;
    scene.objects[cloth].contact_thickness = 1.5 * edge;
    scene.objects[cloth].mesh.vertices.col(1).array() += edge;
    Simulation simulation(scene);
    const auto is_count = [](const Choice& choice) {
        return choice.name.find("contact_thickness") != std::string::npos;
    };
    const auto found = std::ranges::find_if(simulation.choices(), is_count);
    ASSERT_NE(found, simulation.choices().end());
    EXPECT_GT(std::get<double>(found->value), 100);
    EXPECT_NE(found->reason.find("keep their gap at rest"), std::string::npos);
    const StepReport first = run(simulation, 1);
    EXPECT_EQ(first.num_contacts, 0u);
    EXPECT_LE(first.balance.elastic, 1e-9) << "it falls as one";
    const StepReport last = run(simulation, 40);
    EXPECT_GT(last.num_contacts, 0u);
}

TEST(ContactThickness, SameBitsForAnyNumberOfThreads)
{
    std::vector<Positions> ends;
    for (const int threads : {1, 2}) {
        set_num_threads(threads);
        Simulation simulation(thick_cubes("ipc"));
        run(simulation, 15);
        ends.push_back(simulation.state().x);
    }
    set_num_threads(0);
    EXPECT_EQ(ends[0], ends[1]);
}

TEST(ContactThickness, RejectsStartsThatAreNearerAndModelsThatKeepNoDistance)
{
    Scene scene = thick_cubes("ipc");
    scene.objects[1].contact_thickness = 0.06; // 60 mm apart at the start
    scene.objects[1].mesh.vertices.col(1).array() -= 0.005;
    try {
        Simulation simulation(scene);
        FAIL() << "not rejected";
    } catch (const InvalidStart& error) {
        const std::string words = error.what();
        EXPECT_NE(words.find("'lower'"), std::string::npos) << words;
        EXPECT_NE(words.find("'upper'"), std::string::npos) << words;
        EXPECT_NE(words.find("contact_thickness keeps them 0.06 m apart"), std::string::npos) << words;
    }
    scene.objects[1].contact_thickness = 0.04;
    EXPECT_NO_THROW(Simulation{scene});
    scene.contact.model = "none";
    scene.objects[1].contact_thickness = 1;
    EXPECT_NO_THROW(Simulation{scene});
    const auto expect_rejected = [](const Scene& bad, const std::string& words) {
        try {
            (void)make_model(bad);
            FAIL() << "not rejected: " << words;
        } catch (const InvalidInput& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    };
    for (const double thickness : {-1.0, double(NAN), double(INFINITY)}) {
        scene.objects[0].contact_thickness = thickness;
        expect_rejected(scene, "objects[0].contact_thickness: ");
    }
    expect_rejected(thick_cubes("gcp"), "objects[0].contact_thickness: 0.06 m, but the model 'gcp' keeps no distance");
}

} // namespace

} // namespace abut::test::thickness_test
