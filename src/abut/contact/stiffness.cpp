#include "abut/contact/stiffness.hpp"

#include "abut/base/error.hpp"
#include "abut/contact/stiffness_for_load.hpp"

#include <algorithm>

namespace abut {

StiffnessRange initial_barrier_stiffness(const InitialStiffnessOptions& options)
{
    require_positive(options.bbox_diagonal, "bbox_diagonal", " [m]");
    require_positive(options.dhat, "dhat", " [m]");
    require_not_negative(options.dmin, "dmin", " [m]");
    require_positive(options.average_mass, "average_mass", " [kg]");
    require_positive(options.min_stiffness_scale, "min_stiffness_scale", "");
    if (!options.law)
        reject("law: none given");
    if (options.energy_gradient.size() != options.barrier_gradient.size())
        reject(
            "barrier_gradient: {} numbers, but energy_gradient has {}", options.barrier_gradient.size(),
            options.energy_gradient.size());
    if (!options.energy_gradient.allFinite())
        reject("energy_gradient: not all of its numbers are finite");
    if (!options.barrier_gradient.allFinite())
        reject("barrier_gradient: not all of its numbers are finite");

    // The gap that must not be reached, 1e-8 of the scene, unless the whole barrier is thinner than that.
    const double gap = std::min(1e-8 * options.bbox_diagonal, 0.5 * options.dhat);
    const double d = options.dmin + gap, D = d * d;
    const double curvature = (*options.law)(D, {.dhat = options.dhat, .dmin = options.dmin}).second;
    StiffnessRange range{};
    range.min = options.min_stiffness_scale * options.average_mass / (4 * D * curvature);
    range.max = 100 * range.min;
    const double squared_norm = options.barrier_gradient.squaredNorm();
    const double balanced =
        squared_norm > 0 ? -options.barrier_gradient.dot(options.energy_gradient) / squared_norm : range.min;
    range.stiffness = std::clamp(balanced, range.min, range.max);
    return range;
}

double update_barrier_stiffness(const StiffnessUpdateOptions& options)
{
    require_positive(options.stiffness, "stiffness", "");
    require_positive(options.max_stiffness, "max_stiffness", "");
    require_positive(options.bbox_diagonal, "bbox_diagonal", " [m]");
    require_not_negative(options.dmin, "dmin", " [m]");
    require_not_negative(options.relative_limit, "relative_limit", "");
    if (std::isnan(options.previous_distance) || std::isnan(options.distance))
        reject("distance, previous_distance: not a number");
    const double limit = options.relative_limit * options.bbox_diagonal;
    const bool is_shrinking = options.previous_distance - options.dmin < limit &&
                              options.distance - options.dmin < limit && options.distance < options.previous_distance;
    return is_shrinking ? std::min(options.max_stiffness, 2 * options.stiffness) : options.stiffness;
}

StiffnessSuggestion suggest_stiffness(const StiffnessSuggestionOptions& options)
{
    require_positive(options.weight, "weight", "");
    const BarrierPotential unit(
        {.dhat = options.dhat, .use_physical_barrier = options.use_physical_barrier, .law = options.law});
    require_not_negative(options.dmin, "dmin", " [m]");
    StiffnessSuggestion suggestion = suggestion_for_load(options);

    // Along the distance: d²b/dd² = 4 D b'' + 2 b', by the squared distance.
    const double d = options.dmin + options.gap * options.dhat, D = d * d;
    const LawTerm b = (*options.law)(D, {.dhat = options.dhat, .dmin = options.dmin});
    suggestion.barrier = options.weight * unit.scale(options.dmin) * (4 * D * b.second + 2 * b.first);
    if (!(suggestion.barrier > 0))
        reject(
            "law: '{}' has no curvature at a gap of {} m, so no stiffness follows from it", options.law->name(),
            options.gap * options.dhat);
    balance(
        suggestion, options, options.dhat,
        fmt::format(
            "A barrier of stiffness 1 ({}, dhat = {:.3g} m{}{})", options.law->name(), options.dhat,
            options.dmin > 0 ? fmt::format(", dmin = {:.3g} m", options.dmin) : "",
            options.use_physical_barrier ? ", physical" : ""));
    return suggestion;
}

} // namespace abut
