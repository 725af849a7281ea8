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
    [[nodiscard]] virtual GuardedStep limit(const ConstPositions& x, const ConstPositions& dx) = 0;
};

} // namespace abut
