#include "abut/sim/adhesion_energy.hpp"

#include "abut/sim/surface_terms.hpp"

namespace abut {

AdhesionEnergy::AdhesionEnergy(
    ContactPairs& pairs, const NormalCollisionsOptions& set, std::shared_ptr<const NormalPotential> potential,
    double peak, PairPull pull)
    : pairs_(pairs), set_(set), potential_(std::move(potential)), peak_(peak), pull_(std::move(pull))
{
    ABUT_ASSERT(pairs.detection().range() >= pairs.dmin() + set.dhat);
}

double AdhesionEnergy::bonded_area(std::size_t term, const Unknowns& x) const
{
    const NormalCollision pair = collisions_[term];
    if (pair.weight == 0)
        return 0;
    const double squared = collisions_.geometry(term, pairs_.mesh(), pairs_.map().positions(x)).squared_distance;
    return std::sqrt(squared) - pair.offset < pairs_.dmin() + set_.dhat ? areas_[term] : 0;
}

void AdhesionEnergy::build(
    const Detection& detection, const Positions& X, NormalCollisions& collisions, std::vector<double>* areas) const
{
    collisions.build(detection, pairs_.mesh(), X, set_);
    if (areas != nullptr) {
        areas->clear();
        for (std::size_t k = 0; k < collisions.size(); ++k)
            areas->push_back(collisions[k].weight);
    }
    if (pull_.factors.size() == 0)
        return;
    const std::vector<int>& materials = pairs_.mesh().material_ids();
    std::vector<double> factors(collisions.size());
    for (std::size_t k = 0; k < factors.size(); ++k) {
        // The first vertex of a stencil is of one side, the last of the other; each side is of one material.
        const NormalCollision pair = collisions[k];
        const int first = materials[pair.vertices.front()];
        const int second = pair.kind == PairKind::plane_vertex ? pull_.plane_materials[pair.elements[0]]
                                                               : materials[pair.vertices.back()];
        factors[k] = pull_.factors(first, second);
    }
    collisions = collisions.weighted(factors);
}

bool AdhesionEnergy::follow_pairs(const Unknowns& x)
{
    if (revision_ == pairs_.revision())
        return false;
    revision_ = -1;
    build(pairs_.detection(), pairs_.place(x), collisions_, &areas_);
    stencils_ = pairs_.map().to_unknowns(collisions_.stencils());
    revision_ = pairs_.revision();
    return true;
}

bool AdhesionEnergy::begin_iteration(const Unknowns& x) { return follow_pairs(x); }

void AdhesionEnergy::update(const Unknowns& x) { follow_pairs(x); }

NormalCollisions AdhesionEnergy::collisions_at(const Unknowns& x) const
{
    NormalCollisions here;
    build(pairs_.look_at(x), pairs_.map().positions(x), here);
    return here;
}

void AdhesionEnergy::evaluate(const Unknowns& x, const TermOutput& out) const
{
    potential_->evaluate(collisions_, pairs_.mesh(), pairs_.map().positions(x), out);
}

std::unique_ptr<Terms> AdhesionEnergy::subset(std::span<const int> terms) const
{
    return std::make_unique<SurfaceTerms<NormalCollisions, std::shared_ptr<const NormalPotential>>>(
        pairs_.map(), collisions_.subset(terms), potential_);
}

} // namespace abut
