#pragma once
// Does the momentum balance in the steps of a run?

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>

namespace abut {

/// Gathers the momentum_defect of each step. A step that ends early in a hard impact may be off by some percent without
/// harm. A run is off if more than 5 % of its steps are, and not just one, or if one step is off by a tenth.
class MomentumBalance {
public:
    void add(double defect)
    {
        if (!std::isfinite(defect))
            return;
        ++steps_;
        bad_steps_ += defect > usual_;
        largest_ = std::fmax(largest_, defect);
    }

    [[nodiscard]] double largest() const { return largest_; }
    [[nodiscard]] bool is_off() const { return largest_ > gross_ || (bad_steps_ > 1 && bad_steps_ > share_ * steps_); }
    /// `cure`: what to change in the scene.
    [[nodiscard]] std::string note(std::string_view cure) const
    {
        const double percent = 100 * largest_;
        return fmt::format(
            "momentum balance is off by {} %: {}",
            percent < 10 || percent > 1e5 ? fmt::format("{:.2g}", percent) : fmt::format("{:.0f}", percent), cure);
    }

private:
    // The scenes that come with the program stay below 1e-2; the largest is 9.5e-3, of erleben_spikes.
    static constexpr double usual_ = 1e-2, gross_ = 0.1, share_ = 0.05;
    int steps_ = 0, bad_steps_ = 0;
    double largest_ = 0;
};

} // namespace abut
