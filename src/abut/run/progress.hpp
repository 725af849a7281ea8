#pragma once
// How far a run is, in words. Prints nothing.

#include "abut/run/step_record.hpp"

#include <chrono>

namespace abut {

class Progress {
public:
    /// For a run from the state after `first_step` to that after `last_step`. The clock starts now.
    Progress(int first_step, int last_step) : first_(first_step), last_(last_step) {}

    /// Time since the start [s].
    [[nodiscard]] double seconds() const;
    /// How many of `width` cells of a bar are full after a step.
    [[nodiscard]] int filled(int step, int width) const;
    /// The last step, its numbers, and when the run will end at its present speed.
    [[nodiscard]] std::string text(const StepRecord& record) const;
    [[nodiscard]] bool is_last(const StepRecord& record) const { return record.step == last_; }

private:
    int first_, last_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// "90 s", "5 min", "3.2 h".
[[nodiscard]] std::string duration_text(double seconds);

} // namespace abut
