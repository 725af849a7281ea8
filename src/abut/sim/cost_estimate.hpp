#pragma once
// What a scene will cost, from counts alone: cheap enough to say before a long set-up.

#include "abut/sim/scene.hpp"

namespace abut {

struct CostEstimate {
    std::int64_t num_unknowns = 0;
    double bytes = 0;                 ///< of memory, at least
    double set_up_seconds = 0;        ///< before the first step, at least
    double seconds_per_iteration = 0; ///< of Newton, at least

    /// Is there something to wait for?
    [[nodiscard]] bool is_large() const { return num_unknowns > 100'000 || set_up_seconds > 5; }
    /// One sentence.
    [[nodiscard]] std::string text() const;
};

/// Measured with many small bodies (scripts/measure-bodies) and with single large balls.
[[nodiscard]] CostEstimate estimate_cost(const Scene& scene);

} // namespace abut
