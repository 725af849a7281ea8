#pragma once
// Where block descent thinks that vertices go in a step, by what they did in the one before.

#include "abut/sim/model.hpp"
#include "abut/solver/state.hpp"

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

    /// Where the vertices are thought to go [m].
    [[nodiscard]] const Positions& displacements() const { return displacements_; }

private:
    const Model& model_;
    std::vector<double> before_; // velocities at the start of the step before; empty where there was none
    std::vector<double> now_;    // and of this
    Positions displacements_;
};

} // namespace abut
