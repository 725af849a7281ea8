#include "abut/run/sweep/job.hpp"

#include "abut/base/error.hpp"
#include "abut/draw/png.hpp"
#include "abut/io/file.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/run/plan_folder.hpp"
#include "abut/run/playback_html.hpp"
#include "abut/run/sweep/snakefile.hpp"

#include <chrono>
#include <thread>

namespace abut {

namespace fs = std::filesystem;

namespace {

constexpr PictureSize thumbnail{.width = 240, .height = 160};

class PointRunner {
public:
    PointRunner(
        const SweepFolder& folder, const SweepPlan& plan, const RunCommands& commands,
        const std::function<bool()>& goes_on)
        : folder_(folder), plan_(plan), commands_(commands), goes_on_(goes_on)
    {}

    /// Is the point settled?
    bool run(const SweepPoint& point)
    {
        const std::optional<FolderLock> lock = wait_for(point);
        if (!lock)
            return false;
        if (is_settled(folder_.report_of(point), plan_.options))
            return true;
        remove_whole(folder_.report_path(point));
        PointReport report;
        start_ = std::chrono::steady_clock::now();
        report.is_resumed = can_resume(point);
        report.child = run_child(report.is_resumed ? resume_command(point) : run_command(point), in_time());
        // What cannot be continued, because files are damaged, begins anew.
        if (report.is_resumed && report.child.exit_code == static_cast<int>(ExitCode::invalid_input)) {
            report.is_resumed = false;
            report.child = run_child(run_command(point), in_time());
        }
        if (!goes_on_())
            return false;
        if (report.child.was_stopped)
            report.time_limit = plan_.options.time_limit;
        judge_point(point, report);
        draw(point);
        folder_.keep(point, report);
        return is_settled(report, plan_.options);
    }

private:
    /// Someone else may run it: a job of a sweep that was killed, for a moment, or one that a cluster still has. The
    /// run itself may live a moment longer than the job that started it.
    std::optional<FolderLock> wait_for(const SweepPoint& point) const
    {
        constexpr std::chrono::milliseconds pause(100);
        make_folder(folder_.point_path(point));
        for (; goes_on_(); std::this_thread::sleep_for(pause)) {
            try {
                FolderLock lock(folder_.point_path(point), "another job");
                while (FolderLock::is_held(folder_.results_of(point)) && goes_on_())
                    std::this_thread::sleep_for(pause);
                return lock;
            } catch (const InvalidInput&) {
                continue;
            }
        }
        return {};
    }

    [[nodiscard]] double seconds() const
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

    [[nodiscard]] std::function<bool()> in_time() const
    {
        return [this] { return goes_on_() && (plan_.options.time_limit <= 0 || seconds() < plan_.options.time_limit); };
    }

    /// Not where a step failed: it would go on behind it.
    [[nodiscard]] bool can_resume(const SweepPoint& point) const
    {
        std::error_code ignored;
        if (!fs::exists(folder_.results_of(point) / "scene.json", ignored))
            return false;
        const ResultFolder results = ResultFolder::open(folder_.results_of(point), false);
        RunSummary summary;
        static_cast<void>(results.for_each_record([&](StepRecord&& record) { summary.add(record); }));
        return !results.frame_steps().empty() && !summary.failed;
    }

    [[nodiscard]] std::vector<std::string> with_options(std::vector<std::string> command) const
    {
        command.insert(command.end(), {"--quiet", "--no-report", "--threads", std::to_string(plan_.options.threads)});
        return command;
    }
    [[nodiscard]] std::vector<std::string> resume_command(const SweepPoint& point) const
    {
        std::vector<std::string> command = with_options(commands_.resume);
        command.push_back(folder_.results_of(point).string());
        return command;
    }
    /// Removes what is left of an earlier try.
    [[nodiscard]] std::vector<std::string> run_command(const SweepPoint& point) const
    {
        remove_whole(folder_.results_of(point));
        remove_whole(folder_.results_of(point).string() + ".intersections.obj");
        remove_whole(folder_.picture_of(point));
        std::vector<std::string> command = with_options(commands_.run);
        command.insert(command.end(), {folder_.scene_path().string(), "--output", folder_.results_of(point).string()});
        for (const std::string& setting : point.settings)
            command.insert(command.end(), {"--set", setting});
        return command;
    }

    void judge_point(const SweepPoint& point, PointReport& report) const
    {
        std::error_code ignored;
        RunSummary summary;
        const bool has_results = fs::exists(folder_.results_of(point) / "scene.json", ignored);
        if (has_results)
            static_cast<void>(
                ResultFolder::open(folder_.results_of(point), false).for_each_record([&](StepRecord&& record) {
                    summary.add(record);
                }));
        report.judged =
            judge(summary, {.steps = point.steps, .has_inertia = point.has_inertia}, report.child, has_results);
        if (report.time_limit > 0)
            report.judged = {
                .verdict = "time_limit",
                .message = fmt::format(
                    "stopped after {:g} s, the limit of time, with {} of {} steps; the same sweep with a longer "
                    "--time-limit continues it",
                    report.time_limit, summary.steps, point.steps),
                .is_good = false};
        report.steps = summary.steps;
        report.iterations = summary.iterations;
        report.most_contacts = summary.most_contacts;
        report.smallest_distance = summary.smallest_distance;
        report.momentum_defect = summary.steps > 0 ? summary.momentum.largest() : NAN;
        report.solve_seconds = summary.times.total();
    }

    /// The last frame. A point without a picture is none the worse.
    void draw(const SweepPoint& point) const
    {
        try {
            const ResultFolder results = ResultFolder::open(folder_.results_of(point), false);
            const std::vector<int> steps = results.frame_steps();
            if (!steps.empty())
                write_file(
                    folder_.picture_of(point),
                    encode_png(picture_of_frame(results, read_scene(results.scene_path()), steps.back(), thumbnail)));
        } catch (const InvalidInput&) {
            return;
        } catch (const InvalidStart&) {
            return;
        }
    }

    const SweepFolder& folder_;
    const SweepPlan& plan_;
    const RunCommands& commands_;
    const std::function<bool()>& goes_on_;
    std::chrono::steady_clock::time_point start_;
};

std::size_t index_of(const SweepPlan& plan, const std::string& job)
{
    for (std::size_t k = 0; k < plan.num_jobs(); ++k)
        if (job_name(plan, k) == job)
            return k;
    reject(
        "'{}': the sweep has no such job; they are {} to {}", job, job_name(plan, 0),
        job_name(plan, plan.num_jobs() - 1));
}

} // namespace

bool run_job(
    const fs::path& path, const std::string& job, const RunCommands& commands, const std::function<bool()>& goes_on)
{
    const SweepFolder folder(path);
    const SweepPlan plan = folder.read_plan();
    PointRunner runner(folder, plan, commands, goes_on);
    bool is_done = true;
    for (const std::size_t k : plan.points_of_job(index_of(plan, job))) {
        const bool is_point_done = runner.run(plan.points[k]);
        if (!goes_on())
            return false;
        is_done = is_done && is_point_done;
    }
    if (is_done)
        write_file(folder.marker_of(job), "");
    return is_done;
}

} // namespace abut
