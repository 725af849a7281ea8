#pragma once
// The two-stage law of OGC: a spring that turns into a logarithm at half the range.
//
//   b(x) = (x̂ − x)² / 2                  for x̂/2 <= x < x̂,  0 beyond
//   b(x) = −(x̂²/4) (ln(2x / x̂) − 1/2)    for 0 < x < x̂/2
//
// C2 at x̂/2, C1 at x̂, where the second derivative jumps from 1 to 0; infinite at 0 and below. "Offset Geometric
// Contact", eq. 18, with k_c = 1 and tau = x̂/2. Eq. 19 is misprinted: continuity of the first derivative at tau gives
// k_c' = tau k_c (x̂ − tau).

#include "abut/contact/laws/clamped_log.hpp"

namespace abut {

struct TwoStage {
    static constexpr std::string_view name = "two_stage";

    LawTerm operator()(double x, double x_hat) const
    {
        if (x >= x_hat)
            return {};
        if (x <= 0)
            return barrier_at_contact;
        if (2 * x >= x_hat)
            return {(x_hat - x) * (x_hat - x) / 2, x - x_hat, 1};
        const double quarter = x_hat * x_hat / 4;
        return {quarter * (0.5 - std::log(2 * x / x_hat)), -quarter / x, quarter / (x * x)};
    }
    static double unit(double x_hat) { return x_hat * x_hat; }
};

} // namespace abut
