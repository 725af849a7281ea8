#pragma once
// Surfaces that stick resist sliding: a force mu_a lambda_a f_t(y) that grows up to the speed eps_a, then lets go, and
// is gone at 2 eps_a. "Augmented Incremental Potential Contact for Sticky Interactions", section 4.3.
//
// Build its TangentialCollisions from the set of a NormalAdhesionPotential: lambda_a is then the bond's strength Y
// eps_c times the term's area, constant for each pair; the coefficient mu_a is that of FrictionCoefficients.

#include "abut/contact/friction/tangential_potential.hpp"

namespace abut {

class TangentialAdhesionPotential final : public TangentialPotential {
public:
    /// `eps_a`: speed at which the force is largest [m/s], > 0.
    explicit TangentialAdhesionPotential(double eps_a);
    [[nodiscard]] double eps_a() const { return eps_a_; }

protected:
    void evaluate_law(
        std::span<const double> y, std::span<const double> mu_s, std::span<const double> mu_k,
        std::span<TangentialTerm> terms) const override;

private:
    double eps_a_;
};

} // namespace abut
