#pragma once
// Where block descent thinks that vertices go in a step, by what they did in the one before.

#include "abut/sim/model.hpp"
#include "abut/solver/state.hpp"

#include <span>

namespace abut {

/// The adaptive guess of vertex block descent: x + dt v + s dt² g, where the share s of
/// gravity, within [0, 1], is that at which the vertex was accelerated in the step before, so that what rests is not
/// thought to fall. Remembers velocities from step to step.
class AdaptiveStart {
public:
    explicit AdaptiveStart(const Model& model) : model_(model) {}

    /// Before the step, with what the state remembers.
    void begin_step(const State& start, double dt);
    void save(History& history) const;
    void load(const History& history);

    /// Groups of vertices were moved already, each by a share of where it goes as a rigid body: they are thought to go
    /// the rest, and not to deform. What a group deformed before does not tell: of one that spins, velocities are those
    /// of a body that grows or shrinks.
    void take_out(std::span<const int> group_of_vertex, std::span<const double> shares);

    /// Where the vertices are thought to go [m].
    [[nodiscard]] const Positions& displacements() const { return displacements_; }

private:
    const Model& model_;
    std::vector<double> before_; // velocities at the start of the step before; empty where there was none
    std::vector<double> now_;    // and of this
    Positions displacements_;
};

} // namespace abut
