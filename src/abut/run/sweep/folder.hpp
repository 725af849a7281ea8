#pragma once
// The folder of a sweep. Nothing in it names a place outside, so that it can be moved.
//
//   sweep.json               the plan; a folder is continued only by the same plan
//   scene.json, meshes/      the scene without the settings of points, and the meshes that it and the points read
//   Snakefile, slurm/        what Snakemake runs, and how it reaches Slurm
//   points/NAME/run          the results of a point
//   points/NAME/report.json  what it took, and the verdict; written when the run has ended
//   points/NAME/picture.png  its last frame
//   jobs/NUMBER.done         marks a job of which all points have results
//   results.csv, .json, .html

#include "abut/run/judged_run.hpp"
#include "abut/run/plan_folder.hpp"
#include "abut/run/sweep/plan.hpp"

#include <cmath>
#include <optional>

namespace abut {

/// A point whose run has ended.
struct PointReport {
    ChildReport child{}; ///< the last process; it may have continued what others began
    JudgedRun judged{};
    double time_limit = 0;   ///< that ended it [s]; 0: none did
    bool is_resumed = false; ///< began in another process
    int steps = 0;           ///< that were made
    std::int64_t iterations = 0, most_contacts = 0;
    double smallest_distance = NAN; ///< [m]; NaN where nothing touched
    double momentum_defect = NAN;   ///< the largest of a step
    double solve_seconds = 0;       ///< of all steps, whatever process made them
};

/// Those who only look at a sweep: its plan must be there.
class SweepFolder {
public:
    explicit SweepFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

    [[nodiscard]] const std::filesystem::path& path() const { return folder_; }
    [[nodiscard]] std::filesystem::path scene_path() const { return folder_ / "scene.json"; }
    [[nodiscard]] SweepPlan read_plan() const;
    [[nodiscard]] static bool is_one(const std::filesystem::path& folder);

    [[nodiscard]] std::filesystem::path point_path(const SweepPoint& point) const
    {
        return folder_ / "points" / point.folder;
    }
    [[nodiscard]] std::filesystem::path results_of(const SweepPoint& point) const { return point_path(point) / "run"; }
    [[nodiscard]] std::filesystem::path picture_of(const SweepPoint& point) const
    {
        return point_path(point) / "picture.png";
    }
    [[nodiscard]] std::filesystem::path report_path(const SweepPoint& point) const
    {
        return point_path(point) / "report.json";
    }
    [[nodiscard]] std::filesystem::path marker_of(const std::string& job) const
    {
        return folder_ / "jobs" / (job + ".done");
    }

    /// Nothing where the run has not ended, or where someone removed its results or damaged the report.
    [[nodiscard]] std::optional<PointReport> report_of(const SweepPoint& point) const;
    void keep(const SweepPoint& point, const PointReport& report) const;

private:
    std::filesystem::path folder_;
};

/// Is there nothing more to run? Not where a signal from outside, a full disk or a shorter limit of time ended it.
[[nodiscard]] bool is_settled(const std::optional<PointReport>& report, const SweepOptions& options);

/// Makes the folder, or opens one of the same sweep, and brings all but the runs up to date: the plan, the scene, what
/// Snakemake reads, markers. `job_command`: as snakefile_of(). Throws as open_plan_folder().
[[nodiscard]] FolderLock lay_out(
    const SweepFolder& folder, const SweepPlan& plan, const std::vector<std::string>& job_command, bool force,
    const PlanWords& words = {});

} // namespace abut
