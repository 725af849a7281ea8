#pragma once
// What pictures and animations of a run are made from.

#include "abut/draw/render.hpp"

#include "abut/run/result_folder.hpp"

#include <functional>
#include <optional>

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
/// Visits the frames of steps one after the other, without holding more than one.
void for_each_frame(
    const ResultFolder& results, const std::vector<int>& steps, const std::function<void(Frame&&)>& visit);

/// Bodies have colours of their own, obstacles are grey.
[[nodiscard]] Look make_look(const Scene& scene);

/// Writes the time into the upper left corner, with as many digits as a run up to `last_time` needs [s].
void draw_time(Image& image, double time, double last_time);

/// What a picture shows, in the words of the program's options.
struct ViewOptions {
    std::string size;                                 ///< "1280x720"
    std::optional<std::string> eye{}, target{}, up{}; ///< "X,Y,Z"; left out: chosen
    double zoom = 1;
};

struct RenderOptions {
    std::filesystem::path results, picture; ///< picture: OUT/picture.png where empty, and then replaced
    bool force = false;                     ///< replace another picture too
    int frames = 6;
    ViewOptions view{.size = "480x360"}; ///< of each frame
};
/// `abut render`: frames side by side in one picture. Prints where it is.
void render_results(RenderOptions options);

struct ExportOptions {
    std::filesystem::path results,
        file;                      ///< file, folder or pattern; a usual place in OUT where empty, and then replaced
    bool force = false;            ///< replace another file too
    bool stress = false;           ///< frames with stress and strain instead, in OUT/stress
    std::string format{};          ///< "obj"; empty: by the ending of the file, glb where there is no file
    std::optional<int> frames{};   ///< at most; left out: 120, and of pictures as many as `fps` wants
    std::optional<double> fps{};   ///< pictures, or time codes, in a second [30]
    std::optional<double> speed{}; ///< seconds of the run in one of the animation [1]
    ViewOptions view{.size = "1280x720"};
};
/// `abut export`: the run as an animation, or as frames with stress and strain. Prints where it is.
void export_results(ExportOptions options);

} // namespace abut
