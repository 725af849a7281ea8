// Parts of one's own, each registered by one line: an energy with unknowns of its own that remembers something, an
// integrator, a linear solver, a model of contact. docs/architecture.md has more of them.

#include "abut/sim/contact_model.hpp"
#include "abut/sim/energy_kinds.hpp"
#include "abut/solver/linear_solvers.hpp"
#include "support/energy_contract.hpp"
#include "support/simulated.hpp"

#include <gtest/gtest.h>

namespace abut::test {

namespace {

/// Registers something for the time of a test.
template <typename Make>
class Registered {
public:
    Registered(Registry<Make>& registry, std::string name, Make make) : registry_(registry), name_(std::move(name))
    {
        registry_.add(name_, std::move(make));
    }
    ~Registered() { registry_.remove(name_); }
    Registered(const Registered&) = delete;
    Registered& operator=(const Registered&) = delete;

private:
    Registry<Make>& registry_;
    std::string name_;
};

/// A winch: a rope from vertex 0 to a drum, whose length l is an unknown, and a motor that wants it shorter each step:
///
///   E = k/2 (y_0 − (top − l))² + c/2 (l − wanted)²
class Winch final : public Energy {
public:
    Winch(int rope, double top) : rope_(rope), top_(top) { stencils_.add(std::array{0, rope}); }
    [[nodiscard]] std::string_view name() const override { return "winch"; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& x, const TermOutput& out) const override
    {
        const double l = x.block(rope_)[0], slack = x.vertices()(0, 1) - (top_ - l);
        if (out.values != nullptr)
            out.values[0] = k / 2 * slack * slack + c / 2 * (l - wanted_) * (l - wanted_);
        if (out.gradients != nullptr) {
            Eigen::Map<Vec3>{out.gradients} = k * slack * Vec3::UnitY();
            out.gradients[3] = k * slack + c * (l - wanted_);
        }
        if (out.blocks != nullptr) {
            Eigen::Map<Mat<3, 3>>{out.blocks} = k * Vec3::UnitY() * Vec3::UnitY().transpose();
            Eigen::Map<Vec3>{out.blocks + 9} = k * Vec3::UnitY(); // (rope, vertex), 1 x 3
            out.blocks[12] = k + c;
        }
    }
    void begin_step(const State& /*start*/, double dt) override { wanted_ -= 0.5 * dt; }
    void save(History& history) const override { history.set("winch.wanted", wanted_); }
    void load(const History& history) override { wanted_ = history.number("winch.wanted", 1); }

private:
    static constexpr double k = 1e4, c = 1e3;
    Stencils stencils_;
    int rope_;
    double top_, wanted_ = 1;
};

EnergyKind winch_kind()
{
    return {
        .make =
            [](const Model& model) {
                std::vector<std::unique_ptr<Energy>> energies;
                energies.push_back(std::make_unique<Winch>(model.num_vertices(), model.rest(0, 1) + 1));
                return energies;
            },
        .extend =
            [](Model& model) {
                model.layout.append(1, 1);
                model.start.others = Eigen::VectorXd::Ones(1);
            }};
}

Scene hanging_cube()
{
    Scene scene;
    scene.objects = {cube("cube", 0.2, Vec3(0, 0.5, 0), 1)};
    scene.planes = {floor_plane()};
    scene.verify = Verify::step;
    return scene;
}

TEST(ToyEnergy, HasUnknownsOfItsOwnAndRemembers)
{
    const Registered winch(energy_kinds(), "winch", winch_kind());
    Simulation simulation(hanging_cube());
    const double start = simulation.state().x(0, 1);
    EXPECT_EQ(simulation.state().others.size(), 1);
    run(simulation, 30);
    const State& end = simulation.state();
    EXPECT_NEAR(end.history.number("winch.wanted", 0), 1 - 30 * 0.5 * 0.01, 1e-12);
    // The weight stretches motor and rope, which still pull it up.
    EXPECT_NEAR(end.others[0], 0.85, 0.15);
    EXPECT_GT(end.x(0, 1), start);
    // From a state of the middle, in a simulation of its own: the same bits.
    Simulation again(hanging_cube());
    run(again, 10);
    Simulation resumed(hanging_cube());
    resumed.set_state(again.state());
    run(resumed, 20);
    EXPECT_EQ(resumed.state(), end);
    State wrong = end;
    wrong.others.resize(0);
    EXPECT_THROW(resumed.set_state(wrong), InvalidInput);
}

TEST(ToyEnergy, KeepsTheContract)
{
    BlockLayout layout(2, 3);
    layout.append(1, 1);
    const Winch winch(2, 1.5);
    Eigen::VectorXd x(7);
    x << 0.1, 0.6, -0.2, 1, 2, 3, 0.8;
    expect_energy_contract(winch, layout, x, {});
}

/// Moves half of the way that Euler would.
class Lazy final : public Integrator {
public:
    [[nodiscard]] std::string_view name() const override { return "lazy"; }

protected:
    [[nodiscard]] Part predict(const State& start, const Vec3&, double dt) const override
    {
        return {
            .target = start.x + dt / 2 * start.v,
            .stiffness = 1 / (dt * dt),
            .rest_point = start.x,
            .velocity_time = dt};
    }
};

TEST(ToyIntegrator, IsChosenByItsName)
{
    const Registered lazy(
        integrators(), "lazy", std::function<std::unique_ptr<Integrator>()>([] { return std::make_unique<Lazy>(); }));
    Scene scene = hanging_cube();
    scene.objects[0].velocity = Vec3(1, 0, 0);
    scene.time.integrator = "lazy";
    Simulation simulation(scene);
    simulation.step();
    EXPECT_NEAR(simulation.state().v.col(0).mean(), 0.5, 1e-9);
    scene.time.integrator = "lasy";
    try {
        Simulation{scene};
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_EQ(
            std::string(error.what()), "time.integrator: 'lasy' is not one of implicit_euler, quasi_static, bdf2, "
                                       "newmark, lazy; did you mean 'lazy'?");
    }
}

/// A dense Cholesky factorisation.
class Dense final : public LinearSolver {
public:
    [[nodiscard]] std::string name() const override { return "dense"; }
    [[nodiscard]] bool prepare(const LinearSystem& system) override
    {
        Eigen::MatrixXd A = system.blocks.to_sparse();
        A.diagonal().array() += system.shift;
        const BlockLayout& layout = system.blocks.pattern()->layout();
        for (int block = 0; block < layout.num_blocks(); ++block)
            if (system.is_fixed[block] != 0)
                for (std::int64_t k = layout.offset(block); k < layout.offset(block) + layout.size(block); ++k) {
                    A.row(k).setZero();
                    A.col(k).setZero();
                    A(k, k) = 1;
                }
        factor_.compute(A);
        return factor_.info() == Eigen::Success;
    }
    [[nodiscard]] LinearReport solve(const Eigen::VectorXd& b, double, Eigen::VectorXd& x) override
    {
        x = factor_.solve(b);
        return {.is_solved = true, .message = "dense"};
    }

private:
    Eigen::LLT<Eigen::MatrixXd> factor_;
};

TEST(ToyLinearSolver, IsChosenByItsName)
{
    const Registered dense(linear_solvers(), "dense", std::function<std::unique_ptr<LinearSolver>()>([] {
                               return std::make_unique<Dense>();
                           }));
    Scene scene = hanging_cube();
    scene.objects = {cube("cube", 0.2, Vec3(0, 0.101, 0), 1)};
    Simulation direct(scene);
    scene.solver.linear = "dense";
    Simulation simulation(scene);
    const StepReport report = run(simulation, 3);
    ASSERT_FALSE(report.iterations.empty());
    EXPECT_EQ(report.iterations.back().linear.message, "dense");
    run(direct, 3);
    EXPECT_LE((simulation.state().x - direct.state().x).norm(), 1e-9);
}

TEST(ToyContactModel, IsChosenByItsName)
{
    const Registered cubic(
        contact_models(), "offset_cubic",
        barrier_model(
            {.summary = "OGC's pairs with a cubic law under continuous collision detection",
             .set_type = CollisionSetType::ogc,
             .law = "cubic",
             .distance = DistanceKind::plain}));
    Scene scene = hanging_cube();
    scene.objects = {cube("cube", 0.2, Vec3(0, 0.105, 0), 2)};
    scene.contact.dhat = 5e-3;
    scene.contact.model = "offset_cubic";
    Simulation simulation(scene);
    const StepReport report = run(simulation, 20);
    EXPECT_GT(report.num_contacts, 0u);
    EXPECT_GT(report.balance.contact, 0);
    scene.contact.model = "offset_cubik";
    try {
        Simulation{scene};
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_EQ(
            std::string(error.what()),
            "contact.model: 'offset_cubik' is not one of ipc, convergent_ipc, ogc, gipc, gcp, "
            "offset_cubic; did you mean 'offset_cubic'?");
    }
}

} // namespace

} // namespace abut::test
