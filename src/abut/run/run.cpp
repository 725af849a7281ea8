#include "abut/run/run.hpp"

#include "abut/base/ranks.hpp"
#include "abut/io/file.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/run/fingerprint.hpp"
#include "abut/run/keep_meshes.hpp"
#include "abut/run/momentum_cure.hpp"
#include "abut/solver/shared_state.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <exception>

namespace abut {

namespace {

/// The exact tests, unless the scene has them off.
Verification verified(Simulation& simulation)
{
    return simulation.scene().verify == Verify::off ? Verification() : simulation.verify();
}

/// Leaves the state before a failing step in repro/; the simulation stays as it is.
RunFailure keep_failure(Simulation& simulation, const ResultFolder& results, const StepReport& report, State before)
{
    State after = simulation.state();
    simulation.set_state(std::move(before));
    RunFailure failure{report, verified(simulation), {}};
    const Frame frame = make_frame(simulation);
    on_root([&] { failure.repro = results.write_repro(frame); });
    simulation.set_state(std::move(after));
    return failure;
}

/// Asks whether to go on, and keeps what the observer throws for later.
class Question {
public:
    explicit Question(RunObserver& observer) : observer_(observer) {}

    bool goes_on(const StepReport& report)
    {
        try {
            return observer_.after_step(report);
        } catch (...) {
            thrown_ = std::current_exception();
            return false;
        }
    }
    void rethrow() const
    {
        if (thrown_)
            std::rethrow_exception(thrown_);
    }

private:
    RunObserver& observer_;
    std::exception_ptr thrown_;
};

/// By rank 0, or in pieces by all ranks.
void write(const Frame& frame, const std::vector<CellField>& fields, int pieces, ResultFolder& results)
{
    const int size = ranks().size();
    if (size == 1 || pieces == 0) {
        on_root([&] { results.write_frame(frame, fields, pieces); });
        return;
    }
    const auto path = ResultFolder::path_of_pieces(results.folder(), frame.step);
    on_root([&] { std::filesystem::create_directories(folder_of_pieces(path)); });
    const PieceEntry own = write_own_piece(path, frame, fields, ranks().rank(), size);
    const std::vector<PieceEntry> entries = of_all_ranks(own);
    on_root([&] { results.write_frame_index(frame, fields, entries); });
}

void write_frame(Simulation& simulation, const StepReport& report, ResultFolder& results, RunObserver& observer)
{
    Frame frame = make_frame(simulation);
    frame.arrows = report.arrows;
    write(frame, frame_fields(simulation), simulation.scene().frame_pieces, results);
    observer.after_frame(frame);
}

} // namespace

std::string_view to_string(RunEnd end)
{
    switch (end) {
    case RunEnd::finished:
        return "finished";
    case RunEnd::interrupted:
        return "interrupted";
    case RunEnd::failed:
        return "failed";
    }
    return "";
}

std::string RunFailure::soundness() const
{
    const Verification& after = report.verification;
    if (!before.is_checked || !after.is_checked)
        return "The states before and after it were not verified";
    const auto found = [](const Verification& state) {
        return fmt::format("{} intersections and {} inverted elements", state.num_intersections, state.num_inverted);
    };
    if (before.is_good() && after.is_good())
        return "The states before and after it are free of intersections";
    return fmt::format("The states before and after it are NOT GOOD: {}; {}", found(before), found(after));
}

ExitCode RunReport::exit_code() const
{
    if (end == RunEnd::failed)
        return ExitCode::not_converged;
    if (is_wrong(verdict()))
        return ExitCode::findings;
    return end == RunEnd::interrupted ? ExitCode::interrupted : ExitCode::done;
}

ResultFolder start_results(
    const std::filesystem::path& folder, const NewResults& options, const nlohmann::json& scene, Simulation& simulation)
{
    std::optional<ResultFolder> results;
    on_root([&] {
        results.emplace(ResultFolder::create(folder, options));
        write_fingerprints(*results, simulation);
        results->write_scene(scene, simulation.choices(), simulation.warnings());
    });
    if (!results) // rank 0 has made it
        results.emplace(ResultFolder::open(folder, false));
    write(make_frame(simulation), frame_fields(simulation), simulation.scene().frame_pieces, *results);
    on_root([&] { keep_meshes(*results, simulation.scene()); });
    return std::move(*results);
}

void change_scene(const ResultFolder& results, const std::vector<std::string>& settings)
{
    if (settings.empty())
        return;
    for (const std::string& setting : settings) {
        const std::string key = setting.substr(0, setting.find('='));
        if (!key.starts_with("solver.") && !key.starts_with("output.") && key != "time.steps" && key != "time.until" &&
            key != "verify")
            reject(
                "--set {}: a run that goes on can change solver, output, time.steps, time.until and verify only; run "
                "the scene anew for others",
                setting);
    }
    const nlohmann::json scene = read_scene_json(results.scene_path(), settings);
    static_cast<void>(
        scene_from_json(scene, results.scene_path().string(), {.folder = results.folder()})); // rejects what is wrong
    write_file(results.scene_path(), scene.dump(2) + "\n");
}

Simulation resume_results(ResultFolder& results, const Warn& warn)
{
    Simulation simulation(scene_of_run(results));
    check_masses_of_run(results, simulation);
    State state;
    on_root([&] {
        keep_meshes(results, simulation.scene()); // of an earlier version, or of a run that was killed before
        const ResultFolder::Recovery recovery = results.recover();
        for (const std::string& line : recovery.passed_over)
            warn(line);
        for (const std::string& damage : recovery.damaged)
            warn(damage + (recovery.frame ? ". The frame was removed." : ""));
        if (!recovery.frame)
            reject("{}: no frame to continue from; run the scene again with --force", results.folder().string());
        if (!recovery.damaged.empty())
            warn(fmt::format("continuing from frame {}", recovery.frame->step));
        state = state_of(*recovery.frame);
    });
    take_from_root(state);
    simulation.set_state(std::move(state));
    return simulation;
}

RunReport run(Simulation& simulation, ResultFolder& results, const RunOptions& options, RunObserver& observer)
{
    const auto start = std::chrono::steady_clock::now();
    const Scene& scene = simulation.scene();
    const int last_step = options.last_step.value_or(scene.time.steps);
    RunReport result{
        .summary = {}, .whole = {}, .goal = {.steps = scene.time.steps, .has_inertia = simulation.has_inertia()}};
    // Lines that are no record were told of by whoever opened the results.
    on_root(
        [&] { static_cast<void>(results.for_each_record([&](StepRecord&& earlier) { result.whole.add(earlier); })); });
    Question question(observer);
    if (any_rank(!observer.begin()))
        result.end = RunEnd::interrupted;
    bool is_over = simulation.state().step >= last_step || result.end == RunEnd::interrupted;
    while (!is_over) {
        State before = simulation.state();
        StepReport report = simulation.step();
        const bool has_failed = report.outcome != Outcome::converged && report.outcome != Outcome::not_converged;
        const auto verify_if = [&](bool is_saved) {
            if (is_saved && !report.verification.is_checked)
                report.verification = verified(simulation);
        };
        is_over = has_failed || report.step == last_step;
        verify_if(is_over);
        if (any_rank(!question.goes_on(report))) {
            result.end = RunEnd::interrupted;
            is_over = true;
            verify_if(true);
        }
        const StepRecord record = record_of(report, simulation.names());
        result.summary.add(record);
        result.whole.add(record);
        on_root([&] { results.add_record(record); });
        observer.after_record(record);
        if (has_failed) {
            result.failure = keep_failure(simulation, results, report, std::move(before));
            result.end = RunEnd::failed;
        }
        if (is_over || scene.is_frame(report.step))
            write_frame(simulation, report, results, observer);
    }
    on_root([&] { results.finish(); });
    if (result.verdict() == Verdict::inaccurate)
        result.goal.momentum_cure = momentum_cure(scene);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    question.rethrow();
    return result;
}

} // namespace abut
