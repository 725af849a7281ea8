#pragma once
// Derivatives of scalar laws by central differences, for comparison with those that they return.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace abut::test {

/// Compares the derivatives that `f` returns with central differences over a step of cbrt(eps) times `length`, the
/// distance to the next joint. Truncation and rounding are then some 4e-11 of f / length; a law with a pole at the
/// joint has third derivatives up to 60 times that, and the tolerance is ten times more.
template <typename F>
void expect_derivatives(const F& f, double x, double length)
{
    const double h = std::cbrt(std::numeric_limits<double>::epsilon()) * length, right = x + h, left = x - h;
    const auto centre = f(x), at_right = f(right), at_left = f(left);
    constexpr double tolerance = 2.5e-8;
    const double first = (at_right.value - at_left.value) / (right - left);
    const double second = (at_right.first - at_left.first) / (right - left);
    EXPECT_NEAR(centre.first, first, tolerance * (std::abs(first) + std::abs(centre.value) / length)) << "at " << x;
    EXPECT_NEAR(centre.second, second, tolerance * (std::abs(second) + std::abs(first) / length)) << "at " << x;
}

} // namespace abut::test
