#pragma once
// What a command may write to. Nothing that a user may want to keep is replaced without being told to.

#include <filesystem>

namespace abut {

/// A file that the user named: rejects one that exists, unless `force`.
void check_output_file(const std::filesystem::path& path, bool force);

} // namespace abut
