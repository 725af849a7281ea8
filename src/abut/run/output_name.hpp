#pragma once
// Names of what a run may write to.

#include <filesystem>

namespace abut {

/// Rejects names that no terminal or script handles well: control characters, parts beyond 255 bytes.
void check_output_name(const std::filesystem::path& path);

/// Is the file in the folder, or deeper in it?
[[nodiscard]] bool is_inside(const std::filesystem::path& file, const std::filesystem::path& folder);

} // namespace abut
