#include "abut/sim/simulation.hpp"

#include "abut/base/error.hpp"
#include "arrays.hpp"
#include "in_use.hpp"
#include "module.hpp"
#include "scene.hpp"

#include <pybind11/stl.h>

namespace abut::python {

namespace {

/// A state as Python holds it. It never changes, so views of it stay valid.
struct SharedState {
    std::shared_ptr<const SimulationState> state;
};

struct SizedReport {
    StepReport report;
    int dim;
};

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

    void set_state(const SimulationState& state)
    {
        use("set_state", [&](Simulation& simulation) {
            if (simulation.scene().contact.is_enabled() && !(state.stiffness > 0))
                reject("state: its stiffness is {}, but the scene has contact, whose is above 0", state.stiffness);
            SimulationState before = simulation.state();
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
        return use("contact_forces", [](const Simulation& simulation) { return simulation.contact_forces(); });
    }

    ContactList contacts()
    {
        return use("contacts", [](const Simulation& simulation) { return simulation.contacts(); });
    }

    Verification verify()
    {
        return use("verify", [](const Simulation& simulation) { return simulation.verify(); });
    }

    /// After the last call.
    [[nodiscard]] const std::shared_ptr<const SimulationState>& state() const { return state_; }

    /// What no call changes.
    [[nodiscard]] const Eigen::VectorXd& masses() const { return simulation_.masses(); }
    [[nodiscard]] const std::vector<int>& object_starts() const { return simulation_.object_starts(); }
    [[nodiscard]] const std::vector<Choice>& choices() const { return simulation_.choices(); }
    [[nodiscard]] const std::vector<std::string>& warnings() const { return simulation_.warnings(); }
    [[nodiscard]] const Scene& scene() const { return simulation_.scene(); }

private:
    void keep_state() { state_ = std::make_shared<const SimulationState>(simulation_.state()); }

    Simulation simulation_;
    std::shared_ptr<const SimulationState> state_;
    int num_uses_ = 0;
};

SharedState
make_state(py::handle positions, py::handle velocities, int step, double time, double stiffness, int blocked_steps)
{
    SimulationState state{
        .x = positions_argument(positions, "positions"),
        .v = positions_argument(velocities, "velocities"),
        .step = step,
        .time = time,
        .stiffness = stiffness,
        .blocked_steps = blocked_steps};
    if (state.v.rows() != state.x.rows() || state.v.cols() != state.x.cols())
        reject(
            "velocities: expected {} x {}, as positions, got {} x {}", state.x.rows(), state.x.cols(), state.v.rows(),
            state.v.cols());
    if (step < 0)
        reject("step: {} is below 0", step);
    if (blocked_steps < 0)
        reject("blocked_steps: {} is below 0", blocked_steps);
    if (!std::isfinite(time))
        reject("time: {} is not finite", time);
    if (!(stiffness >= 0 && std::isfinite(stiffness)))
        reject("stiffness: {} is not a number >= 0", stiffness);
    return {std::make_shared<const SimulationState>(std::move(state))};
}

void def_state(py::module_& m)
{
    using Self = SharedState;
    py::class_<Self> type(
        m, "SimulationState",
        "What changes from step to step, and all that a Simulation of the same scene needs to continue with the same "
        "bits. Immutable; can be pickled.");
    type.def(
        py::init(
            [](const ArrayLike& positions, const ArrayLike& velocities, int step, double time, double stiffness,
               int blocked_steps) { return make_state(positions, velocities, step, time, stiffness, blocked_steps); }),
        "positions"_a, "velocities"_a, py::kw_only(), "step"_a, "time"_a, "stiffness"_a, "blocked_steps"_a = 0,
        R"(A state of one's own, for Simulation.set_state().

positions, velocities: (#V, dim) [m], [m/s].
step: number of steps before it.
time: [s]; scripts follow it.
stiffness: of contact, > 0 unless the scene has no contact.
blocked_steps: so many steps in a row was a script held back.)");
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
        "stiffness", [](const Self& self) { return self.state->stiffness; }, "Stiffness of contact.");
    type.def_property_readonly(
        "blocked_steps", [](const Self& self) { return self.state->blocked_steps; },
        "So many steps in a row was a script held back.");
    type.def(
        "__eq__",
        [](const Self& self, const py::object& other) -> py::object {
            if (!py::isinstance<Self>(other))
                return py::reinterpret_borrow<py::object>(Py_NotImplemented);
            const SimulationState &a = *self.state, &b = *py::cast<const Self&>(other).state;
            const bool has_same_shape = a.x.rows() == b.x.rows() && a.x.cols() == b.x.cols();
            return py::bool_(has_same_shape && a == b);
        },
        "other"_a, "Are all numbers the same?");
    type.attr("__hash__") = py::none();
    type.def(py::pickle(
        [](const py::object& self) {
            return py::make_tuple(
                self.attr("positions"), self.attr("velocities"), self.attr("step"), self.attr("time"),
                self.attr("stiffness"), self.attr("blocked_steps"));
        },
        [](const py::tuple& state) {
            if (state.size() != 6)
                reject("SimulationState: expected a state of 6 values, got {}", state.size());
            return make_state(
                state[0], state[1], py::cast<int>(state[2]), py::cast<double>(state[3]), py::cast<double>(state[4]),
                py::cast<int>(state[5]));
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

void def_reports(py::module_& m)
{
    py::class_<SizedReport> type(m, "StepReport", "What a step did.");
    def_member(type, "step", &StepReport::step, "Number of the step, from 1.");
    def_member(type, "time", &StepReport::time, "Time at its end [s].");
    type.def_property_readonly(
        "outcome", [](const SizedReport& self) { return std::string(to_string(self.report.outcome)); },
        "How it ended: 'converged', 'iteration_limit', 'time_limit', 'line_search_failed', 'linear_solve_failed', "
        "'script_blocked' or 'not_finite'. Whatever it is, nothing intersects.");
    type.def_property_readonly(
        "converged", [](const SizedReport& self) { return self.report.outcome == Outcome::converged; },
        "Is the outcome 'converged'?");
    def_member(type, "message", &StepReport::message, "What ended it, with numbers.");
    def_member(type, "iterations", &StepReport::iterations, "Newton's iterations, over all solves of the step.");
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
            self.report.time, to_string(self.report.outcome), self.report.iterations, self.report.num_contacts);
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
                const auto held = scene.scene;
                return without_gil([&] { return std::make_unique<Self>(*held); });
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
