#pragma once
// How the edges of rods turn about themselves: the inertia of their sections against it, and scripts that hold or turn
// their frames.
//
// The integrator of a simulation moves vertices, one row of three numbers each. The arc of an edge (rods.hpp) is a row
// behind them, of which the first number counts, so that every integrator moves twist as it moves everything else. What
// is remembered from step to step: the velocities of arcs.
//
// Frames that a script holds are given, and no unknowns: nothing but the rod itself acts on them.

#include "abut/sim/integrator.hpp"
#include "abut/sim/rods.hpp"

namespace abut {

/// Arcs drawn to numbers: E(u) = Σ_k s_k / 2 (u_k − a_k)².
class ArcAnchors final : public Terms {
public:
    ArcAnchors() = default;
    explicit ArcAnchors(std::vector<int> blocks);
    void set(Eigen::VectorXd targets, Eigen::VectorXd stiffness);

    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& x, const TermOutput& out) const override;
    [[nodiscard]] ArcAnchors subset(std::span<const int> terms) const;

private:
    std::vector<int> blocks_;
    Stencils stencils_;
    Eigen::VectorXd targets_, stiffness_;
};

class TwistMotion final : public Energy {
public:
    /// Of a model with rods. Both must outlive it.
    TwistMotion(const Model& model, const Integrator& integrator);

    [[nodiscard]] std::string_view name() const override { return "inertia of twist"; }
    [[nodiscard]] EnergyRole role() const override { return EnergyRole::inertia; }
    [[nodiscard]] const Stencils& stencils() const override { return anchors_.stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override { anchors_.evaluate(x, out); }
    [[nodiscard]] std::unique_ptr<Terms> subset(std::span<const int> terms) const override
    {
        return std::make_unique<ArcAnchors>(anchors_.subset(terms));
    }

    /// A state whose x and v have rows for arcs behind those of vertices. Without what it remembers.
    [[nodiscard]] State joined(const State& state) const;
    /// Decides which arcs are held, and adds them to those of vertices; before the integrator begins the step.
    void plan(const State& start, double dt, HeldVertices& held);
    /// Sets the flags of held arcs.
    void mark_fixed(std::vector<std::uint8_t>& is_fixed) const;
    /// Puts arcs that scripts turn where they shall be at the end of the step.
    void prescribe(Eigen::VectorXd& x) const;
    [[nodiscard]] bool is_driven(Eigen::Index arc) const { return is_driven_[arc] != 0; }

    void begin_step(const State& start, double dt) override;
    /// The arcs of a state, with the velocities that it remembers.
    [[nodiscard]] Eigen::VectorXd arcs(const State& state) const;
    [[nodiscard]] Eigen::VectorXd velocities(const State& state) const;
    /// After a step of dt from one state to the other, whose arcs are set.
    void set_velocities(const State& start, const State& end, double dt);
    void save(History& history) const override;
    void load(const History& history) override;

private:
    const Model& model_;
    const RodSet& rods_;
    const Integrator& integrator_;
    ArcAnchors anchors_;
    Eigen::VectorXd start_velocities_, velocities_; // [m/s]
    std::vector<std::uint8_t> is_held_, is_driven_; // of arcs, in the step that began
    Eigen::VectorXd targets_;                       // of driven arcs
};

/// α M of the arcs: what damping_energy.hpp does to vertices.
class TwistDamping final : public Energy {
public:
    /// α m per arc [kg/s]; the integrator must outlive it, and begin each step before it.
    TwistDamping(const Model& model, Eigen::VectorXd damped_masses, const Integrator& integrator);

    [[nodiscard]] std::string_view name() const override { return "damping of twist by mass"; }
    [[nodiscard]] EnergyRole role() const override { return EnergyRole::damping; }
    [[nodiscard]] const Stencils& stencils() const override { return anchors_.stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override { anchors_.evaluate(x, out); }
    void begin_step(const State& start, double dt) override;

private:
    const Integrator& integrator_;
    Eigen::VectorXd damped_masses_;
    ArcAnchors anchors_;
};

} // namespace abut
