#pragma once
// Where the terms of an energy write what is asked for of each, in the layout of their Stencils.

#include "abut/linear/hessian_form.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// A null pointer is not asked for. Terms write disjoint places, every place once.
struct TermOutput {
    double* values = nullptr;                 ///< one per term [J]
    double* gradients = nullptr;              ///< dim for each entry of the stencils [N]
    double* blocks = nullptr;                 ///< dim x dim for each block of the stencils, column by column [N/m]
    HessianForm hessian = HessianForm::exact; ///< what `blocks` is cut from

    [[nodiscard]] Order order() const
    {
        return blocks != nullptr ? Order::hessian : gradients != nullptr ? Order::gradient : Order::value;
    }
};

} // namespace abut
