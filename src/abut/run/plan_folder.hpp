#pragma once
// A folder of many runs: a plan of what is run, and what the runs left. A folder is continued only by the same plan.

#include "abut/run/folder_lock.hpp"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <vector>

namespace abut {

/// What the caller calls its options, for messages.
struct PlanWords {
    const char *output = "-o", *force = "--force";
};

/// What kind of folder it is.
struct PlanFolderKind {
    const char* what;                   ///< "comparison"
    const char* command;                ///< "abut compare"
    const char* plan_name;              ///< the file of the plan
    std::span<const char* const> names; ///< all that it may hold; removed where it is replaced
};

/// Makes the folder, or opens one that holds the same plan, and writes the plan. Rejects one that holds another, naming
/// what differs, unless `force`; one that holds anything else; and one that holds any of the files that are read.
[[nodiscard]] FolderLock open_plan_folder(
    const std::filesystem::path& folder, const PlanFolderKind& kind, const nlohmann::json& plan,
    const std::vector<std::filesystem::path>& inputs, bool force, const PlanWords& words = {});

/// The plan in a folder. Rejects what is none.
[[nodiscard]] nlohmann::json read_plan(const std::filesystem::path& folder, const PlanFolderKind& kind);

/// What differs between two plans, one sentence each. What is in "options" may differ.
[[nodiscard]] std::vector<std::string> plan_differences(const nlohmann::json& there, const nlohmann::json& here);

/// Removes a file, or a folder with all that is in it; throws InputOutput where that fails.
void remove_whole(const std::filesystem::path& path);
/// Throws InputOutput where it cannot be made.
void make_folder(const std::filesystem::path& path);

} // namespace abut
