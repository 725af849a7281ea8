#pragma once
// The logarithmic barrier of IPC, and the same without units.
//
//   b(x) = −(x − x̂)² ln(x / x̂)   for 0 < x < x̂,  0 beyond
//
// x and x̂ are distances or squared distances (distance_law.hpp). C2 at x̂; infinite at 0 and below.
// Li et al., "Incremental potential contact", 2020, eq. 6.

#include "abut/contact/laws/law_term.hpp"

#include <cmath>
#include <limits>
#include <string_view>

namespace abut {

/// What a barrier is where the distance is zero or less: the limit from above.
inline constexpr LawTerm barrier_at_contact{
    std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
    std::numeric_limits<double>::infinity()};

struct ClampedLog {
    static constexpr std::string_view name = "clamped_log";

    LawTerm operator()(double x, double x_hat) const
    {
        if (x >= x_hat)
            return {};
        if (x <= 0)
            return barrier_at_contact;
        const double ratio = x_hat / x;
        return within(x, x_hat, ratio, -std::log(ratio));
    }

    /// The law for 0 < x < x̂, from ratio = x̂ / x and log = ln(x / x̂).
    template <typename Number>
    static LawTermOf<Number> within(Number x, double x_hat, Number ratio, Number log)
    {
        const Number gap = x - x_hat;
        return {-gap * gap * log, -gap * (2 * log - ratio + 1), (ratio + 2) * ratio - 2 * log - 3};
    }

    /// The law's unit, by which a physical barrier divides: x̂².
    static double unit(double x_hat) { return x_hat * x_hat; }
};

/// The clamped log of x / x̂ with x̂ = 1: its value has no unit, so the stiffness is an energy.
struct NormalizedClampedLog {
    static constexpr std::string_view name = "normalized_clamped_log";

    LawTerm operator()(double x, double x_hat) const
    {
        const LawTerm b = ClampedLog{}(x / x_hat, 1);
        return {b.value, b.first / x_hat, b.second / (x_hat * x_hat)};
    }
    static double unit(double /*x_hat*/) { return 1; }
};

} // namespace abut
