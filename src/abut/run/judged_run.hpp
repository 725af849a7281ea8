#pragma once
// A run in a process of its own that has ended: what it took, kept as JSON, and what to think of it.

#include "abut/run/child_process.hpp"
#include "abut/run/run_summary.hpp"

#include <nlohmann/json_fwd.hpp>

namespace abut {

[[nodiscard]] nlohmann::json child_to_json(const ChildReport& report);
[[nodiscard]] ChildReport child_from_json(const nlohmann::json& json);

/// Did someone want it to end?
[[nodiscard]] bool is_interrupted(const ChildReport& report);

/// What it said when it failed, without warnings and the program's name.
[[nodiscard]] std::string message_of(const ChildReport& report);

struct JudgedRun {
    std::string verdict; ///< by its name; "not_started" and "crashed" where there is none
    std::string message; ///< why it is not good
    bool is_good = false;
};
/// The verdict of the steps, unless a process did not end as they say. `has_results`: is there a folder of results?
[[nodiscard]] JudgedRun
judge(const RunSummary& summary, const RunGoal& goal, const ChildReport& report, bool has_results);

} // namespace abut
