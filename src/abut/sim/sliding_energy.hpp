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

/// What contacts remember of their sliding from step to step. Positions are those of the surface: X0 where the step
/// started, X where the terms were lagged, X1 where it ended.
class SlidingMemory {
public:
    virtual ~SlidingMemory() = default;
    /// Gives the terms their anchors.
    virtual void recall(const ConstPositions& X0, const ConstPositions& X, TangentialCollisions& terms) const = 0;
    virtual void remember(
        const ConstPositions& X0, const ConstPositions& X, const ConstPositions& X1,
        const TangentialCollisions& terms) = 0;
    virtual void save(History& history) const = 0;
    virtual void load(const History& history) = 0;
};

class SlidingEnergy final : public Energy {
public:
    /// Lags normal forces and tangents of the pairs that press, at the surface X.
    using Lag = std::function<void(const ConstPositions& X, TangentialCollisions& collisions)>;
    /// The potential whose speeds are displacements over `time`.
    using MakePotential = std::function<std::shared_ptr<const TangentialPotential>(double time)>;

    /// `name`, `map` and `integrator` must outlive it. With a memory, sliding counts from where the step starts, and
    /// from what is remembered.
    SlidingEnergy(
        std::string_view name, const SurfaceMap& map, const Integrator& integrator, Lag lag,
        MakePotential make_potential, std::shared_ptr<SlidingMemory> memory = nullptr);

    [[nodiscard]] std::string_view name() const override { return name_; }
    [[nodiscard]] EnergyRole role() const override { return EnergyRole::friction; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& x, const TermOutput& out) const override;
    [[nodiscard]] std::unique_ptr<Terms> subset(std::span<const int> terms) const override;
    [[nodiscard]] std::unique_ptr<BlockTerms> by_blocks(const BlockGroups& groups, const Unknowns& x) const override;
    void begin_step(const State& start, double dt) override;
    void lag(const Unknowns& x) override;
    void end_step(const State& end) override;
    void save(History& history) const override;
    void load(const History& history) override;

    [[nodiscard]] const TangentialCollisions& collisions() const { return collisions_; }

    /// How much its forces would change at x, were they lagged there, and the most that they can be: norms over
    /// vertices [N].
    struct LagError {
        double change, most;
    };
    [[nodiscard]] LagError lag_error(const Unknowns& x) const;

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
    std::shared_ptr<SlidingMemory> memory_; // null where nothing is remembered
    Positions start_, lagged_;              // with a memory: the vertices at the start, the surface at the last lag
};

} // namespace abut
