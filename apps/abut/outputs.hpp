#pragma once
// What a command may write to. Nothing that a user may want to keep is replaced without being told to.

#include <CLI/CLI.hpp>

#include <filesystem>
#include <vector>

namespace abut {

/// A file that the user named: rejects one that exists, unless `force`, and one that the command reads, by whatever
/// name.
void check_output_file(
    const std::filesystem::path& path, bool force, const std::vector<std::filesystem::path>& inputs = {});

/// Rejects an empty name on the command line, which is most likely a variable of a script that is not set.
[[nodiscard]] CLI::Validator named();

} // namespace abut
