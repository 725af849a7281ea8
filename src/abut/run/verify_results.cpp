#include "abut/run/verify_results.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/run/fingerprint.hpp"

#include <algorithm>
#include <set>

namespace abut {

namespace {

/// What the statistics and the index of a run say about its frames. It is read before the frames are looked for, since
/// a run that goes on writes more of them all the time.
struct Promised {
    bool is_running = false;
    std::optional<int> first, last;       ///< steps between which frames follow the scene's rhythm
    std::vector<int> indexed;             ///< steps that the index lists
    std::vector<std::string> passed_over; ///< as ResultFolder::for_each_record()
};

Promised promised_by(const ResultFolder& results)
{
    Promised promised{
        .is_running = results.is_being_written(),
        .first = {},
        .last = {},
        .indexed = results.indexed_steps(),
        .passed_over = {}};
    promised.passed_over = results.for_each_record([&](StepRecord&& record) {
        // repro/ does not begin with step 0. The frame of the last line may be in work, or lost with a run that was
        // killed.
        promised.first = promised.first.value_or(record.step - 1);
        promised.last = std::max(promised.last.value_or(0), record.step - 1);
    });
    return promised;
}

/// The frames that must be there, by what was promised and by the distance of those that are, but are not. `every`:
/// steps per frame.
std::vector<int> missing_frames(const Promised& promised, const std::vector<int>& frames, int every)
{
    const int first = std::min(frames.front(), promised.first.value_or(frames.front()));
    // While a run goes on, a list of its folder may have its newest frame and not the one before.
    const int last = promised.is_running ? promised.last.value_or(first)
                                         : std::max(frames.back(), promised.last.value_or(frames.back()));
    std::set<int> wanted{first};
    for (std::int64_t step = (std::int64_t(first) / every + 1) * every; step <= last; step += every)
        wanted.insert(static_cast<int>(step));
    wanted.insert(promised.indexed.begin(), promised.indexed.end());
    std::vector<int> missing;
    std::set_difference(wanted.begin(), wanted.end(), frames.begin(), frames.end(), std::back_inserter(missing));
    return missing;
}

} // namespace

ResultsVerification verify_results(const ResultFolder& results, const std::function<void(const FrameFinding&)>& tell)
{
    Simulation simulation(scene_of_run(results));
    Promised promised = promised_by(results);
    const std::vector<int> frames = results.frame_steps();
    if (frames.empty())
        reject("{}: no frames to verify; run the scene again with --force", absolute_name(results.folder()));
    ResultsVerification verification{
        .num_frames = frames.size(),
        .is_running = promised.is_running,
        .missing = missing_frames(promised, frames, simulation.scene().frame_every),
        .passed_over = std::move(promised.passed_over)};
    for (const int step : frames) {
        const Frame frame = results.frame(step);
        if (frame.step != step)
            reject("{}: it holds step {}; give it its name back", results.frame_path(step).string(), frame.step);
        simulation.set_state(state_of(frame));
        const Verification found = simulation.verify();
        if (found.is_good())
            continue;
        ++verification.num_bad;
        tell({step, found});
    }
    return verification;
}

} // namespace abut
