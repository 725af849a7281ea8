#include "abut/detect/step_size.hpp"

#include "module.hpp"
#include "pair_kind.hpp"

namespace abut::python {

namespace {

constexpr StepSizeOptions step_size_defaults;

StepLimit find(
    const CollisionMesh& mesh, const ArrayLike& X0, const ArrayLike& X1, double dmin, double rescaling,
    double tolerance, std::int64_t max_pairs)
{
    const Positions x0 = positions_argument(X0, "X0"), x1 = positions_argument(X1, "X1");
    const StepSizeOptions options{.dmin = dmin, .rescaling = rescaling, .tolerance = tolerance, .max_pairs = max_pairs};
    return without_gil([&] { return find_collision_free_stepsize(mesh, x0, x1, options); });
}

constexpr auto options_doc = R"(

X0 and X1 are (#V, dim) [m]. Runs in parallel, without the interpreter lock.
dmin: elements stay more than this apart [m], >= 0.
rescaling: share of a pair's distance above dmin that the step may use up, in (0, 1).
tolerance: the step is at most about this share of itself too short, in (0, 1).
max_pairs: steps that bring more pairs of boxes together than this are cut to a quarter until they do not, >= 1; pairs
are visited, not stored.)";

void def_step_limit(py::module_& m)
{
    py::class_<StepLimit>(m, "StepLimit", "A safe step, and what limits it.")
        .def_readonly("step", &StepLimit::step, "X0 + t (X1 - X0) is free of contact for t in [0, step].")
        .def_property_readonly(
            "kind", [](const StepLimit& limit) { return to_python(limit.kind); },
            "The PairKind of the pair that limits the step; PairKind.none if no pair does.")
        .def_property_readonly(
            "pair", [](const StepLimit& limit) { return py::make_tuple(limit.pair[0], limit.pair[1]); },
            "The elements of that pair, in the order of the kind's name; (-1, -1) if there is none.")
        .def_readonly(
            "initial_distance", &StepLimit::initial_distance, "Distance of that pair at X0 [m]; signed for a plane.")
        .def_readonly(
            "is_cut_by_max_pairs", &StepLimit::is_cut_by_max_pairs,
            "Is it max_pairs, not a pair, that limits the step?")
        .def_readonly("num_pairs", &StepLimit::num_pairs, "Pairs that were looked at.")
        .def_readonly("num_intervals", &StepLimit::num_intervals, "Intervals of time that they took.")
        .def("__repr__", [](const StepLimit& limit) {
            return fmt::format(
                "<abut.StepLimit: step = {}, {} ({}, {})>", limit.step,
                std::string(py::str(to_python(limit.kind).attr("name"))), limit.pair[0], limit.pair[1]);
        });
}

} // namespace

void def_step_size(py::module_& m)
{
    def_enum<PairKind>(m);
    def_step_limit(m);
    m.def(
        "find_collision_free_stepsize", &find, "mesh"_a, "X0"_a, "X1"_a, py::kw_only(),
        "dmin"_a = step_size_defaults.dmin, "rescaling"_a = step_size_defaults.rescaling,
        "tolerance"_a = step_size_defaults.tolerance, "max_pairs"_a = step_size_defaults.max_pairs,
        (std::string(
             "The share of the step from X0 to X1 during which no two elements touch, nor a vertex and a plane, with "
             "the pair that limits it, as a StepLimit. Its step is 0 only if a pair is within dmin at X0.") +
         options_doc)
            .c_str());
    m.def(
        "compute_collision_free_stepsize",
        [](const CollisionMesh& mesh, const ArrayLike& X0, const ArrayLike& X1, double dmin, double rescaling,
           double tolerance,
           std::int64_t max_pairs) { return find(mesh, X0, X1, dmin, rescaling, tolerance, max_pairs).step; },
        "mesh"_a, "X0"_a, "X1"_a, py::kw_only(), "dmin"_a = step_size_defaults.dmin,
        "rescaling"_a = step_size_defaults.rescaling, "tolerance"_a = step_size_defaults.tolerance,
        "max_pairs"_a = step_size_defaults.max_pairs,
        (std::string("The share of the step from X0 to X1, in [0, 1], during which no two elements touch, nor a vertex "
                     "and a plane. 0 only if a pair is within dmin at X0.") +
         options_doc)
            .c_str());
    m.def(
        "is_step_collision_free",
        [](const CollisionMesh& mesh, const ArrayLike& X0, const ArrayLike& X1, double dmin) {
            const Positions x0 = positions_argument(X0, "X0"), x1 = positions_argument(X1, "X1");
            return without_gil([&] { return is_step_collision_free(mesh, x0, x1, dmin); });
        },
        "mesh"_a, "X0"_a, "X1"_a, py::kw_only(), "dmin"_a = 0.0,
        R"(Do all elements stay more than dmin [m] apart on the straight way from X0 to X1, each (#V, dim) [m]?

May say no where they come within rounding of dmin, never yes where they do not stay apart. Of planes both answers are
exact. Runs in parallel, without
the interpreter lock.)");
}

} // namespace abut::python
