#pragma once
// Fast kernels of energies for solvers that move block by block: four vertices at once, one per lane. Each has the
// gradient of its energy, and a positive semidefinite Hessian of the vertex alone.

#include "abut/contact/friction/tangential_potential.hpp"
#include "abut/elastic/hinge_bending.hpp"
#include "abut/elastic/plastic_solids.hpp"
#include "abut/elastic/simplex_elasticity.hpp"
#include "abut/sim/anchors.hpp"
#include "abut/sim/contact_energy.hpp"

namespace abut {

/// Projected as for Newton's method.
[[nodiscard]] std::unique_ptr<BlockTerms> make_block_terms(const TetElasticity& elasticity, const BlockGroups& groups);
[[nodiscard]] std::unique_ptr<BlockTerms>
make_block_terms(const MembraneElasticity& elasticity, const BlockGroups& groups);
[[nodiscard]] std::unique_ptr<BlockTerms> make_block_terms(const PlasticSolids<3>& solids, const BlockGroups& groups);

/// k grad theta grad thetaᵀ (Gauss and Newton): what bends with the angle is left out.
[[nodiscard]] std::unique_ptr<BlockTerms> make_block_terms(const HingeBending& bending, const BlockGroups& groups);

/// In space; null in the plane.
[[nodiscard]] std::unique_ptr<BlockTerms> make_block_terms(const Anchors& anchors, const BlockGroups& groups);

/// A barrier over pairs in space, whatever its law; null in the plane. By Gauss and Newton: the law's second derivative
/// by the distance, where it is positive, times nnᵀ. Pairs that are too far to press are left alone until one of their
/// vertices has come far enough from x.
[[nodiscard]] std::unique_ptr<BlockTerms>
make_block_terms(const BarrierContact& contact, const SurfaceMap& map, const Unknowns& x, const BlockGroups& groups);

/// Sliding from `origin`, which has all vertices of the unknowns. Resists in all directions as it does across the
/// motion, which is never less than along it (Chen et al. 2024): where sliding has begun there is no resistance along
/// it, and steps would go too far, there and back, for ever.
[[nodiscard]] std::unique_ptr<BlockTerms> make_block_terms(
    const TangentialCollisions& collisions, std::shared_ptr<const TangentialPotential> potential, const SurfaceMap& map,
    const Positions& origin, const BlockGroups& groups);

} // namespace abut
