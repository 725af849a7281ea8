#pragma once
// The folder of a comparison:
//
//   plan.json              what is compared; a folder is continued only by the same plan
//   scene.json             the scene, without the settings of variants
//   runs/NAME/1, 2, ...    results of each run of a variant
//   runs/NAME/1.json, ...  what the run took; written when it has ended, so a run without it is made anew
//   runs/reference/        the same for the reference
//   compare.json, .csv, .html   the table

#include "abut/run/child_process.hpp"
#include "abut/run/compare/plan.hpp"
#include "abut/run/plan_folder.hpp"

namespace abut {

class CompareFolder {
public:
    /// A new folder, or one that holds the same comparison. Rejects one that holds another, naming what differs, unless
    /// `force`, and one that holds anything else.
    CompareFolder(
        const std::filesystem::path& folder, const ComparePlan& plan, bool force, const PlanWords& words = {});

    [[nodiscard]] const std::filesystem::path& path() const { return folder_; }
    [[nodiscard]] std::filesystem::path scene_path() const { return folder_ / "scene.json"; }
    /// The results of a run of a variant; `repetition` counts from 1.
    [[nodiscard]] std::filesystem::path results_of(const PlannedRun& run, int repetition) const;

    /// What a run took that ended; nothing where it did not.
    [[nodiscard]] std::optional<ChildReport> taken_by(const PlannedRun& run, int repetition) const;
    void keep(const PlannedRun& run, int repetition, const ChildReport& report) const;
    /// Removes what is left of a run that did not end.
    void clear(const PlannedRun& run, int repetition) const;

private:
    [[nodiscard]] std::filesystem::path report_of(const PlannedRun& run, int repetition) const;

    std::filesystem::path folder_;
    FolderLock lock_;
};

} // namespace abut
