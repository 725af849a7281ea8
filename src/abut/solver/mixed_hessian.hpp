#pragma once
// Hessians between the exact one and a projected one. Projection makes every term positive semidefinite, though their
// sum may be definite without it: what is compressed then looks stiffer than it is, and Newton's method takes hundreds
// of short steps. Between the two stands the exact Hessian with a share of what the projection adds to it.

#include "abut/solver/problem.hpp"

namespace abut {

class MixedHessian {
public:
    /// `projected` is the form that a share of 1 would be.
    MixedHessian(Problem& problem, HessianForm projected) : problem_(problem), form_(projected) {}

    /// At x, at which the problem's energies were updated last.
    void begin(const Eigen::VectorXd& x);

    /// The exact Hessian and `share` of what the form adds to it, in [0, 1). Terms of rank one are always projected.
    /// Its parts live until the next call, here or of the problem.
    [[nodiscard]] LinearSystem with(double share);

private:
    Problem& problem_;
    HessianForm form_;
    const Eigen::VectorXd* x_ = nullptr;
    SymmetricBlockMatrix exact_, mixed_;
    const SymmetricBlockMatrix* projected_ = nullptr; // once it was asked for
};

} // namespace abut
