#include "abut/run/sweep/sweep.hpp"

#include "abut/run/sweep/job.hpp"
#include "abut/run/sweep/results.hpp"
#include "bind.hpp"
#include "module.hpp"
#include "signals.hpp"
#include "simulation.hpp"
#include "varied.hpp"

#include <pybind11/stl.h>

#include <unistd.h>

namespace abut::python {

namespace {

class SweepSignals final : public SweepObserver {
public:
    bool goes_on() override { return signals.goes_on(); }

    Signals signals;
};

/// What becomes of the folder, besides its plan.
struct SweepWish {
    SweepLaunch launch;
    bool force, dry_run;
    std::vector<std::string> job_command;
};

/// Runs or continues a sweep, and returns results.json as text.
std::string sweep(
    const py::object& scene, const Varied& varied, SweepOptions options, const py::object& scene_folder,
    const py::object& output, const SweepWish& wish)
{
    const SweepFolder folder(path_argument(output, "output"));
    const std::filesystem::path files = path_argument(scene_folder, "scene");
    const std::shared_ptr<const SceneSource> source = scene_source(scene);
    SweepSignals observer;
    const std::optional<std::string> text = without_gil([&]() -> std::optional<std::string> {
        const Variants variants = varied.variants();
        if (options.group == 0)
            options.group = usual_group(variants.list.size(), wish.launch.jobs > 0 ? wish.launch.jobs : num_cores());
        const SweepPlan plan = make_sweep_plan(*source, variants, options, "scene", files);
        const FolderLock lock =
            lay_out(folder, plan, wish.job_command, wish.force, {.output = "output", .force = "force=True"});
        const SweepEnd end = wish.dry_run ? SweepEnd() : run_sweep(plan, folder, wish.launch, observer);
        const SweepResults results = gather(plan, folder);
        const Table table = table_of(results);
        if (!wish.dry_run)
            write_results(results, table, folder);
        if (end.is_interrupted)
            return {};
        if (results.num_missing() > 0 && !wish.dry_run)
            throw InputOutput(fmt::format(
                "{}: {} points did not come to their end; the same call continues them. What Snakemake said:\n{}",
                folder.path().string(), results.num_missing(), end.errors));
        return results_to_json(results, table).dump();
    });
    if (!text)
        observer.signals.raise();
    return *text;
}

/// Ends with the process that started it, as `abut sweep-job` does.
bool sweep_job(const py::object& folder, const std::string& job, const RunCommands& commands)
{
    const std::filesystem::path path = path_argument(folder, "folder");
    const pid_t parent = ::getppid();
    Signals signals;
    return without_gil(
        [&] { return run_job(path, job, commands, [&] { return signals.goes_on() && ::getppid() == parent; }); });
}

} // namespace

void def_sweep(py::module_& m)
{
    m.def(
        "_sweep", [](const py::object& scene, const decltype(Varied::keys)& keys, const std::optional<std::string>& csv,
                     const py::object& scene_folder, const py::object& output, const std::vector<std::string>& collect,
                     int jobs, int threads, int group, double time_limit, const std::string& profile, bool dry_run,
                     bool force, const std::vector<std::string>& job_command) {
            const SweepOptions options{
                .threads = threads, .group = group, .time_limit = time_limit, .collect = collect};
            return sweep(
                scene, {keys, csv}, options, scene_folder, output,
                {.launch = {.jobs = jobs, .profile = profile},
                 .force = force,
                 .dry_run = dry_run,
                 .job_command = job_command});
        });
    m.def(
        "_sweep_job",
        [](const py::object& folder, const std::string& job, const std::vector<std::string>& run,
           const std::vector<std::string>& resume) { return sweep_job(folder, job, {.run = run, .resume = resume}); });
}

} // namespace abut::python
