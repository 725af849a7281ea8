#pragma once
// Playbacks within pages: the elements that the viewer's script finds its data in (docs/playback.md).

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

/// A picture of a frame, as an element: for browsers that cannot play.
[[nodiscard]] std::string picture_html(const ResultFolder& results, const Scene& scene, int step);

/// A button that saves bytes as a file.
[[nodiscard]] std::string
download_html(std::string_view file, std::string_view type, std::string_view bytes, std::string_view label);

} // namespace abut
