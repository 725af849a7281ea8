#pragma once
// The parts of the module, each in the file of its name.

#include <pybind11/pybind11.h>

namespace abut::python {

void def_errors(pybind11::module_& module);
void def_distances(pybind11::module_& module);
void def_measures(pybind11::module_& module);
void def_batches(pybind11::module_& module);
void def_mesh_data(pybind11::module_& module);
void def_collision_filter(pybind11::module_& module);
void def_collision_mesh(pybind11::module_& module);
void def_ccd(pybind11::module_& module);
void def_candidates(pybind11::module_& module);
void def_step_size(pybind11::module_& module);
void def_intersections(pybind11::module_& module);
void def_detection(pybind11::module_& module);
void def_laws(pybind11::module_& module);
void def_hessian_cache(pybind11::module_& module);
void def_normal_collisions(pybind11::module_& module);
void def_normal_potential(pybind11::module_& module);
void def_tangential_collisions(pybind11::module_& module);
void def_tangential_potential(pybind11::module_& module);
void def_stiffness(pybind11::module_& module);
void def_trust_region(pybind11::module_& module);
void def_gcp(pybind11::module_& module);
void def_generators(pybind11::module_& module);
void def_io(pybind11::module_& module);
void def_scene(pybind11::module_& module);
void def_simulation(pybind11::module_& module);
void def_run(pybind11::module_& module);

} // namespace abut::python
