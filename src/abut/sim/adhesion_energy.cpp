#include "abut/sim/adhesion_energy.hpp"

#include "abut/sim/surface_terms.hpp"

namespace abut {

AdhesionEnergy::AdhesionEnergy(
    ContactPairs& pairs, const NormalCollisionsOptions& set, const NormalAdhesionOptions& adhesion)
    : pairs_(pairs), set_(set), potential_(adhesion)
{
    ABUT_ASSERT(pairs.detection().range() >= pairs.dmin() + adhesion.dhat_a);
}

bool AdhesionEnergy::follow_pairs(const Unknowns& x)
{
    if (revision_ == pairs_.revision())
        return false;
    revision_ = -1;
    collisions_.build(pairs_.detection(), pairs_.mesh(), pairs_.map().positions(x), set_);
    stencils_ = pairs_.map().to_unknowns(collisions_.stencils());
    revision_ = pairs_.revision();
    return true;
}

bool AdhesionEnergy::begin_iteration(const Unknowns& x) { return follow_pairs(x); }

void AdhesionEnergy::update(const Unknowns& x) { follow_pairs(x); }

NormalCollisions AdhesionEnergy::collisions_at(const Unknowns& x) const
{
    NormalCollisions here;
    here.build(pairs_.look_at(x), pairs_.mesh(), pairs_.map().positions(x), set_);
    return here;
}

void AdhesionEnergy::evaluate(const Unknowns& x, const TermOutput& out) const
{
    potential_.evaluate(collisions_, pairs_.mesh(), pairs_.map().positions(x), out);
}

std::unique_ptr<Terms> AdhesionEnergy::subset(std::span<const int> terms) const
{
    return std::make_unique<SurfaceTerms<NormalCollisions, NormalAdhesionPotential>>(
        pairs_.map(), collisions_.subset(terms), potential_);
}

} // namespace abut
