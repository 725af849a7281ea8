#include "abut/sim/energy_kinds.hpp"

#include "abut/sim/damping_energy.hpp"
#include "abut/sim/drag_energy.hpp"
#include "abut/sim/pressure_energy.hpp"
#include "abut/sim/rods.hpp"
#include "abut/sim/stitch_energy.hpp"

namespace abut {

Registry<EnergyKind>& energy_kinds()
{
    static Registry<EnergyKind> all(
        {{"elastic", {.make = make_elastic_energies}},
         {"rods", {.make = make_rod_energies, .extend = add_rods}},
         {"strain_limit", {.make = make_strain_limits}},
         {"loads", {.make = make_constant_loads}},
         {"pressure", {.make = make_pressure_energies}},
         {"stitches", {.make = make_stitch_energies}},
         {"damping", {.make_moving = make_damping_energies}},
         {"drag", {.make_moving = make_drag_energies}}});
    return all;
}

} // namespace abut
