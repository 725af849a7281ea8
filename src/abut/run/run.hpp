#pragma once
// Runs: a simulation that leaves its steps in a folder of results.
//
//     SceneSource source = read_scene_source("scene.json");
//     Simulation simulation(source.scene);
//     ResultFolder results = start_results("out", {.inputs = source.files}, *source.json, simulation);
//     RunReport report = run(simulation, results, {}, observer);
//     write_report(results);

#include "abut/base/error.hpp"
#include "abut/run/result_folder.hpp"
#include "abut/run/run_summary.hpp"
#include "abut/run/scene_source.hpp"

namespace abut {

/// Watches a run, and may end it. An exception from after_step() ends the run as if it returned false, and is
/// thrown again when the results are written.
class RunObserver {
public:
    virtual ~RunObserver() = default;
    /// Before the first step. False: the run makes none.
    virtual bool begin() { return true; }
    /// After each step, before anything of it is written. False: the run ends with this step, interrupted.
    virtual bool after_step(const StepReport&) { return true; }
    /// After the record of a step was written.
    virtual void after_record(const StepRecord&) {}
    /// After a frame was written.
    virtual void after_frame(const Frame&) {}
};

struct RunOptions {
    std::optional<int> last_step{}; ///< the run ends after it, >= 0; left out: that of the scene
};

/// The step that ended a run.
struct RunFailure {
    StepReport report;
    Verification before;         ///< of the state that the step started from
    std::filesystem::path repro; ///< results that resume with this step

    /// What is known about the states before and after it, as a sentence without a full stop.
    [[nodiscard]] std::string soundness() const;
};

enum class RunEnd : std::uint8_t {
    finished,    ///< with the last step
    interrupted, ///< by the observer
    failed,      ///< a step did not converge
};
[[nodiscard]] std::string_view to_string(RunEnd end);

/// What a run did.
struct RunReport {
    RunEnd end = RunEnd::finished;
    RunSummary summary; ///< after a resume, of the steps since then
    RunSummary whole;   ///< of all steps in the results, by which the run is judged
    RunGoal goal;
    std::optional<RunFailure> failure{};
    double seconds = 0; ///< from start to end

    [[nodiscard]] Verdict verdict() const { return verdict_of(whole, goal); }
    [[nodiscard]] VerdictText explanation() const { return explain_verdict(whole, goal); }
    /// What the program returns to the shell: 0 only for what the verdict calls good, or good so far. That nothing was
    /// verified, as the scene wanted it, is no finding.
    [[nodiscard]] ExitCode exit_code() const;
};

/// A new folder with all that a run has before its first step: the JSON of its scene, what that left open,
/// fingerprints, the first frame.
[[nodiscard]] ResultFolder start_results(
    const std::filesystem::path& folder, const NewResults& options, const nlohmann::json& scene,
    Simulation& simulation);

/// Changes the scene of results that were opened for writing, before they are resumed, by "solver.tolerance=1e-6" and
/// the like. Rejects what a state depends on: only solver, time.steps, time.until, output and verify may change.
void change_scene(const ResultFolder& results, const std::vector<std::string>& settings);

/// Receives what a caller may want to know, one sentence at a time.
using Warn = std::function<void(const std::string&)>;

/// The simulation of results that were opened for writing, at their last whole frame; what comes after it is removed.
/// Rejects results without such a frame, and scenes whose meshes or masses have changed.
[[nodiscard]] Simulation resume_results(ResultFolder& results, const Warn& warn);

/// Steps the simulation to its last step. Each step is recorded; frames, the last step and a failing one are verified,
/// unless the scene has that off, and saved. A step that does not converge ends the run and leaves repro/.
[[nodiscard]] RunReport
run(Simulation& simulation, ResultFolder& results, const RunOptions& options, RunObserver& observer);

} // namespace abut
