#pragma once
// What pictures and animations of a run are made from.

#include "draw/render.hpp"

#include "abut/run/result_folder.hpp"

namespace abut {

/// Frames of a run: up to `count` of them, evenly spread, with the first and the last; of one only the last. Rejects
/// runs without frames and frames that do not fit the run.
struct RunFrames {
    std::vector<Frame> frames;
    std::size_t num_available = 0;
};
[[nodiscard]] RunFrames read_frames(const ResultFolder& results, int count);

/// Bodies have colours of their own, obstacles are grey.
[[nodiscard]] Look make_look(const Scene& scene);

struct RenderOptions {
    std::filesystem::path results, picture; ///< picture: OUT/picture.png where empty, which is replaced
    bool force = false;                     ///< replace another picture too
    int frames = 6;
    std::string size = "480x360";
};
/// `abut render`: frames side by side in one picture. Prints where it is.
void render_results(RenderOptions options);

struct ExportOptions {
    std::filesystem::path results, file; ///< file: OUT/animation.glb where empty, which is replaced
    bool force = false;                  ///< replace another file too
    int frames = 120;
};
/// `abut export`: the run as an animation. Prints where it is.
void export_results(ExportOptions options);

} // namespace abut
