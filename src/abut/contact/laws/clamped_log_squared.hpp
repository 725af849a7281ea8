#pragma once
// The squared logarithmic barrier of GIPC:
//
//   b(x) = (x − x̂)² ln²(x / x̂)   for 0 < x < x̂,  0 beyond
//
// It rises faster than the clamped log near contact, which keeps search directions from vanishing there. C3 at x̂;
// infinite at 0 and below. "GIPC: Fast and stable Gauss-Newton optimization of IPC barrier energy", eq. 24.

#include "abut/contact/laws/clamped_log.hpp"

namespace abut {

struct ClampedLogSquared {
    static constexpr std::string_view name = "clamped_log_squared";

    LawTerm operator()(double x, double x_hat) const
    {
        if (x >= x_hat)
            return {};
        if (x <= 0)
            return barrier_at_contact;
        return within(x, x_hat, x_hat / x, std::log(x / x_hat));
    }

    /// The law for 0 < x < x̂, from ratio = x̂ / x and log = ln(x / x̂).
    template <typename Number>
    static LawTermOf<Number> within(Number x, double x_hat, Number /*ratio*/, Number log)
    {
        const Number gap = x - x_hat, slope = gap / x;
        return {
            gap * gap * log * log, 2 * gap * log * (log + slope),
            2 * (log * log - (log - 1) * slope * slope + 4 * log * slope)};
    }
    static double unit(double x_hat) { return x_hat * x_hat; }
};

} // namespace abut
