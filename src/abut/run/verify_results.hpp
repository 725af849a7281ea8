#pragma once
// Results again, by exact arithmetic: is every frame there, and does nothing intersect in it?

#include "abut/run/result_folder.hpp"

namespace abut {

struct FrameFinding {
    int step;
    Verification found;
};

struct ResultsVerification {
    std::size_t num_frames = 0, num_bad = 0;
    std::vector<int> missing{};             ///< steps whose frames the run wrote and that are not there, rising
    std::vector<std::string> passed_over{}; ///< as ResultFolder::for_each_record()

    [[nodiscard]] bool is_good() const { return num_bad == 0 && missing.empty(); }
};

/// Tests every frame and tells of each that is not good as soon as it is known. Rejects results without frames, frames
/// that cannot be read, and meshes that have changed since the run.
[[nodiscard]] ResultsVerification
verify_results(const ResultFolder& results, const std::function<void(const FrameFinding&)>& tell);

} // namespace abut
