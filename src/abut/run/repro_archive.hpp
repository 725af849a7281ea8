#pragma once
// What someone else needs to see the same, as one file.

#include "abut/run/result_folder.hpp"

#include <optional>
#include <string>

namespace abut {

/// After a failure repro/, which `abut resume` continues with the failing step; else the scene with its meshes, which
/// `abut run` starts anew.
struct ReproArchive {
    std::string bytes; ///< of a ZIP file
    bool is_failure = false;
};

/// Nothing where its files are larger than `most_bytes` together, or cannot be read.
[[nodiscard]] std::optional<ReproArchive>
repro_archive(const ResultFolder& results, bool is_failure, std::uintmax_t most_bytes);

} // namespace abut
