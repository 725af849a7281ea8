#include "export_target.hpp"

#include "outputs.hpp"

#include "abut/base/error.hpp"
#include "abut/base/suggest.hpp"
#include "abut/io/file.hpp"
#include "abut/io/text.hpp"
#include "abut/run/output_name.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace abut {

namespace fs = std::filesystem;

namespace {

/// What the formats are, in the order of ExportFormat.
struct FormatRow {
    const char* name;
    bool is_series;  ///< a file for each frame
    bool is_picture; ///< of the run, rather than its shapes
};
constexpr std::array format_rows{FormatRow{"glb", false, false}, FormatRow{"usda", false, false},
                                 FormatRow{"obj", true, false},  FormatRow{"ply", true, false},
                                 FormatRow{"pc2", false, false}, FormatRow{"png", true, true},
                                 FormatRow{"mp4", false, true},  FormatRow{"gif", false, true}};

const FormatRow& row_of(ExportFormat format) { return format_rows.at(static_cast<std::size_t>(format)); }

std::optional<ExportFormat> format_named(std::string_view name)
{
    for (std::size_t k = 0; k < format_rows.size(); ++k)
        if (name == format_rows[k].name)
            return static_cast<ExportFormat>(k);
    return std::nullopt;
}

/// The format that a name's ending stands for, in small letters or capitals.
std::optional<ExportFormat> format_of(const fs::path& file)
{
    std::string ending = file.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
    return ending.empty() ? std::nullopt : format_named(std::string_view(ending).substr(1));
}

[[noreturn]] void refuse_ending(const fs::path& file)
{
    constexpr std::string_view known = ".glb, .usda, .mp4 or .gif";
    const std::string ending = file.extension().string(), name = file.string();
    if (ending == ".gltf")
        reject("{}: the animation is binary glTF; give it a name that ends in .glb", name);
    if (ending == ".usd" || ending == ".usdc" || ending == ".usdz" || ending == ".abc")
        reject("{}: the scene is USD as text; give it a name that ends in .usda", name);
    if (ending == ".avi" || ending == ".mov" || ending == ".mkv" || ending == ".webm")
        reject("{}: videos are MP4 or GIF; give it a name that ends in .mp4 or .gif", name);
    if (ending.empty())
        reject(
            "{}: its name does not say which format it shall have; end it in {}, or add --format obj, ply, pc2 or png "
            "for a folder of files",
            name, known);
    const std::string nearest = nearest_word(ending.substr(1), export_formats());
    reject(
        "{}: {} is none of the endings that are known{}; end it in {}, or add --format obj, ply, pc2 or png for a "
        "folder of files",
        name, in_quotes(ending), nearest.empty() ? "" : fmt::format(" (did you mean .{}?)", nearest), known);
}

ExportFormat choose_format(const ExportOptions& options)
{
    const std::optional<ExportFormat> ending = format_of(options.file);
    if (options.format.empty()) {
        if (options.file.empty())
            return ExportFormat::glb;
        if (!ending)
            refuse_ending(options.file);
        return *ending;
    }
    const std::optional<ExportFormat> asked = format_named(options.format);
    if (!asked) {
        const std::string nearest = nearest_word(options.format, export_formats());
        throw Error(
            ExitCode::bad_usage,
            fmt::format(
                "--format {}: unknown{}; choose one of {}", in_quotes(options.format),
                nearest.empty() ? "" : fmt::format(", did you mean {}?", nearest), fmt::join(export_formats(), ", ")));
    }
    const bool is_one_file = !row_of(*asked).is_series && *asked != ExportFormat::pc2;
    if (!options.file.empty() && ((ending && *ending != *asked) || (!ending && is_one_file)))
        reject(
            "{}: --format {} does not fit this name; {}", options.file.string(), options.format,
            is_one_file ? fmt::format("end it in .{}", options.format)
                        : fmt::format("name a folder, or a file that ends in .{}", options.format));
    return *asked;
}

/// "a_####.obj": what stands before and behind the signs for digits of a number.
void read_pattern(const ExportOptions& options, ExportTarget& target)
{
    const std::string name = options.file.filename().string();
    const std::size_t begin = name.find('#'), end = std::min(name.find_first_not_of('#', begin), name.size());
    if (begin == std::string::npos) {
        if (options.frames != 1)
            reject(
                "{}: is one file, but every frame is a file of its own; name a folder and add --format {}, write the "
                "place of the number as in {}_####.{}, or add --frames 1 for the last frame",
                options.file.string(), to_string(target.format), options.file.stem().string(),
                to_string(target.format));
        target.path = options.file;
        return;
    }
    if (name.find('#', end) != std::string::npos || end - begin > 9)
        reject("{}: the number needs one place of up to nine #; correct the name", options.file.string());
    target.path = options.file.parent_path();
    target.before = name.substr(0, begin);
    target.after = name.substr(end);
    target.num_digits = static_cast<int>(end - begin);
}

/// The number in the name of a file of a series.
std::optional<std::size_t> number_in(const std::string& name, const ExportTarget& target)
{
    if (name.size() < target.before.size() + static_cast<std::size_t>(target.num_digits) + target.after.size() ||
        !name.starts_with(target.before) || !name.ends_with(target.after))
        return std::nullopt;
    const char* const begin = name.data() + target.before.size();
    const char* const end = name.data() + name.size() - target.after.size();
    std::size_t number = 0;
    const auto [stop, error] = std::from_chars(begin, end, number);
    return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

std::vector<fs::path> numbered_files(const ExportTarget& target, std::size_t first)
{
    std::vector<fs::path> files;
    std::error_code ignored;
    const fs::path folder = target.path.empty() ? "." : target.path;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (const auto number = number_in(entry.path().filename().string(), target); number && *number >= first)
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// Rejects what exists and is not to be replaced.
void check_target(const ExportTarget& target)
{
    std::error_code ignored;
    if (target.is_folder) {
        check_output_name(target.path);
        const bool is_there = fs::exists(target.path, ignored);
        if (is_there && !fs::is_directory(target.path, ignored))
            reject("{}: exists and is no folder; choose another name", absolute_name(target.path));
        if (is_there && !target.force && !fs::is_empty(target.path, ignored))
            reject(
                "{}: the folder is not empty; choose another name, or add --force to replace the files that have the "
                "same names",
                absolute_name(target.path));
    } else if (target.num_digits > 0) {
        check_output_name(target.file(0));
        if (const auto files = numbered_files(target, 0); !files.empty() && !target.force)
            reject("{}: exists; choose another name or add --force", absolute_name(files.front()));
    } else {
        check_output_file(target.path, target.force);
        if (fs::is_directory(target.path, ignored))
            reject("{}: is a folder; choose another name", absolute_name(target.path));
    }
}

} // namespace

std::vector<std::string> export_formats()
{
    std::vector<std::string> names;
    for (const FormatRow& row : format_rows)
        names.emplace_back(row.name);
    return names;
}

std::string to_string(ExportFormat format) { return row_of(format).name; }

bool is_picture(ExportFormat format) { return row_of(format).is_picture; }

fs::path ExportTarget::file(std::size_t k) const
{
    return num_digits == 0 ? path : path / fmt::format("{}{:0{}d}{}", before, k, num_digits, after);
}

void ExportTarget::prepare() const
{
    if (!is_folder)
        return;
    std::error_code error;
    fs::create_directories(path, error);
    if (error)
        throw InputOutput(fmt::format("{}: cannot create the folder: {}", absolute_name(path), error.message()));
}

void ExportTarget::remove_beyond(std::size_t count) const
{
    if (num_digits == 0)
        return;
    for (const fs::path& file : numbered_files(*this, count)) {
        std::error_code error;
        fs::remove(file, error);
        if (error)
            throw InputOutput(fmt::format("{}: cannot be removed: {}", absolute_name(file), error.message()));
    }
}

ExportTarget choose_target(const ExportOptions& options)
{
    ExportTarget target;
    target.format = choose_format(options);
    target.force = options.force || options.file.empty(); // the usual place is replaced
    const std::string ending = "." + to_string(target.format);
    const bool is_folder_of_files =
        (row_of(target.format).is_series || target.format == ExportFormat::pc2) && !format_of(options.file);
    if (is_folder_of_files) {
        target.path = options.file.empty() ? options.results / to_string(target.format) : options.file;
        target.is_folder = true;
        if (target.format != ExportFormat::pc2) {
            target.before = "frame_";
            target.after = ending;
            target.num_digits = 6;
        }
    } else if (target.format == ExportFormat::pc2) {
        reject(
            "{}: every object is a file of its own, with its mesh beside it; name a folder and add --format pc2",
            options.file.string());
    } else if (row_of(target.format).is_series) {
        read_pattern(options, target);
    } else {
        target.path = options.file.empty() ? options.results / ("animation" + ending) : options.file;
    }
    check_target(target);
    return target;
}

} // namespace abut
