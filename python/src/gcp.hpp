#pragma once
// GCP's sets and potentials as Python holds them.

#include "abut/contact/gcp/smooth_contact_potential.hpp"

#include "collision_set.hpp"

namespace abut::python {

using SharedSmoothCollisions = SharedCollisions<SmoothCollisions>;

/// A potential as Python holds it; see def_stiffness_of().
struct SharedSmoothPotential {
    std::shared_ptr<const SmoothContactPotential> potential;

    explicit SharedSmoothPotential(SmoothContactPotential of)
        : potential(std::make_shared<const SmoothContactPotential>(std::move(of)))
    {}
    [[nodiscard]] const SmoothContactPotential& get() const { return *potential; }
};

} // namespace abut::python
