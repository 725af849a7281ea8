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

FileWriter::FileWriter(fs::path path) : path_(std::move(path)), file_(-1)
{
    check_path(path_);
    static std::atomic<unsigned> counter = 0;
    temporary_ = path_;
    temporary_ += fmt::format(".tmp-{}-{}", ::getpid(), counter++);
    file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ < 0)
        fail(errno);
}

FileWriter::~FileWriter()
{
    if (file_ < 0)
        return;
    ::close(file_);
    ::unlink(temporary_.c_str());
}

void FileWriter::fail(int error) const
{
    throw InputOutput(fmt::format(
        "{}: cannot be written ({}); check that the folder exists, is writable and has space", absolute_name(path_),
        reason(error)));
}

void FileWriter::write(std::string_view bytes)
{
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::write(file_, bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            fail(errno);
        done += static_cast<std::size_t>(count);
    }
}

void FileWriter::finish()
{
    // The system may report only now that bytes were lost.
    const bool is_closed = ::close(std::exchange(file_, -1)) == 0;
    if (is_closed && ::rename(temporary_.c_str(), path_.c_str()) == 0)
        return;
    const int error = errno;
    ::unlink(temporary_.c_str());
    fail(error);
}

void write_file(const fs::path& path, std::string_view content)
{
    FileWriter file(path);
    file.write(content);
    file.finish();
}

} // namespace abut
