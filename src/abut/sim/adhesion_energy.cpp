#include "abut/sim/adhesion_energy.hpp"

#include "abut/sim/surface_terms.hpp"

namespace abut {

AdhesionEnergy::AdhesionEnergy(
    ContactPairs& pairs, const NormalCollisionsOptions& set, std::shared_ptr<const NormalPotential> potential,
    double peak, PairPull pull, std::shared_ptr<BondIntensity> intensity)
    : pairs_(pairs), set_(set), potential_(std::move(potential)), peak_(peak), pull_(std::move(pull)),
      intensity_(std::move(intensity))
{
    ABUT_ASSERT(pairs.detection().range() >= pairs.dmin() + set.dhat);
}

double AdhesionEnergy::bonded_area(std::size_t term, const Unknowns& x) const
{
    const NormalCollision pair = bonds_.collisions[term];
    if (pair.weight == 0)
        return 0;
    const double squared = bonds_.collisions.geometry(term, pairs_.mesh(), pairs_.map().positions(x)).squared_distance;
    return std::sqrt(squared) - pair.offset < pairs_.dmin() + set_.dhat ? bonds_.areas[term] : 0;
}

void AdhesionEnergy::build(const Detection& detection, const Positions& X, Bonds& bonds) const
{
    bonds.collisions.build(detection, pairs_.mesh(), X, set_);
    bonds.areas.clear();
    for (std::size_t k = 0; k < bonds.collisions.size(); ++k)
        bonds.areas.push_back(bonds.collisions[k].weight);
    const auto multiply = [&](const std::vector<double>& factors) {
        bonds.collisions = bonds.collisions.weighted(factors); // leaves out those of factor 0
        std::size_t kept = 0;
        for (std::size_t k = 0; k < factors.size(); ++k)
            if (factors[k] != 0)
                bonds.areas[kept++] = bonds.areas[k];
        bonds.areas.resize(kept);
    };
    if (pull_.factors.size() > 0) {
        const std::vector<int>& materials = pairs_.mesh().material_ids();
        std::vector<double> factors(bonds.collisions.size());
        for (std::size_t k = 0; k < factors.size(); ++k) {
            // The first vertex of a stencil is of one side, the last of the other; each side is of one material.
            const NormalCollision pair = bonds.collisions[k];
            const int first = materials[pair.vertices.front()];
            const int second = pair.kind == PairKind::plane_vertex ? pull_.plane_materials[pair.elements[0]]
                                                                   : materials[pair.vertices.back()];
            factors[k] = pull_.factors(first, second);
        }
        multiply(factors);
    }
    if (intensity_) {
        bonds.possible = bonds.collisions;
        multiply(intensity_->factors(bonds.possible, X));
    }
}

bool AdhesionEnergy::follow_pairs(const Unknowns& x)
{
    if (revision_ == pairs_.revision())
        return false;
    revision_ = -1;
    build(pairs_.detection(), pairs_.place(x), bonds_);
    stencils_ = pairs_.map().to_unknowns(bonds_.collisions.stencils());
    revision_ = pairs_.revision();
    return true;
}

void AdhesionEnergy::begin_step(const State& start, double dt)
{
    if (!intensity_)
        return;
    intensity_->begin_step(start, dt, set_);
    revision_ = -1;
}

void AdhesionEnergy::end_step(const State& end)
{
    if (intensity_)
        intensity_->end_step(bonds_.possible, *potential_, pairs_.mesh().vertices(end.x));
}

void AdhesionEnergy::save(History& history) const
{
    if (intensity_)
        intensity_->save(history);
}

void AdhesionEnergy::load(const History& history)
{
    if (!intensity_)
        return;
    intensity_->load(history);
    revision_ = -1;
}

bool AdhesionEnergy::begin_iteration(const Unknowns& x) { return follow_pairs(x); }

void AdhesionEnergy::update(const Unknowns& x) { follow_pairs(x); }

NormalCollisions AdhesionEnergy::collisions_at(const Unknowns& x) const
{
    Bonds here;
    build(pairs_.look_at(x), pairs_.map().positions(x), here);
    return std::move(here.collisions);
}

void AdhesionEnergy::evaluate(const Unknowns& x, const TermOutput& out) const
{
    potential_->evaluate(bonds_.collisions, pairs_.mesh(), pairs_.map().positions(x), out);
}

std::unique_ptr<Terms> AdhesionEnergy::subset(std::span<const int> terms) const
{
    return std::make_unique<SurfaceTerms<NormalCollisions, std::shared_ptr<const NormalPotential>>>(
        pairs_.map(), bonds_.collisions.subset(terms), potential_);
}

} // namespace abut
