// Incremental Potential Contact: Li et al., "Incremental Potential Contact: Intersection- and Inversion-free, Large-
// Deformation Dynamics", 2020.

#include "abut/sim/contact_model.hpp"

namespace abut {

ContactModel ipc_model()
{
    return barrier_model(
        {.summary = "IPC's set and logarithmic barrier, continuous collision detection",
         .laws = logarithms,
         .has_hessians = true});
}

} // namespace abut
