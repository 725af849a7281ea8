#pragma once
// Keeps others from writing to a folder: a file `lock` in it, locked while the object lives, and freed by the system
// where the process dies.

#include <filesystem>
#include <utility>

namespace abut {

class FolderLock {
public:
    /// Holds nothing.
    FolderLock() = default;
    /// Throws InvalidInput where another holds it, saying that `who`, e.g. "another run", is writing there; InputOutput
    /// where the folder cannot be written to.
    FolderLock(const std::filesystem::path& folder, const char* who);
    ~FolderLock();
    FolderLock(FolderLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    FolderLock& operator=(FolderLock&& other) noexcept
    {
        std::swap(file_, other.file_);
        return *this;
    }

    [[nodiscard]] bool is_held() const { return file_ >= 0; }
    /// By anyone, this process included?
    [[nodiscard]] static bool is_held(const std::filesystem::path& folder);

private:
    int file_ = -1;
};

} // namespace abut
