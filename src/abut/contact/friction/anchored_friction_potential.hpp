#pragma once
// Friction that holds: the law AnchoredFriction over terms that have anchors, and displacements since the start of a
// step in place of velocities.

#include "abut/contact/friction/tangential_potential.hpp"
#include "abut/contact/laws/anchored_friction.hpp"

namespace abut {

class AnchoredFrictionPotential final : public TangentialPotential {
public:
    void evaluate_law(
        std::span<const double> z, std::span<const double> mu_s, std::span<const double> /*mu_k*/,
        std::span<TangentialTerm> terms) const override
    {
        for (std::size_t k = 0; k < z.size(); ++k)
            terms[k] = AnchoredFriction{mu_s[k]}(z[k]);
    }
};

} // namespace abut
