#pragma once
// Bonds that resist sliding as springs do, for as long as they last: "Augmented Incremental Potential Contact for
// Sticky Interactions", eq. 6. Over terms that have anchors, whose reach is the unit of length, and displacements since
// the start of a step in place of velocities: g0 = mu z² / 2, whatever z.

#include "abut/contact/friction/tangential_potential.hpp"

namespace abut {

class BondSpringPotential final : public TangentialPotential {
public:
    void evaluate_law(
        std::span<const double> z, std::span<const double> mu_s, std::span<const double> /*mu_k*/,
        std::span<TangentialTerm> terms) const override
    {
        for (std::size_t k = 0; k < z.size(); ++k)
            terms[k] = {mu_s[k] * z[k] * z[k] / 2, mu_s[k] * z[k], mu_s[k], mu_s[k]};
    }
};

} // namespace abut
