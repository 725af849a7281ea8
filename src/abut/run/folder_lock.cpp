#include "abut/run/folder_lock.hpp"

#include "abut/base/error.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
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

/// Best effort: the name is for people, the lock holds without it.
void write_owner(int file)
{
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0)
        return;
    const std::string owner = fmt::format("process {} on {}\n", ::getpid(), host.data());
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, owner.data(), owner.size(), 0) < 0)
        return;
}

/// " (process 123 on host)"; empty where it is not known.
std::string owner_of(int file)
{
    std::array<char, 512> text{};
    const ssize_t count = ::pread(file, text.data(), text.size(), 0);
    const std::string_view owner(text.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    const std::size_t end = owner.find('\n');
    return end == std::string_view::npos || !owner.starts_with("process ") ? ""
                                                                           : fmt::format(" ({})", owner.substr(0, end));
}

} // namespace

FolderLock::FolderLock(const std::filesystem::path& folder, const char* who)
    : file_(::open(lock_path(folder).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644))
{
    if (file_ < 0)
        throw InputOutput(fmt::format("{}: cannot write there: {}", lock_path(folder).string(), std::strerror(errno)));
    if (!try_to_lock(file_)) {
        const std::string owner = owner_of(file_);
        ::close(file_);
        reject("{}: {}{} is writing to this folder; choose another with -o", folder.string(), who, owner);
    }
    write_owner(file_);
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
