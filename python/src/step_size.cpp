#include "abut/detect/step_size.hpp"

#include "bind.hpp"
#include "features.hpp"
#include "module.hpp"

namespace abut::python {

namespace {

constexpr auto options_doc = R"(

X0 and X1 are (#V, dim) [m]. Runs in parallel, without the interpreter lock.
dmin: elements stay more than this apart [m], >= 0.
rescaling: share of a pair's distance above dmin that the step may use up, in (0, 1).
tolerance: the step is at most about this share of itself too short, in (0, 1).
max_pairs: steps that bring more pairs of boxes together than this are cut to a quarter until they do not, >= 1; pairs
are visited, not stored.)";

void def_step_limit(py::module_& m)
{
    using L = StepLimit;
    Class<L> type(m, "StepLimit", "A safe step, and what limits it.");
    type.get("step", "X0 + t (X1 - X0) is free of contact for t in [0, step].", &L::step);
    type.get("kind", "The PairKind of the pair that limits the step; PairKind.none if no pair does.", &L::kind);
    type.get(
        "pair", "The elements of that pair, in the order of the kind's name; (-1, -1) if there is none.", &L::pair);
    type.get("initial_distance", "Distance of that pair at X0 [m]; signed for a plane.", &L::initial_distance);
    type.get("is_cut_by_max_pairs", "Is it max_pairs, not a pair, that limits the step?", &L::is_cut_by_max_pairs);
    type.get("num_pairs", "Pairs that were looked at.", &L::num_pairs);
    type.get("num_intervals", "Intervals of time that they took.", &L::num_intervals);
    type.repr([](const L& limit) {
        return fmt::format("step = {}, {} ({}, {})", limit.step, name_of(limit.kind), limit.pair[0], limit.pair[1]);
    });
}

} // namespace

void def_step_size(py::module_& m)
{
    using O = StepSizeOptions;
    def_enum<PairKind>(m);
    def_step_limit(m);
    const auto arguments = std::tuple(
        "mesh"_a, "X0"_a, "X1"_a, py::kw_only(), options<&O::dmin, &O::rescaling, &O::tolerance, &O::max_pairs>,
        unlocked);
    const auto find = [](const CollisionMesh& mesh, const Positions& X0, const Positions& X1, const O& options) {
        return find_collision_free_stepsize(mesh, X0, X1, options);
    };
    def(m, "find_collision_free_stepsize", arguments,
        "The share of the step from X0 to X1 during which no two elements touch, nor a vertex and a plane, with the "
        "pair that limits it, as a StepLimit. Its step is 0 only if a pair is within dmin at X0." +
            std::string(options_doc),
        find);
    def(m, "compute_collision_free_stepsize", arguments,
        "The share of the step from X0 to X1, in [0, 1], during which no two elements touch, nor a vertex and a plane. "
        "0 only if a pair is within dmin at X0." +
            std::string(options_doc),
        [find](const CollisionMesh& mesh, const Positions& X0, const Positions& X1, const O& options) {
            return find(mesh, X0, X1, options).step;
        });
    def(m, "is_step_collision_free", "mesh"_a, "X0"_a, "X1"_a, py::kw_only(), "dmin"_a = 0.0, unlocked,
        R"(Do all elements stay more than dmin [m] apart on the straight way from X0 to X1, each (#V, dim) [m]?

May say no where they come within rounding of dmin, never yes where they do not stay apart. Of planes both answers are
exact. Runs in parallel, without the interpreter lock.)",
        is_step_collision_free);
}

} // namespace abut::python
