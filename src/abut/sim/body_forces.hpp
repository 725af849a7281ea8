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
    Vec3 adhesion = Vec3::Zero(); ///< of these, what bonds pull, across and along [N]
    double bonded_area = 0;       ///< on which there are bonds, in the plane a length [m²]
};

/// What acts on the surfaces of bodies, per area: forces over CollisionMesh::vertex_areas(), so that of rods they are
/// per length, and of loose points forces. Vertices inside of bodies have an area of 0, and nothing acts on them.
struct SurfaceTractions {
    Positions normal;                ///< of contact and bonds across it, on each vertex [Pa]
    Positions tangential;            ///< of friction and bonds along it [Pa]
    Eigen::VectorXd areas;           ///< of vertices [m²]; in the plane lengths [m]
    std::vector<std::uint8_t> bonds; ///< of vertices: 0 none, 1 whole, 2 only such as are letting go
};

struct BodyForces {
    std::vector<BodyForce> sums;      ///< of all pairs of bodies in contact, sorted
    std::vector<ContactArrow> arrows; ///< the same forces, gathered where they act; sums over them are `sums`
};

/// At positions x at which the energies were updated last; `contact` includes `adhesion`, and `friction` all of
/// `sliding`, which are friction and that of bonds, in this order. Those may be null.
[[nodiscard]] BodyForces body_forces(
    const ContactEnergy& contact, const AdhesionEnergy* adhesion, const std::vector<const SlidingEnergy*>& sliding,
    const BodyNames& bodies, const Unknowns& x);

} // namespace abut
