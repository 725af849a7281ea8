#pragma once
// Where tests find data. No other file of theirs has paths of this checkout among its definitions.

#include <filesystem>

namespace abut::test {

/// The values recorded from the reference toolkit (tests/data/README.md).
[[nodiscard]] std::filesystem::path oracle_folder();
/// Data of others, which is not in the repository: tests that use it skip where it is absent.
[[nodiscard]] std::filesystem::path reference_folder();
/// The scenes that are shipped.
[[nodiscard]] std::filesystem::path scene_folder();

} // namespace abut::test
