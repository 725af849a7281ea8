#pragma once
// The script that shows playbacks in pages (docs/playback.md).

#include <string_view>

namespace abut {

/// For a script element of a page; no part of it ends that element.
[[nodiscard]] std::string_view viewer_script();

} // namespace abut
