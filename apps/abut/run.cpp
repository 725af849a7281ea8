// `abut run SCENE`, `abut resume OUT`, `abut info OUT`, `abut verify OUT`, `abut report OUT`: their words. What they do
// is in src/abut/run.

#include "commands.hpp"
#include "outputs.hpp"
#include "run_scene.hpp"

#include "abut/base/parallel.hpp"
#include "abut/base/ranks.hpp"
#include "abut/base/version.hpp"
#include "abut/io/file.hpp"
#include "abut/io/obj.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/run/progress.hpp"
#include "abut/run/report.hpp"
#include "abut/run/run.hpp"
#include "abut/run/verify_results.hpp"
#include "abut/sim/cost_estimate.hpp"
#include "abut/sim/verification.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <csignal>
#include <fstream>

namespace abut {

namespace {

volatile std::sig_atomic_t is_interrupted = 0, is_quiet = 0;

/// The first signal lets the step end, the second ends the program at once. In both cases the run can be resumed. Makes
/// only calls that are safe in a signal handler.
void interrupt(int)
{
    if (is_interrupted != 0)
        _exit(static_cast<int>(ExitCode::interrupted));
    is_interrupted = 1;
    constexpr std::string_view message = "\nabut: finishing the step; interrupt again to end at once\n";
    if (is_quiet == 0 && write(STDERR_FILENO, message.data(), message.size()) < 0)
        return; // nobody to tell
}

/// Called before anything is written, so that no signal leaves results without a state.
void catch_signals(const RunArguments& arguments)
{
    is_quiet = arguments.quiet || arguments.json;
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
}

void print_warning(const std::string& sentence) { fmt::print(stderr, "abut: {}\n", sentence); }

void print_warnings(const std::vector<std::string>& sentences)
{
    for (const std::string& sentence : sentences)
        print_warning(sentence);
}

/// Prints progress or the records, and ends the run after a signal. Progress is a bar in a terminal, and a line now and
/// then elsewhere.
class Display final : public RunObserver {
public:
    Display(const RunArguments& arguments, const Progress& progress)
        : is_shown_(!arguments.quiet && !arguments.json), is_json_(arguments.json), is_terminal_(isatty(1) != 0),
          progress_(progress)
    {}

    bool begin() override { return is_interrupted == 0; }
    bool after_step(const StepReport&) override { return is_interrupted == 0; }
    void after_record(const StepRecord& record) override
    {
        if (is_shown_)
            show(record);
        if (is_json_)
            fmt::print("{}\n", to_json_line(record));
    }
    void end() const
    {
        if (is_shown_ && is_terminal_)
            fmt::print("\n");
    }

private:
    void show(const StepRecord& record)
    {
        if (is_terminal_) {
            constexpr int width = 24;
            const int filled = progress_.filled(record.step, width);
            fmt::print("\r[{:#<{}}{:.<{}}] {}\033[K", "", filled, "", width - filled, progress_.text(record));
            std::fflush(stdout);
        } else if (progress_.seconds() >= next_line_ || progress_.is_last(record)) {
            fmt::print("{}\n", progress_.text(record));
            std::fflush(stdout);
            next_line_ = progress_.seconds() + 5;
        }
    }

    bool is_shown_, is_json_, is_terminal_;
    double next_line_ = 0; // [s]
    Progress progress_;
};

void print_summary(const RunReport& report)
{
    const RunSummary& summary = report.summary;
    const SolveTimes& times = summary.times;
    fmt::print("{} steps in {:.2f} s, {} Newton iterations", summary.steps, report.seconds, summary.iterations);
    if (times.total() > 0)
        fmt::print(
            "; of the solves: linear systems {:.0f} %, assembly {:.0f} %, collision sets {:.0f} %, guard {:.0f} %, "
            "line search {:.0f} %, energies {:.0f} %",
            100 * times.linear() / times.total(), 100 * times.assemble / times.total(),
            100 * times.update / times.total(), 100 * times.guard / times.total(),
            100 * times.line_search / times.total(), 100 * times.evaluate / times.total());
    fmt::print("\n");
    if (const std::string divided = summary.division_text(); !divided.empty())
        fmt::print("{}\n", divided);
    if (summary.linear_iterations > 0)
        fmt::print("linear systems: {}\n", summary.linear_text());
    if (summary.verified == 0)
        fmt::print("not verified\n");
    else
        fmt::print(
            "{}: {} intersections, {} inverted elements; smallest distance of contacts {}\n",
            summary.is_clean() ? "verified" : "NOT GOOD", summary.num_intersections, summary.num_inverted,
            summary.distance_text("- (none)"));
    if (summary.steps > 0)
        fmt::print(
            "balance: momentum to {:.1e}; {} energy in any step{}\n", summary.momentum.largest(),
            summary.largest_gain > 0 ? fmt::format("at most {:.2e} J gained", summary.largest_gain) : "no gain of",
            summary.largest_gain > 0 ? fmt::format(", of up to {:.2e} J", summary.largest_energy) : "");
}

/// Says how a run ended, if not as it should.
void print_end(const RunReport& report, const ResultFolder& results)
{
    if (report.failure)
        fmt::print(
            stderr, "abut: step {} ended in {}: {}. {}; the last frame holds the one after. {}.\n",
            report.failure->report.step, to_string(report.failure->report.outcome), report.failure->report.message,
            report.failure->soundness(), advice_after_failure(report.failure->repro.string()));
    else if (report.end == RunEnd::interrupted)
        fmt::print(stderr, "abut: interrupted; continue with 'abut resume {}'\n", results.folder().string());
}

/// Before the set-up, of which there is nothing else to see.
void print_cost(const Scene& scene, const RunArguments& arguments)
{
    const CostEstimate cost = estimate_cost(scene);
    if (arguments.quiet || arguments.json || !cost.is_large())
        return;
    fmt::print("{}\n", cost.text());
    std::fflush(stdout);
}

std::string text_of(const std::variant<double, std::string>& value)
{
    const double* const number = std::get_if<double>(&value);
    return number != nullptr ? fmt::format("{:.4g}", *number) : std::get<std::string>(value);
}

void print_choices(const Simulation& simulation, const RunArguments& arguments)
{
    for (const std::string& warning : simulation.warnings())
        fmt::print(stderr, "abut: warning: {}\n", warning);
    if (arguments.quiet || arguments.json)
        return;
    fmt::print(
        "abut {}, {} threads; {}: {} objects, {} vertices\n", version, num_threads(), simulation.scene().name,
        simulation.scene().objects.size(), simulation.num_vertices());
    for (const Choice& choice : simulation.choices())
        fmt::print("  {} = {}: {}\n", choice.name, text_of(choice.value), choice.reason);
}

ExitCode simulate(Simulation& simulation, ResultFolder& results, const RunArguments& arguments)
{
    print_choices(simulation, arguments);
    const int last_step = arguments.steps >= 0 ? arguments.steps : simulation.scene().time.steps;
    Display display(arguments, {simulation.state().step, last_step});
    const RunReport report = run(simulation, results, {.last_step = last_step}, display);
    display.end();
    if (!arguments.quiet && !arguments.json) {
        print_summary(report);
        fmt::print("results: {}\n", absolute_name(results.folder()));
    }
    if (arguments.after_run && !arguments.quiet && !arguments.json)
        arguments.after_run(report);
    print_end(report, results);
    if (report.end != RunEnd::failed && is_wrong(report.verdict())) {
        const VerdictText text = report.explanation();
        fmt::print(stderr, "abut: {} {}\n", text.words, text.reason);
    }
    if (arguments.report)
        on_root([&] { print_warnings(write_report(results).passed_over); });
    if (arguments.report && !arguments.quiet && !arguments.json)
        fmt::print("look at it: {}\n", absolute_name(results.folder() / "report.html"));
    return report.exit_code();
}

ExitCode resume(const RunArguments& arguments, const std::vector<std::string>& settings)
{
    catch_signals(arguments);
    std::optional<ResultFolder> opened;
    on_root([&] {
        opened.emplace(ResultFolder::open(arguments.output, true));
        change_scene(*opened, settings);
    });
    ResultFolder results = opened ? std::move(*opened) : ResultFolder::open(arguments.output, false);
    Simulation simulation = resume_results(results, print_warning);
    return simulate(simulation, results, arguments);
}

ExitCode info(const RunArguments& arguments)
{
    const ResultFolder results = ResultFolder::open(arguments.output, false);
    const Scene scene = read_scene(results.scene_path());
    const std::size_t num_frames = results.frame_steps().size();
    RunSummary summary;
    print_warnings(results.for_each_record([&](StepRecord&& record) { summary.add(record); }));
    if (arguments.json) {
        fmt::print(
            "{}\n",
            nlohmann::json{
                {"name", scene.name},
                {"steps_done", summary.steps},
                {"steps_wanted", scene.time.steps},
                {"frames", num_frames},
                {"iterations", summary.iterations},
                {"not_converged", summary.not_converged},
                {"divided_steps", summary.divided},
                {"substeps", summary.substeps},
                {"most_contacts", summary.most_contacts},
                {"linear", summary.linear_text()},
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
        summary.steps, scene.time.steps, scene.time.dt, num_frames, summary.iterations, summary.times.total(),
        summary.not_converged);
    if (summary.linear_iterations > 0)
        fmt::print("linear systems: {}\n", summary.linear_text());
    if (const std::string divided = summary.division_text(); !divided.empty())
        fmt::print("{}\n", divided);
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

ExitCode verify(const RunArguments& arguments)
{
    nlohmann::json findings = nlohmann::json::array();
    const ResultsVerification verification =
        verify_results(ResultFolder::open(arguments.output, false), [&](const FrameFinding& frame) {
            if (arguments.json)
                return findings.push_back(
                    {{"step", frame.step},
                     {"intersections", frame.found.num_intersections},
                     {"inverted", frame.found.num_inverted}});
            fmt::print(
                "frame {}: {} intersections, {} inverted elements\n", frame.step, frame.found.num_intersections,
                frame.found.num_inverted);
        });
    print_warnings(verification.passed_over);
    const std::vector<int>& missing = verification.missing;
    const ExitCode exit_code = verification.is_good() ? ExitCode::done : ExitCode::findings;
    if (arguments.json) {
        fmt::print(
            "{}\n",
            nlohmann::json{
                {"frames", verification.num_frames},
                {"findings", findings},
                {"missing", missing},
                {"running", verification.is_running},
                {"good", verification.is_good()}}
                .dump(2));
        return exit_code;
    }
    if (!missing.empty())
        fmt::print("not there, so not checked: the frames of step {}\n", ranges(missing));
    fmt::print(
        "{} frames checked with exact arithmetic, {} with findings{}\n", verification.num_frames, verification.num_bad,
        missing.empty() ? "" : fmt::format(", {} missing", missing.size()));
    if (verification.is_running)
        fmt::print("the run still goes on; frames that it has written since are not checked\n");
    return exit_code;
}

/// By its first line, the mesh that keep_intersections() leaves is known as ours.
constexpr std::string_view intersections_mark = "abut: elements that intersect at the start of a run";

bool is_ours(const std::filesystem::path& mesh)
{
    std::string line;
    return std::getline(std::ifstream(mesh), line) && line == fmt::format("# {}", intersections_mark);
}

/// Leaves what intersects as a mesh beside the folder for the results, and says so in a sentence. That of an earlier
/// run is replaced, another file only if that is forced, and one that the run reads never.
std::string keep_intersections(
    const MeshData& elements, const RunArguments& arguments, const std::vector<std::filesystem::path>& inputs)
{
    const std::filesystem::path& output = arguments.output;
    std::filesystem::path mesh = output.has_filename() ? output : output.parent_path();
    mesh += ".intersections.obj";
    const bool was_ours = is_ours(mesh);
    try {
        check_output_file(mesh, arguments.force || was_ours, inputs);
    } catch (const InvalidInput& error) {
        return fmt::format("They were not written as a mesh: {}", error.what());
    }
    std::error_code failed;
    std::filesystem::create_directories(std::filesystem::absolute(mesh).parent_path(), failed);
    write_obj(mesh, elements, intersections_mark);
    return fmt::format(
        "They were written as a mesh{}: {}", was_ours ? ", in place of the earlier one" : "", absolute_name(mesh));
}

Simulation simulation_of(Scene scene, const RunArguments& arguments, const std::vector<std::filesystem::path>& inputs)
{
    try {
        return Simulation(std::move(scene));
    } catch (const StartIntersects& error) {
        std::string kept;
        on_root([&] { kept = keep_intersections(error.elements, arguments, inputs); });
        throw InvalidStart(fmt::format("{}\n{}", error.what(), kept));
    }
}

} // namespace

ExitCode run_scene(const std::function<SceneSource()>& read, const RunArguments& arguments)
{
    catch_signals(arguments);
    SceneSource source = read();
    print_cost(source.scene, arguments);
    Simulation simulation = simulation_of(std::move(source.scene), arguments, source.files);
    ResultFolder results =
        start_results(arguments.output, {.force = arguments.force, .inputs = source.files}, *source.json, simulation);
    return simulate(simulation, results, arguments);
}

namespace {

/// --set KEY=VALUE, once per setting, so that what follows a setting is no part of it.
void add_set_option(CLI::App& command, std::vector<std::string>& settings, const std::string& help)
{
    command
        .add_option_function<std::string>(
            "--set", [&settings](const std::string& setting) { settings.push_back(setting); }, help)
        ->type_name("KEY=VALUE")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->trigger_on_parse();
}

} // namespace

void add_simulation_commands(CLI::App& app, ExitCode& exit_code, const std::function<void(const RunReport&)>& after_run)
{
    const auto add_common = [&after_run](CLI::App* command, const std::shared_ptr<RunArguments>& options) {
        options->after_run = after_run;
        command->add_option("--steps", options->steps, "Run up to this step instead of the scene's last")
            ->check(CLI::Range(0, 100'000'000));
        command->add_flag("--quiet", options->quiet, "Print nothing but errors");
        command->add_flag("--json", options->json, "Print one JSON object per step");
        command->add_flag(
            "!--no-report", options->report, "Do not write report.html; 'abut report OUT' can do so later");
        add_threads_option(*command);
    };
    {
        struct SceneArguments {
            std::filesystem::path scene;
            std::vector<std::string> settings;
        };
        CLI::App* command = app.add_subcommand("run", "Simulate a scene");
        auto options = std::make_shared<RunArguments>();
        auto from = std::make_shared<SceneArguments>();
        command->add_option("SCENE", from->scene, "JSON file")->required();
        command->add_option("-o,--output", options->output, "Folder for the results [results/<scene>]")->check(named());
        add_set_option(
            *command, from->settings, "Change a value of the scene, e.g. contact.dhat=1e-3; may be repeated");
        command->add_flag("--force", options->force, "Replace earlier results in the folder");
        add_common(command, options);
        command->callback([options, from, &exit_code] {
            if (options->output.empty())
                options->output = std::filesystem::path("results") / from->scene.stem();
            exit_code = run_scene([from] { return read_scene_source(from->scene, from->settings); }, *options);
        });
    }
    {
        CLI::App* command = app.add_subcommand("resume", "Continue a run from its last frame");
        auto options = std::make_shared<RunArguments>();
        command->add_option("OUT", options->output, "Folder of the results")->required();
        auto settings = std::make_shared<std::vector<std::string>>();
        add_set_option(
            *command, *settings,
            "Change a value of the scene from here on: solver, output, time.steps, time.until or verify; may be "
            "repeated");
        add_common(command, options);
        command->callback([options, settings, &exit_code] { exit_code = resume(*options, *settings); });
    }
}

void add_run_commands(CLI::App& app, ExitCode& exit_code)
{
    add_simulation_commands(app, exit_code, {});
    {
        CLI::App* command = app.add_subcommand("info", "Tell what a run did");
        auto options = std::make_shared<RunArguments>();
        command->add_option("OUT", options->output, "Folder of the results")->required();
        command->add_flag("--json", options->json, "Print it as JSON");
        command->callback([options, &exit_code] { exit_code = info(*options); });
    }
    {
        CLI::App* command = app.add_subcommand("verify", "Check every frame of a run for intersections, exactly");
        auto options = std::make_shared<RunArguments>();
        command->add_option("OUT", options->output, "Folder of the results")->required();
        command->add_flag("--json", options->json, "Print it as JSON");
        add_threads_option(*command);
        command->callback([options, &exit_code] { exit_code = verify(*options); });
    }
    {
        CLI::App* command = app.add_subcommand(
            "report", "Write OUT/report.html anew: verdict, the frames to play, choices, times, plots");
        auto options = std::make_shared<RunArguments>();
        auto report_options = std::make_shared<ReportOptions>();
        command->add_option("OUT", options->output, "Folder of the results")->required();
        command
            ->add_option(
                "--size", report_options->megabytes,
                "MB that frames may take in the page; 0: none [output.report_size of the scene, 40]")
            ->check(CLI::Range(0.0, 2000.0));
        command->callback([options, report_options] {
            const WrittenReport report = write_report(ResultFolder::open(options->output, false), *report_options);
            print_warnings(report.passed_over);
            fmt::print("{}\n", absolute_name(report.path));
        });
    }
}

} // namespace abut
