#include "abut/run/sweep/folder.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/io/json_object.hpp"
#include "abut/run/plan_folder.hpp"
#include "abut/run/sweep/snakefile.hpp"
#include "abut/run/table.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>

namespace abut {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

constexpr std::array names_in_sweep{"sweep.json",  "scene.json",   "meshes",      "Snakefile",
                                    "slurm",       ".snakemake",   "points",      "jobs",
                                    "results.csv", "results.json", "results.html"};
constexpr PlanFolderKind sweep_kind{
    .what = "sweep", .command = "abut sweep", .plan_name = "sweep.json", .names = names_in_sweep};

/// The time of a file stays as it is where nothing changes.
void write_if_other(const fs::path& path, const std::string& text)
{
    std::error_code ignored;
    constexpr std::uintmax_t most_bytes = std::uintmax_t(1) << 40;
    if (!fs::is_regular_file(path, ignored) || read_file(path, most_bytes) != text)
        write_file(path, text);
}

/// Files that a killed process was writing.
void remove_temporary(const fs::path& folder)
{
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored))
        if (entry->path().filename().string().find(".tmp-") != std::string::npos)
            fs::remove(entry->path(), ignored);
}

void keep_files(const SweepFolder& folder, const SweepPlan& plan)
{
    for (const auto& [name, from] : plan.files) {
        const fs::path to = folder.path() / name;
        make_folder(to.parent_path());
        write_if_other(to, read_file(from, std::uintmax_t(1) << 40));
    }
}

PointReport point_report_of(const json& read)
{
    const auto number = [](const json& value) { return value.is_number() ? value.get<double>() : NAN; };
    return {
        .child = child_from_json(read.at("process")),
        .judged = {.verdict = read.at("verdict"), .message = read.at("message"), .is_good = read.at("good")},
        .time_limit = read.at("time_limit"),
        .is_resumed = read.at("resumed"),
        .steps = read.at("steps"),
        .iterations = read.at("iterations"),
        .most_contacts = read.at("most_contacts"),
        .smallest_distance = number(read.at("smallest_gap")),
        .momentum_defect = number(read.at("momentum_defect")),
        .solve_seconds = number(read.at("solve_seconds"))};
}

/// A job is done where all of its points are; what Snakemake thinks follows from the points.
void write_markers(const SweepFolder& folder, const SweepPlan& plan)
{
    std::error_code ignored;
    make_folder(folder.path() / "jobs");
    std::vector<fs::path> wanted;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const std::vector<std::size_t> points = plan.points_of_job(job);
        if (std::all_of(points.begin(), points.end(), [&](std::size_t k) {
                return is_settled(folder.report_of(plan.points[k]), plan.options);
            }))
            wanted.push_back(folder.marker_of(job_name(plan, job)));
    }
    for (fs::directory_iterator entry(folder.path() / "jobs", ignored), end; entry != end; entry.increment(ignored))
        if (std::find(wanted.begin(), wanted.end(), entry->path()) == wanted.end())
            remove_whole(entry->path());
    for (const fs::path& marker : wanted)
        if (!fs::exists(marker, ignored))
            write_file(marker, "");
}

} // namespace

bool SweepFolder::is_one(const fs::path& folder)
{
    std::error_code ignored;
    return fs::is_regular_file(folder / sweep_kind.plan_name, ignored);
}

SweepPlan SweepFolder::read_plan() const
{
    return sweep_from_json(abut::read_plan(folder_, sweep_kind), (folder_ / sweep_kind.plan_name).string());
}

std::optional<PointReport> SweepFolder::report_of(const SweepPoint& point) const
{
    const fs::path path = report_path(point);
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        return {};
    try {
        constexpr std::uintmax_t most_bytes = 1 << 20;
        PointReport report = point_report_of(parse_json(read_file(path, most_bytes), path.string()));
        const bool has_results = fs::exists(results_of(point) / "scene.json", ignored);
        return has_results || report.judged.verdict == "not_started" ? std::optional(std::move(report)) : std::nullopt;
    } catch (const Error&) { // damaged, so that the point is looked at again
        return {};
    } catch (const json::exception&) {
        return {};
    }
}

void SweepFolder::keep(const SweepPoint& point, const PointReport& report) const
{
    const json written{
        {"verdict", report.judged.verdict},
        {"good", report.judged.is_good},
        {"message", report.judged.message},
        {"settings", point.settings},
        {"process", child_to_json(report.child)},
        {"time_limit", report.time_limit},
        {"resumed", report.is_resumed},
        {"steps", report.steps},
        {"iterations", report.iterations},
        {"most_contacts", report.most_contacts},
        {"smallest_gap", finite_or_null(report.smallest_distance)},
        {"momentum_defect", finite_or_null(report.momentum_defect)},
        {"solve_seconds", report.solve_seconds}};
    // What a program wrote need not be UTF-8.
    write_file(report_path(point), written.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

bool is_settled(const std::optional<PointReport>& report, const SweepOptions& options)
{
    if (!report)
        return false;
    if (report->time_limit > 0)
        return options.time_limit > 0 && options.time_limit <= report->time_limit;
    constexpr std::array outside{SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGXCPU};
    constexpr std::array codes{static_cast<int>(ExitCode::interrupted), static_cast<int>(ExitCode::input_output), 127};
    return std::find(outside.begin(), outside.end(), report->child.signal) == outside.end() &&
           std::find(codes.begin(), codes.end(), report->child.exit_code) == codes.end();
}

FolderLock lay_out(
    const SweepFolder& folder, const SweepPlan& plan, const std::vector<std::string>& job_command, bool force,
    const PlanWords& words)
{
    FolderLock lock = open_plan_folder(folder.path(), sweep_kind, sweep_to_json(plan), plan.inputs, force, words);
    remove_temporary(folder.path());
    keep_files(folder, plan);
    write_if_other(folder.scene_path(), plan.scene->dump(2) + "\n");
    for (const SweepPoint& point : plan.points)
        make_folder(folder.point_path(point));
    write_markers(folder, plan);
    // By Snakemake's own lock nobody can tell whether its owner lives. Here it does not: all who run it hold ours.
    remove_whole(folder.path() / ".snakemake" / "locks");
    write_if_other(folder.path() / "Snakefile", snakefile_of(plan, job_command));
    make_folder(folder.path() / "slurm");
    for (const ProfileFile& file : slurm_profile()) {
        const fs::path path = folder.path() / "slurm" / file.name;
        std::error_code error;
        if (fs::exists(path, error))
            continue; // someone may have changed it
        write_file(path, file.text);
        if (file.is_program)
            fs::permissions(path, fs::perms(0755), error);
    }
    return lock;
}

} // namespace abut
