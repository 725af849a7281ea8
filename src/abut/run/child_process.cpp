#include "abut/run/child_process.hpp"

#include "abut/base/error.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace abut {

namespace {

constexpr int not_started = 127;             // as shells have it
constexpr std::size_t most_errors = 1 << 16; // [bytes]

struct Pipe {
    int read_end = -1, write_end = -1;

    enum class Kind : std::uint8_t { pipe, socket };

    explicit Pipe(Kind kind = Kind::pipe)
    {
        std::array<int, 2> ends{};
        const int made = kind == Kind::pipe ? ::pipe2(ends.data(), O_CLOEXEC)
                                            : ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data());
        if (made != 0)
            throw InputOutput(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
        read_end = ends[0];
        write_end = ends[1];
    }
    ~Pipe()
    {
        close_end(read_end);
        close_end(write_end);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    static void close_end(int& end)
    {
        if (end >= 0)
            ::close(end);
        end = -1;
    }
};

/// In the new process: becomes the command, or ends. An input or output of -1 is none. Makes only calls that are safe
/// after fork().
[[noreturn]] void
become(char* const* arguments, int input, int output, int errors, pid_t parent, bool leads_group = false)
{
    if (leads_group)
        ::setpgid(0, 0);
#ifdef __linux__
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (::getppid() != parent)
        _exit(not_started);
    const int nothing = ::open("/dev/null", O_RDWR);
    ::dup2(input >= 0 ? input : nothing, STDIN_FILENO);
    ::dup2(output >= 0 ? output : nothing, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    ::execv(arguments[0], arguments);
    const char* const reason = std::strerror(errno);
    constexpr std::string_view before = "cannot be started: ";
    if (::write(STDERR_FILENO, before.data(), before.size()) < 0 ||
        ::write(STDERR_FILENO, reason, std::strlen(reason)) < 0)
        _exit(not_started);
    _exit(not_started);
}

double seconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

std::int64_t peak_of(const rusage& usage) { return std::int64_t(usage.ru_maxrss) * 1024; }

/// The most memory that a running process has had so far, where the system tells.
std::optional<std::int64_t> present_peak(pid_t process)
{
    std::ifstream status(fmt::format("/proc/{}/status", process));
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:"))
            return std::strtoll(line.c_str() + 6, nullptr, 10) * 1024;
    return {};
}

/// A file without a name, for what a process prints: unlike a pipe it never fills up while nobody reads.
class KeptOutput {
public:
    KeptOutput() : file_(std::tmpfile())
    {
        if (file_ == nullptr)
            throw InputOutput(fmt::format("cannot make a temporary file: {}", std::strerror(errno)));
        ::fcntl(descriptor(), F_SETFD, FD_CLOEXEC);
    }
    ~KeptOutput() { std::fclose(file_); }
    KeptOutput(const KeptOutput&) = delete;
    KeptOutput& operator=(const KeptOutput&) = delete;

    [[nodiscard]] int descriptor() const { return ::fileno(file_); }
    [[nodiscard]] std::string read() const
    {
        std::string text;
        std::array<char, 4096> bytes{};
        for (ssize_t count = 1; count > 0;) {
            count = ::pread(descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(text.size()));
            if (count > 0)
                text.append(bytes.data(), static_cast<std::size_t>(count));
        }
        return text;
    }

private:
    std::FILE* file_;
};

/// Keeps the end of what the process writes, until it ends.
class Watch {
public:
    Watch(pid_t process, int errors, const ChildStop& stop) : process_(process), errors_(errors), stop_(stop) {}

    void until_end(const std::function<bool()>& goes_on, ChildReport& report)
    {
        for (int pause = 5; !is_over_; pause = std::min(2 * pause, 100)) { // [ms]
            pollfd ready{.fd = errors_, .events = POLLIN, .revents = 0};
            if (::poll(&ready, 1, pause) > 0)
                read(report.errors);
            if (is_over_)
                break;
            if (const std::optional<std::int64_t> peak = present_peak(process_))
                report.peak_bytes = peak;
            if (!report.was_stopped && !goes_on()) {
                report.was_stopped = true;
                asked_ = std::chrono::steady_clock::now();
                end_by(stop_.signal);
            } else if (
                report.was_stopped &&
                std::chrono::steady_clock::now() - asked_ > std::chrono::duration<double>(stop_.patience))
                end_by(SIGKILL);
        }
    }

private:
    void end_by(int signal) const { ::kill(stop_.has_group ? -process_ : process_, signal); }

    void read(std::string& errors)
    {
        std::array<char, 4096> bytes{};
        const ssize_t count = ::read(errors_, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            return;
        is_over_ = count <= 0;
        if (count > 0)
            errors.append(bytes.data(), static_cast<std::size_t>(count));
        if (errors.size() > most_errors)
            errors.erase(0, errors.size() - most_errors);
    }

    pid_t process_;
    int errors_;
    const ChildStop& stop_;
    std::chrono::steady_clock::time_point asked_; // to end
    bool is_over_ = false;
};

/// The process counts the memory of the one it was forked from, so only what is above that is its own for sure.
void add_usage(const rusage& usage, std::int64_t peak_before, ChildReport& report)
{
    report.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    if (const std::int64_t peak = peak_of(usage); peak > peak_before)
        report.peak_bytes = peak;
}

} // namespace

ChildReport run_child(
    const std::vector<std::string>& command, const std::function<bool()>& goes_on, const ChildStop& stop,
    ChildOutput output)
{
    std::vector<std::string> words = command;
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);

    Pipe errors;
    std::optional<KeptOutput> kept;
    if (output == ChildOutput::kept)
        kept.emplace();
    rusage own{};
    ::getrusage(RUSAGE_SELF, &own);
    const pid_t parent = ::getpid();
    const auto start = std::chrono::steady_clock::now();
    const pid_t process = ::fork();
    if (process < 0)
        throw InputOutput(fmt::format("{}: cannot be started: {}", command[0], std::strerror(errno)));
    if (process == 0)
        become(arguments.data(), -1, kept ? kept->descriptor() : -1, errors.write_end, parent, stop.has_group);
    if (stop.has_group)
        ::setpgid(process, process); // in both processes: whichever comes first
    Pipe::close_end(errors.write_end);

    ChildReport report;
    Watch(process, errors.read_end, stop).until_end(goes_on, report);
    int status = 0;
    rusage usage{};
    while (::wait4(process, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    report.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    report.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    add_usage(usage, peak_of(own), report);
    if (kept)
        report.output = kept->read();
    return report;
}

FedChild::FedChild(const std::vector<std::string>& command)
{
    std::vector<std::string> words = command;
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);

    // A socket instead of a pipe: writing to one whose reader ended is an error there, and no signal.
    Pipe input(Pipe::Kind::socket), errors;
    const pid_t parent = ::getpid();
    process_ = ::fork();
    if (process_ < 0)
        throw InputOutput(fmt::format("{}: cannot be started: {}", command[0], std::strerror(errno)));
    if (process_ == 0)
        become(arguments.data(), input.read_end, -1, errors.write_end, parent);
    input_ = std::exchange(input.write_end, -1);
    errors_ = std::exchange(errors.read_end, -1);
    ::fcntl(errors_, F_SETFL, O_NONBLOCK);
}

FedChild::~FedChild()
{
    Pipe::close_end(input_);
    Pipe::close_end(errors_);
    if (process_ < 0)
        return;
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void FedChild::read_errors()
{
    std::array<char, 4096> bytes{};
    for (ssize_t count = 1; count > 0;) {
        count = ::read(errors_, bytes.data(), bytes.size());
        if (count > 0)
            text_.append(bytes.data(), static_cast<std::size_t>(count));
    }
    if (text_.size() > most_errors)
        text_.erase(0, text_.size() - most_errors);
}

bool FedChild::feed(std::string_view bytes)
{
    while (!bytes.empty()) {
        // What it writes is read meanwhile: else it could wait for us, and we for it.
        std::array<pollfd, 2> ready{
            {{.fd = input_, .events = POLLOUT, .revents = 0}, {.fd = errors_, .events = POLLIN, .revents = 0}}};
        if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR)
            return false;
        if ((ready[1].revents & POLLIN) != 0)
            read_errors();
        if (ready[0].revents == 0) {
            if ((ready[1].revents & POLLHUP) != 0)
                return false;
            continue;
        }
        const ssize_t count = ::send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK))
            continue;
        if (count < 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

ChildReport FedChild::finish()
{
    Pipe::close_end(input_);
    ::fcntl(errors_, F_SETFL, 0); // until it closes them, which is its end
    read_errors();
    ChildReport report;
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    report.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    report.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    report.errors = text_;
    return report;
}

std::string find_program(std::string_view name)
{
    const char* const path = std::getenv("PATH");
    std::string_view folders = path != nullptr ? path : "";
    while (!folders.empty()) {
        const std::size_t end = std::min(folders.find(':'), folders.size());
        const std::string file = fmt::format("{}/{}", folders.substr(0, end), name);
        struct stat found = {};
        if (end > 0 && ::stat(file.c_str(), &found) == 0 && S_ISREG(found.st_mode) && ::access(file.c_str(), X_OK) == 0)
            return file;
        folders.remove_prefix(std::min(end + 1, folders.size()));
    }
    return "";
}

} // namespace abut
