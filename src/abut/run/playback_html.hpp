#pragma once
// Playbacks within pages: the elements that the viewer's script finds its data in (docs/playback.md).

#include "abut/draw/png.hpp"
#include "abut/run/result_playback.hpp"

#include <string>
#include <string_view>

namespace abut {

struct PlaybackElement {
    std::string name;        ///< of letters, digits and -, different from others on the page
    std::string group{};     ///< viewers of a group share time and camera; empty: none
    std::string reference{}; ///< the name of another playback that it can be compared to; empty: none
    std::string fallback{};  ///< HTML for browsers that cannot show it
};

[[nodiscard]] std::string playback_html(const PackedPlayback& playback, const PlaybackElement& element);

/// The script that brings all playbacks of a page to life; behind them.
[[nodiscard]] std::string viewer_html();

/// [px]
struct PictureSize {
    int width = 760, height = 480;
};
/// A picture of a frame: everything in it, three quarters from above.
[[nodiscard]] Image
picture_of_frame(const ResultFolder& results, const Scene& scene, int step, const PictureSize& size = {});
/// The same as an element: for browsers that cannot play.
[[nodiscard]] std::string picture_html(const ResultFolder& results, const Scene& scene, int step);

/// A button that saves bytes as a file.
[[nodiscard]] std::string
download_html(std::string_view file, std::string_view type, std::string_view bytes, std::string_view label);

} // namespace abut
