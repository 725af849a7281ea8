#pragma once
// Friction of a spring that is held by an anchor: Coulomb's law with an elastic slip before sliding. The argument is
// the length z >= 0 of the spring, over the length at which its anchor slides.
//
//   g1(z) = mu z  for z < 1,  mu beyond
//   g0(z) = mu z² / 2  for z < 1,  mu (z − 1/2) beyond          (C1, convex)
//
// Simo and Laursen, "An augmented Lagrangian treatment of contact problems involving friction", 1992: the minimum over
// a step is where the return mapping leads.

#include "abut/contact/laws/tangential.hpp"

namespace abut {

struct AnchoredFriction {
    double mu; ///< coefficient, >= 0

    TangentialTerm operator()(double z) const
    {
        if (z < 1)
            return {mu * z * z / 2, mu * z, mu, mu};
        return {mu * (z - 0.5), mu, 0, mu / z};
    }
};

} // namespace abut
