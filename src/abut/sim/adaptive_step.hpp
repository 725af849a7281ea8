#pragma once
// A step as several smaller ones, where it is too hard or too long as one.
//
// A step is cut into halves, quarters and so on: before it is solved, where bodies would move too far; and after, where
// it did not converge, from the state where it began. Parts grow again by no more than twice, and never beyond the end
// of the step, so that frames stay where they are. What decides are counts and lengths, never the clock.

#include "abut/sim/step.hpp"

namespace abut {

/// Takes one step over dt, as part of the whole.
using Take = std::function<StepReport(State& state, double dt)>;

/// The step of the scene from `state`, which becomes its end.
[[nodiscard]] StepReport take_adaptively(System& system, State& state, const Take& take);

} // namespace abut
