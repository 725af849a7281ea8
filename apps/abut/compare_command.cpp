// `abut compare SCENE`: its words. What it does is in src/abut/run/compare.

#include "commands.hpp"
#include "outputs.hpp"
#include "variant_options.hpp"

#include "abut/io/file.hpp"
#include "abut/run/compare/compare.hpp"
#include "abut/run/compare/page.hpp"
#include "abut/run/progress.hpp"

#include <chrono>
#include <csignal>

namespace abut {

namespace {

volatile std::sig_atomic_t is_compare_ended = 0;

struct CompareArguments {
    std::filesystem::path scene, output;
    VariantArguments variants;
    std::vector<std::string> settings;
    std::string at;
    CompareOptions options;
    bool no_reference = false, quiet = false, json = false, force = false;
};

/// Prints a line after each run, and ends the comparison after a signal.
class CompareDisplay final : public CompareObserver {
public:
    explicit CompareDisplay(bool is_shown) : is_shown_(is_shown) {}

    bool goes_on() override { return is_compare_ended == 0; }
    void after_run(const Job& job, const ChildReport& report) override
    {
        ++made_;
        if (!is_shown_)
            return;
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
        const bool is_good = report.exit_code == 0 && report.signal == 0;
        fmt::print(
            "run {} of {}: {}, {:.2f} s{}  ETA {}\n", job.number, job.count, job.run.name, report.wall_seconds,
            is_good ? "" : ", NOT GOOD", duration_text(seconds / made_ * (job.count - job.number)));
        std::fflush(stdout);
    }

private:
    bool is_shown_;
    int made_ = 0;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::vector<double> times_of(const std::string& text)
{
    std::vector<double> times;
    if (!text.empty())
        for (const std::string& value : split_values(text)) {
            const nlohmann::json number = nlohmann::json::parse(value, nullptr, false);
            if (!number.is_number())
                reject("--at {}: '{}' is no time in seconds", text, value);
            times.push_back(number.get<double>());
        }
    return times;
}

ExitCode compare(const CompareArguments& arguments)
{
    std::signal(SIGINT, [](int) { is_compare_ended = 1; });
    std::signal(SIGTERM, [](int) { is_compare_ended = 1; });
    CompareOptions options = arguments.options;
    options.at = times_of(arguments.at);
    options.has_reference = !arguments.no_reference;
    options.scene_name = arguments.scene.string();
    const ComparePlan plan = make_plan(
        read_scene_source(arguments.scene, arguments.settings), read_variants(arguments.variants, arguments.settings),
        options);
    const CompareFolder folder(arguments.output, plan, arguments.force);
    CompareDisplay display(!arguments.quiet && !arguments.json);
    if (!run_all(plan, folder, {"/proc/self/exe", "run"}, display)) {
        fmt::print(stderr, "abut: interrupted; the same command continues the comparison\n");
        return ExitCode::interrupted;
    }
    const Comparison comparison = measure(plan, folder);
    const Table table = table_of(comparison);
    write_tables(comparison, table, folder);
    if (arguments.json)
        fmt::print("{}\n", comparison_to_json(comparison, table).dump(1));
    else if (!arguments.quiet)
        fmt::print(
            "{}comparison: {}, with plots in compare.html\n", table_to_text(table), absolute_name(folder.path()));
    return comparison.is_good() ? ExitCode::done : ExitCode::findings;
}

/// What CLI11 cannot check: bad usage, before anything is read.
void check_usage(const CompareArguments& arguments)
{
    check_usage(arguments.variants);
    if (arguments.no_reference && !arguments.options.reference.empty())
        throw CLI::ValidationError("--reference and --no-reference exclude each other");
    check_pairs("--set", arguments.settings);
    check_pairs("--reference", arguments.options.reference);
}

} // namespace

void add_compare_command(CLI::App& app, ExitCode& exit_code)
{
    CLI::App* command = app.add_subcommand(
        "compare", "Run variants of a scene one after the other and set time, accuracy and verdict side by side");
    auto options = std::make_shared<CompareArguments>();
    command->add_option("SCENE", options->scene, "JSON file")->required();
    add_variant_options(*command, options->variants);
    add_repeated(
        *command, "--set", "KEY=VALUE", options->settings, "Change a value of the scene for all; may be repeated");
    add_repeated(
        *command, "--reference", "KEY=VALUE", options->options.reference,
        "Settings of the run that others are measured by; may be repeated [a hundredth of solver.tolerance]");
    command->add_flag("--no-reference", options->no_reference, "Measure no distances");
    command->add_option("--repeat", options->options.repeat, "Runs of each variant, in turns [1]")
        ->check(CLI::Range(1, 1000));
    command->add_option("--at", options->at, "Times of the table's distances, e.g. 0.1,0.5 [a quarter, half, the end]");
    command
        ->add_option(
            "-o,--output", options->output,
            "Folder; one that holds the same comparison is continued [results/<scene>-compare]")
        ->check(named());
    command->add_option("--threads", options->options.threads, "Threads of each run; 0 for all")
        ->check(CLI::Range(0, 1024));
    command->add_flag("--force", options->force, "Replace another comparison in the folder");
    command->add_flag("--quiet", options->quiet, "Print nothing but errors");
    command->add_flag("--json", options->json, "Print compare.json");
    command->callback([options, &exit_code] {
        check_usage(*options);
        if (options->output.empty())
            options->output = std::filesystem::path("results") / (options->scene.stem().string() + "-compare");
        exit_code = compare(*options);
    });
}

} // namespace abut
