#pragma once
// Verifies results once more, by exact arithmetic: is every frame there, and does nothing intersect in it?

#include "abut/run/result_folder.hpp"

namespace abut {

struct FrameFinding {
    int step;
    Verification found;
};

struct ResultsVerification {
    std::size_t num_frames = 0, num_bad = 0;
    bool is_running = false;                ///< another run wrote to the results; frames after the first look are left
    std::vector<int> missing{};             ///< steps whose frames the run wrote but that are missing, ascending
    std::vector<std::string> passed_over{}; ///< as ResultFolder::for_each_record()

    [[nodiscard]] bool is_good() const { return num_bad == 0 && missing.empty(); }
};

/// Tests every frame, and calls `tell` at once for each that is not good. Rejects results without frames, frames
/// that cannot be read, and meshes that have changed since the run. Of a run that goes on, what it had written when
/// this began is tested.
[[nodiscard]] ResultsVerification
verify_results(const ResultFolder& results, const std::function<void(const FrameFinding&)>& tell);

} // namespace abut
