#include "abut/sim/energy_kinds.hpp"

namespace abut {

Registry<EnergyKind>& energy_kinds()
{
    static Registry<EnergyKind> all(
        {{"elastic", {.make = make_elastic_energies}},
         {"strain_limit", {.make = make_strain_limits}},
         {"loads", {.make = make_constant_loads}}});
    return all;
}

} // namespace abut
