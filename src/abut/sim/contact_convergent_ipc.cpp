// IPC in the form that converges under refinement: Li et al., "Convergent Incremental Potential Contact", 2023.

#include "abut/sim/contact_model.hpp"

namespace abut {

ContactModel convergent_ipc_model()
{
    return barrier_model(
        {.summary = "IPC's convergent set, weighted by area",
         .set_type = CollisionSetType::convergent,
         .laws = logarithms,
         .has_hessians = true,
         .weights_by_area = true});
}

} // namespace abut
