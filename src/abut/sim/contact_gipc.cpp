// Gauss-Newton IPC: Huang et al., "GIPC: Fast and Stable Gauss-Newton Optimization of IPC Barrier Energy", 2024. Newton
// asks for each energy's closed form (HessianForm::analytic), which is what is new here. Where that form is a bad model
// the second derivatives are used instead (HessianMode::hybrid).

#include "abut/sim/contact_model.hpp"

namespace abut {

ContactModel gipc_model()
{
    return barrier_model(
        {.summary =
             "IPC's set with the squared logarithm, whose Hessian is mostly positive semidefinite in closed form",
         .law = "clamped_log_squared",
         .laws = logarithms,
         .hessian_mode = HessianMode::hybrid,
         .has_hessians = true});
}

} // namespace abut
