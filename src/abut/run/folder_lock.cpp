#include "abut/run/folder_lock.hpp"

#include "abut/base/error.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstring>

namespace abut {

namespace {

std::filesystem::path lock_path(const std::filesystem::path& folder) { return folder / "lock"; }

/// Those who ask whether the lock is held, such as a view every second, hold it for a moment themselves: one try could
/// meet them.
bool try_to_lock(int file)
{
    constexpr int most_tries = 10;
    constexpr useconds_t pause = 2000; // [us]
    for (int tries = 0; tries < most_tries; ++tries) {
        if (::flock(file, LOCK_EX | LOCK_NB) == 0)
            return true;
        ::usleep(pause);
    }
    return false;
}

} // namespace

FolderLock::FolderLock(const std::filesystem::path& folder, const char* who)
    : file_(::open(lock_path(folder).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644))
{
    if (file_ < 0)
        throw InputOutput(fmt::format("{}: cannot write there: {}", lock_path(folder).string(), std::strerror(errno)));
    if (!try_to_lock(file_)) {
        ::close(file_);
        reject("{}: {} is writing to this folder; choose another with -o", folder.string(), who);
    }
}

FolderLock::~FolderLock()
{
    if (file_ >= 0)
        ::close(file_);
}

bool FolderLock::is_held(const std::filesystem::path& folder)
{
    const int file = ::open(lock_path(folder).c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool is_locked = ::flock(file, LOCK_SH | LOCK_NB) != 0;
    ::close(file);
    return is_locked;
}

} // namespace abut
