#pragma once
// Which second derivatives an evaluation is asked for. A solver says it, evaluation by evaluation; an energy knows
// which closed forms it has.

#include "abut/math/psd_projection.hpp"

namespace abut {

enum class HessianForm : std::uint8_t {
    exact,    ///< the second derivative of each term
    clamp,    ///< the same, with the negative eigenvalues of each term set to zero
    absolute, ///< the same, with the negative eigenvalues of each term set to their absolute value
    analytic, ///< the term's own positive semidefinite form, without eigenvalues; `clamp` of energies that have none
};

/// What becomes of negative eigenvalues where an energy has no closed form.
[[nodiscard]] constexpr PSDProjectionMethod projection_of(HessianForm form)
{
    switch (form) {
    case HessianForm::exact:
        return PSDProjectionMethod::none;
    case HessianForm::absolute:
        return PSDProjectionMethod::abs;
    case HessianForm::clamp:
    case HessianForm::analytic:
        break;
    }
    return PSDProjectionMethod::clamp;
}

/// The form that is the exact Hessian with this projection.
[[nodiscard]] constexpr HessianForm hessian_form_of(PSDProjectionMethod projection)
{
    switch (projection) {
    case PSDProjectionMethod::none:
        return HessianForm::exact;
    case PSDProjectionMethod::abs:
        return HessianForm::absolute;
    case PSDProjectionMethod::clamp:
        break;
    }
    return HessianForm::clamp;
}

} // namespace abut
