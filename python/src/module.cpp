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

    def_errors(m);
    def_distances(m);
    def_measures(m);
    def_batches(m);
    def_mesh_data(m);
    def_collision_filter(m);
    def_collision_mesh(m);
    def_ccd(m);
    def_candidates(m);
    def_step_size(m);
    def_intersections(m);
    def_detection(m);
    def_laws(m);
    def_hessian_cache(m);
    def_normal_collisions(m);
    def_normal_potential(m);
    def_tangential_collisions(m);
    def_tangential_potential(m);
    def_stiffness(m);
    def_trust_region(m);
    def_gcp(m);
    def_generators(m);
    def_io(m);
    def_scene(m);
    def_simulation(m);
    def_run(m);
    m.def("num_threads", &abut::num_threads, "Threads that Abut's loops may use, the caller included.");
    m.def(
        "set_num_threads", &abut::set_num_threads, "count"_a,
        "Limits Abut's loops to `count` threads, up to 1024, or, for 0, to the number of hardware threads. Results do "
        "not depend on it. Threads do not survive a fork: call set_num_threads(1) first thing in a forked child.");

    m.attr("__name__") = name;
}
