// `mpirun -n N abut-mpi run SCENE`: one simulation over several processes. All of them read the scene and take the same
// steps together; rank 0 prints and writes, the others are silent.

#include "commands.hpp"

#include "abut/base/memory.hpp"
#include "abut/base/parallel.hpp"
#include "abut/base/version.hpp"
#include "abut/mpi/message_count.hpp"
#include "abut/mpi/petsc_session.hpp"
#include "abut/mpi/petsc_solver.hpp"
#include "abut/run/run.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <new>

namespace {

constexpr int internal_error = 70; // as of `abut`

/// The most memory that this process has had so far [MB].
double peak_megabytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:"))
            return std::stod(line.substr(6)) / 1024;
    return 0;
}

/// What this process has computed so far, by all of its threads [s].
double cpu_seconds()
{
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// The memory of a process that has begun and done nothing [MB].
double empty_megabytes = 0;

struct Load {
    double elements, blocks, megabytes, cpu_seconds, own_bytes, own_messages, linear_bytes, linear_messages, reductions;
};

/// How the work was shared, and what it cost to join it. Collective.
void print_shares(abut::MpiRanks& ranks, const abut::RunReport& report)
{
    const abut::Traffic own = ranks.traffic();
    const abut::MessageCount linear = abut::message_count();
    const auto& owners = ranks.block_owners();
    const std::vector<Load> loads = abut::of_all_ranks(Load{
        .elements = static_cast<double>(ranks.num_own_elements()),
        .blocks = static_cast<double>(std::count(owners.begin(), owners.end(), ranks.rank())),
        .megabytes = peak_megabytes() - empty_megabytes,
        .cpu_seconds = cpu_seconds(),
        .own_bytes = own.bytes,
        .own_messages = own.messages,
        .linear_bytes = linear.bytes,
        .linear_messages = static_cast<double>(linear.messages),
        .reductions = static_cast<double>(linear.reductions)});
    const auto n = static_cast<double>(loads.size());
    const auto mean = [&](double Load::*member) {
        double sum = 0;
        for (const Load& load : loads)
            sum += load.*member;
        return sum / n;
    };
    const auto most = [&](double Load::*member) {
        double largest = 0;
        for (const Load& load : loads)
            largest = std::max(largest, load.*member);
        return largest;
    };
    const auto over_mean = [&](double Load::*member) {
        const double all = mean(member);
        return all > 0 ? most(member) / all : 1;
    };
    fmt::print(
        "ranks: {}; at most {:.1f} MB of memory each, less an empty process; {:.1f} s of CPU together\n", loads.size(),
        most(&Load::megabytes), n * mean(&Load::cpu_seconds));
    if (loads.size() > 1)
        fmt::print(
            "shares: elements at most {:.3f} of the mean, vertices {:.3f}\n", over_mean(&Load::elements),
            over_mean(&Load::blocks));
    const auto newton = std::max(1.0, static_cast<double>(report.summary.iterations));
    const auto iterations = std::max(1.0, static_cast<double>(report.summary.linear_iterations));
    fmt::print(
        "each rank sent, on average: {:.1f} kB in {:.1f} messages per Newton iteration, and {:.2f} kB in {:.1f} "
        "messages "
        "and {:.1f} reductions per iteration of conjugate gradients, set-ups included\n",
        mean(&Load::own_bytes) / 1e3 / newton, mean(&Load::own_messages) / newton,
        mean(&Load::linear_bytes) / 1e3 / iterations, mean(&Load::linear_messages) / iterations,
        mean(&Load::reductions) / iterations);
}

/// Large arrays are pages of their own, which go back when they are freed. Otherwise glibc puts them on the heap once
/// some have been freed, where what multigrid leaves behind splits them.
void give_back_large_arrays()
{
#ifdef __GLIBC__
    constexpr int large = 1 << 16; // [bytes]
    mallopt(M_MMAP_THRESHOLD, large);
    mallopt(M_TRIM_THRESHOLD, 64 * large);
#endif
}

/// What a rank other than 0 says goes nowhere; returns where to write what it must say.
std::FILE* be_silent(bool is_root)
{
    if (is_root)
        return stderr;
    std::FILE* const last_words = fdopen(dup(STDERR_FILENO), "w");
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
    return last_words != nullptr ? last_words : stderr;
}

int run(int argc, char** argv, abut::PetscSession& session)
{
    CLI::App app(
        "Contact simulation in which nothing passes through anything, over the processes of mpirun.", "abut-mpi");
    app.set_version_flag("--version", std::string("abut-mpi ") + abut::version);
    app.footer("Exit codes are those of abut. docs/mpi.md says what is shared and what is not.");
    app.require_subcommand(1);
    abut::ExitCode exit_code = abut::ExitCode::done;
    abut::add_simulation_commands(
        app, exit_code, [&](const abut::RunReport& report) { print_shares(session.ranks(), report); });
    for (CLI::App* command : app.get_subcommands({}))
        command
            ->add_option_function<std::string>(
                "--multigrid",
                [](const std::string& name) {
                    abut::register_petsc_solvers(name == "gamg" ? abut::Multigrid::gamg : abut::Multigrid::boomeramg);
                },
                "Of conjugate gradients: boomeramg of hypre, or gamg of PETSc [boomeramg]")
            ->check(CLI::IsMember({"gamg", "boomeramg"}))
            ->trigger_on_parse();
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0)
            return app.exit(error);
        fmt::print(stderr, "abut-mpi: {}\n", error.what());
        fmt::print(
            stderr, "Run 'abut-mpi --help' for the commands; others, such as verify and render, are of 'abut'.\n");
        return static_cast<int>(abut::ExitCode::bad_usage);
    }
    const bool is_printed = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    abut::on_root([&] {
        if (exit_code == abut::ExitCode::done && !is_printed)
            throw abut::InputOutput("what was printed could not be written; is the disk full?");
    });
    return static_cast<int>(abut::of_all_ranks(exit_code).front()); // rank 0 has seen all of the records
}

struct Failure {
    int exit_code = 0;
    std::string message;
};

std::string out_of_memory()
{
    return fmt::format(
        "out of memory: {}; use more ranks, a coarser mesh or a machine with more memory", abut::memory_left().text());
}

/// What went wrong, from within a catch block.
Failure current_failure()
{
    try {
        throw;
    } catch (const abut::Error& error) {
        return {static_cast<int>(error.exit_code()), error.what()};
    } catch (const std::bad_alloc&) {
        return {static_cast<int>(abut::ExitCode::limit_reached), out_of_memory()};
    } catch (const std::exception& error) {
        return {
            internal_error,
            fmt::format("internal error: {}\nThis is a bug in abut; please report it with the command.", error.what())};
    }
}

/// Where this rank's last words go, whatever becomes of stderr, and who it is.
std::FILE* last_words = stderr;
int own_rank = 0;

/// Of a rank that is alone in trouble.
void say_alone(const std::string& message)
{
    fmt::print(
        last_words,
        "abut-mpi: rank {}: {}\nabut-mpi: the other ranks are ended; frames are whole: go on with 'resume'\n", own_rank,
        message);
    std::fflush(last_words);
}

/// hypre ends all ranks where it gets no memory, without a word.
int say_why_libraries_abort(int code)
{
    try {
        say_alone(fmt::format("hypre or MPI gave up with code {}, most likely {}", code, out_of_memory()));
    } catch (const std::bad_alloc&) {
        std::fputs("abut-mpi: out of memory\n", last_words);
        std::fflush(last_words);
    }
    return static_cast<int>(abut::ExitCode::limit_reached);
}

} // namespace

void abut::add_threads_option(CLI::App& command)
{
    command
        .add_option_function<int>(
            "--threads", [](int count) { abut::set_num_threads(count); },
            "Threads of each process; 0 for all that it may use")
        ->check(CLI::Range(0, 1024));
}

int main(int argc, char** argv)
{
    std::signal(SIGXFSZ, SIG_IGN); // so that a write beyond a limit fails, with a message, and does not end the program
    abut::PetscSession session(argc, argv);
    own_rank = session.ranks().rank();
    last_words = be_silent(own_rank == 0);
    abut::PetscSession::before_libraries_abort(say_why_libraries_abort);
    empty_megabytes = peak_megabytes();
    give_back_large_arrays();
    abut::register_petsc_solvers();
    try {
        return run(argc, argv, session);
    } catch (...) {
        const Failure failure = current_failure();
        // What is wrong with a scene is found by all ranks, and they end in peace. Where one rank alone is in trouble,
        // the others wait for it, and must be ended.
        if (session.do_all_come()) {
            if (own_rank == 0)
                fmt::print(last_words, "abut-mpi: {}\n", failure.message);
            std::fflush(last_words);
            return failure.exit_code;
        }
        say_alone(failure.message);
        session.abort(failure.exit_code);
    }
}
