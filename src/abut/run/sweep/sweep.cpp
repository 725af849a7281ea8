#include "abut/run/sweep/sweep.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

namespace abut {

namespace fs = std::filesystem;

namespace {

/// Counts points that have ended, now and then.
class PointWatch {
public:
    PointWatch(const SweepPlan& plan, const SweepFolder& folder, SweepObserver& observer)
        : folder_(folder), options_(plan.options), observer_(observer), count_(plan.points.size())
    {
        for (const SweepPoint& point : plan.points)
            if (const std::optional<PointReport> report = folder.report_of(point); is_settled(report, plan.options))
                add(*report);
            else
                open_.push_back(&point);
    }

    [[nodiscard]] bool has_open() const { return !open_.empty(); }
    void tell() const { observer_.after_points({done_, bad_, count_}); }

    void look_again()
    {
        using namespace std::chrono_literals;
        const auto now = std::chrono::steady_clock::now();
        if (now < next_)
            return;
        const std::size_t before = done_;
        std::erase_if(open_, [&](const SweepPoint* point) {
            const std::optional<PointReport> report = folder_.report_of(*point);
            const bool is_done = is_settled(report, options_);
            if (is_done)
                add(*report);
            return is_done;
        });
        if (done_ != before)
            tell();
        next_ = now + (open_.size() > 1000 ? 2000ms : 300ms);
    }

private:
    void add(const PointReport& report)
    {
        ++done_;
        bad_ += report.judged.is_good ? 0 : 1;
    }

    const SweepFolder& folder_;
    const SweepOptions& options_;
    SweepObserver& observer_;
    std::size_t count_, done_ = 0, bad_ = 0;
    std::vector<const SweepPoint*> open_;
    std::chrono::steady_clock::time_point next_;
};

std::vector<std::string> snakemake_command(const SweepFolder& folder, const SweepLaunch& launch)
{
    const std::string snakemake = find_program("snakemake");
    if (snakemake.empty())
        throw InputOutput(
            "there is no snakemake on the PATH, which runs the points of a sweep; install it with 'apt install "
            "snakemake' (Debian, Ubuntu) or 'pip install \"snakemake<8\"', and give the same command again");
    const std::string directory = absolute_name(folder.path());
    std::vector<std::string> command{
        snakemake,
        "--snakefile",
        directory + "/Snakefile",
        "--directory",
        directory,
        "--rerun-triggers",
        "mtime",
        "--rerun-incomplete",
        "--keep-going",
        "--drop-metadata",
        "--scheduler",
        "greedy",
        "--nocolor",
        "--config",
        fmt::format("driver={}", ::getpid())};
    if (launch.profile.empty())
        command.insert(command.end(), {"--cores", std::to_string(launch.jobs > 0 ? launch.jobs : num_cores())});
    else {
        // A folder by its whole name: Snakemake would look for it elsewhere too.
        std::error_code ignored;
        const bool is_folder = fs::is_directory(launch.profile, ignored);
        command.insert(command.end(), {"--profile", is_folder ? absolute_name(launch.profile) : launch.profile});
        if (launch.jobs > 0)
            command.insert(command.end(), {"--jobs", std::to_string(launch.jobs)});
    }
    return command;
}

} // namespace

int num_cores()
{
    cpu_set_t cores;
    if (::sched_getaffinity(0, sizeof(cores), &cores) == 0)
        return std::max(1, CPU_COUNT(&cores));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int usual_group(std::size_t num_points, int at_once)
{
    constexpr std::size_t jobs_of_a_core = 8, most_points = 50;
    const std::size_t jobs = jobs_of_a_core * static_cast<std::size_t>(std::max(1, at_once));
    return static_cast<int>(std::clamp<std::size_t>((num_points + jobs - 1) / jobs, 1, most_points));
}

SweepEnd run_sweep(const SweepPlan& plan, const SweepFolder& folder, const SweepLaunch& launch, SweepObserver& observer)
{
    PointWatch watch(plan, folder, observer);
    watch.tell();
    if (!watch.has_open())
        return {};
    // Snakemake cancels jobs of a cluster when it is interrupted; that takes a moment.
    const ChildStop stop{.has_group = true, .signal = SIGINT, .patience = launch.profile.empty() ? 3.0 : 30.0};
    const ChildReport report = run_child(
        snakemake_command(folder, launch),
        [&] {
            watch.look_again();
            return observer.goes_on();
        },
        stop);
    SweepEnd end{.is_interrupted = is_interrupted(report)};
    if (report.exit_code != 0 || report.signal != 0)
        end.errors = message_of(report);
    return end;
}

} // namespace abut
