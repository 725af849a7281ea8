#pragma once
// What suggestions of a stiffness have in common: the load on a contact, and the stiffness that balances it.

#include "abut/base/error.hpp"
#include "abut/contact/stiffness.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

inline void require_positive(double value, const char* name, const char* unit)
{
    if (!(value > 0 && std::isfinite(value)))
        reject("{}: {} is not a positive number{}", name, value, unit);
}

inline void require_not_negative(double value, const char* name, const char* unit)
{
    if (!(value >= 0 && std::isfinite(value)))
        reject("{}: {} is not a number >= 0{}", name, value, unit);
}

/// What presses on a contact, of either kind of options.
template <typename Options>
StiffnessSuggestion suggestion_for_load(const Options& options)
{
    require_positive(options.mass, "mass", " [kg]");
    if (!(options.dt > 0))
        reject("dt: {} is not a positive time [s]", options.dt);
    require_not_negative(options.youngs_modulus, "youngs_modulus", " [Pa]");
    if (options.youngs_modulus > 0)
        require_positive(options.edge_length, "edge_length", " [m]");
    if (!(options.gap > 0 && options.gap < 1))
        reject("gap: {} is not a share of dhat between 0 and 1", options.gap);
    StiffnessSuggestion suggestion{};
    suggestion.inertia = options.mass / (options.dt * options.dt);
    suggestion.elasticity = options.youngs_modulus * options.edge_length;
    if (!(std::max(suggestion.inertia, suggestion.elasticity) > 0))
        reject("dt: an infinite time step needs a youngs_modulus, or nothing says how stiff contact should be");
    return suggestion;
}

/// Sets the stiffness by the load and the barrier's curvature, and explains it; `barrier` says what has the curvature.
template <typename Options>
void balance(StiffnessSuggestion& suggestion, const Options& options, double dhat, const std::string& barrier)
{
    suggestion.stiffness = std::max(suggestion.inertia, suggestion.elasticity) / suggestion.barrier;
    const bool is_inertia = suggestion.inertia >= suggestion.elasticity;
    suggestion.explanation = fmt::format(
        "A vertex of {:.3g} kg resists being moved within a step of {:.3g} s with mass / dt² = {:.3g} N/m; {}. The {} "
        "governs. {} has a curvature of {:.3g} N/m at a gap of {:.3g} m, so stiffness = {:.3g} makes contact as stiff "
        "as what presses on it there. A larger value keeps gaps wider and makes the linear systems harder; a smaller "
        "one does the opposite. Neither lets anything pass.",
        options.mass, options.dt, suggestion.inertia,
        suggestion.elasticity > 0
            ? fmt::format(
                  "its material with youngs_modulus * edge_length = {:.3g} Pa * {:.3g} m = {:.3g} N/m",
                  options.youngs_modulus, options.edge_length, suggestion.elasticity)
            : std::string("no elasticity was given"),
        is_inertia ? "inertia" : "material", barrier, suggestion.barrier, options.gap * dhat, suggestion.stiffness);
}

} // namespace abut
