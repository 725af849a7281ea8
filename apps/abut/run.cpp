// `abut run SCENE`, `abut resume OUT`, `abut info OUT`, `abut verify OUT`, `abut report OUT`.

#include "commands.hpp"

#include "abut/base/parallel.hpp"
#include "abut/base/version.hpp"
#include "abut/io/file.hpp"
#include "abut/io/json_object.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/run/fingerprint.hpp"
#include "abut/run/report.hpp"
#include "abut/run/run_summary.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <set>

namespace abut {

namespace {

struct RunOptions {
    std::filesystem::path scene, output;
    std::vector<std::string> settings;
    int steps = -1; ///< −1: as the scene says
    bool force = false, quiet = false, json = false;
};

volatile std::sig_atomic_t is_interrupted = 0, is_quiet = 0;

/// The first signal lets the step end, the second ends the program at once: whatever it leaves can be resumed, as after
/// a kill. Only calls that are safe in a handler.
void interrupt(int)
{
    if (is_interrupted != 0)
        _exit(static_cast<int>(ExitCode::interrupted));
    is_interrupted = 1;
    constexpr std::string_view message = "\nabut: finishing the step; interrupt again to end at once\n";
    if (is_quiet == 0 && write(STDERR_FILENO, message.data(), message.size()) < 0)
        return; // nobody to tell
}

/// From before anything is written, so that no signal finds results without their state.
void catch_signals(const RunOptions& options)
{
    is_quiet = options.quiet || options.json;
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
}

double seconds_since(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string duration(double seconds)
{
    if (seconds < 120)
        return fmt::format("{:.0f} s", seconds);
    return seconds < 7200 ? fmt::format("{:.0f} min", seconds / 60) : fmt::format("{:.1f} h", seconds / 3600);
}

void print_warnings(const std::vector<std::string>& sentences)
{
    for (const std::string& sentence : sentences)
        fmt::print(stderr, "abut: {}\n", sentence);
}

/// Progress: a bar that is drawn over itself in a terminal, a line now and then elsewhere.
class Progress {
public:
    Progress(const RunOptions& options, int first, int last)
        : is_shown_(!options.quiet && !options.json), is_terminal_(isatty(1) != 0), first_(first), last_(last)
    {}

    void show(const StepReport& report)
    {
        if (!is_shown_)
            return;
        const int done = report.step - first_, all = last_ - first_;
        const double elapsed = seconds_since(start_);
        const std::string text = fmt::format(
            "step {}/{}  t = {:.4g} s  {} iterations  {} contacts  gap {}  {}", report.step, last_, report.time,
            report.iterations.size(), report.num_contacts,
            std::isfinite(report.smallest_distance) ? fmt::format("{:.2e} m", report.smallest_distance) : "-",
            done > 0 ? "ETA " + duration(elapsed / done * (all - done)) : "");
        if (is_terminal_) {
            constexpr int width = 24;
            const int filled = all > 0 ? width * done / all : width;
            fmt::print("\r[{:#<{}}{:.<{}}] {}\033[K", "", filled, "", width - filled, text);
            std::fflush(stdout);
        } else if (elapsed >= next_line_ || report.step == last_) {
            fmt::print("{}\n", text);
            std::fflush(stdout);
            next_line_ = elapsed + 5;
        }
    }
    void end() const
    {
        if (is_shown_ && is_terminal_)
            fmt::print("\n");
    }

private:
    bool is_shown_, is_terminal_;
    int first_, last_;
    double next_line_ = 0;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void print_summary(const RunSummary& summary, bool has_inertia, double seconds)
{
    const SolveTimes& times = summary.times;
    fmt::print("{} steps in {:.2f} s, {} Newton iterations", summary.steps, seconds, summary.iterations);
    if (times.total() > 0)
        fmt::print(
            "; of the solves: linear systems {:.0f} %, assembly {:.0f} %, collision sets {:.0f} %, guard {:.0f} %, "
            "line search {:.0f} %, energies {:.0f} %",
            100 * times.factorize / times.total(), 100 * times.assemble / times.total(),
            100 * times.update / times.total(), 100 * times.guard / times.total(),
            100 * times.line_search / times.total(), 100 * times.evaluate / times.total());
    fmt::print("\n");
    if (summary.verified == 0)
        fmt::print("not verified\n");
    else
        fmt::print(
            "{}: {} intersections, {} inverted elements; smallest distance of contacts {}\n",
            summary.is_clean() ? "verified" : "NOT GOOD", summary.intersections, summary.inverted,
            summary.distance_text("- (none)"));
    if (summary.steps > 0)
        fmt::print(
            "balance: momentum to {:.1e}; {} energy in any step{}\n", summary.momentum.largest(),
            summary.largest_gain > 0 ? fmt::format("at most {:.2e} J gained", summary.largest_gain) : "no gain of",
            summary.largest_gain > 0 ? fmt::format(", of up to {:.2e} J", summary.largest_energy) : "");
    if (has_inertia && summary.momentum.is_off())
        fmt::print("note: {}\n", summary.momentum.note());
}

/// The exact tests, unless the scene has them off.
Verification verified(Simulation& simulation)
{
    return simulation.scene().verify == Verify::off ? Verification() : simulation.verify();
}

/// The step that ended a run.
struct Failure {
    StepReport report;
    Verification before; ///< of the state that the step started from
    std::filesystem::path repro;

    /// What is known about the states before and after it.
    [[nodiscard]] std::string soundness() const
    {
        const Verification& after = report.verification;
        if (!before.is_checked || !after.is_checked)
            return "The states before and after it were not verified";
        const auto found = [](const Verification& state) {
            return fmt::format(
                "{} intersections and {} inverted elements", state.num_intersections, state.num_inverted);
        };
        if (before.is_good() && after.is_good())
            return "The states before and after it are free of intersections";
        return fmt::format("The states before and after it are NOT GOOD: {}; {}", found(before), found(after));
    }
};

ExitCode simulate(Simulation& simulation, ResultFolder& results, int last_step, const RunOptions& options)
{
    const auto start = std::chrono::steady_clock::now();
    Progress progress(options, simulation.state().step, last_step);
    RunSummary summary;
    std::optional<Failure> failure;
    bool is_over = simulation.state().step >= last_step || is_interrupted != 0;
    while (!is_over) {
        const State before = simulation.state();
        StepReport report = simulation.step();
        const bool has_failed = report.outcome != Outcome::converged;
        is_over = has_failed || is_interrupted != 0 || report.step == last_step;
        const bool is_saved = is_over || report.step % simulation.scene().frame_every == 0;
        if (is_saved && !report.verification.is_checked)
            report.verification = verified(simulation);
        const StepRecord record = record_of(report, simulation.names());
        summary.add(record);
        progress.show(report);
        results.add_record(record);
        if (options.json)
            fmt::print("{}\n", to_json_line(record));
        if (has_failed) {
            const State after = simulation.state();
            simulation.set_state(before);
            failure = {report, verified(simulation), results.write_repro(make_frame(simulation))};
            simulation.set_state(after);
        }
        if (is_saved)
            results.write_frame(make_frame(simulation));
    }
    results.finish();
    progress.end();
    if (!options.quiet && !options.json) {
        print_summary(summary, simulation.has_inertia(), seconds_since(start));
        fmt::print("results: {}, summed up in report.html\n", absolute_name(results.folder()));
    }
    if (failure)
        fmt::print(
            stderr,
            "abut: step {} ended in {}: {}. {}; the last frame holds the one after. Try the step again with 'abut "
            "resume {}'.\n",
            failure->report.step, to_string(failure->report.outcome), failure->report.message, failure->soundness(),
            failure->repro.string());
    else if (is_interrupted != 0)
        fmt::print(stderr, "abut: interrupted; continue with 'abut resume {}'\n", results.folder().string());
    print_warnings(write_report(results).passed_over);
    if (failure)
        return ExitCode::not_converged;
    if (!summary.is_clean())
        return ExitCode::findings;
    return is_interrupted != 0 ? ExitCode::interrupted : ExitCode::done;
}

void print_choices(const Simulation& simulation, const RunOptions& options)
{
    for (const std::string& warning : simulation.warnings())
        fmt::print(stderr, "abut: warning: {}\n", warning);
    if (options.quiet || options.json)
        return;
    fmt::print(
        "abut {}, {} threads; {}: {} objects, {} vertices\n", version, num_threads(), simulation.scene().name,
        simulation.scene().objects.size(), simulation.num_vertices());
    for (const Choice& choice : simulation.choices())
        fmt::print("  {} = {:.4g}: {}\n", choice.name, choice.value, choice.reason);
}

ExitCode run_scene(RunOptions options)
{
    catch_signals(options);
    const std::filesystem::path folder = options.scene.parent_path();
    const nlohmann::json json = read_scene_json(options.scene, options.settings);
    if (options.output.empty())
        options.output = std::filesystem::path("results") / options.scene.stem();
    Simulation simulation(scene_from_json(json, options.scene.string(), folder));
    const nlohmann::json moved = with_absolute_files(json, folder);
    std::vector<std::filesystem::path> inputs = mesh_files(moved);
    inputs.push_back(options.scene);
    ResultFolder results = ResultFolder::create(options.output, options.force, inputs);
    write_fingerprints(results, simulation);
    results.write_scene(moved, simulation.choices());
    print_choices(simulation, options);
    results.write_frame(make_frame(simulation));
    return simulate(simulation, results, options.steps >= 0 ? options.steps : simulation.scene().time.steps, options);
}

/// The scene of results, with the meshes that it had when the run began.
Scene scene_of_run(const ResultFolder& results)
{
    Scene scene = read_scene(results.scene_path());
    check_meshes_of_run(results, scene);
    return scene;
}

ExitCode resume(const RunOptions& options)
{
    catch_signals(options);
    ResultFolder results = ResultFolder::open(options.output, true);
    Simulation simulation(scene_of_run(results));
    check_masses_of_run(results, simulation);
    const ResultFolder::Recovery recovery = results.recover();
    print_warnings(recovery.passed_over);
    for (const std::string& damage : recovery.damaged)
        fmt::print(stderr, "abut: {}. The frame was removed.\n", damage);
    if (!recovery.frame)
        reject("{}: no frame to continue from; run the scene again with --force", options.output.string());
    if (!recovery.damaged.empty())
        fmt::print(stderr, "abut: continuing from frame {}\n", recovery.frame->step);
    simulation.set_state(state_of(*recovery.frame));
    print_choices(simulation, options);
    return simulate(simulation, results, options.steps >= 0 ? options.steps : simulation.scene().time.steps, options);
}

ExitCode info(const RunOptions& options)
{
    const ResultFolder results = ResultFolder::open(options.output, false);
    const Scene scene = read_scene(results.scene_path());
    const std::vector<int> frames = results.frame_steps();
    RunSummary summary;
    print_warnings(results.for_each_record([&](StepRecord&& record) { summary.add(record); }));
    if (options.json) {
        fmt::print(
            "{}\n",
            nlohmann::json{
                {"name", scene.name},
                {"steps_done", summary.steps},
                {"steps_wanted", scene.time.steps},
                {"frames", frames.size()},
                {"iterations", summary.iterations},
                {"not_converged", summary.not_converged},
                {"most_contacts", summary.most_contacts},
                {"seconds", summary.times.total()}}
                .dump(2));
        return ExitCode::done;
    }
    fmt::print("{}: {} objects\n", scene.name, scene.objects.size());
    for (const SceneObject& object : scene.objects)
        fmt::print(
            "  {}: {} vertices, {} tets, {} faces\n", object.name, object.mesh.vertices.rows(), object.mesh.tets.rows(),
            object.mesh.faces.rows());
    fmt::print(
        "{} of {} steps of {:.4g} s, {} frames; {} Newton iterations, {:.2f} s of solves; {} steps not converged\n",
        summary.steps, scene.time.steps, scene.time.dt, frames.size(), summary.iterations, summary.times.total(),
        summary.not_converged);
    fmt::print("most contacts {}, smallest distance {}\n", summary.most_contacts, summary.distance_text("-"));
    return ExitCode::done;
}

/// Steps as a short list: 3, 7 to 9.
std::string ranges(const std::vector<int>& steps)
{
    std::string text;
    for (std::size_t i = 0; i < steps.size();) {
        std::size_t end = i + 1;
        while (end < steps.size() && steps[end] == steps[end - 1] + 1)
            ++end;
        text += fmt::format("{}{}", text.empty() ? "" : ", ", steps[i]);
        if (end > i + 1)
            text += fmt::format(" to {}", steps[end - 1]);
        i = end;
    }
    return text;
}

/// Steps whose frames the run wrote, by its statistics, its index and the rhythm of its frames, and which are not
/// there. `every`: steps a frame.
std::vector<int> missing_frames(const ResultFolder& results, const std::vector<int>& frames, int every)
{
    int first = frames.front(), last = frames.back();
    bool has_stats = false;
    print_warnings(results.for_each_record([&](StepRecord&& record) {
        if (!has_stats)
            first = std::min(first, record.step - 1); // repro/ does not begin with step 0
        has_stats = true;
        // A run that is killed may leave the statistics of a last step without its frame.
        last = std::max(last, record.step - 1);
    }));
    std::set<int> wanted{first};
    for (std::int64_t step = (std::int64_t(first) / every + 1) * every; step <= last; step += every)
        wanted.insert(static_cast<int>(step));
    for (const int step : results.indexed_steps())
        wanted.insert(step);
    std::vector<int> missing;
    std::set_difference(wanted.begin(), wanted.end(), frames.begin(), frames.end(), std::back_inserter(missing));
    return missing;
}

ExitCode verify(const RunOptions& options)
{
    const ResultFolder results = ResultFolder::open(options.output, false);
    Simulation simulation(scene_of_run(results));
    const std::vector<int> frames = results.frame_steps();
    if (frames.empty())
        reject("{}: no frames to verify; run the scene again with --force", absolute_name(results.folder()));
    std::int64_t bad = 0;
    for (const int step : frames) {
        const Frame frame = read_vtu(results.frame_path(step));
        if (frame.step != step)
            reject("{}: it holds step {}; give it its name back", results.frame_path(step).string(), frame.step);
        simulation.set_state(state_of(frame));
        const Verification found = simulation.verify();
        if (!found.is_good()) {
            ++bad;
            fmt::print(
                "frame {}: {} intersections, {} inverted elements\n", step, found.num_intersections,
                found.num_inverted);
        }
    }
    const std::vector<int> missing = missing_frames(results, frames, simulation.scene().frame_every);
    if (!missing.empty())
        fmt::print("not there, so not checked: the frames of step {}\n", ranges(missing));
    fmt::print(
        "{} frames checked with exact arithmetic, {} with findings{}\n", frames.size(), bad,
        missing.empty() ? "" : fmt::format(", {} missing", missing.size()));
    return bad == 0 && missing.empty() ? ExitCode::done : ExitCode::findings;
}

} // namespace

void add_run_commands(CLI::App& app, ExitCode& exit_code)
{
    const auto add_common = [](CLI::App* command, const std::shared_ptr<RunOptions>& options) {
        command->add_option("--steps", options->steps, "Run up to this step instead of the scene's last")
            ->check(CLI::Range(0, 100'000'000));
        command->add_flag("--quiet", options->quiet, "Print nothing but errors");
        command->add_flag("--json", options->json, "Print one JSON object a step");
        add_threads_option(*command);
    };
    {
        CLI::App* command = app.add_subcommand("run", "Simulate a scene");
        auto options = std::make_shared<RunOptions>();
        command->add_option("SCENE", options->scene, "JSON file")->required();
        command->add_option("-o,--output", options->output, "Folder for the results [results/<scene>]");
        command->add_option("--set", options->settings, "Change a value of the scene, e.g. contact.dhat=1e-3")
            ->allow_extra_args(false)
            ->take_all();
        command->add_flag("--force", options->force, "Replace earlier results in the folder");
        add_common(command, options);
        command->callback([options, &exit_code] { exit_code = run_scene(*options); });
    }
    {
        CLI::App* command = app.add_subcommand("resume", "Continue a run from its last frame");
        auto options = std::make_shared<RunOptions>();
        command->add_option("OUT", options->output, "Folder of the results")->required();
        add_common(command, options);
        command->callback([options, &exit_code] { exit_code = resume(*options); });
    }
    {
        CLI::App* command = app.add_subcommand("info", "Tell what a run did");
        auto options = std::make_shared<RunOptions>();
        command->add_option("OUT", options->output, "Folder of the results")->required();
        command->add_flag("--json", options->json, "Print it as JSON");
        command->callback([options, &exit_code] { exit_code = info(*options); });
    }
    {
        CLI::App* command = app.add_subcommand("verify", "Check every frame of a run for intersections, exactly");
        auto options = std::make_shared<RunOptions>();
        command->add_option("OUT", options->output, "Folder of the results")->required();
        add_threads_option(*command);
        command->callback([options, &exit_code] { exit_code = verify(*options); });
    }
    {
        CLI::App* command = app.add_subcommand("report", "Write OUT/report.html anew: verdict, choices, times, plots");
        auto options = std::make_shared<RunOptions>();
        command->add_option("OUT", options->output, "Folder of the results")->required();
        command->callback([options] {
            const WrittenReport report = write_report(ResultFolder::open(options->output, false));
            print_warnings(report.passed_over);
            fmt::print("{}\n", absolute_name(report.path));
        });
    }
}

} // namespace abut
