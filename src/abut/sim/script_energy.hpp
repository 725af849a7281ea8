#pragma once
// Scripts as an augmented Lagrangian: vertices are pulled to where their script wants them and not put there, so that
// contact always wins. After a solve the multipliers grow, until the vertices arrive or contact holds them back.
//
// What it remembers from step to step: for how many in a row a script was held back.

#include "abut/sim/anchors.hpp"
#include "abut/sim/body_forces.hpp"
#include "abut/sim/integrator.hpp"
#include "abut/sim/model.hpp"

namespace abut {

class ScriptEnergy final : public Energy {
public:
    /// Both must outlive it; the integrator begins each step before it.
    ScriptEnergy(const Model& model, const Integrator& integrator);

    [[nodiscard]] std::string_view name() const override { return "scripts"; }
    [[nodiscard]] EnergyRole role() const override { return EnergyRole::script; }
    [[nodiscard]] const Stencils& stencils() const override { return anchors_.stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override { anchors_.evaluate(x, out); }
    [[nodiscard]] std::unique_ptr<Terms> subset(std::span<const int> terms) const override
    {
        return std::make_unique<Anchors>(anchors_.subset(terms));
    }
    [[nodiscard]] std::unique_ptr<BlockTerms> by_blocks(const BlockGroups& groups, const Unknowns& x) const override;

    /// Decides who is held, who is free, and who is drawn where; before the integrator begins the step.
    [[nodiscard]] HeldVertices plan(const State& start, double dt);
    void begin_step(const State& start, double dt) override;
    void end_step(const State& end) override;
    void save(History& history) const override;
    void load(const History& history) override;

    /// One flag per block of the step that began last: those that do not move.
    [[nodiscard]] const std::vector<std::uint8_t>& is_fixed() const { return is_fixed_; }

    /// How far the vertices are behind their scripts at most [m].
    [[nodiscard]] double behind(const ConstPositions& x) const { return anchors_.largest_distance(x); }
    /// How far they have to go in the step [m].
    [[nodiscard]] double way() const { return way_; }
    /// Distances below this do not count [m].
    [[nodiscard]] double tolerance() const;
    /// Pulls harder; after a solve that ended at x.
    void raise_multipliers(const ConstPositions& x) { anchors_.raise_multipliers(x); }

    /// For so many steps in a row, up to the one that ended last, a script was held back.
    [[nodiscard]] int blocked_steps() const { return blocked_steps_; }

    /// The scripts that are behind by more than the tolerance, how far, and what presses hardest against their bodies.
    [[nodiscard]] std::string describe_behind(const ConstPositions& x, const std::vector<BodyForce>& forces) const;

private:
    [[nodiscard]] Eigen::VectorXd stiffness(const std::vector<int>& scripted) const;

    const Model& model_;
    const Integrator& integrator_;
    Anchors anchors_;
    std::vector<std::uint8_t> is_fixed_;
    std::vector<int> scripted_;
    std::vector<Vec3> targets_; // of these
    double way_ = 0;
    int blocked_steps_ = 0;
};

} // namespace abut
