#include "abut/contact/stiffness.hpp"

#include "abut/base/error.hpp"
#include "abut/contact/gcp/smoothing.hpp"

#include <algorithm>

namespace abut {

namespace {

void require_positive(double value, const char* name, const char* unit)
{
    if (!(value > 0 && std::isfinite(value)))
        reject("{}: {} is not a positive number{}", name, value, unit);
}

void require_not_negative(double value, const char* name, const char* unit)
{
    if (!(value >= 0 && std::isfinite(value)))
        reject("{}: {} is not a number >= 0{}", name, value, unit);
}

} // namespace

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

namespace {

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

} // namespace

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

StiffnessSuggestion suggest_smooth_stiffness(const SmoothStiffnessOptions& options)
{
    if (options.dim != 2 && options.dim != 3)
        reject("dim: {} is neither 2 nor 3", options.dim);
    require_positive(options.params.dhat, "dhat", " [m]");
    const double L = options.params.feature_length == FeatureLength::constant ? options.params.constant_length
                                                                              : options.feature_length;
    require_positive(L, "feature_length", " [m]");
    StiffnessSuggestion suggestion = suggestion_for_load(options);
    const double dhat = options.params.dhat;
    const int r = options.params.exponent(options.dim);
    const double weight = std::pow(L, 2 * (options.dim - 1));
    suggestion.barrier = weight * gcp::spline_barrier(options.gap * dhat, dhat, r).second;
    if (options.params.variant == SmoothContactVariant::toolkit)
        suggestion.barrier *= 2.0 / 3 * std::pow(dhat, r); // its barrier is of z/dhat, without 3/2
    require_positive(suggestion.barrier, "feature_length, dhat: the curvature of a pair", "");
    balance(
        suggestion, options, dhat,
        fmt::format(
            "A pair of stiffness 1 (GCP, dhat = {:.3g} m, r = {}) of elements with edges of {:.3g} m", dhat, r, L));
    return suggestion;
}

} // namespace abut
