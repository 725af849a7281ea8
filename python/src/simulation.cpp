#include "abut/sim/simulation.hpp"

#include "abut/sim/rods.hpp"

#include "bind.hpp"
#include "module.hpp"
#include "simulation.hpp"
#include "threads.hpp"

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
        const State before = simulation_.state();
        bool is_interrupted = false;
        const SolveObserver observer = [&](const IterationRecord&) {
            const py::gil_scoped_acquire acquire;
            is_interrupted = PyErr_CheckSignals() != 0; // Ctrl-C, in the main thread
            return !is_interrupted;
        };
        SizedReport result{
            use("step", [&](Simulation& simulation) { return simulation.step(observer); }), simulation_.dim()};
        if (is_interrupted) {
            simulation_.set_state(before);
            throw py::error_already_set();
        }
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

    /// After the last call.
    [[nodiscard]] const std::shared_ptr<const State>& state() const { return state_; }

    /// What no call changes may be read of it.
    [[nodiscard]] const Simulation& simulation() const { return simulation_; }

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
    Class<Self> type(
        m, "SimulationState",
        "What changes from step to step, and all that a Simulation of the same scene needs to continue with the same "
        "bits. Immutable; can be pickled.");
    type.init(
        "positions"_a, "velocities"_a, py::kw_only(), "step"_a, "time"_a, "stiffness"_a = 0.0, "blocked_steps"_a = 0,
        "history"_a = py::dict(), "others"_a = std::vector<double>(),
        R"(A state of one's own, for Simulation.set_state().

positions, velocities: (#V, dim) [m], [m/s].
step: number of steps before it.
time: [s]; scripts follow it.
stiffness: of contact, > 0 unless the scene has no contact.
blocked_steps: for so many steps in a row a script was held back.
history: what else energies and the integrator remember, as a dict of lists of numbers; state.history of another.
others: unknowns that are no positions.)",
        [](const ArrayLike& positions, const ArrayLike& velocities, int step, double time, double stiffness,
           int blocked_steps, const py::dict& history, const std::vector<double>& others) {
            return make_state(positions, velocities, {step, time, stiffness, blocked_steps}, history, others);
        });
    type.view("positions", "Positions (#V, dim) [m], read-only.", [](const Self& self) -> const Positions& {
        return self.state->x;
    });
    type.view("velocities", "Velocities (#V, dim) [m/s], read-only.", [](const Self& self) -> const Positions& {
        return self.state->v;
    });
    type.get("step", "Number of steps before it.", [](const Self& self) { return self.state->step; });
    type.get("time", "Time [s].", [](const Self& self) { return self.state->time; });
    type.get("stiffness", "Stiffness of contact.", [](const Self& self) { return stiffness_of(*self.state); });
    type.get("blocked_steps", "For so many steps in a row a script was held back.", [](const Self& self) {
        return blocked_steps_of(*self.state);
    });
    type.get(
        "history", "All that energies and the integrator remember, as a dict of arrays; a copy.",
        [](const Self& self) { return history_of(*self.state); });
    type.get("others", "Unknowns that are no positions; a copy.", [](const Self& self) { return self.state->others; });
    type.def(
        "__eq__", "other"_a, "Are all numbers the same?", [](const Self& self, const py::object& other) -> py::object {
            if (!py::isinstance<Self>(other))
                return py::reinterpret_borrow<py::object>(Py_NotImplemented);
            return py::bool_(*self.state == *py::cast<const Self&>(other).state);
        });
    type.attr("__hash__") = py::none();
    type.pickle(
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
        });
    type.repr([](const Self& self) {
        return fmt::format(
            "{} vertices in {}D after {} steps, at {} s", self.state->x.rows(), self.state->x.cols(), self.state->step,
            self.state->time);
    });
}

/// A tuple whose values have names, those of a struct in C++.
py::object named_tuple(py::module_& m, const char* name, const char* fields)
{
    py::object type = py::module_::import("collections").attr("namedtuple")(name, fields, "module"_a = "abut");
    m.attr(name) = type;
    return type;
}

py::list iteration_records(const SizedReport& self)
{
    py::list list;
    for (const IterationRecord& record : self.report.iterations)
        list.append(py::dict(
            "energy"_a = record.energy, "gradient_norm"_a = record.gradient_norm, "step_length"_a = record.step_length,
            "guard_scale"_a = record.guard_scale, "line_search_scale"_a = record.line_search_scale,
            "projection"_a = record.projection, "regularization"_a = record.regularization,
            "num_cut"_a = record.num_cut, "linear"_a = record.linear.message));
    return list;
}

/// abut.Balance: its momentum has as many components as the scene has dimensions.
struct SizedBalance {
    Balance balance;
    int dim;
};

void def_balance(py::module_& m)
{
    Class<SizedBalance> type(m, "Balance", "Where the energy of a step went, and whether its books balance.");
    const auto def_number = [&](const char* name, const char* doc, double Balance::*member) {
        type.get(name, doc, [member](const SizedBalance& self) { return self.balance.*member; });
    };
    def_number("kinetic", "Kinetic energy at the end of the step [J].", &Balance::kinetic);
    def_number("elastic", "Elastic energy at its end [J].", &Balance::elastic);
    def_number("contact", "Energy of the barrier at its end [J].", &Balance::contact);
    def_number("gravity", "Energy in the field of gravity at its end [J].", &Balance::gravity);
    def_number("script_work", "Work that scripts did during it [J].", &Balance::script_work);
    def_number("friction_loss", "Energy that friction took during it [J].", &Balance::friction_loss);
    def_number(
        "damping_loss", "Energy that damping and air took during it, less what wind gave [J].", &Balance::damping_loss);
    def_number("plastic_loss", "Energy that flow turned to heat during it [J].", &Balance::plastic_loss);
    def_number(
        "gain",
        "What it added to the energy beyond script_work - friction_loss - damping_loss - plastic_loss [J]. Implicit "
        "Euler loses some; a clear gain means that the step went wrong.",
        &Balance::gain);
    def_number(
        "momentum_defect", "Change of momentum that forces do not explain, relative to the sum of m (|v| + |g| dt).",
        &Balance::momentum_defect);
    type.get("momentum", "Linear momentum at its end (dim,) [kg m/s].", [](const SizedBalance& self) {
        return as_span(self.balance.momentum).first(self.dim);
    });
    type.repr([](const SizedBalance& self) {
        return fmt::format(
            "kinetic {:.3g} J, elastic {:.3g} J, contact {:.3g} J, gravity {:.3g} J", self.balance.kinetic,
            self.balance.elastic, self.balance.contact, self.balance.gravity);
    });
}

py::dict times_of(const SolveTimes& times)
{
    return py::dict(
        "update"_a = times.update, "evaluate"_a = times.evaluate, "assemble"_a = times.assemble,
        "symbolic"_a = times.symbolic, "factorize"_a = times.factorize, "guard"_a = times.guard,
        "line_search"_a = times.line_search);
}

void def_verification(py::module_& m, Class<SizedReport>& report)
{
    using V = Verification;
    const auto def_verified = [&]<typename T>(const char* name, const char* doc, T V::*member) {
        report.get(name, doc, [member](const SizedReport& self) -> std::optional<T> {
            const Verification& found = self.report.verification;
            return found.is_checked ? std::optional(found.*member) : std::nullopt;
        });
    };
    def_verified(
        "num_intersections",
        "Intersections at its end, by exact arithmetic; None where the scene did not ask for it (key `verify`).",
        &V::num_intersections);
    def_verified(
        "num_inverted", "Solid or planar elements of volume <= 0 at its end; None where the scene did not ask for it.",
        &V::num_inverted);
    report.get("verification", "What the exact tests say about its end; a Verification.", [](const SizedReport& self) {
        return self.report.verification;
    });
    Class<V> type(m, "Verification", "What the exact tests say about a state.");
    type.get(
        "is_checked", "Were the tests made? Of a step, only where the scene asks for it (key `verify`).",
        &V::is_checked);
    type.get(
        "smallest_distance", "Of pairs within reach of contact [m]; inf where there is none.", &V::smallest_distance);
    type.get("num_intersections", "Number of intersections.", &V::num_intersections);
    type.get("num_inverted", "Solid or planar elements of volume <= 0.", &V::num_inverted);
    type.get("is_good", "Are both zero?", &V::is_good);
    type.repr([](const V& self) {
        return fmt::format("{} intersections, {} inverted elements", self.num_intersections, self.num_inverted);
    });
}

void def_reports(py::module_& m)
{
    using R = StepReport;
    using Sized = SizedReport;
    Class<Sized> type(m, "StepReport", "What a step did.");
    const auto def_member = [&](const char* name, const char* doc, auto member) {
        type.get(name, doc, [member](const Sized& self) { return self.report.*member; });
    };
    def_member("step", "Number of the step, from 1.", &R::step);
    def_member("time", "Time at its end [s].", &R::time);
    type.get(
        "outcome",
        "How it ended: 'converged', 'iteration_limit', 'time_limit', 'line_search_failed', 'linear_solve_failed', "
        "'script_blocked', 'not_finite', 'interrupted' or 'not_converged' (vbd only, whose iterations ran out; the "
        "state is good to go on from). Whatever it is, nothing intersects.",
        [](const Sized& self) { return std::string(to_string(self.report.outcome)); });
    type.get("converged", "Is the outcome 'converged'?", [](const Sized& self) {
        return self.report.outcome == Outcome::converged;
    });
    def_member("message", "What ended it, with numbers.", &R::message);
    def_member("limiting", "What cut the last Newton step that was cut; empty if none was.", &R::limiting);
    type.get(
        "limiting_vertices", "Where that was one pair: its vertices, as rows of positions (n,) int32.",
        [](const Sized& self) { return to_numpy(std::span<const int>(self.report.limiting_vertices)); });
    type.get(
        "iterations", R"(Newton's iterations, over all solves of the step: one dict for each.

energy: before its step [J]; gradient_norm: of the forces [N]; step_length: of the full Newton step [m];
guard_scale: share of it that is safe; line_search_scale: share of it that was taken; projection: share of the
projection that its Hessian has, 0 where it is exact; regularization: added to the diagonal; num_cut: vertices that the guard cut one by one; linear: what the linear solver says of itself.)",
        &iteration_records);
    def_member("num_contacts", "Number of active contacts at its end.", &R::num_contacts);
    def_member(
        "num_detections", "How often pairs were found: where the step starts, then by its solves.", &R::num_detections);
    def_member("num_substeps", "How many smaller steps it was taken as; 1 without time.adaptive.", &R::num_substeps);
    def_member(
        "num_retries", "How many tries did not converge and were taken as smaller steps instead.", &R::num_retries);
    def_member(
        "smallest_distance", "Smallest distance among active contacts [m]; inf where there is none.",
        &R::smallest_distance);
    def_member("stiffness", "Stiffness of contact at its end; 0 without contact.", &R::stiffness);
    def_member("script_lag", "How far scripted vertices are behind their script [m].", &R::script_lag);
    def_member(
        "relative_residual",
        "Of solver.method vbd: the mean force that is left, as a share of what it was at first or of the mean weight "
        "of "
        "a vertex where that is more; nan of newton.",
        &R::relative_residual);
    def_member("num_lags", "How often friction and tangential adhesion were lagged.", &R::num_lags);
    def_member(
        "lag_residual",
        "By how much forces that resist sliding would change at its end, were they lagged there, over the most they "
        "can "
        "be; nan where none resists.",
        &R::lag_residual);
    type.get("balance", "Its energies and momentum; a Balance.", [](const Sized& self) {
        return SizedBalance{self.report.balance, self.dim};
    });
    type.get("times", "Seconds by phase, as a dict.", [](const Sized& self) { return times_of(self.report.times); });
    const py::object body_force = named_tuple(m, "BodyForce", "body other contact friction adhesion bonded_area");
    type.get(
        "forces",
        "Forces between bodies at its end, as a list of BodyForce(body, other, contact, friction, adhesion, "
        "bonded_area): "
        "the forces [N] on object `body` by object `other`, or by plane k where `other` is -1 - k; of these what bonds "
        "pull, and on which area [m^2].",
        [body_force](const Sized& self) {
            py::list list;
            const auto vector = [&](const Vec3& force) { return to_numpy(as_span(force).first(self.dim)); };
            for (const BodyForce& force : self.report.forces)
                list.append(body_force(
                    force.body, force.other, vector(force.contact), vector(force.friction), vector(force.adhesion),
                    force.bonded_area));
            return list;
        });
    const py::object contact_arrow = named_tuple(m, "ContactArrow", "body other place contact friction");
    type.get(
        "arrows",
        "The same forces, gathered where they act, as a list of ContactArrow(body, other, place, contact, friction): "
        "`place` [m] is the mean of neighbouring contacts. Sums over two bodies are those of `forces`.",
        [contact_arrow](const Sized& self) {
            py::list list;
            const auto vector = [&](const Vec3& v) { return to_numpy(as_span(v).first(self.dim)); };
            for (const ContactArrow& arrow : self.report.arrows)
                list.append(contact_arrow(
                    arrow.body, arrow.other, vector(arrow.place), vector(arrow.contact), vector(arrow.friction)));
            return list;
        });
    def_verification(m, type);
    type.repr([](const Sized& self) {
        return fmt::format(
            "step {} to {} s, {} after {} iterations, {} contacts", self.report.step, self.report.time,
            to_string(self.report.outcome), self.report.iterations.size(), self.report.num_contacts);
    });
}

/// Arrays of elements, and where those of each object begin.
void def_elements(Class<SharedSimulation>& type)
{
    using Self = SharedSimulation;
    const auto def_one = [&](const std::string& name, const std::string& starts, const char* what, auto member) {
        type.get(
            name.c_str(),
            fmt::format(
                "{} of all objects, one behind the other, whose corners are rows of positions; a copy. Those of object "
                "k are {}[{}[k]:{}[k + 1]].",
                what, name, starts, starts)
                .c_str(),
            [member](const Self& self) { return Elements(joined_mesh(self.simulation().scene()).*member); });
        type.get(
            starts.c_str(),
            fmt::format(
                "The first row of each object in {}, and the number of rows at the end (num_objects + 1,) int32.", name)
                .c_str(),
            [member](const Self& self) {
                std::vector<int> rows{0};
                for (const SceneObject& object : self.simulation().scene().objects)
                    rows.push_back(rows.back() + static_cast<int>((object.mesh.*member).rows()));
                return to_numpy(std::span<const int>(rows));
            });
    };
    def_one("edges", "edge_starts", "The edges (#E, 2) int32 of curves, and not those of faces,", &MeshData::edges);
    def_one(
        "faces", "face_starts", "The triangles (#F, 3) int32 of sheets, planar bodies and surfaces", &MeshData::faces);
    def_one("tets", "tet_starts", "The tetrahedra (#T, 4) int32 of solids", &MeshData::tets);
}

void def_present(py::module_& m, Class<SharedSimulation>& type)
{
    using Self = SharedSimulation;
    type.get(
        "positions", "Positions (#V, dim) [m], those of all objects one behind the other; a copy.",
        [](const Self& self) { return self.state()->x; });
    type.get("velocities", "Velocities (#V, dim) [m/s]; a copy.", [](const Self& self) { return self.state()->v; });
    type.get("time", "Simulated time so far [s].", [](const Self& self) { return self.state()->time; });
    type.get("step_count", "Number of steps so far.", [](const Self& self) { return self.state()->step; });
    type.get("dim", "Dimensions of the scene, 2 or 3.", [](const Self& self) { return self.simulation().dim(); });
    type.get("num_vertices", "Number of vertices of all objects.", [](const Self& self) {
        return self.simulation().num_vertices();
    });
    type.get("masses", "Mass of each vertex (#V,) [kg], 0 of obstacles; a copy.", [](const Self& self) {
        return self.simulation().masses();
    });
    type.get(
        "object_starts",
        "First vertex of each object, and the number of vertices at the end (num_objects + 1,) int32: object k has "
        "positions[object_starts[k]:object_starts[k + 1]].",
        [](const Self& self) { return std::span<const int>(self.simulation().object_starts()); });
    def_elements(type);
    const py::object choice_type = named_tuple(m, "Choice", "name value reason");
    type.get(
        "choices", "What the scene left open, as a list of Choice(name, value, reason).",
        [choice_type](const Self& self) {
            py::list choices;
            for (const Choice& choice : self.simulation().choices())
                choices.append(choice_type(choice.name, choice.value, choice.reason));
            return choices;
        });
    type.get(
        "warnings", "What is legal, and most likely not meant: a list of sentences that name the place and a cure.",
        [](const Self& self) { return self.simulation().warnings(); });
    type.def(
        "rod_twist",
        "Twist of each edge of rods against rest, in the order of their objects [rad/m]; 0 where a rod branches, and "
        "empty where there are none.",
        [](const Self& self) {
            const Model& model = self.simulation().model();
            return model.rods ? rod_twists(model, *self.state()).twist : std::vector<double>();
        });
    type.def("state", "The present SimulationState.", [](const Self& self) { return SharedState{self.state()}; });
    type.repr([](const Self& self) {
        return fmt::format(
            "'{}', {} vertices, {} steps, at {} s", self.simulation().scene().name, self.state()->x.rows(),
            self.state()->step, self.state()->time);
    });
}

} // namespace

std::shared_ptr<const SceneSource> scene_source(const py::object& scene)
{
    if (py::isinstance<SharedScene>(scene))
        return py::cast<const SharedScene&>(scene).source;
    const std::filesystem::path file = path_argument(scene, "scene");
    return without_gil([&] { return std::make_shared<const SceneSource>(read_scene_source(file)); });
}

void def_simulation(py::module_& m)
{
    using Self = SharedSimulation;
    def_state(m);
    def_balance(m);
    def_reports(m);
    Class<Self> type(
        m, "Simulation",
        "A scene in motion: steps in which nothing intersects. The same scene gives the same bits for any number of "
        "threads. Calls run without the interpreter lock, one at a time: another that comes meanwhile raises a "
        "RuntimeError. Properties and state() may be read at any time, and are those after the last call.");
    type.init(
        "scene"_a,
        "The scene at its start. Raises InvalidInput for values that can never be right, and InvalidStart, which names "
        "the bodies, where it intersects or touches.",
        [](const SharedScene& scene) {
            return without_gil([&, held = scene.source] { return std::make_unique<Self>(held->scene); });
        });
    def_present(m, type);
    type.def(
        "step",
        "Makes one time step and returns a StepReport. A step that does not converge is no exception but an outcome.",
        &Self::step);
    type.def(
        "contact_forces", "Contact force on each vertex at the present positions (#V, dim) [N], without friction.",
        [](Self& self) { return self.use("contact_forces", [](Simulation& s) { return s.contact_forces(); }); });
    const py::object tractions = named_tuple(m, "SurfaceTractions", "normal tangential areas bonds");
    type.def(
        "tractions",
        "What acts on surfaces at the present positions, as SurfaceTractions(normal, tangential, areas, bonds): "
        "contact and "
        "bonds across it (#V, dim) [Pa], friction and bonds along it in the last step (#V, dim) [Pa], areas at rest "
        "(#V) "
        "[m^2], and per vertex 0 without bonds, 1 where bonds are whole, 2 where they are letting go. Sums over "
        "traction times area are forces.",
        [tractions](Self& self) {
            SurfaceTractions found = self.use("tractions", [](Simulation& s) { return s.tractions(); });
            return tractions(
                to_python(found.normal), to_python(found.tangential), to_numpy(as_span(found.areas)),
                py::array_t<std::uint8_t>(static_cast<py::ssize_t>(found.bonds.size()), found.bonds.data()));
        });
    const py::object contact_list = named_tuple(m, "ContactList", "vertices bodies distances");
    type.def(
        "contacts",
        "The pairs that the barrier acts on at the present positions, as ContactList(vertices, bodies, distances): "
        "vertices (n, "
        "4) int32, -1 where a pair has fewer; bodies (n, 2) int32, the objects of its two elements, plane k as -1 - k; "
        "distances (n,) [m].",
        [contact_list](Self& self) {
            const ContactList list = self.use("contacts", [](Simulation& s) { return s.contacts(); });
            return contact_list(to_python(list.vertices), to_python(list.bodies), to_python(list.distances));
        });
    type.def(
        "hessian",
        "Second derivatives of what the next step minimises, where it starts, as a scipy.sparse.csc_matrix [N/m]: "
        "inertia, elasticity, contact, friction and all else but enclosed gas, exact, so that it may be indefinite. "
        "Rows are unknowns: dim numbers per vertex, those that do not move too, then the twists of rods.",
        [](Self& self) { return to_scipy(self.use("hessian", [](Simulation& s) { return s.hessian(); })); });
    type.def(
        "verify",
        "Tests the present positions for intersections and inverted elements by exact arithmetic, and returns a "
        "Verification.",
        [](Self& self) { return self.use("verify", [](Simulation& s) { return s.verify(); }); });
    type.def(
        "set_state", "state"_a,
        "Continues from a SimulationState of the same scene. Raises InvalidInput where its shape is another and "
        "InvalidStart where its positions intersect, and then changes nothing.",
        [](Self& self, const SharedState& state) {
            const auto held = state.state;
            self.set_state(*held);
        });
}

} // namespace abut::python
