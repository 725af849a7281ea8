#include "abut/run/run.hpp"

#include "abut/run/report.hpp"
#include "bind.hpp"
#include "module.hpp"
#include "simulation.hpp"

#include <pybind11/stl.h>

namespace abut::python {

namespace {

/// What abut.run() and abut.resume() return.
struct FolderReport {
    std::filesystem::path folder;
    RunReport report;
    std::vector<std::string> warnings;
};

/// Calls Python after each step, and keeps what that raises, Ctrl-C too, until the results are written.
class Callback final : public RunObserver {
public:
    Callback(py::object function, int dim) : function_(std::move(function)), dim_(dim) {}

    bool begin() override
    {
        return ask([] { return true; });
    }
    bool after_step(const StepReport& report) override
    {
        return ask([&] {
            if (function_.is_none())
                return true;
            const py::object answer = function_(SizedReport{report, dim_});
            return answer.is_none() || py::bool_(answer);
        });
    }
    void rethrow() const
    {
        if (raised_)
            std::rethrow_exception(raised_);
    }

private:
    template <typename Question>
    bool ask(const Question& question)
    {
        const py::gil_scoped_acquire acquire;
        try {
            if (PyErr_CheckSignals() != 0)
                throw py::error_already_set();
            return question();
        } catch (...) {
            raised_ = std::current_exception();
            return false;
        }
    }

    py::object function_;
    int dim_;
    std::exception_ptr raised_;
};

struct RunArguments {
    std::optional<int> steps;
    py::object callback;
    bool report = true; ///< write report.html at the end

    /// Rejects what can never be right.
    void check() const
    {
        if (steps && *steps < 0)
            reject("steps: {} is below 0", *steps);
        if (!callback.is_none() && PyCallable_Check(callback.ptr()) == 0)
            reject_type(
                "callback: expected None or what can be called, got {}", std::string(py::str(py::type::of(callback))));
    }
};

/// Runs to the end, with a page that sums it up. Called with the interpreter lock, which it releases.
FolderReport
finish(Simulation& simulation, ResultFolder& results, const RunArguments& arguments, std::vector<std::string> warnings)
{
    Callback callback(arguments.callback, simulation.dim());
    FolderReport done{results.folder(), {}, simulation.warnings()};
    done.warnings.insert(done.warnings.end(), warnings.begin(), warnings.end());
    without_gil([&] {
        done.report = run(simulation, results, {.last_step = arguments.steps}, callback);
        if (!arguments.report)
            return;
        for (const std::string& line : write_report(results).passed_over)
            done.warnings.push_back(line);
    });
    callback.rethrow();
    return done;
}

FolderReport run_scene(const py::object& scene, const py::object& out, bool force, const RunArguments& arguments)
{
    arguments.check();
    const std::filesystem::path folder = path_argument(out, "out");
    const std::shared_ptr<const SceneSource> source = scene_source(scene);
    const NewResults options{
        .force = force, .inputs = source->files, .names = {.output = "the argument out", .force = "force=True"}};
    auto simulation = without_gil([&] { return Simulation(source->scene); });
    auto results = without_gil([&] { return start_results(folder, options, *source->json, simulation); });
    return finish(simulation, results, arguments, {});
}

FolderReport
resume_folder(const py::object& out, const std::vector<std::string>& settings, const RunArguments& arguments)
{
    arguments.check();
    const std::filesystem::path folder = path_argument(out, "out");
    std::vector<std::string> warnings;
    auto results = without_gil([&] { return ResultFolder::open(folder, true); });
    without_gil([&] { change_scene(results, settings); });
    auto simulation = without_gil(
        [&] { return resume_results(results, [&](const std::string& sentence) { warnings.push_back(sentence); }); });
    return finish(simulation, results, arguments, std::move(warnings));
}

void def_run_report(py::module_& m)
{
    using Self = FolderReport;
    Class<Self> type(m, "RunReport", "What a run did; of one that was resumed, the steps since then.");
    type.get("folder", "The folder of its results.", &Self::folder);
    const auto def_sum = [&](const char* name, const char* doc, auto member) {
        type.get(name, doc, [member](const Self& self) { return self.report.summary.*member; });
    };
    def_sum("steps", "Number of steps that it made.", &RunSummary::steps);
    def_sum("iterations", "Newton's iterations, over all steps.", &RunSummary::iterations);
    type.get(
        "end",
        "How it ended: 'finished' with the last step, 'interrupted' by the callback, or 'failed' in a step that did "
        "not converge.",
        [](const Self& self) { return std::string(to_string(self.report.end)); });
    type.get(
        "verdict",
        "What to think of it: 'good', 'unfinished' (good so far), 'nothing_yet', 'not_verified', 'inaccurate' "
        "(momentum does not balance), 'not_good' (the exact tests found something) or 'failed'. As in report.html.",
        [](const Self& self) { return std::string(to_string(self.report.verdict())); });
    type.get("explanation", "The verdict in sentences, with its reason.", [](const Self& self) {
        const VerdictText text = self.report.explanation();
        return text.words + " " + text.reason;
    });
    type.get(
        "exit_code",
        "What `abut run` returns to the shell for such a run; 0 where it is done and what was done is good, 1 where "
        "the verdict is 'inaccurate' or 'not_good'.",
        [](const Self& self) { return static_cast<int>(self.report.exit_code()); });
    def_sum(
        "num_intersections", "Intersections that the exact tests found, over all steps.",
        &RunSummary::num_intersections);
    def_sum("num_inverted", "Inverted elements that the exact tests found, over all steps.", &RunSummary::num_inverted);
    def_sum(
        "smallest_distance", "Smallest distance among contacts of all steps [m]; inf where there was none.",
        &RunSummary::smallest_distance);
    type.get("seconds", "How long it took [s].", [](const Self& self) { return self.report.seconds; });
    type.get(
        "warnings", "Sentences: what in the scene is most likely not meant, and what of the results could not be used.",
        &Self::warnings);
    type.repr([](const Self& self) {
        return fmt::format(
            "{} after {} steps, {}", to_string(self.report.end), self.report.summary.steps,
            to_string(self.report.verdict()));
    });
}

} // namespace

void def_run(py::module_& m)
{
    def_run_report(m);
    m.def(
        "run",
        [](const py::object& scene, const py::object& out, std::optional<int> steps, bool force,
           const py::object& callback, bool report) {
            return run_scene(scene, out, force, {steps, callback, report});
        },
        "scene"_a, "out"_a, py::kw_only(), "steps"_a = py::none(), "force"_a = false, "callback"_a = py::none(),
        "report"_a = true,
        R"(Runs a scene into a folder of results, as the program's `abut run` does, and returns a RunReport.

scene: a Scene, or the path of a JSON file.
out: the folder. One that holds something raises InvalidInput.
steps: run up to this step instead of the scene's last.
force: replace earlier results in the folder; never anything else.
callback: called with a StepReport after each step. Where it returns False, or what else is not true, None excepted, the
run ends. Where it raises, or Ctrl-C comes, the run ends and the exception is raised. Either way the step is finished and
saved, and resume() continues from it. Between calls the interpreter lock is released.
report: write report.html, the page that plays the run and sums it up, at the end.)");
    m.def(
        "resume",
        [](const py::object& out, const std::vector<std::string>& settings, std::optional<int> steps,
           const py::object& callback, bool report) {
            return resume_folder(out, settings, {steps, callback, report});
        },
        "out"_a, py::kw_only(), "settings"_a = std::vector<std::string>(), "steps"_a = py::none(),
        "callback"_a = py::none(), "report"_a = true,
        R"(Continues a run from its last frame, with the same bits as if it had never ended, and returns a RunReport.

out: the folder of its results; after a failure, its folder repro holds the state before the failing step, as results of
their own.
settings: changes of the scene from here on, such as "solver.max_iterations=200"; of solver, output, time.steps, time.until and verify.
steps, callback, report: as for run().)");
}

} // namespace abut::python
