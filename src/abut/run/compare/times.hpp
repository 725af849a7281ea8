#pragma once
// Makes runs end at the same time, with frames at equal times, whatever their time steps.

#include "abut/sim/scene.hpp"

#include <optional>

namespace abut {

/// The times of a run before they are made equal.
struct RunTimes {
    double dt;                       ///< [s]
    std::optional<int> steps, every; ///< where the run has settings of its own for them
};

/// What all runs share.
struct CommonTimes {
    double end, frame_interval; ///< [s]
};

struct TimeRefusal {
    std::size_t run;
    std::string reason;
};

/// The end and the interval of frames: those of the scene, unless runs have settings of their own. Frames are as many
/// as fall on whole steps of every run. Adds to `refused` the runs that cannot end there, or save frames there.
[[nodiscard]] CommonTimes common_times(
    const SceneTime& time, int frame_every, const std::vector<RunTimes>& runs, std::vector<TimeRefusal>& refused);

/// The times of frames, without the start; the last is the end.
[[nodiscard]] std::vector<double> frame_times(const CommonTimes& times);

/// The frames that are nearest to a quarter, half and all of the way.
[[nodiscard]] std::vector<std::size_t> usual_frames(const std::vector<double>& times);
/// The frame at a time; rejects a time without one.
[[nodiscard]] std::size_t frame_at(const std::vector<double>& times, double time);

} // namespace abut
