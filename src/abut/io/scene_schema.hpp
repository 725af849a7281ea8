#pragma once
// What is made from the table of scene keys for others to read: a JSON Schema and tables of Markdown.

#include <string>
#include <vector>

namespace abut {

/// The JSON Schema (draft 7) of scenes. What it accepts, the parser may still refuse: names of objects and files that
/// are not there, and keys that do not go together.
[[nodiscard]] std::string scene_schema();

/// A table of docs/scenes.md.
struct SceneTable {
    std::string name; ///< of its markers there
    std::string text;
};
[[nodiscard]] std::vector<SceneTable> scene_tables();

} // namespace abut
