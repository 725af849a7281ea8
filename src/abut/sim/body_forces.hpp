#pragma once
// Contact and friction between bodies, summed over all their pairs.

#include "abut/sim/adhesion_energy.hpp"
#include "abut/sim/body_names.hpp"
#include "abut/sim/contact_arrows.hpp"
#include "abut/sim/contact_energy.hpp"
#include "abut/sim/sliding_energy.hpp"

namespace abut {

/// What one body does to another. Bodies are objects, and plane k is −1 − k.
struct BodyForce {
    int body, other;              ///< body is an object; other a later object or a plane
    Vec3 contact = Vec3::Zero();  ///< on `body` by `other` [N]
    Vec3 friction = Vec3::Zero(); ///< on `body` by `other` [N]
};

struct BodyForces {
    std::vector<BodyForce> sums;      ///< of all pairs of bodies in contact, sorted
    std::vector<ContactArrow> arrows; ///< the same forces, gathered where they act; sums over them are `sums`
};

/// At positions x at which the energies were updated last; `contact` includes `adhesion`, and `friction` all of
/// `sliding`. Those may be null.
[[nodiscard]] BodyForces body_forces(
    const ContactEnergy& contact, const AdhesionEnergy* adhesion, const std::vector<const SlidingEnergy*>& sliding,
    const BodyNames& bodies, const Unknowns& x);

} // namespace abut
