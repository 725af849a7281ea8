#include "abut/contact/stiffness.hpp"

#include "module.hpp"
#include "python_law.hpp"

#include <fmt/format.h>

namespace abut::python {

namespace {

void def_results(py::module_& m)
{
    py::class_<StiffnessRange>(m, "StiffnessRange", "A stiffness to start with, and bounds for its adaptation.")
        .def_readonly("stiffness", &StiffnessRange::stiffness, "The stiffness to start with.")
        .def_readonly("min", &StiffnessRange::min, "Its lower bound.")
        .def_readonly("max", &StiffnessRange::max, "Its upper bound.")
        .def("__repr__", [](const StiffnessRange& self) {
            return fmt::format("<abut.StiffnessRange: stiffness = {}, {} to {}>", self.stiffness, self.min, self.max);
        });
    py::class_<StiffnessSuggestion>(
        m, "StiffnessSuggestion", "A stiffness, and where it comes from. str() explains it.")
        .def_readonly("stiffness", &StiffnessSuggestion::stiffness, "For BarrierPotential.")
        .def_readonly("inertia", &StiffnessSuggestion::inertia, "mass / dt² [N/m].")
        .def_readonly("elasticity", &StiffnessSuggestion::elasticity, "youngs_modulus * edge_length [N/m].")
        .def_readonly(
            "barrier", &StiffnessSuggestion::barrier,
            "Curvature of a barrier of stiffness 1 at the gap, along the distance [N/m].")
        .def_readonly("explanation", &StiffnessSuggestion::explanation, "A few sentences with these numbers.")
        .def("__str__", [](const StiffnessSuggestion& self) { return self.explanation; })
        .def("__repr__", [](const StiffnessSuggestion& self) {
            return fmt::format("<abut.StiffnessSuggestion: {}. {}>", self.stiffness, self.explanation);
        });
}

} // namespace

void def_stiffness(py::module_& m)
{
    def_results(m);
    m.def(
        "initial_barrier_stiffness",
        [](double bbox_diagonal, double dhat, double average_mass, const ArrayLike& energy_gradient,
           const ArrayLike& barrier_gradient, double dmin, double min_stiffness_scale, const py::object& law,
           const std::string& distance) {
            return initial_barrier_stiffness(
                {.bbox_diagonal = bbox_diagonal,
                 .dhat = dhat,
                 .dmin = dmin,
                 .average_mass = average_mass,
                 .energy_gradient = vector_argument(energy_gradient, "energy_gradient"),
                 .barrier_gradient = vector_argument(barrier_gradient, "barrier_gradient"),
                 .law = law_argument(law, distance, py::none()),
                 .min_stiffness_scale = min_stiffness_scale});
        },
        py::kw_only(), "bbox_diagonal"_a, "dhat"_a, "average_mass"_a, "energy_gradient"_a, "barrier_gradient"_a,
        "dmin"_a = 0.0, "min_stiffness_scale"_a = 1e11, "law"_a = "clamped_log", "distance"_a = "squared",
        R"(The stiffness at which the barrier's gradient balances the other forces best, and bounds: a StiffnessRange.

The lower bound keeps the barrier's Hessian above the mass matrix's at the gap 1e-8 bbox_diagonal, the upper is 100
times that: IPC's initial stiffness.
bbox_diagonal: of the scene [m], > 0.
dhat, dmin: of the barrier [m], > 0 and >= 0.
average_mass: of a vertex [kg], > 0.
energy_gradient: of everything but the barrier (n,) [N].
barrier_gradient: of a barrier with stiffness 1 (n,), zero where nothing is in contact.
min_stiffness_scale: IPC's factor of the lower bound, > 0.
law, distance: as of BarrierPotential.)");
    m.def(
        "update_barrier_stiffness",
        [](double previous_distance, double distance, double stiffness, double max_stiffness, double bbox_diagonal,
           double dmin, double relative_limit) {
            return update_barrier_stiffness(
                {.previous_distance = previous_distance,
                 .distance = distance,
                 .stiffness = stiffness,
                 .max_stiffness = max_stiffness,
                 .bbox_diagonal = bbox_diagonal,
                 .dmin = dmin,
                 .relative_limit = relative_limit});
        },
        py::kw_only(), "previous_distance"_a, "distance"_a, "stiffness"_a, "max_stiffness"_a, "bbox_diagonal"_a,
        "dmin"_a = 0.0, "relative_limit"_a = 1e-9,
        R"(Twice the stiffness, up to its maximum, where the smallest gap is too small, was so before, and still shrinks;
else the stiffness.

previous_distance, distance: the smallest distance before and after a step [m].
stiffness, max_stiffness: the present one, and what it never exceeds, > 0.
bbox_diagonal: of the scene [m], > 0.
dmin: [m], >= 0.
relative_limit: gaps below this share of the diagonal count as too small.)");
    m.def(
        "suggest_stiffness",
        [](double dhat, double mass, double dt, double dmin, double youngs_modulus, double edge_length, double weight,
           bool use_physical_barrier, double gap, const py::object& law, const std::string& distance,
           const py::object& law_unit) {
            return suggest_stiffness(
                {.dhat = dhat,
                 .dmin = dmin,
                 .mass = mass,
                 .dt = dt,
                 .youngs_modulus = youngs_modulus,
                 .edge_length = edge_length,
                 .weight = weight,
                 .use_physical_barrier = use_physical_barrier,
                 .gap = gap,
                 .law = law_argument(law, distance, law_unit)});
        },
        py::kw_only(), "dhat"_a, "mass"_a, "dt"_a, "dmin"_a = 0.0, "youngs_modulus"_a = 0.0, "edge_length"_a = 0.0,
        "weight"_a = 1.0, "use_physical_barrier"_a = false, "gap"_a = 0.5, "law"_a = "clamped_log",
        "distance"_a = "squared", "law_unit"_a = py::none(),
        R"(The stiffness at which a contact is as stiff as what presses on it, as a StiffnessSuggestion: the inertia of a
vertex over a time step or the elasticity of its element, whichever is more.

dhat, dmin: of the barrier [m], > 0 and >= 0.
mass: of a typical vertex in contact [kg], > 0.
dt: time step [s], > 0; inf for a static problem.
youngs_modulus: of the softer body in contact [Pa], >= 0; 0: rigid or none.
edge_length: typical, of the mesh [m], > 0 where youngs_modulus is.
weight: typical weight of a collision: 1, or with area weighting a vertex's rest area.
gap: where the two are equally stiff, as a share of dhat, in (0, 1).
use_physical_barrier, law, distance, law_unit: as of BarrierPotential.)");
}

} // namespace abut::python
