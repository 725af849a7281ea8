#pragma once
// Derivatives by central differences, for comparison with analytic ones.
//
// The step h = cbrt(eps) l balances the truncation error h² f''' / 6 with the rounding error eps f / h; l is the length
// over which the function changes by as much as itself. Both errors are then about eps^(2/3) = 4e-11 of f / l. The
// worst-shaped stencils of the tests have heights of a tenth of their size, which costs a factor of 100 in the first;
// the tolerance is ten times that, and a wrong term or sign exceeds it by far.

#include "abut/math/local_term.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace abut::test {

/// Relative to the largest entry of the derivative, or to 1 if that is smaller.
inline constexpr double finite_difference_tolerance = 5e-8;

using VectorFunction = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

Eigen::MatrixXd central_differences(const VectorFunction& f, Eigen::VectorXd x, double length = 1);

void expect_matches(const Eigen::MatrixXd& analytic, const Eigen::MatrixXd& numeric, const char* name);

/// Checks the Jacobian that f returns, as {value, jacobian}, at the points X.
template <int Dim, int N, typename F>
void expect_jacobian_matches_differences(const F& f, const Mat<Dim, N>& X, double length = 1)
{
    const VectorFunction value = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
        return f(Mat<Dim, N>(x.reshaped(Dim, N))).first;
    };
    expect_matches(f(X).second, central_differences(value, X.reshaped(), length), "Jacobian");
}

/// Checks the gradient of the term that f(X, order) returns against differences of its value, and its Hessian against
/// differences of its gradient.
template <int Dim, int N, typename F>
void expect_derivatives_match_differences(const F& f, const Mat<Dim, N>& X, double length = 1)
{
    const auto at = [](const Eigen::VectorXd& x) { return Mat<Dim, N>(x.reshaped(Dim, N)); };
    const VectorFunction value = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
        return Eigen::VectorXd::Constant(1, f(at(x), Order::value).value);
    };
    const VectorFunction gradient = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
        return f(at(x), Order::gradient).gradient;
    };
    const auto term = f(X, Order::hessian);
    expect_matches(term.gradient.transpose(), central_differences(value, X.reshaped(), length), "gradient");
    expect_matches(term.hessian, central_differences(gradient, X.reshaped(), length), "Hessian");
}

} // namespace abut::test
