// Pressure in closed surfaces: derivatives, invariants, what a gas keeps, and surfaces that are not closed.

#include "abut/sim/pressure_energy.hpp"

#include "abut/base/parallel.hpp"
#include "abut/base/random.hpp"
#include "abut/mesh/closed_surface.hpp"
#include "support/energy_contract.hpp"
#include "support/simulated.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

namespace abut::test::pressure_test {

namespace {

constexpr ScenePressure constant{.value = 300}, gas{.value = 2000, .is_gas = true, .ambient = 1e5};

/// A sphere with its vertices pushed about, at a place.
MeshData lumpy_sphere(const Vec3& centre = Vec3::Zero(), int subdivisions = 1)
{
    MeshData mesh = generate::icosphere({.radius = 0.1, .subdivisions = subdivisions});
    RandomStream random(3);
    for (double& entry : mesh.vertices.reshaped())
        entry += 0.01 * random.uniform(-1, 1);
    return translated(mesh, centre);
}

Eigen::VectorXd flat(const Positions& x) { return Eigen::Map<const Eigen::VectorXd>(x.data(), x.size()); }

SceneObject balloon(const ScenePressure& pressure, int subdivisions = 2)
{
    SceneObject object;
    object.name = "balloon";
    object.kind = ObjectKind::shell;
    object.mesh = generate::icosphere({.radius = 0.1, .subdivisions = subdivisions});
    object.youngs_modulus = 1e6;
    object.thickness = 1e-3;
    object.pressure = pressure;
    return object;
}

Scene floating(const ScenePressure& pressure)
{
    Scene scene;
    scene.objects = {balloon(pressure)};
    scene.gravity.setZero();
    scene.verify = Verify::step;
    scene.time.dt = 2e-3;
    return scene;
}

std::string message_of(const Scene& scene)
{
    try {
        Simulation{scene};
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "";
}

void expect_rejected(const Scene& scene, const std::string& words)
{
    EXPECT_NE(message_of(scene).find(words), std::string::npos) << message_of(scene);
}

TEST(Pressure, AConstantOneKeepsTheContractOfEnergies)
{
    for (const double value : {300.0, -40.0}) {
        const MeshData mesh = lumpy_sphere(Vec3(0.3, -2, 5));
        const PressureEnergy energy(mesh.vertices, {{mesh.faces, {.value = value}}});
        expect_energy_contract(energy, BlockLayout(int(mesh.vertices.rows()), 3), flat(mesh.vertices), {});
    }
}

/// The terms of a gas share one volume: only their sum has derivatives.
TEST(Pressure, AGasHasTheDerivativesOfDifferences)
{
    for (const double shrunk : {1.0, 0.9, 1.3}) { // as at the start, pressed, blown up
        SCOPED_TRACE(shrunk);
        const MeshData mesh = lumpy_sphere(Vec3(0.3, -2, 5));
        const MeshData other = translated(lumpy_sphere(Vec3::Zero()), Vec3(1, 0, 0));
        Positions all(2 * mesh.vertices.rows(), 3);
        all << mesh.vertices, other.vertices;
        Faces moved = other.faces;
        moved.array() += int(mesh.vertices.rows());
        PressureEnergy energy(all, {{mesh.faces, gas}, {moved, {.value = -5000, .is_gas = true}}});
        const BlockLayout layout(int(all.rows()), 3);
        Problem problem(layout, {&energy});
        const Vec3 centre(0.3, -2, 5);
        Positions y = all;
        for (Eigen::Index v = 0; v < y.rows(); ++v)
            y.row(v) = (centre + shrunk * (y.row(v).transpose() - centre)).transpose();
        const Eigen::VectorXd x = flat(y);
        RandomStream random(7);
        for (int repeat = 0; repeat < 4; ++repeat) {
            Eigen::VectorXd d(x.size());
            for (double& entry : d)
                entry = random.uniform(-1, 1);
            constexpr double h = 1e-6;
            Eigen::VectorXd g, plus, minus;
            problem.gradient(x, g);
            problem.gradient(x + h * d, plus);
            problem.gradient(x - h * d, minus);
            const double slope = (problem.value(x + h * d) - problem.value(x - h * d)) / (2 * h);
            EXPECT_NEAR(g.dot(d), slope, 1e-6 * g.norm() * d.norm());
            const LinearSystem system = problem.hessian(x, HessianForm::exact);
            ASSERT_EQ(system.rank_one.size(), 2u);
            Eigen::VectorXd bend = system.blocks * d;
            for (const RankOne& term : system.rank_one) {
                EXPECT_GT(term.weight, 0);
                bend += term.weight * term.direction.dot(d) * term.direction;
            }
            EXPECT_LE((bend - (plus - minus) / (2 * h)).norm(), 1e-6 * bend.norm());
        }
    }
}

TEST(Pressure, HasAnExactHessianThatIsSymmetricAndOthersThatArePositive)
{
    const MeshData mesh = lumpy_sphere();
    PressureEnergy energy(mesh.vertices, {{mesh.faces, constant}});
    Problem problem(BlockLayout(int(mesh.vertices.rows()), 3), {&energy});
    const Eigen::VectorXd x = flat(mesh.vertices);
    const Eigen::MatrixXd exact = problem.hessian(x, HessianForm::exact).blocks.to_sparse();
    EXPECT_LE((exact - exact.transpose()).norm(), 1e-12 * exact.norm());
    for (const HessianForm form : {HessianForm::clamp, HessianForm::absolute, HessianForm::analytic}) {
        const Eigen::MatrixXd projected = problem.hessian(x, form).blocks.to_sparse();
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> own(projected);
        EXPECT_GE(own.eigenvalues().minCoeff(), -1e-10 * projected.norm());
    }
}

TEST(Pressure, HasNoNetForceNorTorqueHereAndFarAway)
{
    for (const double far : {0.0, 1e4})
        for (const ScenePressure& pressure : {constant, gas}) {
            const MeshData mesh = lumpy_sphere(Vec3(far, -far, 2 * far), 2);
            PressureEnergy energy(mesh.vertices, {{mesh.faces, pressure}});
            Problem problem(BlockLayout(int(mesh.vertices.rows()), 3), {&energy});
            Eigen::VectorXd g;
            problem.gradient(flat(mesh.vertices), g);
            const Eigen::Map<const Positions> forces(g.data(), mesh.vertices.rows(), 3);
            Vec3 net = forces.colwise().sum(), torque = Vec3::Zero();
            const Vec3 centre = mesh.vertices.colwise().mean();
            for (Eigen::Index v = 0; v < forces.rows(); ++v)
                torque += (point<3>(mesh.vertices, v) - centre).cross(point<3>(forces, v));
            const double rounding = far > 0 ? 1e-9 : 1e-13; // 1e4 m has 2e-12 m of digits, of 0.1 m
            EXPECT_LE(net.norm(), rounding * g.norm());
            EXPECT_LE(torque.norm(), rounding * g.norm());
            EXPECT_NEAR(energy.volume(0, mesh.vertices) / enclosed_volume(mesh.vertices, mesh.faces, centre), 1, 1e-9);
        }
}

TEST(Pressure, KeepsPressureTimesVolumeOfAGas)
{
    for (const double size : {1e-3, 1.0, 1e3}) {
        MeshData mesh = lumpy_sphere();
        mesh.vertices *= size;
        const PressureEnergy energy(mesh.vertices, {{mesh.faces, gas}});
        const double start = energy.volume(0, mesh.vertices);
        EXPECT_NEAR(energy.overpressure(0, mesh.vertices), 2000, 1e-9);
        const Positions pressed = 0.8 * mesh.vertices;
        EXPECT_NEAR((1e5 + energy.overpressure(0, pressed)) * energy.volume(0, pressed) / (1.02e5 * start), 1, 1e-12);
    }
}

TEST(Pressure, NeverLetsAGasVanishInAStep)
{
    const MeshData mesh = lumpy_sphere();
    const PressureEnergy energy(mesh.vertices, {{mesh.faces, gas}});
    const BlockLayout layout(int(mesh.vertices.rows()), 3);
    const Eigen::VectorXd x = flat(mesh.vertices);
    for (const double shrink : {0.05, 0.9, 1.0, 3.0}) {
        const Eigen::VectorXd dx = -shrink * x;
        const double limit = energy.limit_step({layout, x}, {layout, dx});
        for (const double share : {0.25, 0.5, 1.0}) {
            const Positions y = (1 - share * limit * shrink) * mesh.vertices;
            EXPECT_GT(energy.volume(0, y), 0);
        }
        EXPECT_EQ(limit == 1, shrink < 0.5);
    }
    // Beyond it the energy is infinite, and no number of Newton's method is trusted.
    std::vector<double> values(energy.stencils().size());
    const Eigen::VectorXd inside_out = -x;
    energy.evaluate({layout, inside_out}, {.values = values.data()});
    EXPECT_EQ(values[0], INFINITY);
}

TEST(Pressure, BlowsUpABalloonWithoutMomentumAndWithoutEnergyFromNowhere)
{
    for (const ScenePressure& pressure : {constant, gas}) {
        SCOPED_TRACE(pressure.is_gas);
        Scene scene = floating(pressure);
        scene.objects[0].velocity = Vec3(0.3, 0, -0.1);
        scene.solver.tolerance = 1e-7;
        Simulation simulation(scene);
        const double mass = simulation.masses().sum();
        for (int k = 0; k < 20; ++k) {
            const StepReport report = run(simulation, 1);
            EXPECT_LE(report.balance.gain, 1e-6 * mass) << "step " << report.step;
            EXPECT_LE((report.balance.momentum - mass * scene.objects[0].velocity).norm(), 1e-6 * mass);
            EXPECT_LE(report.balance.momentum_defect, 1e-6);
            EXPECT_LE(report.iterations.size(), 30u) << "step " << report.step;
        }
        const Positions& x = simulation.state().x;
        const double radius = (x.rowwise() - x.colwise().mean()).rowwise().norm().mean();
        EXPECT_GT(radius, 0.1002);
    }
}

/// A thin sphere of the radius R under the pressure p has the stress p R / (2 t), and grows by p R² (1 − ν) / (2 E t).
TEST(Pressure, StretchesABalloonAsThinSpheresDo)
{
    Scene scene = floating({.value = 100});
    scene.objects[0] = balloon({.value = 100}, 3);
    scene.objects[0].poisson_ratio = 0.3;
    scene.time.integrator = "quasi_static";
    scene.solver.tolerance = 1e-8;
    Simulation simulation(scene);
    run(simulation, 2);
    const Positions& x = simulation.state().x;
    const double radius = (x.rowwise() - x.colwise().mean()).rowwise().norm().mean();
    const double growth = 100 * 0.1 * 0.1 * (1 - 0.3) / (2 * 1e6 * 1e-3);
    EXPECT_NEAR(radius - 0.1, growth, 0.03 * growth);
}

TEST(Pressure, GivesTheSameBitsForAnyNumberOfThreadsAndAfterResume)
{
    Scene scene = floating(gas);
    scene.objects[0].mesh = translated(scene.objects[0].mesh, Vec3(0, 0.101, 0));
    scene.gravity = Vec3(0, -9.81, 0);
    scene.planes = {floor_plane()};
    set_num_threads(1);
    Simulation one(scene);
    run(one, 6);
    set_num_threads(2);
    Simulation two(scene);
    run(two, 3);
    Simulation resumed(scene);
    resumed.set_state(two.state());
    run(resumed, 3);
    set_num_threads(0);
    EXPECT_EQ(resumed.state(), one.state());
}

TEST(Pressure, TurnsTrianglesOutwardWhateverTheyWere)
{
    const MeshData mesh = generate::icosphere({.radius = 0.1, .subdivisions = 1});
    Faces mixed = mesh.faces;
    for (Eigen::Index f = 0; f < mixed.rows(); f += 3)
        std::swap(mixed(f, 0), mixed(f, 1));
    Faces inward = mesh.faces;
    inward.col(0).swap(inward.col(1));
    for (const Faces& faces : {mesh.faces, mixed, inward}) {
        const std::vector<Faces> parts = closed_parts(mesh.vertices, faces);
        ASSERT_EQ(parts.size(), 1u);
        EXPECT_EQ(parts[0].rows(), faces.rows());
        EXPECT_NEAR(
            enclosed_volume(mesh.vertices, parts[0], Vec3(7, 0, 0)),
            enclosed_volume(mesh.vertices, mesh.faces, Vec3::Zero()), 1e-12);
    }
}

TEST(Pressure, ActsInTheHollowsOfSolids)
{
    Scene scene;
    SceneObject box = cube("box", 0.3, Vec3::Zero(), 3);
    Tets kept(box.mesh.tets.rows(), 4);
    Eigen::Index count = 0;
    for (Eigen::Index t = 0; t < box.mesh.tets.rows(); ++t) {
        Vec3 centre = Vec3::Zero();
        for (int c = 0; c < 4; ++c)
            centre += box.mesh.vertices.row(box.mesh.tets(t, c)).transpose() / 4;
        if (centre.cwiseAbs().maxCoeff() > 0.05)
            kept.row(count++) = box.mesh.tets.row(t);
    }
    box.pressure = ScenePressure{.value = 1000};
    scene.objects = {box};
    expect_rejected(scene, "objects[0].pressure: the solid 'box' has no hollow");
    scene.objects[0].mesh.tets = kept.topRows(count);
    scene.gravity.setZero();
    const auto model = make_model(scene);
    const auto energies = make_pressure_energies(*model);
    ASSERT_EQ(energies.size(), 1u);
    const auto& energy = dynamic_cast<const PressureEnergy&>(*energies[0]);
    ASSERT_EQ(energy.num_chambers(), 1u);
    EXPECT_NEAR(energy.volume(0, model->rest), 1e-3, 1e-12);
    scene.verify = Verify::step;
    Simulation simulation(scene);
    run(simulation, 2);
    const Positions& x = simulation.state().x;
    EXPECT_GT(energy.volume(0, x), 1e-3 * (1 + 1e-6));
}

TEST(Pressure, OfASurfaceThatIsNotClosedIsAnErrorWithItsPlace)
{
    Scene scene = floating(constant);
    scene.objects[0].mesh.faces = Faces(scene.objects[0].mesh.faces.bottomRows(scene.objects[0].mesh.faces.rows() - 1));
    expect_rejected(
        scene, "objects[0].pressure: of 'balloon' the surface is open: 3 of its edges belong to one triangle");
    expect_rejected(scene, "fill the holes");

    scene = floating(constant);
    scene.objects[0].mesh = generate::cloth({.cells = {2, 2}});
    expect_rejected(scene, "8 of its edges belong to one triangle only, such as that of vertices");

    // Klein's bottle: a grid whose sides are joined, one pair of them upside down.
    constexpr int n = 6;
    MeshData bottle;
    bottle.vertices.resize(n * n, 3);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const double u = 2 * M_PI * i / n, v = 2 * M_PI * j / n;
            bottle.vertices.row(i * n + j) << (2 + std::cos(v / 2) * std::sin(u)) * std::cos(v),
                (2 + std::cos(v / 2) * std::sin(u)) * std::sin(v), std::sin(v / 2) * std::sin(u) + 0.3 * std::cos(u);
        }
    const auto at = [&](int i, int j) { return j < n ? (i % n) * n + j : ((2 * n - i) % n) * n; };
    std::vector<int> faces;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (const int v : {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1)})
                faces.push_back(v);
    bottle.faces = Eigen::Map<const Faces>(faces.data(), 2 * n * n, 3);
    EXPECT_THROW(
        {
            try {
                (void)closed_parts(bottle.vertices, bottle.faces);
            } catch (const InvalidInput& error) {
                EXPECT_NE(std::string(error.what()).find("only one side"), std::string::npos) << error.what();
                throw;
            }
        },
        InvalidInput);

    MeshData fin = generate::icosphere({.radius = 0.1, .subdivisions = 0});
    fin.faces.conservativeResize(fin.faces.rows() + 1, 3);
    fin.vertices.conservativeResize(fin.vertices.rows() + 1, 3);
    fin.vertices.bottomRows(1) << 1, 1, 1;
    fin.faces.bottomRows(1) << fin.faces(0, 0), fin.faces(0, 1), int(fin.vertices.rows()) - 1;
    EXPECT_THROW((void)closed_parts(fin.vertices, fin.faces), InvalidInput);

    MeshData flat_box = generate::box({.size = Vec3(1, 1, 1)});
    flat_box.vertices.col(1).setZero();
    EXPECT_THROW((void)closed_parts(flat_box.vertices, flat_box.faces), InvalidInput);
}

TEST(Pressure, RejectsValuesThatCanNeverBeRight)
{
    expect_rejected(floating({.value = NAN}), "objects[0].pressure: nan is no finite pressure");
    expect_rejected(floating({.value = 0, .is_gas = true, .ambient = 0}), "objects[0].pressure.gas.ambient: 0 is not");
    expect_rejected(
        floating({.value = -2e5, .is_gas = true, .ambient = 1e5}), "objects[0].pressure.gas.initial: 200000 Pa below");
    Scene scene = floating(constant);
    SceneObject points = scene.objects[0];
    points.kind = ObjectKind::points;
    scene.objects = {points};
    expect_rejected(scene, "only closed shells and hollow solids");
}

} // namespace

} // namespace abut::test::pressure_test
