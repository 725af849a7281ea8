// `abut view OUT | SCENE`: its words. What it does is in src/abut/run/view.

#include "commands.hpp"
#include "outputs.hpp"

#include "abut/base/parallel.hpp"
#include "abut/io/file.hpp"
#include "abut/run/view/result_view.hpp"
#include "abut/run/view/scene_view.hpp"
#include "abut/run/view/server.hpp"
#include "abut/run/view/site.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>

namespace abut {

namespace {

struct ViewArguments {
    std::filesystem::path what;
    int port = 0;
    bool open = false;
};

ViewServer* served = nullptr;

/// The second signal ends the program at once, in case a frame takes long.
void end_view(int signal)
{
    std::signal(signal, SIG_DFL);
    served->stop();
}

/// In a process that outlives this one. Returns why it could not be started; empty where it was.
std::string open_in_browser(const std::string& address)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return std::strerror(errno);
    const pid_t child = ::fork();
    if (child == 0) {
        // Its child belongs to nobody, so that nobody has to wait for it.
        if (::fork() != 0)
            _exit(0);
        ::setsid();
        const int nothing = ::open("/dev/null", O_RDWR);
        for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            ::dup2(nothing, file);
        ::execlp("xdg-open", "xdg-open", address.c_str(), nullptr);
        const int reason = errno;
        _exit(::write(ends[1], &reason, sizeof reason) < 0 ? 1 : 127);
    }
    const int fork_error = errno;
    ::close(ends[1]);
    int reason = 0;
    if (child > 0) {
        ::waitpid(child, nullptr, 0);
        if (::read(ends[0], &reason, sizeof reason) != sizeof reason) // it was started, which closes its end
            reason = 0;
    } else {
        reason = fork_error;
    }
    ::close(ends[0]);
    return reason == 0 ? "" : std::strerror(reason);
}

std::unique_ptr<ViewSource> source_of_view(const std::filesystem::path& what)
{
    std::error_code ignored;
    if (!std::filesystem::exists(what, ignored))
        reject(
            "{}: there is no such folder or file; give the folder that 'abut run' writes to (its -o), or a scene",
            absolute_name(what));
    if (!std::filesystem::is_directory(what, ignored))
        return std::make_unique<SceneView>(what);
    // A run beside it needs the machine more.
    set_num_threads(1);
    return std::make_unique<ResultView>(std::filesystem::absolute(what));
}

void view(const ViewArguments& arguments)
{
    ::setpriority(PRIO_PROCESS, 0, 10); // what is computed for pictures gives way to runs
    const std::unique_ptr<ViewSource> source = source_of_view(arguments.what);
    ViewServer server(arguments.port);
    served = &server;
    std::signal(SIGINT, end_view);
    std::signal(SIGTERM, end_view);
    const ViewSite site(random_token(), server.port(), *source);
    fmt::print("{}\n", site.address());
    std::fflush(stdout);
    if (isatty(STDERR_FILENO) != 0)
        fmt::print(stderr, "abut: open this address in a browser on this machine; Ctrl-C ends the view\n");
    if (arguments.open)
        if (const std::string reason = open_in_browser(site.address()); !reason.empty())
            fmt::print(
                stderr, "abut: warning: no browser was opened (xdg-open: {}); open the address by hand\n", reason);
    server.serve([&](const ViewRequest& request) { return site.respond(request); });
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

} // namespace

void add_view_command(CLI::App& app, ExitCode&)
{
    CLI::App* command = app.add_subcommand(
        "view", "Show results in the browser, while the run goes on and afterwards, or the start of a scene");
    auto options = std::make_shared<ViewArguments>();
    command
        ->add_option(
            "OUT|SCENE", options->what,
            "Folder of the results, or JSON file of a scene, which is shown with what keeps it from starting")
        ->required()
        ->check(named());
    command->add_option("--port", options->port, "Port of 127.0.0.1 [any that is free]")->check(CLI::Range(0, 65535));
    command->add_flag("--open", options->open, "Open the address with xdg-open");
    command->footer("Prints an address for browsers on this machine, with a secret in it; others are refused. Ctrl-C "
                    "ends the view,\n"
                    "which is its ordinary end (exit code 0). Nothing is written.");
    command->callback([options] { view(*options); });
}

} // namespace abut
