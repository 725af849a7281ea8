// `abut sweep SCENE` and `abut sweep-job DIR JOB`: their words. What they do is in src/abut/run/sweep.

#include "commands.hpp"
#include "outputs.hpp"
#include "variant_options.hpp"

#include "abut/io/file.hpp"
#include "abut/run/progress.hpp"
#include "abut/run/sweep/job.hpp"
#include "abut/run/sweep/results.hpp"
#include "abut/run/sweep/sweep.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>

namespace abut {

namespace {

volatile std::sig_atomic_t is_sweep_ended = 0;

struct SweepArguments {
    std::filesystem::path scene, output; ///< scene: or the folder of a sweep
    VariantArguments variants;
    std::vector<std::string> settings, collect;
    SweepLaunch launch;
    std::optional<int> threads{}, group{};
    std::optional<double> time_limit{};
    bool dry_run = false, quiet = false, json = false, force = false;
};

/// Prints how far the sweep is: in a terminal in one line, elsewhere now and then.
class SweepDisplay final : public SweepObserver {
public:
    explicit SweepDisplay(bool is_shown) : is_shown_(is_shown), is_terminal_(isatty(1) != 0) {}

    bool goes_on() override { return is_sweep_ended == 0; }
    void after_points(const Progress& progress) override
    {
        if (!first_)
            first_ = progress.done;
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
        const bool is_last = progress.done == progress.count;
        if (!is_shown_ || (!is_terminal_ && !is_last && seconds < next_line_))
            return;
        const std::size_t made = progress.done - *first_;
        std::string text = fmt::format("{} of {} points", progress.done, progress.count);
        if (progress.bad > 0)
            text += fmt::format(", {} NOT GOOD", progress.bad);
        if (made > 0 && !is_last)
            text += fmt::format(
                "  ETA {}",
                duration_text(
                    seconds / static_cast<double>(made) * static_cast<double>(progress.count - progress.done)));
        fmt::print("{}{}{}", is_terminal_ ? "\r" : "", text, is_terminal_ ? "\033[K" : "\n");
        std::fflush(stdout);
        next_line_ = seconds + 5;
    }
    void end() const
    {
        if (is_shown_ && is_terminal_)
            fmt::print("\n");
    }

private:
    bool is_shown_, is_terminal_;
    std::optional<std::size_t> first_; // points that had ended before
    double next_line_ = 0;             // [s]
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string own_program()
{
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error)
        throw InputOutput("the program cannot find its own file in /proc/self/exe, which the jobs of a sweep start");
    return program.string();
}

void change_options(SweepOptions& options, const SweepArguments& arguments, std::size_t num_points)
{
    options.threads = arguments.threads.value_or(options.threads);
    options.time_limit = arguments.time_limit.value_or(options.time_limit);
    if (!arguments.collect.empty())
        options.collect = arguments.collect;
    constexpr int on_a_cluster = 100;
    const int at_once = arguments.launch.jobs > 0           ? arguments.launch.jobs
                        : !arguments.launch.profile.empty() ? on_a_cluster
                                                            : num_cores();
    options.group = arguments.group.value_or(usual_group(num_points, at_once));
}

/// The plan of a scene and its variants, or that of a folder, which is continued.
SweepPlan plan_of(const SweepArguments& arguments)
{
    if (SweepFolder::is_one(arguments.scene)) {
        SweepPlan plan = SweepFolder(arguments.scene).read_plan();
        change_options(plan.options, arguments, plan.points.size());
        static_cast<void>(observables_of(plan, arguments.scene));
        return plan;
    }
    const Variants variants = read_variants(arguments.variants, arguments.settings);
    SweepOptions options;
    change_options(options, arguments, variants.list.size());
    SweepPlan plan = make_sweep_plan(
        read_scene_source(arguments.scene, arguments.settings), variants, options, arguments.scene.string(),
        arguments.scene.parent_path());
    if (!arguments.variants.table.empty())
        plan.inputs.push_back(arguments.variants.table);
    return plan;
}

/// Says what is not as it should be, and returns what to tell the shell.
ExitCode conclude(const SweepResults& results, const SweepEnd& end, const SweepFolder& folder)
{
    if (end.is_interrupted) {
        fmt::print(stderr, "abut: interrupted; the same command continues the sweep\n");
        return ExitCode::interrupted;
    }
    const auto open = static_cast<std::size_t>(
        std::count_if(results.rows.begin(), results.rows.end(), [](const SweepRow& row) { return !row.is_settled; }));
    if (open > 0)
        fmt::print(
            stderr,
            "abut: {} points did not come to their end; the same command continues them. What Snakemake said, of which "
            "there is more in {}:\n{}\n",
            open, absolute_name(folder.path() / ".snakemake" / "log"),
            end.errors.empty() ? "nothing"
                               : end.errors.substr(end.errors.size() - std::min<std::size_t>(1500, end.errors.size())));
    if (results.num_missing() > 0)
        return ExitCode::input_output;
    return results.num_good() == results.rows.size() ? ExitCode::done : ExitCode::findings;
}

ExitCode sweep(const SweepArguments& arguments)
{
    std::signal(SIGINT, [](int) { is_sweep_ended = 1; });
    std::signal(SIGTERM, [](int) { is_sweep_ended = 1; });
    const SweepPlan plan = plan_of(arguments);
    const SweepFolder folder(arguments.output);
    const FolderLock lock = lay_out(folder, plan, {own_program(), "sweep-job"}, arguments.force);
    const bool is_shown = !arguments.quiet && !arguments.json;
    if (arguments.dry_run) {
        if (is_shown)
            fmt::print(
                "{} points in {} jobs, and nothing was run: {}\n", plan.points.size(), plan.num_jobs(),
                absolute_name(folder.path()));
        return ExitCode::done;
    }
    SweepDisplay display(is_shown);
    const SweepEnd end = run_sweep(plan, folder, arguments.launch, display);
    display.end();
    const SweepResults results = gather(plan, folder);
    const Table table = table_of(results);
    write_results(results, table, folder);
    if (arguments.json)
        fmt::print("{}\n", results_to_json(results, table).dump(1));
    else if (!arguments.quiet)
        fmt::print(
            "{} of {} points are good: {}, with plots in results.html\n", results.num_good(), results.rows.size(),
            absolute_name(folder.path() / "results.csv"));
    return conclude(results, end, folder);
}

/// A job ends with the one who started it: else it would go on alone after Snakemake was killed.
ExitCode sweep_job(const std::filesystem::path& folder, const std::string& job)
{
    std::signal(SIGINT, [](int) { is_sweep_ended = 1; });
    std::signal(SIGTERM, [](int) { is_sweep_ended = 1; });
    const pid_t parent = ::getppid();
    const std::string program = own_program();
    const RunCommands commands{.run = {program, "run"}, .resume = {program, "resume"}};
    const auto goes_on = [&] { return is_sweep_ended == 0 && ::getppid() == parent; };
    if (run_job(folder, job, commands, goes_on))
        return ExitCode::done;
    return goes_on() ? ExitCode::findings : ExitCode::interrupted;
}

/// What CLI11 cannot check: bad usage, before anything is read.
void check_usage(const SweepArguments& arguments)
{
    check_pairs("--set", arguments.settings);
    if (std::error_code ignored;
        !SweepFolder::is_one(arguments.scene) && std::filesystem::is_directory(arguments.scene, ignored))
        reject(
            "{}: no folder of a sweep, since it has no sweep.json; name one, or a scene with --vary or --table",
            arguments.scene.string());
    if (!SweepFolder::is_one(arguments.scene))
        return check_usage(arguments.variants);
    if (!arguments.variants.empty() || !arguments.settings.empty() || !arguments.output.empty() || arguments.force)
        throw CLI::ValidationError(fmt::format(
            "{} is the folder of a sweep, which is continued as it is; --vary, --table, --set, -o and --force are for "
            "a scene",
            arguments.scene.string()));
}

} // namespace

void add_sweep_commands(CLI::App& app, ExitCode& exit_code)
{
    {
        CLI::App* command = app.add_subcommand(
            "sweep", "Run many variants of a scene side by side, here or on a cluster, by Snakemake");
        auto options = std::make_shared<SweepArguments>();
        command->add_option("SCENE", options->scene, "JSON file, or the folder of a sweep, which is continued")
            ->required();
        add_variant_options(*command, options->variants);
        add_repeated(
            *command, "--set", "KEY=VALUE", options->settings, "Change a value of the scene for all; may be repeated");
        add_repeated(
            *command, "--collect", "FUNCTION(QUANTITY)", options->collect,
            "A column of the results: max, min, mean, sum, first or last of what 'abut plot --list' names, e.g. "
            "max(contact_force); may be repeated");
        command
            ->add_option(
                "-o,--output", options->output,
                "Folder; one that holds the same sweep is continued [results/<scene>-sweep]")
            ->check(named());
        command->add_option("--jobs", options->launch.jobs, "Cores to use; with --profile jobs at once [all]")
            ->check(CLI::Range(1, 100'000));
        command->add_option("--threads", options->threads, "Threads of each run [1]")->check(CLI::Range(1, 1024));
        command->add_option("--group", options->group, "Points that a job runs one after the other [by their number]")
            ->check(CLI::Range(1, 10'000));
        command->add_option("--time-limit", options->time_limit, "Wall time of a run [s]; 0 for none [0]")
            ->check(CLI::Range(0.0, 1e9));
        command->add_option("--profile", options->launch.profile, "Profile of Snakemake, such as DIR/slurm")
            ->check(named());
        command->add_flag("--dry-run", options->dry_run, "Lay out the folder, run nothing");
        command->add_flag("--force", options->force, "Replace another sweep in the folder");
        command->add_flag("--quiet", options->quiet, "Print nothing but errors");
        command->add_flag("--json", options->json, "Print results.json");
        command->callback([options, &exit_code] {
            check_usage(*options);
            if (SweepFolder::is_one(options->scene))
                options->output = options->scene;
            if (options->output.empty())
                options->output = std::filesystem::path("results") / (options->scene.stem().string() + "-sweep");
            exit_code = sweep(*options);
        });
    }
    {
        struct JobArguments {
            std::filesystem::path folder;
            std::string job;
        };
        CLI::App* command = app.add_subcommand("sweep-job", "What Snakemake calls for each job of a sweep")->group("");
        auto options = std::make_shared<JobArguments>();
        command->add_option("DIR", options->folder, "Folder of the sweep")->required();
        command->add_option("JOB", options->job, "Its number")->required();
        command->callback([options, &exit_code] { exit_code = sweep_job(options->folder, options->job); });
    }
}

} // namespace abut
