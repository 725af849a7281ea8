#include "abut/run/compare/folder.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/io/json_object.hpp"
#include "abut/run/judged_run.hpp"
#include "abut/run/plan_folder.hpp"

#include <array>

namespace abut {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

constexpr std::array names_in_folder{"plan.json", "scene.json", "runs", "compare.json", "compare.csv", "compare.html"};
constexpr PlanFolderKind comparison_kind{
    .what = "comparison", .command = "abut compare", .plan_name = "plan.json", .names = names_in_folder};

} // namespace

CompareFolder::CompareFolder(const fs::path& folder, const ComparePlan& plan, bool force, const PlanWords& words)
    : folder_(folder)
{
    const json wanted = plan_to_json(plan);
    lock_ = open_plan_folder(folder, comparison_kind, wanted, plan.files, force, words);
    write_file(scene_path(), wanted["scene"].dump(2) + "\n");
}

fs::path CompareFolder::results_of(const PlannedRun& run, int repetition) const
{
    return folder_ / "runs" / run.folder / std::to_string(repetition);
}

fs::path CompareFolder::report_of(const PlannedRun& run, int repetition) const
{
    return folder_ / "runs" / run.folder / fmt::format("{}.json", repetition);
}

std::optional<ChildReport> CompareFolder::taken_by(const PlannedRun& run, int repetition) const
{
    const fs::path path = report_of(run, repetition);
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        return {};
    constexpr std::uintmax_t most_bytes = 1 << 20;
    ChildReport report = child_from_json(parse_json(read_file(path, most_bytes), path.string()));
    if (report.exit_code == 0 && report.signal == 0 && !fs::exists(results_of(run, repetition) / "scene.json", ignored))
        return {}; // someone removed the results
    return report;
}

void CompareFolder::keep(const PlannedRun& run, int repetition, const ChildReport& report) const
{
    // What a program wrote need not be UTF-8.
    write_file(
        report_of(run, repetition), child_to_json(report).dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

void CompareFolder::clear(const PlannedRun& run, int repetition) const
{
    const fs::path results = results_of(run, repetition);
    remove_whole(results);
    // Where the start intersects, `abut run` leaves a mesh beside the results.
    remove_whole(results.string() + ".intersections.obj");
    make_folder(results.parent_path());
}

} // namespace abut
