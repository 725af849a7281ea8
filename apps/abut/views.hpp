#pragma once
// What pictures and animations of a run are made from.

#include "abut/draw/render.hpp"

#include "abut/run/result_folder.hpp"

namespace abut {

/// Up to `count` frames of a run, evenly spread from the first to the last; the last where count is 1. Rejects runs
/// without frames, and frames that do not fit the run.
struct RunFrames {
    std::vector<Frame> frames;
    std::size_t num_available = 0;
};
/// The steps of these frames.
[[nodiscard]] std::vector<int> chosen_steps(const ResultFolder& results, int count);
[[nodiscard]] RunFrames read_frames(const ResultFolder& results, int count);

/// Bodies have colours of their own, obstacles are grey.
[[nodiscard]] Look make_look(const Scene& scene);

struct RenderOptions {
    std::filesystem::path results, picture; ///< picture: OUT/picture.png where empty, and then replaced
    bool force = false;                     ///< replace another picture too
    int frames = 6;
    std::string size = "480x360";
    std::optional<std::string> eye{}, target{}, up{}; ///< "X,Y,Z"; left out: chosen
    double zoom = 1;
};
/// `abut render`: frames side by side in one picture. Prints where it is.
void render_results(RenderOptions options);

struct ExportOptions {
    std::filesystem::path results, file; ///< file: OUT/animation.glb where empty, and then replaced
    bool force = false;                  ///< replace another file too
    bool stress = false;                 ///< frames with stress and strain instead, in OUT/stress
    int frames = 120;
};
/// `abut export`: the run as an animation, or as frames with stress and strain. Prints where it is.
void export_results(ExportOptions options);

} // namespace abut
