#pragma once
// Inertia and gravity of a step: each vertex with mass is drawn to where the integrator would have it without forces.

#include "abut/sim/anchors.hpp"
#include "abut/sim/integrator.hpp"

namespace abut {

class InertiaEnergy final : public Energy {
public:
    /// Mass per vertex; those of mass 0 have no term. `integrator` must outlive it, and begin each step before it.
    InertiaEnergy(const Eigen::VectorXd& masses, const Integrator& integrator);

    [[nodiscard]] std::string_view name() const override { return "inertia"; }
    [[nodiscard]] EnergyRole role() const override { return EnergyRole::inertia; }
    [[nodiscard]] const Stencils& stencils() const override { return anchors_.stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override { anchors_.evaluate(x, out); }
    [[nodiscard]] std::unique_ptr<Terms> subset(std::span<const int> terms) const override
    {
        return std::make_unique<Anchors>(anchors_.subset(terms));
    }
    [[nodiscard]] std::unique_ptr<BlockTerms> by_blocks(const BlockGroups& groups, const Unknowns& x) const override;
    void begin_step(const State& start, double dt) override;

private:
    const Integrator& integrator_;
    Anchors anchors_;
    Eigen::VectorXd masses_; // of the anchored vertices
};

} // namespace abut
