#pragma once
// What keeps a step from passing through anything.

#include "abut/math/types.hpp"

#include <string>

namespace abut {

/// How far a step may go, and what stops it.
struct GuardedStep {
    double scale = 1;   ///< x + t scale dx is free of contact for all t in [0, 1]
    std::string reason; ///< the limiting pair; empty where the whole step is free
};

class StepGuard {
public:
    virtual ~StepGuard() = default;

    /// Cuts dx in place, vertex by vertex; what is left still descends along the gradient of the energy at x, and any
    /// share of it is as safe. `scale` is that of a step that was shortened as a whole.
    [[nodiscard]] virtual GuardedStep
    truncate(const ConstPositions& /*x*/, Positions& /*dx*/, const Eigen::VectorXd& /*gradient*/)
    {
        return {};
    }

    /// How much of the whole step is safe.
    [[nodiscard]] virtual GuardedStep limit(const ConstPositions& /*x*/, const ConstPositions& /*dx*/) { return {}; }
};

} // namespace abut
