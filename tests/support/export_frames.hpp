#pragma once
// Frames for tests of files for other programs: a solid, cloth, a curve, single points.

#include "abut/io/object_parts.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace abut::test {

/// A moving ball of tets (object 0), a standing sheet (1), a moving rod (2), and two moving points (3).
[[nodiscard]] std::vector<Frame> frames_of_all_kinds(int count);

/// Their looks; names that need care.
[[nodiscard]] std::vector<ObjectLook> looks_of_all_kinds();

/// A file of a folder for tests.
[[nodiscard]] std::filesystem::path export_path(const std::string& name);

} // namespace abut::test
