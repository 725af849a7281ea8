#include "abut/run/compare/folder.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/io/json_object.hpp"
#include "abut/run/output_name.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace abut {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

constexpr std::array names_in_folder{"plan.json", "scene.json", "runs", "compare.json", "compare.csv", "compare.html"};
constexpr std::uintmax_t most_json_bytes = 1 << 30;

/// Has the folder nothing but what a comparison leaves that was killed before its plan was written?
bool is_as_empty(const fs::path& folder)
{
    std::error_code ignored;
    fs::directory_iterator entries(folder, ignored);
    return std::all_of(begin(entries), end(entries), [](const fs::directory_entry& entry) {
        const std::string name = entry.path().filename().string();
        return name == "lock" || name.starts_with("plan.json.tmp-");
    });
}

/// The plan of an earlier comparison, as JSON.
json read_plan(const fs::path& path)
{
    try {
        return parse_json(read_file(path, most_json_bytes), path.string());
    } catch (const InvalidInput& error) {
        reject("{}; it is no plan of 'abut compare', choose another folder with -o", error.what());
    }
}

[[noreturn]] void reject_other(const fs::path& folder, const std::vector<std::string>& differences)
{
    constexpr std::size_t most_shown = 10;
    std::string text = fmt::format(
        "{}: the folder holds another comparison; choose another with -o, or replace it with --force. What differs:",
        folder.string());
    for (std::size_t k = 0; k < std::min(most_shown, differences.size()); ++k)
        text += "\n  " + differences[k];
    if (differences.size() > most_shown)
        text += fmt::format("\n  and {} more", differences.size() - most_shown);
    throw InvalidInput(text);
}

void remove_whole(const fs::path& path)
{
    std::error_code error;
    fs::remove_all(path, error);
    if (error)
        throw InputOutput(fmt::format("{}: cannot be removed: {}", path.string(), error.message()));
}

void make_folder(const fs::path& path)
{
    std::error_code error;
    fs::create_directories(path, error);
    if (error)
        throw InputOutput(fmt::format("{}: cannot create the folder: {}", path.string(), error.message()));
}

} // namespace

CompareFolder::CompareFolder(const fs::path& folder, const ComparePlan& plan, bool force) : folder_(folder)
{
    check_output_name(folder);
    std::error_code ignored;
    for (const fs::path& input : plan.files)
        if (is_inside(input, folder))
            reject(
                "{}: the comparison reads {}, which is in this folder; choose another with -o", folder.string(),
                absolute_name(input));
    if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
        reject("{}: it exists and is no folder; choose another name with -o", folder.string());
    const fs::path plan_path = folder / "plan.json";
    const bool has_plan = fs::exists(plan_path, ignored);
    if (fs::is_directory(folder, ignored) && !has_plan && !is_as_empty(folder))
        reject("{}: it holds something else than a comparison; choose another folder with -o", folder.string());
    const json wanted = plan_to_json(plan);
    make_folder(folder);
    lock_ = FolderLock(folder, "another comparison");
    const auto differences = has_plan ? plan_differences(read_plan(plan_path), wanted) : std::vector<std::string>();
    if (!differences.empty() && !force)
        reject_other(folder, differences);
    if (has_plan && force)
        for (const char* name : names_in_folder)
            remove_whole(folder / name);
    write_file(plan_path, wanted.dump(2) + "\n");
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
    const json read = parse_json(read_file(path, most_json_bytes), path.string());
    ChildReport report{
        .exit_code = read.at("exit_code"),
        .signal = read.at("signal"),
        .errors = read.at("message"),
        .wall_seconds = read.at("wall_seconds"),
        .cpu_seconds = read.at("cpu_seconds")};
    if (!read.at("peak_bytes").is_null())
        report.peak_bytes = read.at("peak_bytes").get<std::int64_t>();
    if (report.exit_code == 0 && report.signal == 0 && !fs::exists(results_of(run, repetition) / "scene.json", ignored))
        return {}; // someone removed the results
    return report;
}

void CompareFolder::keep(const PlannedRun& run, int repetition, const ChildReport& report) const
{
    const json written{{"exit_code", report.exit_code},
                       {"signal", report.signal},
                       {"message", report.errors},
                       {"wall_seconds", report.wall_seconds},
                       {"cpu_seconds", report.cpu_seconds},
                       {"peak_bytes", report.peak_bytes ? json(*report.peak_bytes) : json(nullptr)}};
    // What a program wrote need not be UTF-8.
    write_file(report_of(run, repetition), written.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
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
