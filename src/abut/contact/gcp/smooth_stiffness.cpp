#include "abut/contact/gcp/smooth_stiffness.hpp"

#include "abut/base/error.hpp"
#include "abut/contact/gcp/toolkit.hpp"
#include "abut/contact/stiffness_for_load.hpp"

#include <cmath>

namespace abut {

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
        suggestion.barrier *= gcp::Toolkit::barrier_factor(dhat, r);
    require_positive(suggestion.barrier, "feature_length, dhat: the curvature of a pair", "");
    balance(
        suggestion, options, dhat,
        fmt::format(
            "A pair of stiffness 1 (GCP, dhat = {:.3g} m, r = {}) of elements with edges of {:.3g} m", dhat, r, L));
    return suggestion;
}

} // namespace abut
