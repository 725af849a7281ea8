#pragma once
// A cubic penalty:
//
//   b(x) = −(2 / 3x̂) (x − x̂)³   for x < x̂,  0 beyond
//
// No barrier: it is finite at 0 and below, so only a step guard keeps things apart. C2 at x̂. The scale makes the second
// derivative at 0 equal to 4, whatever x̂ is. Ando, "A cubic barrier with elasticity-inclusive dynamic stiffness", 2024.

#include "abut/contact/laws/law_term.hpp"

#include <string_view>

namespace abut {

struct Cubic {
    static constexpr std::string_view name = "cubic";

    LawTerm operator()(double x, double x_hat) const
    {
        if (x >= x_hat)
            return {};
        const double gap = x - x_hat;
        return {-2 * gap * gap * gap / (3 * x_hat), -2 * gap * gap / x_hat, -4 * gap / x_hat};
    }
    static double unit(double x_hat) { return x_hat * x_hat; }
};

} // namespace abut
