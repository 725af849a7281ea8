#include "abut/run/judged_run.hpp"

#include "abut/base/error.hpp"

#include <nlohmann/json.hpp>

#include <csignal>
#include <cstring>
#include <sstream>

namespace abut {

using nlohmann::json;

json child_to_json(const ChildReport& report)
{
    return {{"exit_code", report.exit_code},
            {"signal", report.signal},
            {"message", report.errors},
            {"wall_seconds", report.wall_seconds},
            {"cpu_seconds", report.cpu_seconds},
            {"peak_bytes", report.peak_bytes ? json(*report.peak_bytes) : json(nullptr)}};
}

ChildReport child_from_json(const json& read)
{
    ChildReport report{
        .exit_code = read.at("exit_code"),
        .signal = read.at("signal"),
        .errors = read.at("message"),
        .wall_seconds = read.at("wall_seconds"),
        .cpu_seconds = read.at("cpu_seconds")};
    if (!read.at("peak_bytes").is_null())
        report.peak_bytes = read.at("peak_bytes").get<std::int64_t>();
    return report;
}

bool is_interrupted(const ChildReport& report)
{
    return report.was_stopped || report.exit_code == static_cast<int>(ExitCode::interrupted) ||
           report.signal == SIGINT || report.signal == SIGTERM;
}

std::string message_of(const ChildReport& report)
{
    constexpr std::string_view name = "abut: ", warning = "abut: warning: ";
    constexpr std::size_t most = 2000;
    std::string text;
    std::istringstream lines(report.errors);
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with(warning) && !line.empty())
            text += (text.empty() ? "" : "\n") + (line.starts_with(name) ? line.substr(name.size()) : line);
    if (report.signal != 0)
        text +=
            fmt::format("{}ended by signal {} ({})", text.empty() ? "" : "\n", report.signal, strsignal(report.signal));
    if (text.empty())
        text = fmt::format("ended with exit code {}", report.exit_code);
    return text.size() <= most ? text : text.substr(text.size() - most);
}

JudgedRun judge(const RunSummary& summary, const RunGoal& goal, const ChildReport& report, bool has_results)
{
    const Verdict verdict = verdict_of(summary, goal);
    const bool has_ended_well = report.exit_code == 0 && report.signal == 0;
    if (!has_results)
        return {.verdict = "not_started", .message = message_of(report)};
    if (!has_ended_well && !is_wrong(verdict))
        return {.verdict = "crashed", .message = message_of(report)};
    JudgedRun judged{
        .verdict = std::string(to_string(verdict)),
        .message = {},
        .is_good = has_ended_well && !is_wrong(verdict) && summary.steps == goal.steps};
    if (!judged.is_good) {
        const VerdictText text = explain_verdict(summary, goal);
        judged.message = text.words + " " + text.reason;
    }
    return judged;
}

} // namespace abut
