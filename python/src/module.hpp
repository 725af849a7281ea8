#pragma once
// The parts of the module, each in the file of its name.

#include <pybind11/pybind11.h>

namespace abut::python {

using DefinePart = void(pybind11::module_&);

DefinePart def_errors, def_distances, def_measures, def_batches, def_mesh_data, def_collision_filter,
    def_collision_mesh, def_ccd, def_candidates, def_step_size, def_intersections, def_detection, def_laws,
    def_hessian_cache, def_normal_collisions, def_normal_potential, def_tangential_collisions, def_tangential_potential,
    def_stiffness, def_trust_region, def_gcp, def_generators, def_scene, def_simulation, def_run, def_compare,
    def_sweep;

} // namespace abut::python
