// The command line. Each command is a function in a file of its own; this file parses, dispatches and turns every
// exception into a message and an exit code.

#include "commands.hpp"

#include "abut/base/error.hpp"
#include "abut/base/memory.hpp"
#include "abut/base/parallel.hpp"
#include "abut/base/suggest.hpp"
#include "abut/base/version.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <limits>
#include <new>
#include <system_error>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace {

/// Every iteration of Newton allocates and frees large matrices. By default the C library returns their memory to the
/// system and gets it back page by page, cleared, which takes a tenth of the time of large scenes. The program keeps
/// it.
void keep_freed_memory()
{
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

/// A bug in Abut: everything foreseen has a code of its own (sysexits.h calls this EX_SOFTWARE).
constexpr int internal_error = 70;

constexpr const char* exit_codes =
    "Exit codes: 0 done, 1 findings (check, verify) or a run whose report does not call it good, 2 bad usage,\n"
    "3 invalid input, 4 invalid start, 5 not converged, 6 limit reached, 7 input/output, 130 interrupted.";

int run(int argc, char** argv)
{
    CLI::App app("Contact simulation in which nothing passes through anything.", "abut");
    app.set_version_flag("--version", std::string("abut ") + abut::version);
    app.footer(exit_codes);
    app.require_subcommand(1);

    abut::ExitCode exit_code = abut::ExitCode::done;
    abut::add_run_commands(app, exit_code);
    abut::add_compare_command(app, exit_code);
    abut::add_sweep_commands(app, exit_code);
    abut::add_view_command(app, exit_code);
    abut::add_render_command(app, exit_code);
    abut::add_export_command(app, exit_code);
    abut::add_plot_command(app, exit_code);
    abut::add_demo_command(app, exit_code);
    abut::add_schema_command(app, exit_code);
    abut::add_check_command(app, exit_code);
    abut::add_bench_command(app, exit_code);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0)
            return app.exit(error);
        std::vector<std::string> commands;
        for (const CLI::App* command : app.get_subcommands({}))
            if (!command->get_group().empty())
                commands.push_back(command->get_name());
        const bool is_unknown_command = argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty();
        if (is_unknown_command) {
            // CLI11 reports it as a missing command.
            const std::string suggestion = abut::nearest_word(argv[1], commands);
            fmt::print(stderr, "abut: unknown command '{}'", argv[1]);
            fmt::print(stderr, "{}\n", suggestion.empty() ? "" : fmt::format("; did you mean '{}'?", suggestion));
        } else {
            fmt::print(stderr, "abut: {}\n", error.what());
        }
        fmt::print(stderr, "Run 'abut --help' for the commands and 'abut COMMAND --help' for their options.\n");
        return static_cast<int>(abut::ExitCode::bad_usage);
    }

    return static_cast<int>(exit_code);
}

int report_no_memory()
{
    fmt::print(
        stderr, "abut: out of memory: {}; use a coarser mesh or a machine with more memory\n",
        abut::memory_left().text());
    return static_cast<int>(abut::ExitCode::limit_reached);
}

} // namespace

void abut::add_threads_option(CLI::App& command)
{
    command
        .add_option_function<int>(
            "--threads", [](int count) { abut::set_num_threads(count); }, "Threads to use; 0 for all")
        ->check(CLI::Range(0, 1024));
}

int main(int argc, char** argv)
{
    keep_freed_memory();
    std::signal(SIGXFSZ, SIG_IGN); // so that a write beyond a limit fails, with a message, and does not end the program
    try {
        const int exit_code = run(argc, argv);
        // What was printed may still be in a buffer, and the disk may be full.
        const bool is_printed = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.flush().good();
        if (exit_code == 0 && !is_printed)
            throw abut::InputOutput("what was printed could not be written; is the disk full?");
        return exit_code;
    } catch (const abut::Error& error) {
        fmt::print(stderr, "abut: {}\n", error.what());
        return static_cast<int>(error.exit_code());
    } catch (const nlohmann::json::exception& error) {
        fmt::print(stderr, "abut: a JSON file does not hold what it should: {}\n", error.what());
        return static_cast<int>(abut::ExitCode::invalid_input);
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::resource_unavailable_try_again) // no more threads
            return report_no_memory();
        fmt::print(stderr, "abut: cannot read or write: {}\n", error.what());
        return static_cast<int>(abut::ExitCode::input_output);
    } catch (const std::bad_alloc&) {
        return report_no_memory();
    } catch (const std::exception& error) {
        fmt::print(
            stderr, "abut: internal error: {}\nThis is a bug in abut; please report it with the command.\n",
            error.what());
        return internal_error;
    }
}
