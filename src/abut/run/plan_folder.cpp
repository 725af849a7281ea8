#include "abut/run/plan_folder.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/io/json_object.hpp"
#include "abut/run/output_name.hpp"

#include <algorithm>

namespace abut {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

constexpr std::uintmax_t most_plan_bytes = 1 << 30;

/// Has the folder nothing but what is left where someone was killed before the plan was written?
bool is_as_empty(const fs::path& folder, const PlanFolderKind& kind)
{
    std::error_code ignored;
    fs::directory_iterator entries(folder, ignored);
    return std::all_of(begin(entries), end(entries), [&](const fs::directory_entry& entry) {
        const std::string name = entry.path().filename().string();
        return name == "lock" || name.starts_with(std::string(kind.plan_name) + ".tmp-");
    });
}

/// Throws where the folder is not one of this kind. True where it has a plan.
bool has_plan(const fs::path& folder, const PlanFolderKind& kind, const PlanWords& words)
{
    std::error_code ignored;
    if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
        reject("{}: it exists and is no folder; choose another name with {}", folder.string(), words.output);
    if (fs::exists(folder / kind.plan_name, ignored))
        return true;
    if (fs::is_directory(folder, ignored) && !is_as_empty(folder, kind))
        reject(
            "{}: it holds something else than a {}; choose another folder with {}", folder.string(), kind.what,
            words.output);
    return false;
}

[[noreturn]] void reject_other(
    const fs::path& folder, const PlanFolderKind& kind, const std::vector<std::string>& differences,
    const PlanWords& words)
{
    constexpr std::size_t most_shown = 10;
    std::string text = fmt::format(
        "{}: the folder holds another {}; choose another with {}, or replace it with {}. What differs:",
        folder.string(), kind.what, words.output, words.force);
    for (std::size_t k = 0; k < std::min(most_shown, differences.size()); ++k)
        text += "\n  " + differences[k];
    if (differences.size() > most_shown)
        text += fmt::format("\n  and {} more", differences.size() - most_shown);
    throw InvalidInput(text);
}

} // namespace

FolderLock open_plan_folder(
    const fs::path& folder, const PlanFolderKind& kind, const json& plan, const std::vector<fs::path>& inputs,
    bool force, const PlanWords& words)
{
    check_output_name(folder);
    for (const fs::path& input : inputs)
        if (is_inside(input, folder))
            reject(
                "{}: the {} reads {}, which is in this folder; choose another with {}", folder.string(), kind.what,
                absolute_name(input), words.output);
    static_cast<void>(has_plan(folder, kind, words)); // before anything is written there
    make_folder(folder);
    FolderLock lock(folder, fmt::format("another {}", kind.what).c_str());
    // Another process may have written its plan until it was locked.
    const bool is_there = has_plan(folder, kind, words);
    const auto differences = is_there ? plan_differences(read_plan(folder, kind), plan) : std::vector<std::string>();
    if (!differences.empty() && !force)
        reject_other(folder, kind, differences, words);
    if (is_there && force)
        for (const char* name : kind.names)
            remove_whole(folder / name);
    write_file(folder / kind.plan_name, plan.dump(2) + "\n");
    return lock;
}

json read_plan(const fs::path& folder, const PlanFolderKind& kind)
{
    const fs::path path = folder / kind.plan_name;
    try {
        return parse_json(read_file(path, most_plan_bytes), path.string());
    } catch (const InvalidInput& error) {
        reject("{}; it is no plan of '{}', choose another folder with -o", error.what(), kind.command);
    }
}

std::vector<std::string> plan_differences(const json& there, const json& here)
{
    // The text of a value, short enough for a message
    const auto shown = [](const json& plan, const std::string& pointer) -> std::string {
        const json::json_pointer at(pointer);
        if (!plan.contains(at))
            return "nothing";
        const std::string text = plan.at(at).dump();
        return text.size() <= 60 ? text : text.substr(0, 57) + "...";
    };
    std::vector<std::string> differences;
    for (const json& change : json::diff(there, here)) {
        const auto pointer = change.at("path").get<std::string>();
        if (pointer != "/options" && !pointer.starts_with("/options/"))
            differences.push_back(
                fmt::format("{}: {} there, {} here", pointer, shown(there, pointer), shown(here, pointer)));
    }
    return differences;
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

} // namespace abut
