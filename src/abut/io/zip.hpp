#pragma once
// ZIP archives, which every desktop opens.

#include <span>
#include <string>

namespace abut {

struct ZipEntry {
    std::string name;  ///< with / between folders, relative
    std::string bytes; ///< less than 4 GB, all together too
};

/// The bytes of an archive. Times of files are left at their zero, so that the same entries give the same bytes.
[[nodiscard]] std::string zip(std::span<const ZipEntry> entries);

} // namespace abut
