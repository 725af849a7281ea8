#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace abut {

/// Which second derivatives of a NormalPotential a solver sees. Value and gradient are the same for all.
enum class HessianMode : std::uint8_t {
    exact,        ///< the Hessian; a PSDProjectionMethod says what becomes of its negative eigenvalues
    analytic,     ///< GIPC's, positive semidefinite in closed form (gipc/analytic_hessian.hpp); needs no projection
    gauss_newton, ///< IPC's Gauss-Newton form, positive semidefinite as well, for comparison
    absolute,     ///< the Hessian with its eigenvalues' absolute values
    analytic_unmollified, ///< GIPC's, where the mollifier of nearly parallel edges counts as a constant
    hybrid, ///< GIPC's, but the projected Hessian for nearly parallel edges and for pairs close to contact
};

/// Below this share of dhat GIPC's curvature does not grow any more (section 5.4).
inline constexpr double usual_hessian_filter = 0.1;

/// The modes by their words in scenes.
inline constexpr std::array<std::pair<std::string_view, HessianMode>, 6> hessian_words{
    {{"clamped", HessianMode::exact},
     {"absolute", HessianMode::absolute},
     {"gauss_newton", HessianMode::gauss_newton},
     {"analytic_unmollified", HessianMode::analytic_unmollified},
     {"analytic", HessianMode::analytic},
     {"hybrid", HessianMode::hybrid}}};

/// Of GIPC, whose curvature is filtered near contact?
[[nodiscard]] constexpr bool is_analytic(HessianMode mode)
{
    return mode == HessianMode::analytic || mode == HessianMode::analytic_unmollified;
}

/// Without eigenvalues that would have to be sought, at least of most pairs?
[[nodiscard]] constexpr bool is_closed_form(HessianMode mode)
{
    return is_analytic(mode) || mode == HessianMode::gauss_newton || mode == HessianMode::hybrid;
}

} // namespace abut
