#include "abut/run/verify_results.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/run/fingerprint.hpp"

#include <algorithm>
#include <set>

namespace abut {

namespace {

/// Finds the frames that the run wrote, by its statistics, its index and the rhythm of its frames, and which are not
/// there. `every`: steps per frame.
void find_missing(
    const ResultFolder& results, const std::vector<int>& frames, int every, ResultsVerification& verification)
{
    int first = frames.front(), last = frames.back();
    bool has_records = false;
    verification.passed_over = results.for_each_record([&](StepRecord&& record) {
        if (!has_records)
            first = std::min(first, record.step - 1); // repro/ does not begin with step 0
        has_records = true;
        // A run that is killed may leave the statistics of a last step without its frame.
        last = std::max(last, record.step - 1);
    });
    std::set<int> wanted{first};
    for (std::int64_t step = (std::int64_t(first) / every + 1) * every; step <= last; step += every)
        wanted.insert(static_cast<int>(step));
    for (const int step : results.indexed_steps())
        wanted.insert(step);
    std::set_difference(
        wanted.begin(), wanted.end(), frames.begin(), frames.end(), std::back_inserter(verification.missing));
}

} // namespace

ResultsVerification verify_results(const ResultFolder& results, const std::function<void(const FrameFinding&)>& tell)
{
    Simulation simulation(scene_of_run(results));
    const std::vector<int> frames = results.frame_steps();
    if (frames.empty())
        reject("{}: no frames to verify; run the scene again with --force", absolute_name(results.folder()));
    ResultsVerification verification{.num_frames = frames.size()};
    for (const int step : frames) {
        const Frame frame = read_vtu(results.frame_path(step));
        if (frame.step != step)
            reject("{}: it holds step {}; give it its name back", results.frame_path(step).string(), frame.step);
        simulation.set_state(state_of(frame));
        const Verification found = simulation.verify();
        if (found.is_good())
            continue;
        ++verification.num_bad;
        tell({step, found});
    }
    find_missing(results, frames, simulation.scene().frame_every, verification);
    return verification;
}

} // namespace abut
