#include "abut/sim/simulation.hpp"

#include "abut/base/error.hpp"
#include "arrays.hpp"
#include "in_use.hpp"
#include "module.hpp"
#include "scene.hpp"
#include "step_report.hpp"

#include <pybind11/stl.h>

namespace abut::python {

namespace {

/// A state as Python holds it. It never changes, so views of it stay valid.
struct SharedState {
    std::shared_ptr<const State> state;
};

// What energies remember that has a name of its own in Python
double stiffness_of(const State& state) { return state.history.number("contact.stiffness", 0); }
int blocked_steps_of(const State& state) { return static_cast<int>(state.history.number("scripts.blocked_steps", 0)); }

/// A Simulation that one call at a time may use. What it was after the last call can be read at any time; that copy is
/// guarded by the interpreter lock.
class SharedSimulation {
public:
    explicit SharedSimulation(const Scene& scene) : simulation_(scene) { keep_state(); }

    /// Runs work(simulation) without the interpreter lock.
    template <typename Work>
    auto use(const char* name, Work&& work)
    {
        if (num_uses_ > 0)
            throw std::runtime_error(
                fmt::format("{}: another call is using this Simulation; give each thread its own", name));
        const InUse in_use(num_uses_);
        return without_gil([&] { return work(simulation_); });
    }

    SizedReport step()
    {
        SizedReport result{use("step", [](Simulation& simulation) { return simulation.step(); }), simulation_.dim()};
        keep_state();
        return result;
    }

    void set_state(const State& state)
    {
        use("set_state", [&](Simulation& simulation) {
            const double stiffness = stiffness_of(state);
            if (simulation.scene().contact.is_enabled() && !(stiffness > 0))
                reject("state: its stiffness is {}, but the scene has contact, whose is above 0", stiffness);
            State before = simulation.state();
            simulation.set_state(state);
            if (!simulation.scene().contact.is_enabled()) // then bodies may overlap
                return;
            const std::int64_t num_intersections = simulation.verify().num_intersections;
            if (num_intersections == 0)
                return;
            simulation.set_state(std::move(before));
            throw InvalidStart(fmt::format("state: its positions intersect in {} places", num_intersections));
        });
        keep_state();
    }

    Positions contact_forces()
    {
        return use("contact_forces", [](Simulation& simulation) { return simulation.contact_forces(); });
    }

    ContactList contacts()
    {
        return use("contacts", [](Simulation& simulation) { return simulation.contacts(); });
    }

    Verification verify()
    {
        return use("verify", [](Simulation& simulation) { return simulation.verify(); });
    }

    /// After the last call.
    [[nodiscard]] const std::shared_ptr<const State>& state() const { return state_; }

    /// What no call changes.
    [[nodiscard]] const Eigen::VectorXd& masses() const { return simulation_.masses(); }
    [[nodiscard]] const std::vector<int>& object_starts() const { return simulation_.object_starts(); }
    [[nodiscard]] const std::vector<Choice>& choices() const { return simulation_.choices(); }
    [[nodiscard]] const std::vector<std::string>& warnings() const { return simulation_.warnings(); }
    [[nodiscard]] const Scene& scene() const { return simulation_.scene(); }

private:
    void keep_state() { state_ = std::make_shared<const State>(simulation_.state()); }

    Simulation simulation_;
    std::shared_ptr<const State> state_;
    int num_uses_ = 0;
};

/// What a state is made of besides arrays of vertices.
struct StateNumbers {
    int step;
    double time;
    double stiffness = 0;
    int blocked_steps = 0;
};

py::dict history_of(const State& state)
{
    py::dict dict;
    for (const auto& [name, values] : state.history.entries())
        dict[py::str(name)] = to_numpy(std::span<const double>(values));
    return dict;
}

SharedState make_state(
    py::handle positions, py::handle velocities, const StateNumbers& numbers, const py::dict& history,
    const std::vector<double>& others)
{
    State state{
        .x = positions_argument(positions, "positions"),
        .v = positions_argument(velocities, "velocities"),
        .others = Eigen::Map<const Eigen::VectorXd>(others.data(), static_cast<Eigen::Index>(others.size())),
        .step = numbers.step,
        .time = numbers.time};
    if (state.v.rows() != state.x.rows() || state.v.cols() != state.x.cols())
        reject(
            "velocities: expected {} x {}, as positions, got {} x {}", state.x.rows(), state.x.cols(), state.v.rows(),
            state.v.cols());
    if (numbers.step < 0)
        reject("step: {} is below 0", numbers.step);
    if (numbers.blocked_steps < 0)
        reject("blocked_steps: {} is below 0", numbers.blocked_steps);
    if (!std::isfinite(numbers.time))
        reject("time: {} is not finite", numbers.time);
    if (!(numbers.stiffness >= 0 && std::isfinite(numbers.stiffness)))
        reject("stiffness: {} is not a number >= 0", numbers.stiffness);
    if (numbers.stiffness > 0)
        state.history.set("contact.stiffness", numbers.stiffness);
    state.history.set("scripts.blocked_steps", numbers.blocked_steps);
    for (const auto& [name, values] : history)
        state.history.set(py::cast<std::string>(name), py::cast<std::vector<double>>(values));
    return {std::make_shared<const State>(std::move(state))};
}

void def_state(py::module_& m)
{
    using Self = SharedState;
    py::class_<Self> type(
        m, "SimulationState",
        "What changes from step to step, and all that a Simulation of the same scene needs to continue with the same "
        "bits. Immutable; can be pickled.");
    type.def(
        py::init([](const ArrayLike& positions, const ArrayLike& velocities, int step, double time, double stiffness,
                    int blocked_steps, const py::dict& history, const std::vector<double>& others) {
            return make_state(positions, velocities, {step, time, stiffness, blocked_steps}, history, others);
        }),
        "positions"_a, "velocities"_a, py::kw_only(), "step"_a, "time"_a, "stiffness"_a = 0.0, "blocked_steps"_a = 0,
        "history"_a = py::dict(), "others"_a = std::vector<double>(),
        R"(A state of one's own, for Simulation.set_state().

positions, velocities: (#V, dim) [m], [m/s].
step: number of steps before it.
time: [s]; scripts follow it.
stiffness: of contact, > 0 unless the scene has no contact.
blocked_steps: for so many steps in a row a script was held back.
history: what else energies and the integrator remember, as a dict of lists of numbers; state.history of another.
others: unknowns that are no positions.)");
    type.def_property_readonly(
        "positions", [](const py::object& self) { return view(py::cast<const Self&>(self).state->x, self); },
        "Positions (#V, dim) [m], read-only.");
    type.def_property_readonly(
        "velocities", [](const py::object& self) { return view(py::cast<const Self&>(self).state->v, self); },
        "Velocities (#V, dim) [m/s], read-only.");
    type.def_property_readonly(
        "step", [](const Self& self) { return self.state->step; }, "Number of steps before it.");
    type.def_property_readonly(
        "time", [](const Self& self) { return self.state->time; }, "Time [s].");
    type.def_property_readonly(
        "stiffness", [](const Self& self) { return stiffness_of(*self.state); }, "Stiffness of contact.");
    type.def_property_readonly(
        "blocked_steps", [](const Self& self) { return blocked_steps_of(*self.state); },
        "For so many steps in a row a script was held back.");
    type.def_property_readonly(
        "history", [](const Self& self) { return history_of(*self.state); },
        "All that energies and the integrator remember, as a dict of arrays; a copy.");
    type.def_property_readonly(
        "others", [](const Self& self) { return to_numpy(as_span(self.state->others)); },
        "Unknowns that are no positions; a copy.");
    type.def(
        "__eq__",
        [](const Self& self, const py::object& other) -> py::object {
            if (!py::isinstance<Self>(other))
                return py::reinterpret_borrow<py::object>(Py_NotImplemented);
            return py::bool_(*self.state == *py::cast<const Self&>(other).state);
        },
        "other"_a, "Are all numbers the same?");
    type.attr("__hash__") = py::none();
    type.def(py::pickle(
        [](const py::object& self) {
            return py::make_tuple(
                self.attr("positions"), self.attr("velocities"), self.attr("step"), self.attr("time"),
                self.attr("stiffness"), self.attr("blocked_steps"), self.attr("history"), self.attr("others"));
        },
        [](const py::tuple& state) {
            if (state.size() != 6 && state.size() != 8) // the former by version 0.1
                reject("SimulationState: expected a state of 8 values, got {}", state.size());
            const StateNumbers numbers{
                py::cast<int>(state[2]), py::cast<double>(state[3]), py::cast<double>(state[4]),
                py::cast<int>(state[5])};
            const bool has_all = state.size() == 8;
            return make_state(
                state[0], state[1], numbers, has_all ? py::cast<py::dict>(state[6]) : py::dict(),
                has_all ? py::cast<std::vector<double>>(state[7]) : std::vector<double>());
        }));
    type.def("__repr__", [](const Self& self) {
        return fmt::format(
            "<abut.SimulationState: {} vertices in {}D after {} steps, at {} s>", self.state->x.rows(),
            self.state->x.cols(), self.state->step, self.state->time);
    });
}

/// Defines a member of StepReport as a property.
template <typename Member>
void def_member(py::class_<SizedReport>& type, const char* name, Member StepReport::*member, const char* doc)
{
    type.def_property_readonly(
        name, [member](const SizedReport& self) { return self.report.*member; }, doc);
}

/// Defines a member of the balance as a property.
void def_balance(py::class_<SizedReport>& type, const char* name, double Balance::*member, const char* doc)
{
    type.def_property_readonly(
        name, [member](const SizedReport& self) { return self.report.balance.*member; }, doc);
}

/// Defines a member of the verification as a property, None where there was no verification.
template <typename Member>
void def_verified(py::class_<SizedReport>& type, const char* name, Member Verification::*member, const char* doc)
{
    type.def_property_readonly(
        name,
        [member](const SizedReport& self) -> std::optional<Member> {
            if (!self.report.verification.is_checked)
                return std::nullopt;
            return self.report.verification.*member;
        },
        doc);
}

py::list iteration_records(const SizedReport& self)
{
    py::list list;
    for (const IterationRecord& record : self.report.iterations)
        list.append(py::dict(
            "energy"_a = record.energy, "gradient_norm"_a = record.gradient_norm, "step_length"_a = record.step_length,
            "guard_scale"_a = record.guard_scale, "line_search_scale"_a = record.line_search_scale,
            "regularization"_a = record.regularization, "num_cut"_a = record.num_cut,
            "linear"_a = record.linear.message));
    return list;
}

void def_reports(py::module_& m)
{
    py::class_<SizedReport> type(m, "StepReport", "What a step did.");
    def_member(type, "step", &StepReport::step, "Number of the step, from 1.");
    def_member(type, "time", &StepReport::time, "Time at its end [s].");
    type.def_property_readonly(
        "outcome", [](const SizedReport& self) { return std::string(to_string(self.report.outcome)); },
        "How it ended: 'converged', 'iteration_limit', 'time_limit', 'line_search_failed', 'linear_solve_failed', "
        "'script_blocked', 'not_finite' or 'interrupted'. Whatever it is, nothing intersects.");
    type.def_property_readonly(
        "converged", [](const SizedReport& self) { return self.report.outcome == Outcome::converged; },
        "Is the outcome 'converged'?");
    def_member(type, "message", &StepReport::message, "What ended it, with numbers.");
    type.def_property_readonly(
        "iterations", [](const SizedReport& self) { return self.report.iterations.size(); },
        "Newton's iterations, over all solves of the step.");
    type.def_property_readonly("iteration_records", &iteration_records, R"(One dict for each iteration.

energy: before its step [J]; gradient_norm: of the forces [N]; step_length: of the full Newton step [m];
guard_scale: share of it that is safe; line_search_scale: share of it that was taken; regularization: added to the
diagonal; num_cut: vertices that the guard cut one by one; linear: what the linear solver says of itself.)");
    def_member(type, "num_contacts", &StepReport::num_contacts, "Number of active contacts at its end.");
    def_member(
        type, "smallest_distance", &StepReport::smallest_distance,
        "Smallest distance among active contacts [m]; inf where there is none.");
    def_member(type, "stiffness", &StepReport::stiffness, "Stiffness of contact at its end; 0 without contact.");
    def_member(type, "script_lag", &StepReport::script_lag, "How far scripted vertices are behind their script [m].");
    def_balance(type, "kinetic_energy", &Balance::kinetic, "Kinetic energy at its end [J].");
    def_balance(type, "elastic_energy", &Balance::elastic, "Elastic energy at its end [J].");
    def_balance(type, "contact_energy", &Balance::contact, "Energy of the barrier at its end [J].");
    def_balance(type, "gravity_energy", &Balance::gravity, "Energy in the field of gravity at its end [J].");
    def_balance(type, "script_work", &Balance::script_work, "Work that scripts did during it [J].");
    def_balance(type, "friction_loss", &Balance::friction_loss, "Energy that friction took during it [J].");
    def_balance(
        type, "energy_gain", &Balance::gain,
        "What it added to the energy beyond script_work - friction_loss [J]. Implicit Euler loses some; a clear gain "
        "means that the step went wrong.");
    def_balance(
        type, "momentum_defect", &Balance::momentum_defect,
        "Change of momentum that forces do not explain, relative to the sum of m (|v| + |g| dt).");
    type.def_property_readonly(
        "forces",
        [](const SizedReport& self) {
            py::list list;
            const auto vector = [&](const Vec3& force) {
                return to_numpy(std::span(force.data(), static_cast<std::size_t>(self.dim)));
            };
            for (const BodyForce& force : self.report.forces)
                list.append(py::make_tuple(force.body, force.other, vector(force.contact), vector(force.friction)));
            return list;
        },
        "Forces between bodies at its end, as a list of (body, other, contact, friction): the forces [N] on object "
        "`body` by object `other`, or by plane k where `other` is -1 - k.");
    type.def_property_readonly(
        "momentum",
        [](const SizedReport& self) {
            return to_numpy(std::span(self.report.balance.momentum.data(), static_cast<std::size_t>(self.dim)));
        },
        "Linear momentum at its end (dim,) [kg m/s].");
    def_verified(
        type, "num_intersections", &Verification::num_intersections,
        "Intersections at its end, by exact arithmetic; None where the scene did not ask for it (key `verify`).");
    def_verified(
        type, "num_inverted", &Verification::num_inverted,
        "Solid or planar elements of volume <= 0 at its end; None where the scene did not ask for it.");
    type.def("__repr__", [](const SizedReport& self) {
        return fmt::format(
            "<abut.StepReport: step {} to {} s, {} after {} iterations, {} contacts>", self.report.step,
            self.report.time, to_string(self.report.outcome), self.report.iterations.size(), self.report.num_contacts);
    });

    py::class_<Verification>(m, "Verification", "What the exact tests say about a state.")
        .def_readonly("num_intersections", &Verification::num_intersections, "Number of intersections.")
        .def_readonly("num_inverted", &Verification::num_inverted, "Solid or planar elements of volume <= 0.")
        .def_property_readonly("is_good", &Verification::is_good, "Are both zero?")
        .def("__repr__", [](const Verification& self) {
            return fmt::format(
                "<abut.Verification: {} intersections, {} inverted elements>", self.num_intersections,
                self.num_inverted);
        });
}

} // namespace

void def_simulation(py::module_& m)
{
    using Self = SharedSimulation;
    def_state(m);
    def_reports(m);
    py::class_<Self>(
        m, "Simulation",
        "A scene in motion: steps in which nothing intersects. The same scene gives the same bits for "
        "any number of threads. Calls run without the interpreter lock, one at a time: another that comes meanwhile "
        "raises a RuntimeError. Properties and state() may be read at any time, and are those after the last call.")
        .def(
            py::init([](const SharedScene& scene) {
                const auto held = scene.source;
                return without_gil([&] { return std::make_unique<Self>(held->scene); });
            }),
            "scene"_a,
            "The scene at its start. Raises InvalidInput for values that can never be right, and InvalidStart, which "
            "names the bodies, where it intersects or touches.")
        .def(
            "step", &Self::step,
            "Makes one time step and returns a StepReport. A step that does not converge is no exception but an "
            "outcome.")
        .def_property_readonly(
            "positions", [](const Self& self) { return matrix_to_numpy(self.state()->x); },
            "Positions (#V, dim) [m], those of all objects one behind the other; a copy.")
        .def_property_readonly(
            "velocities", [](const Self& self) { return matrix_to_numpy(self.state()->v); },
            "Velocities (#V, dim) [m/s]; a copy.")
        .def_property_readonly(
            "time", [](const Self& self) { return self.state()->time; }, "Simulated time so far [s].")
        .def_property_readonly(
            "step_count", [](const Self& self) { return self.state()->step; }, "Number of steps so far.")
        .def_property_readonly(
            "masses", [](const Self& self) { return to_numpy(as_span(self.masses())); },
            "Mass of each vertex (#V,) [kg], 0 of obstacles; a copy.")
        .def_property_readonly(
            "object_starts", [](const Self& self) { return to_numpy(std::span<const int>(self.object_starts())); },
            "First vertex of each object, and the number of vertices at the end (num_objects + 1,) int32: object k has "
            "positions[object_starts[k]:object_starts[k + 1]].")
        .def_property_readonly(
            "choices",
            [](const Self& self) {
                py::list choices;
                for (const Choice& choice : self.choices())
                    choices.append(py::make_tuple(choice.name, choice.value, choice.reason));
                return choices;
            },
            "What the scene left open, as a list of (name, value, reason).")
        .def_property_readonly(
            "warnings", [](const Self& self) { return self.warnings(); },
            "What is legal, and most likely not meant: a list of sentences that name the place and a cure.")
        .def(
            "contact_forces", [](Self& self) { return matrix_to_numpy(self.contact_forces()); },
            "Contact force on each vertex at the present positions (#V, dim) [N], without friction.")
        .def(
            "contacts",
            [](Self& self) {
                const ContactList list = self.contacts();
                return py::make_tuple(
                    elements_to_numpy(list.vertices), elements_to_numpy(list.bodies),
                    to_numpy(as_span(list.distances)));
            },
            "The pairs that the barrier acts on at the present positions, as (vertices, bodies, distances): vertices "
            "(n, 4) int32, -1 where a pair has fewer; bodies (n, 2) int32, the objects of its two elements, plane k as "
            "-1 - k; distances (n,) [m].")
        .def(
            "verify", &Self::verify,
            "Tests the present positions for intersections and inverted elements by exact arithmetic, and returns a "
            "Verification.")
        .def(
            "state", [](const Self& self) { return SharedState{self.state()}; }, "The present SimulationState.")
        .def(
            "set_state",
            [](Self& self, const SharedState& state) {
                const auto held = state.state;
                self.set_state(*held);
            },
            "state"_a,
            "Continues from a SimulationState of the same scene. Raises InvalidInput where its shape is another and "
            "InvalidStart where its positions intersect, and then changes nothing.")
        .def("__repr__", [](const Self& self) {
            return fmt::format(
                "<abut.Simulation: '{}', {} vertices, {} steps, at {} s>", self.scene().name, self.state()->x.rows(),
                self.state()->step, self.state()->time);
        });
}

} // namespace abut::python
