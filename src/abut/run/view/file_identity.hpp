#pragma once
// Tells whether a file is still the one it was, without reading it.

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>

namespace abut {

/// All 0 where there is no such file.
struct FileIdentity {
    std::uint64_t device = 0, number = 0, size = 0;
    std::int64_t seconds = 0, nanoseconds = 0; ///< of its last change

    bool operator==(const FileIdentity&) const = default;
    [[nodiscard]] bool exists() const { return number != 0; }
};

[[nodiscard]] inline FileIdentity identity_of(const std::filesystem::path& path)
{
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0)
        return {};
    return {
        status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec,
        status.st_mtim.tv_nsec};
}

} // namespace abut
