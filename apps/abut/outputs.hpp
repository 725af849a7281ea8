#pragma once
// What a command may write to. Nothing that a user may want to keep is replaced without being told to.

#include <filesystem>

namespace abut {

/// Rejects names that no terminal or script handles well: control characters, parts beyond 255 bytes.
void check_output_name(const std::filesystem::path& path);

/// A file that the user named: rejects one that exists, unless `force`.
void check_output_file(const std::filesystem::path& path, bool force);

/// Is the file in the folder, or deeper in it?
[[nodiscard]] bool is_inside(const std::filesystem::path& file, const std::filesystem::path& folder);

} // namespace abut
