#pragma once
// The viewer for pages, viewer/dist/viewer.js, as it was when the library was built.

#include <string_view>

namespace abut {

[[nodiscard]] std::string_view viewer_script();

} // namespace abut
