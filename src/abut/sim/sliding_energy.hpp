#pragma once
// What resists sliding, lagged: friction over a contact, or tangential adhesion over bonds.
//
// Sliding is over displacements instead of velocities: it has an energy then, and its gradient is a force. The
// integrator says which displacement is which velocity.

#include "abut/contact/friction/tangential_potential.hpp"
#include "abut/sim/integrator.hpp"
#include "abut/sim/surface_map.hpp"
#include "abut/solver/energy.hpp"

#include <functional>

namespace abut {

class SlidingEnergy final : public Energy {
public:
    /// Lags normal forces and tangents of the pairs that press, at the surface X.
    using Lag = std::function<void(const ConstPositions& X, TangentialCollisions& collisions)>;
    /// The potential whose speeds are displacements over `time`.
    using MakePotential = std::function<std::shared_ptr<const TangentialPotential>(double time)>;

    /// `name`, `map` and `integrator` must outlive it.
    SlidingEnergy(
        std::string_view name, const SurfaceMap& map, const Integrator& integrator, Lag lag,
        MakePotential make_potential);

    [[nodiscard]] std::string_view name() const override { return name_; }
    [[nodiscard]] EnergyRole role() const override { return EnergyRole::friction; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& x, const TermOutput& out) const override;
    [[nodiscard]] std::unique_ptr<Terms> subset(std::span<const int> terms) const override;
    [[nodiscard]] std::unique_ptr<BlockTerms> by_blocks(const BlockGroups& groups) const override;
    void lag(const Unknowns& x) override;

    [[nodiscard]] const TangentialCollisions& collisions() const { return collisions_; }

private:
    std::string_view name_;
    const SurfaceMap& map_;
    const Integrator& integrator_;
    Lag lag_;
    MakePotential make_potential_;
    std::shared_ptr<const TangentialPotential> potential_;
    TangentialCollisions collisions_;
    Stencils stencils_;
    Positions origin_; // where sliding counts from: of the vertices, at which velocities would be 0
};

} // namespace abut
