#pragma once

#include <cstdint>

namespace abut {

/// Which second derivatives of a NormalPotential a solver sees. Value and gradient are the same for all.
enum class HessianMode : std::uint8_t {
    exact,        ///< the Hessian; a PSDProjectionMethod says what becomes of its negative eigenvalues
    analytic,     ///< GIPC's, positive semidefinite in closed form (gipc/analytic_hessian.hpp); needs no projection
    gauss_newton, ///< IPC's Gauss-Newton form, positive semidefinite as well, for comparison
};

} // namespace abut
