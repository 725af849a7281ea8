#include "abut/run/bench_comparison.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/run/table.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace abut {

using nlohmann::json;

namespace {

struct Times {
    double median, cpu;
    std::string result;
};

struct Report {
    std::vector<std::string> names; // in their order
    std::map<std::string, Times> times;
};

Report read_report(const json& report)
{
    Report read;
    try {
        for (const json& operation : report.at("operations")) {
            const std::string name = operation.at("name");
            read.names.push_back(name);
            read.times[name] = {operation.at("median_ms"), operation.at("cpu_ms"), operation.at("result")};
        }
    } catch (const json::exception& error) {
        reject("--compare: what the other program printed are no times of 'abut bench --json' ({})", error.what());
    }
    return read;
}

/// Of an even number of them the upper one of the two in the middle.
double median(std::vector<double> numbers)
{
    ABUT_ASSERT(!numbers.empty());
    std::sort(numbers.begin(), numbers.end());
    return numbers[numbers.size() / 2];
}

OperationRatio ratio_of(const std::string& name, std::span<const std::pair<Times, Times>> rounds)
{
    std::vector<double> own, other, ratios, cpu_ratios;
    bool has_same_result = true;
    for (const auto& [mine, theirs] : rounds) {
        own.push_back(mine.median);
        other.push_back(theirs.median);
        ratios.push_back(mine.median / theirs.median);
        cpu_ratios.push_back(mine.cpu / theirs.cpu);
        has_same_result = has_same_result && mine.result == theirs.result;
    }
    const bool has_cpu =
        std::all_of(cpu_ratios.begin(), cpu_ratios.end(), [](double ratio) { return std::isfinite(ratio); });
    return {
        name,
        median(other),
        median(own),
        median(ratios),
        *std::min_element(ratios.begin(), ratios.end()),
        *std::max_element(ratios.begin(), ratios.end()),
        has_cpu ? median(cpu_ratios) : std::numeric_limits<double>::quiet_NaN(),
        has_same_result};
}

} // namespace

BenchComparison compare_rounds(std::span<const BenchRound> rounds)
{
    ABUT_ASSERT(!rounds.empty());
    std::vector<std::pair<Report, Report>> reports;
    for (const BenchRound& round : rounds)
        reports.emplace_back(read_report(round.own), read_report(round.other));
    const auto& [first, first_other] = reports.front();
    BenchComparison comparison;
    for (const std::string& name : first.names) {
        std::vector<std::pair<Times, Times>> times;
        for (const auto& [own, other] : reports)
            if (own.times.contains(name) && other.times.contains(name))
                times.emplace_back(own.times.at(name), other.times.at(name));
        if (times.size() == reports.size())
            comparison.operations.push_back(ratio_of(name, times));
        else
            comparison.only_own.push_back(name);
    }
    for (const std::string& name : first_other.names)
        if (!first.times.contains(name))
            comparison.only_other.push_back(name);
    return comparison;
}

std::string comparison_to_text(const BenchComparison& comparison)
{
    std::string text = fmt::format(
        "{:<34} {:>10} {:>10} {:>7} {:>7} {:>7} {:>7}  {}\n", "operation", "other ms", "own ms", "ratio", "lowest",
        "highest", "CPU", "result");
    for (const OperationRatio& row : comparison.operations)
        text += fmt::format(
            "{:<34} {:>10.2f} {:>10.2f} {:>7.2f} {:>7.2f} {:>7.2f} {:>7}  {}\n", row.name, row.other_ms, row.own_ms,
            row.ratio, row.lowest, row.highest,
            std::isfinite(row.cpu_ratio) ? fmt::format("{:.2f}", row.cpu_ratio) : "",
            row.has_same_result ? "same" : "DIFFERS");
    if (!comparison.only_own.empty())
        text += fmt::format("\nonly here: {}\n", fmt::join(comparison.only_own, "; "));
    if (!comparison.only_other.empty())
        text += fmt::format("\nonly there: {}\n", fmt::join(comparison.only_other, "; "));
    return text;
}

json comparison_to_json(const BenchComparison& comparison)
{
    json operations = json::array();
    for (const OperationRatio& row : comparison.operations)
        operations.push_back(
            {{"name", row.name},
             {"other_ms", finite_or_null(row.other_ms)},
             {"own_ms", finite_or_null(row.own_ms)},
             {"ratio", finite_or_null(row.ratio)},
             {"lowest_ratio", finite_or_null(row.lowest)},
             {"highest_ratio", finite_or_null(row.highest)},
             {"cpu_ratio", finite_or_null(row.cpu_ratio)},
             {"same_result", row.has_same_result}});
    return {{"operations", operations}, {"only_own", comparison.only_own}, {"only_other", comparison.only_other}};
}

} // namespace abut
