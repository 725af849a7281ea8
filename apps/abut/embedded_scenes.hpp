#pragma once
// The scenes of the folder `scenes`, which are part of the program, so that demos run wherever it is installed. CMake
// writes the source file.

#include <span>
#include <string_view>

namespace abut {

struct EmbeddedScene {
    std::string_view name; ///< of the file, without its extension
    std::string_view text; ///< JSON
};

/// Sorted by name.
[[nodiscard]] std::span<const EmbeddedScene> embedded_scenes();

} // namespace abut
