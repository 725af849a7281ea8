#include "abut/contact/stiffness.hpp"

#include "module.hpp"
#include "python_law.hpp"

namespace abut::python {

namespace {

void def_results(py::module_& m)
{
    using R = StiffnessRange;
    Class<R> range(m, "StiffnessRange", "A stiffness to start with, and bounds for its adaptation.");
    range.get("stiffness", "The stiffness to start with.", &R::stiffness);
    range.get("min", "Its lower bound.", &R::min);
    range.get("max", "Its upper bound.", &R::max);
    range.repr(
        [](const R& self) { return fmt::format("stiffness = {}, {} to {}", self.stiffness, self.min, self.max); });
    using S = StiffnessSuggestion;
    Class<S> suggestion(m, "StiffnessSuggestion", "A stiffness, and where it comes from. str() explains it.");
    suggestion.get("stiffness", "For BarrierPotential.", &S::stiffness);
    suggestion.get("inertia", "mass / dt² [N/m].", &S::inertia);
    suggestion.get("elasticity", "youngs_modulus * edge_length [N/m].", &S::elasticity);
    suggestion.get(
        "barrier", "Curvature of a barrier of stiffness 1 at the gap, along the distance [N/m].", &S::barrier);
    suggestion.get("explanation", "A few sentences with these numbers.", &S::explanation);
    suggestion.def("__str__", [](const S& self) { return self.explanation; });
    suggestion.repr([](const S& self) { return fmt::format("{}. {}", self.stiffness, self.explanation); });
}

void def_ipc_stiffness(py::module_& m)
{
    using I = InitialStiffnessOptions;
    def(m, "initial_barrier_stiffness", py::kw_only(),
        required<&I::bbox_diagonal, &I::dhat, &I::average_mass, &I::energy_gradient, &I::barrier_gradient>,
        options<&I::dmin, &I::min_stiffness_scale>, law_arguments(),
        R"(The stiffness at which the barrier's gradient balances the other forces best, and bounds: a StiffnessRange.

The lower bound keeps the barrier's Hessian above the mass matrix's at the gap 1e-8 bbox_diagonal, the upper is 100
times that: IPC's initial stiffness.
bbox_diagonal: of the scene [m], > 0.
dhat, dmin: of the barrier [m], > 0 and >= 0.
average_mass: of a vertex [kg], > 0.
energy_gradient: of everything but the barrier (n,) [N].
barrier_gradient: of a barrier with stiffness 1 (n,), zero where nothing is in contact.
min_stiffness_scale: IPC's factor of the lower bound, > 0.
law, distance: as of BarrierPotential.)",
        [](I options, const py::object& law, DistanceKind distance) {
            options.law = law_argument(law, distance, py::none());
            return initial_barrier_stiffness(options);
        });
    using U = StiffnessUpdateOptions;
    def(m, "update_barrier_stiffness", py::kw_only(),
        required<&U::previous_distance, &U::distance, &U::stiffness, &U::max_stiffness, &U::bbox_diagonal>,
        options<&U::dmin, &U::relative_limit>,
        R"(Twice the stiffness, up to its maximum, where the smallest gap is too small, was so before, and still shrinks;
else the stiffness.

previous_distance, distance: the smallest distance before and after a step [m].
stiffness, max_stiffness: the present one, and what it never exceeds, > 0.
bbox_diagonal: of the scene [m], > 0.
dmin: [m], >= 0.
relative_limit: gaps below this share of the diagonal count as too small.)",
        update_barrier_stiffness);
}

} // namespace

void def_stiffness(py::module_& m)
{
    def_results(m);
    def_ipc_stiffness(m);
    using O = StiffnessSuggestionOptions;
    def(m, "suggest_stiffness", py::kw_only(), required<&O::dhat, &O::mass, &O::dt>,
        options<&O::dmin, &O::youngs_modulus, &O::edge_length, &O::weight, &O::use_physical_barrier, &O::gap>,
        law_arguments(), "law_unit"_a = py::none(),
        R"(The stiffness at which a contact is as stiff as what presses on it, as a StiffnessSuggestion: the inertia of a
vertex over a time step or the elasticity of its element, whichever is more.

dhat, dmin: of the barrier [m], > 0 and >= 0.
mass: of a typical vertex in contact [kg], > 0.
dt: time step [s], > 0; inf for a static problem.
youngs_modulus: of the softer body in contact [Pa], >= 0; 0: rigid or none.
edge_length: typical, of the mesh [m], > 0 where youngs_modulus is.
weight: typical weight of a collision: 1, or with area weighting a vertex's rest area.
gap: where the two are equally stiff, as a share of dhat, in (0, 1).
use_physical_barrier, law, distance, law_unit: as of BarrierPotential.)",
        [](O options, const py::object& law, DistanceKind distance, const py::object& law_unit) {
            options.law = law_argument(law, distance, law_unit);
            return suggest_stiffness(options);
        });
}

} // namespace abut::python
