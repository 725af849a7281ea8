#include "module.hpp"

#include "abut/base/parallel.hpp"

namespace py = pybind11;
using namespace pybind11::literals;

PYBIND11_MODULE(_abut, m)
{
    using namespace abut::python;

    m.doc() = "Abut's compiled part; import abut instead.";

    // What is defined below belongs to `abut` for every reader: in messages, in help() and for pickle.
    const py::object name = m.attr("__name__");
    m.attr("__name__") = "abut";

    const auto define = [&](auto... parts) { (parts(m), ...); };
    define(
        def_errors, def_distances, def_measures, def_batches, def_mesh_data, def_collision_filter, def_collision_mesh,
        def_ccd, def_candidates, def_step_size, def_intersections, def_detection, def_laws, def_hessian_cache,
        def_normal_collisions, def_normal_potential, def_tangential_collisions, def_tangential_potential, def_stiffness,
        def_trust_region, def_gcp, def_generators, def_scene, def_simulation, def_run, def_compare, def_sweep);
    m.def("num_threads", &abut::num_threads, "Threads that Abut's loops may use, the caller included.");
    m.def(
        "set_num_threads", &abut::set_num_threads, "count"_a,
        "Limits Abut's loops to `count` threads, up to 1024, or, for 0, to the number of hardware threads. Results do "
        "not depend on it. Threads do not survive a fork: call set_num_threads(1) first thing in a forked child.");

    m.attr("__name__") = name;
}
