// Every energy of a simulation under the contract that all keep to, in scenes that have each of them at work.

#include "support/energy_contract.hpp"

#include "abut/base/random.hpp"
#include "abut/solver/newton.hpp"
#include "support/simulated.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace abut::test {

namespace {

constexpr const char* all_models[]{"ipc", "convergent_ipc", "ogc", "gipc", "gcp"};

/// Two cubes and a sheet on a floor, pressed by a script, sliding.
Scene pressed(const std::string& model)
{
    Scene scene;
    scene.objects = {cube("low", 0.2, Vec3(0, 0.103, 0)), cube("high", 0.2, Vec3(0.03, 0.308, 0.02))};
    scene.objects[1].velocity = Vec3(0.5, 0, 0.1);
    SceneObject sheet;
    sheet.name = "sheet";
    sheet.kind = ObjectKind::shell;
    sheet.model = ElasticModel::fixed_corotated;
    sheet.mesh = translated(generate::plane_grid({.size = {0.4, 0.4}, .cells = {4, 4}}), Vec3(0.01, 0.413, 0));
    scene.objects.push_back(sheet);
    scene.planes = {floor_plane()};
    VertexScript push;
    push.object = 2;
    push.vertices = {0, 1, 2, 3, 4};
    push.velocity = Vec3(0, -0.2, 0);
    scene.scripts = {push};
    scene.contact.model = model;
    scene.contact.use_area_weighting = model == "convergent_ipc";
    scene.contact.dhat = 5e-3;
    scene.contact.mu = 0.4;
    scene.time.dt = 5e-3;
    return scene;
}

/// Two planar blocks, one on the other.
Scene planar(const std::string& model)
{
    Scene scene;
    scene.objects = {planar_block("low", 0.053), planar_block("high", 0.157)};
    scene.objects[1].velocity = Vec3(0.3, 0, 0);
    scene.planes = {floor_plane()};
    scene.contact.model = model;
    scene.contact.use_area_weighting = model == "convergent_ipc";
    scene.contact.dhat = 5e-3;
    scene.contact.mu = 0.4;
    scene.time.dt = 5e-3;
    return scene;
}

Scene sticky(const std::string& model)
{
    Scene scene = pressed(model);
    scene.contact.adhesion = SceneAdhesion{.critical_strain = 0.1, .dhat_a = 1.5e-2, .mu_a = 0.3};
    return scene;
}

/// The same with bonds that were whole at the start and let go and bond anew.
Scene changing(const std::string& model)
{
    Scene scene = pressed(model);
    scene.contact.adhesion = SceneAdhesion{.dhat_a = 1.5e-2, .model = AdhesionModel::rcc, .intensity = 0.9};
    scene.contact.adhesion->rcc = {.c_n = 1e6, .c_t = 5e5, .w = 5};
    return scene;
}

/// A scene some steps on, with a system that has begun the next at positions a little off.
struct Begun {
    explicit Begun(Scene scene, int steps = 8) : model(make_model(std::move(scene))), system(*model)
    {
        State state = model->start;
        system.save(state.history);
        for (int k = 0; k < steps; ++k) {
            const StepReport report = step(system, state, newton);
            EXPECT_EQ(report.outcome, Outcome::converged) << report.message;
        }
        x = system.unknowns_of(state);
        system.begin_step(state);
        system.find_contacts(x);
        system.lag(x);
        RandomStream random(5);
        // Within what contacts leave free
        const double size = 0.02 * (system.contact() ? system.contact()->smallest_distance() : 1e-3);
        for (double& entry : x)
            entry += size * random.uniform(-1, 1);
        system.problem().update(x);
    }

    std::unique_ptr<const Model> model;
    System system;
    Newton newton;
    Eigen::VectorXd x;
};

/// Steps of differences: contact bends within its gap, friction within the way that eps_v allows, bodies in their size.
double difference_step(const Energy& energy, Begun& begun)
{
    switch (energy.role()) {
    case EnergyRole::contact:
        return 1e-5 * begun.system.contact()->smallest_distance();
    case EnergyRole::friction:
        if (begun.model->scene.contact.friction_model == FrictionModel::anchored)
            return 1e-4 * begun.model->parameters.slip;
        return 1e-4 * begun.model->parameters.eps_v * begun.model->scene.time.dt;
    default:
        return 1e-7;
    }
}

void expect_contracts(Begun& begun)
{
    for (const Energy* energy : begun.system.problem().energies()) {
        EXPECT_TRUE(energy->role() == EnergyRole::script || !energy->stencils().empty()) << energy->name();
        // Planes, and points of space, push from outside.
        const bool is_between = energy->role() == EnergyRole::contact || energy->role() == EnergyRole::friction;
        expect_energy_contract(
            *energy, begun.model->layout, begun.x,
            {.step = difference_step(*energy, begun),
             .tolerance = 1e-4,
             .has_momentum =
                 energy->role() == EnergyRole::elastic || (is_between && begun.model->scene.planes.empty())});
    }
}

TEST(EnergyContract, HoldsForAnchoredFrictionThatSticksAndThatSlides)
{
    for (const std::string model : all_models)
        for (const double slip : {1e-6, 2e-4}) {
            SCOPED_TRACE(model);
            Scene scene = pressed(model);
            scene.contact.friction_model = FrictionModel::anchored;
            scene.contact.slip = slip;
            Begun begun(scene);
            expect_contracts(begun);
        }
}

TEST(EnergyContract, HoldsForSolidsShellsScriptsContactAndFrictionOfEveryModel)
{
    for (const std::string model : all_models) {
        SCOPED_TRACE(model);
        Begun begun(pressed(model));
        EXPECT_GT(begun.system.contact()->num_contacts(), 20u);
        expect_contracts(begun);
    }
}

TEST(EnergyContract, HoldsForShellsOfEveryElasticModel)
{
    for (const ElasticModel model :
         {ElasticModel::neo_hookean, ElasticModel::fixed_corotated, ElasticModel::stvk, ElasticModel::baraff_witkin,
          ElasticModel::hencky}) {
        SCOPED_TRACE(to_string(model));
        Scene scene = pressed("ipc");
        scene.objects[2].model = model;
        scene.objects[2].weave = {.warp = 2e5, .weft = 5e4, .shear = 1e4, .warp_direction = Vec3(1, 0, 0.5)};
        Begun begun(scene);
        expect_contracts(begun);
    }
}

TEST(EnergyContract, HoldsForBodiesThatFlow)
{
    for (const bool is_planar : {false, true}) {
        Scene scene = is_planar ? planar("ipc") : pressed("ipc");
        for (SceneObject& object : scene.objects)
            object.plasticity = Plasticity{.yield_stress = 100, .hardening = 1e3, .viscosity = 1};
        Begun begun(scene);
        int num_flowing = 0;
        for (const Energy* energy : begun.system.problem().energies())
            if (const std::optional<FlowSums> sums = energy->flow_sums(begun.system.view(begun.x)))
                num_flowing += sums->heat > 0 ? 1 : 0;
        EXPECT_GE(num_flowing, 1);
        expect_contracts(begun);
    }
}

TEST(EnergyContract, HoldsForShellsOfLimitedStretch)
{
    Scene scene = pressed("ipc");
    scene.objects[2].strain_limit = SceneStrainLimit{.stretch = 1.5};
    Begun begun(scene);
    expect_contracts(begun);
}

TEST(EnergyContract, HoldsInThePlane)
{
    for (const std::string model : all_models) {
        SCOPED_TRACE(model);
        Begun begun(planar(model));
        EXPECT_GT(begun.system.contact()->num_contacts(), 3u);
        expect_contracts(begun);
    }
}

TEST(EnergyContract, HoldsForAdhesionAcrossAndAlong)
{
    for (const std::string model : {"ipc", "ogc", "gipc"}) {
        SCOPED_TRACE(model);
        Begun begun(sticky(model), 3);
        ASSERT_NE(begun.system.adhesion(), nullptr);
        EXPECT_GT(begun.system.adhesion()->stencils().size(), 20u);
        expect_contracts(begun);
    }
}

TEST(EnergyContract, HoldsForBondsWhoseIntensityChangesInTime)
{
    for (const std::string model : {"ipc", "convergent_ipc", "ogc", "gipc"}) {
        SCOPED_TRACE(model);
        Begun begun(changing(model), 3);
        ASSERT_NE(begun.system.adhesion(), nullptr);
        EXPECT_GT(begun.system.adhesion()->stencils().size(), 20u);
        State state = begun.model->start;
        begun.system.save(state.history);
        const std::vector<double>* bonds = state.history.find("adhesion.bonds");
        ASSERT_NE(bonds, nullptr);
        std::set<double> intensities;
        for (std::size_t k = 5; k < bonds->size(); k += 6)
            intensities.insert((*bonds)[k]);
        EXPECT_GT(intensities.size(), 5u); // neither all whole nor all alike
        expect_contracts(begun);
    }
}

TEST(EnergyContract, HoldsWithoutPlanesSoThatMomentumDoes)
{
    for (const std::string model : all_models) {
        SCOPED_TRACE(model);
        Scene scene = pressed(model);
        scene.planes.clear();
        scene.gravity.setZero();
        scene.objects[0].velocity = Vec3(0, 1, 0);
        Begun begun(scene);
        EXPECT_GT(begun.system.contact()->num_contacts(), 5u);
        expect_contracts(begun);
    }
}

TEST(EnergyContract, HoldsForLoadsAndForPairsOfMaterials)
{
    for (const std::string model : {"ipc", "ogc", "gipc"}) {
        SCOPED_TRACE(model);
        Scene scene = sticky(model);
        scene.objects[0].surface = {.name = "low", .mu = 0.2};
        scene.objects[1].surface = {.name = "high", .mu = 0.6, .mu_k = 0.3};
        scene.objects[1].gravity_scale = 0.5;
        scene.objects[2].force = Vec3(0.1, -0.3, 0.2);
        scene.contact.pairs = {
            {.materials = {"low", "high"},
             .adhesion = ScenePair::Adhesion{.critical_strain = 0.05, .youngs_modulus = 5e4, .mu_a = 0.7}}};
        Begun begun(scene, 3);
        ASSERT_NE(begun.system.adhesion(), nullptr);
        const auto& energies = begun.system.problem().energies();
        EXPECT_EQ(
            std::count_if(
                energies.begin(), energies.end(), [](const Energy* e) { return e->role() == EnergyRole::load; }),
            1);
        expect_contracts(begun);
    }
}

/// Energies in another order: values and gradients are the same to rounding, also after frozen pairs were left behind.
TEST(EnergyOrder, DoesNotMatterBeyondRounding)
{
    for (const std::string model : {"ipc", "ogc", "gipc"}) {
        SCOPED_TRACE(model);
        Begun straight(sticky(model), 3), turned(sticky(model), 3);
        std::vector<Energy*> energies = turned.system.problem().energies();
        std::reverse(energies.begin(), energies.end());
        Problem reversed(turned.model->layout, energies, nullptr, turned.system.pairs());
        Problem& forward = straight.system.problem();
        for (const double rise : {0.0, 1e-4, 2e-2, -1e-4}) {
            Eigen::VectorXd x = straight.x;
            for (int v = straight.model->object_starts[1]; v < straight.model->object_starts[2]; ++v)
                x[3 * v + 1] += rise;
            for (Problem* problem : {&forward, &reversed}) {
                problem->update(x);
                (void)problem->begin_iteration(x);
            }
            const double scale = std::abs(forward.value(x));
            EXPECT_NEAR(reversed.value(x), forward.value(x), 1e-12 * scale);
            Eigen::VectorXd one, other;
            forward.set_fixed(std::vector<std::uint8_t>(forward.layout().num_blocks(), 0));
            forward.gradient(x, one);
            reversed.gradient(x, other);
            EXPECT_LE((one - other).norm(), 1e-12 * one.norm());
        }
    }
}

/// What energies remember is in the state and nowhere else: a system that has lived through other steps goes on as a
/// new one does.
TEST(EnergyHistory, IsAllThatAStepNeeds)
{
    for (const std::string model : all_models) {
        SCOPED_TRACE(model);
        const auto shared = make_model(
            model == "gcp"    ? pressed(model)
            : model == "gipc" ? changing(model)
                              : sticky(model));
        System used(*shared);
        Newton newton;
        State state = shared->start;
        used.save(state.history);
        std::vector<State> states{state};
        for (int k = 0; k < 4; ++k) {
            (void)step(used, state, newton);
            states.push_back(state);
        }
        EXPECT_NE(states[3].history.find("contact.stiffness"), nullptr);
        EXPECT_NE(states[3].history.find("scripts.blocked_steps"), nullptr);
        // From an earlier state again, in the used system and in a new one
        State again = states[2], fresh = states[2];
        System other(*shared);
        Newton another;
        (void)step(used, again, newton);
        (void)step(other, fresh, another);
        EXPECT_EQ(again, states[3]);
        EXPECT_EQ(fresh, states[3]);
        // A stiffness that only the history knows
        State stiffer = states[2];
        stiffer.history.set("contact.stiffness", 2 * stiffer.history.number("contact.stiffness", 0));
        State result = stiffer;
        (void)step(used, result, newton);
        EXPECT_FALSE(result == states[3]);
        EXPECT_GE(result.history.number("contact.stiffness", 0), stiffer.history.number("contact.stiffness", 0));
    }
}

} // namespace

} // namespace abut::test
