// Bodies that flow, in a simulation: what they remember, what the books say, who may have plasticity.

#include "abut/base/error.hpp"
#include "abut/sim/cell_stress.hpp"
#include "abut/sim/plastic_history.hpp"
#include "support/simulated.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace abut::test::sim_plastic_test {
namespace {

constexpr Plasticity wax{.yield_stress = 2e3, .hardening = 1e4, .viscosity = 20};

/// A cube of wax that is thrown onto the ground.
Scene thrown_wax(const std::string& integrator = "implicit_euler")
{
    Scene scene;
    scene.objects = {cube("wax", 0.1, Vec3(0, 0.06, 0))};
    scene.objects[0].plasticity = wax;
    scene.objects[0].velocity = Vec3(0.5, -4, 0);
    scene.planes = {floor_plane()};
    scene.contact.dhat = 1e-3;
    scene.contact.mu = 0.3;
    scene.time.integrator = integrator;
    scene.time.dt = 2e-3;
    return scene;
}

SceneObject wire()
{
    SceneObject object;
    object.name = "wire";
    object.kind = ObjectKind::rod;
    object.mesh.vertices.resize(12, 3);
    object.mesh.edges.resize(11, 2);
    for (int v = 0; v < 12; ++v)
        object.mesh.vertices.row(v) << 0.02 * v, 0.3, 0.001 * (v % 2);
    for (int e = 0; e < 11; ++e)
        object.mesh.edges.row(e) << e, e + 1;
    object.rod.section = {2e-3, 2e-3};
    object.youngs_modulus = 1e8;
    object.plasticity = Plasticity{.yield_stress = 1e5, .hardening = 1e6};
    return object;
}

SceneObject sheet()
{
    SceneObject object;
    object.name = "sheet";
    object.kind = ObjectKind::shell;
    object.mesh = generate::plane_grid({.size = {0.2, 0.2}, .cells = {4, 4}});
    object.mesh.vertices.col(1).array() += 0.2;
    object.thickness = 2e-3;
    object.youngs_modulus = 1e6;
    object.plasticity = Plasticity{.yield_stress = 2e3, .hardening = 1e4};
    return object;
}

/// Wax, a wire and a sheet fall; the ends of the wire and of the sheet are held.
Scene all_that_flows(const std::string& integrator = "implicit_euler")
{
    Scene scene = thrown_wax(integrator);
    scene.objects.push_back(wire());
    scene.objects.push_back(sheet());
    scene.scripts.push_back({.object = 1, .vertices = {0, 1}});
    scene.scripts.push_back({.object = 2, .vertices = vertices_at(scene.objects[2].mesh, 0, -0.1)});
    return scene;
}

double largest(const History& history, const PlasticNames& names)
{
    const std::vector<double>* strain = history.find(names.strain);
    return strain == nullptr ? NAN : *std::max_element(strain->begin(), strain->end());
}

TEST(PlasticBodies, FlowInSolidsShellsAndRodsAndKeepTheirVolume)
{
    Simulation simulation(all_that_flows());
    run(simulation, 60);
    const History& history = simulation.state().history;
    EXPECT_GT(largest(history, names_of_solids), 0.05);
    EXPECT_GT(largest(history, names_of_hinges), 1e-3);
    EXPECT_GT(largest(history, names_of_rods), 1e-3);
    const std::vector<double>& F_p = *history.find(names_of_solids.deformation);
    for (std::size_t k = 0; k < F_p.size(); k += 9)
        EXPECT_NEAR((Eigen::Map<const Mat<3, 3>>(F_p.data() + k).determinant()), 1, 1e-8);
}

TEST(PlasticBodies, GoOnFromAStateWithTheSameBits)
{
    for (const char* integrator : {"implicit_euler", "bdf2", "newmark", "quasi_static"}) {
        SCOPED_TRACE(integrator);
        Scene scene = all_that_flows(integrator);
        if (scene.time.integrator == "quasi_static")
            for (SceneObject& object : scene.objects) // equilibrium needs something that holds
                object.gravity_scale = 0.2;
        scene.objects[0].damping.stiffness = 1e-3;
        scene.objects[1].damping.stiffness = 1e-3;
        Simulation whole(scene);
        for (int i = 0; i < 12; ++i)
            (void)whole.step();
        const State middle = whole.state();
        Simulation resumed(scene);
        resumed.set_state(middle);
        for (int i = 0; i < 12; ++i) {
            (void)whole.step();
            (void)resumed.step();
            ASSERT_TRUE(whole.state() == resumed.state()) << i;
        }
        // A simulation that has flowed on and is set back does the same.
        whole.set_state(middle);
        for (int i = 0; i < 12; ++i)
            (void)whole.step();
        EXPECT_TRUE(whole.state() == resumed.state());
    }
}

TEST(PlasticBodies, StepsThatAreTriedAgainFlowOnce)
{
    // Parts of a step are steps: the same as a scene of smaller ones.
    Scene scene = thrown_wax();
    scene.contact.stiffness = 1e5;
    scene.time.is_adaptive = true;
    scene.time.max_substeps = 4;
    scene.time.max_motion = 1e-3;
    Simulation adaptive(scene);
    Scene fine = scene;
    fine.time.is_adaptive = false;
    fine.time.dt /= 4;
    Simulation small(fine);
    int num_parts = 0;
    for (int i = 0; i < 6; ++i) {
        num_parts += adaptive.step().num_substeps;
        for (int k = 0; k < 4; ++k)
            (void)small.step();
    }
    ASSERT_EQ(num_parts, 24); // the motion asks for four every time
    EXPECT_EQ(
        *adaptive.state().history.find(names_of_solids.strain), *small.state().history.find(names_of_solids.strain));
    EXPECT_GT(largest(adaptive.state().history, names_of_solids), 1e-3);
}

TEST(PlasticBodies, BooksOfAnImpactBalance)
{
    Scene scene = all_that_flows();
    scene.solver.tolerance = 1e-7;
    Simulation simulation(scene);
    double heat = 0, energy = 0;
    for (int i = 0; i < 40; ++i) {
        const Balance balance = simulation.step().balance;
        EXPECT_GE(balance.plastic_loss, 0);
        EXPECT_LE(balance.gain, 1e-6) << i; // implicit Euler loses
        heat += balance.plastic_loss;
        energy = std::max(energy, balance.kinetic);
    }
    EXPECT_GT(heat, 0.1 * energy);
}

/// A block that is pressed and released slowly: heat and what is left must be the work of the press.
TEST(PlasticBodies, WorkOfASlowCycleIsHeatAndWhatIsStored)
{
    for (const double viscosity : {0.0, 5e3}) {
        Scene scene;
        scene.objects = {cube("block", 0.2, Vec3::Zero())};
        scene.objects[0].youngs_modulus = 1e6;
        scene.objects[0].plasticity = Plasticity{1e4, 5e4, viscosity};
        scene.gravity.setZero();
        scene.contact.model = "none";
        scene.time.integrator = "quasi_static";
        scene.solver.tolerance = 1e-8;
        scene.scripts.push_back({.object = 0, .vertices = vertices_at(scene.objects[0].mesh, 1, -0.1)});
        VertexScript press{.object = 0, .vertices = vertices_at(scene.objects[0].mesh, 1, 0.1)};
        press.keyframes = {
            {.time = 0},
            {.time = 0.5, .translation = Vec3(0.01, -0.02, 0)},
            {.time = 0.7, .translation = Vec3(0.006, -0.012, 0)}};
        scene.scripts.push_back(press);
        scene.time.dt = 5e-3;
        Simulation simulation(scene);
        // Every step goes equally far along one line, there and back: the force of the step before did, over the way of
        // this one, the work that it did over its own, or minus that. The mean of both is the work to second order.
        double work = 0, heat = 0, stored = 0, before = 0;
        for (int i = 0; i < 140; ++i) {
            const Balance balance = run(simulation, 1).balance;
            work += (balance.script_work + (i == 100 ? -before : before)) / 2;
            before = balance.script_work;
            heat += balance.plastic_loss;
            stored = balance.elastic;
        }
        EXPECT_GT(heat, 0);
        EXPECT_GT(stored, 0.02 * heat);
        EXPECT_NEAR(work, heat + stored, 0.01 * work);
    }
}

TEST(PlasticBodies, ShowStressOfTheirElasticPart)
{
    Scene scene;
    scene.objects = {cube("block", 1, Vec3::Zero(), 1)};
    scene.objects[0].plasticity = Plasticity{1e3, 0, 0};
    scene.gravity.setZero();
    scene.contact.model = "none";
    scene.time.integrator = "quasi_static";
    scene.scripts.push_back({.object = 0, .vertices = vertices_at(scene.objects[0].mesh, 1, -0.5)});
    VertexScript top{.object = 0, .vertices = vertices_at(scene.objects[0].mesh, 1, 0.5)};
    top.velocity = Vec3(1, 0, 0);
    scene.scripts.push_back(top);
    Simulation simulation(scene);
    run(simulation, 20);
    const State& state = simulation.state();
    for (const ElementStress& stress : cell_stresses(simulation.model(), state.x, state.history).tets) {
        EXPECT_NEAR(stress.von_mises(), 1e3, 1e-3);
    }
    const std::optional<CellPlasticStrain> strain = cell_plastic_strain(simulation.model(), state.history);
    ASSERT_TRUE(strain);
    ASSERT_EQ(strain->tets.size(), 5U);
    for (const double each : strain->tets)
        EXPECT_NEAR(each, 0.2 / std::sqrt(3), 0.02);
    EXPECT_TRUE(std::isnan(strain->faces.empty() ? NAN : strain->faces[0]));
}

TEST(PlasticBodies, CellsKnowTheirStrainWhateverTheyAre)
{
    Scene scene = all_that_flows();
    scene.objects.push_back(cube("elastic", 0.1, Vec3(1, 0.06, 0)));
    Simulation simulation(scene);
    run(simulation, 40);
    const CellPlasticStrain strain = *cell_plastic_strain(simulation.model(), simulation.state().history);
    const auto num_tets = static_cast<std::size_t>(scene.objects[0].mesh.tets.rows());
    ASSERT_EQ(strain.tets.size(), 2 * num_tets);
    EXPECT_TRUE(std::isfinite(strain.tets[num_tets - 1]));
    EXPECT_TRUE(std::isnan(strain.tets[num_tets]));
    EXPECT_EQ(strain.edges.size(), 11U);
    EXPECT_EQ(
        *std::max_element(strain.edges.begin(), strain.edges.end()),
        largest(simulation.state().history, names_of_rods));
    double most = 0;
    for (const double each : strain.faces)
        most = std::isnan(each) ? most : std::max(most, each);
    EXPECT_EQ(most, largest(simulation.state().history, names_of_hinges));
}

TEST(PlasticBodies, StatesOfOtherScenesAreRejected)
{
    Simulation simulation(thrown_wax());
    run(simulation, 2);
    State state = simulation.state();
    state.history.set(names_of_solids.strain, std::vector<double>(3, 0.0));
    try {
        simulation.set_state(state);
        (void)simulation.step();
        ADD_FAILURE() << "accepted";
    } catch (const InvalidInput& error) {
        EXPECT_NE(
            std::string(error.what()).find("state: plastic strain of 3 elements, but the scene has"), std::string::npos)
            << error.what();
    }
}

TEST(PlasticBodies, StatesThatNoFlowLeadsToAreRejected)
{
    const auto expect = [](const Scene& scene, const char* name, double number, const char* words) {
        Simulation simulation(scene);
        run(simulation, 2);
        State state = simulation.state();
        std::vector<double> numbers = *state.history.find(name);
        numbers[0] = number;
        state.history.set(name, numbers);
        try {
            simulation.set_state(state);
            ADD_FAILURE() << "accepted " << name << " of " << number;
        } catch (const InvalidInput& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    };
    const Scene wax_alone = thrown_wax(), all = all_that_flows();
    expect(wax_alone, names_of_solids.strain, NAN, "'plastic.strain' number 0 is nan, which is no finite strain");
    expect(wax_alone, names_of_solids.strain, -1, "is -1, which is no finite strain >= 0");
    expect(wax_alone, names_of_solids.deformation, INFINITY, "'plastic.deformation' number 0 is inf");
    expect(wax_alone, names_of_solids.deformation, 2, "flow keeps the volume");
    expect(all, names_of_hinges.strain, -1e-9, "'hinges.plastic_strain' number 0 is -1e-09");
    expect(all, names_of_rods.deformation, NAN, "'rods.plastic_curvature' number 0 is nan");
    Simulation simulation(wax_alone);
    State state;
    state.x = simulation.state().x;
    state.v = simulation.state().v;
    state.others = simulation.state().others;
    state.history.set(names_of_solids.strain, std::vector<double>(3, 0.0));
    EXPECT_THROW(simulation.set_state(state), InvalidInput);
}

std::string message_of(const Scene& scene)
{
    try {
        Simulation simulation(scene);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "accepted";
}

TEST(PlasticBodies, BadInputNamesWhatToUse)
{
    const auto expect = [](const Scene& scene, const char* words) {
        const std::string message = message_of(scene);
        EXPECT_NE(message.find(words), std::string::npos) << message;
    };
    for (const double bad : {0.0, -1.0, double(NAN), double(INFINITY)}) {
        Scene scene = thrown_wax();
        scene.objects[0].plasticity->yield_stress = bad;
        expect(scene, "is not a stress above 0 at which it yields");
        expect(scene, "leave plasticity out");
    }
    Scene scene = thrown_wax();
    scene.objects[0].plasticity->hardening = -1;
    expect(scene, "plasticity.hardening: -1 is not a finite number >= 0");
    scene = thrown_wax();
    scene.objects[0].plasticity->viscosity = NAN;
    expect(scene, "plasticity.viscosity: nan");
    scene = thrown_wax();
    scene.objects[0].model = ElasticModel::neo_hookean;
    expect(scene, "a solid of the model neo_hookean cannot flow; give it the model hencky");
    scene = thrown_wax();
    scene.objects[0].model.reset();
    EXPECT_EQ(message_of(scene), "accepted");
    scene = all_that_flows();
    scene.objects[2].has_bending = false;
    expect(scene, "a shell yields in bending");
    scene = all_that_flows();
    scene.objects[1].mesh.vertices.conservativeResize(13, 3);
    scene.objects[1].mesh.vertices.row(12) << 0.1, 0.4, 0;
    scene.objects[1].mesh.edges.conservativeResize(12, 2);
    scene.objects[1].mesh.edges.row(11) << 5, 12;
    expect(scene, "what branches does not yield");
    scene = thrown_wax();
    scene.objects[0].kind = ObjectKind::obstacle;
    expect(scene, "which has no material; leave it out");
}

} // namespace
} // namespace abut::test::sim_plastic_test
