#include "abut/io/file.hpp"

#include "abut/base/error.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

namespace abut {

namespace fs = std::filesystem;

namespace {

std::string reason(int error) { return std::generic_category().message(error); }

void check_path(const fs::path& path)
{
    if (path.empty())
        reject("the path is empty; name a file");
    if (path.native().find('\0') != fs::path::string_type::npos)
        reject("the path '{}' contains a zero byte; remove it", path.c_str());
}

/// Closes the descriptor at the end of the scope, whatever happens.
class Descriptor {
public:
    explicit Descriptor(int value) : value_(value) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (value_ >= 0)
            ::close(value_);
    }
    [[nodiscard]] int get() const { return value_; }
    /// Closes now; false if the system reports that bytes were lost.
    [[nodiscard]] bool close() { return ::close(std::exchange(value_, -1)) == 0; }

private:
    int value_;
};

std::string_view kind_of(fs::file_type type)
{
    switch (type) {
    case fs::file_type::directory:
        return "a folder";
    case fs::file_type::fifo:
        return "a pipe";
    case fs::file_type::socket:
        return "a socket";
    case fs::file_type::character:
    case fs::file_type::block:
        return "a device";
    default:
        return "no regular file";
    }
}

} // namespace

std::string absolute_name(const fs::path& path)
{
    std::error_code error;
    const fs::path resolved = fs::weakly_canonical(fs::absolute(path, error), error);
    return error ? path.string() : resolved.string();
}

std::string read_file(const fs::path& path, std::uintmax_t max_bytes)
{
    check_path(path);
    const auto refused = [&](int error) {
        return InputOutput(
            fmt::format("{}: cannot be read ({}); check its permissions", absolute_name(path), reason(error)));
    };

    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found)
        reject("{}: no such file; check the path", absolute_name(path));
    if (status.type() == fs::file_type::none)
        throw refused(error.value());
    if (status.type() != fs::file_type::regular)
        reject("{}: is {}; name a regular file", absolute_name(path), kind_of(status.type()));

    // Meanwhile the path may have become that of a pipe: do not wait for it, and check what was opened.
    Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    struct stat opened = {};
    if (file.get() < 0 || ::fstat(file.get(), &opened) != 0)
        throw refused(errno);
    if (!S_ISREG(opened.st_mode))
        reject("{}: is no regular file; name one", absolute_name(path));
    const auto size = static_cast<std::uintmax_t>(opened.st_size);
    if (size > max_bytes)
        throw LimitReached(fmt::format(
            "{}: has {} bytes, above the limit of {}; raise the limit or use a smaller file", absolute_name(path), size,
            max_bytes));

    std::string content(size, '\0');
    std::size_t done = 0;
    while (done < content.size()) {
        const ssize_t count = ::read(file.get(), content.data() + done, content.size() - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            throw refused(errno);
        if (count == 0)
            throw InputOutput(
                fmt::format("{}: became shorter while it was read; wait until it is written", absolute_name(path)));
        done += static_cast<std::size_t>(count);
    }
    return content;
}

void write_file(const fs::path& path, std::string_view content)
{
    check_path(path);
    static std::atomic<unsigned> counter = 0;
    fs::path temporary = path;
    temporary += fmt::format(".tmp-{}-{}", ::getpid(), counter++);
    const auto failed = [&](int error) {
        return InputOutput(fmt::format(
            "{}: cannot be written ({}); check that the folder exists, is writable and has space", absolute_name(path),
            reason(error)));
    };

    Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.get() < 0)
        throw failed(errno);
    const auto fill = [&] {
        std::size_t done = 0;
        while (done < content.size()) {
            const ssize_t count = ::write(file.get(), content.data() + done, content.size() - done);
            if (count < 0 && errno == EINTR)
                continue;
            if (count < 0)
                return false;
            done += static_cast<std::size_t>(count);
        }
        return file.close();
    };
    if (!fill() || ::rename(temporary.c_str(), path.c_str()) != 0) {
        const int error = errno;
        ::unlink(temporary.c_str());
        throw failed(error);
    }
}

} // namespace abut
