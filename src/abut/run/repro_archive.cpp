#include "abut/run/repro_archive.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/io/zip.hpp"

#include <algorithm>

namespace abut {

namespace fs = std::filesystem;

namespace {

/// The files below a folder, sorted; or the file itself.
std::vector<fs::path> files_of(const fs::path& path)
{
    std::error_code failed;
    if (fs::is_regular_file(path, failed))
        return {path};
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path, failed))
        if (entry.is_regular_file(failed) && entry.path().filename() != "lock")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

std::optional<ReproArchive> repro_archive(const ResultFolder& results, bool is_failure, std::uintmax_t most_bytes)
{
    const fs::path root = is_failure ? results.folder() / "repro" : results.folder();
    const std::vector<fs::path> parts =
        is_failure ? std::vector<fs::path>{root} : std::vector<fs::path>{root / "scene.json", root / "meshes"};
    std::vector<ZipEntry> entries;
    std::uintmax_t bytes_left = most_bytes;
    try {
        for (const fs::path& part : parts)
            for (const fs::path& file : files_of(part)) {
                entries.push_back(
                    {"repro/" + file.lexically_relative(root).generic_string(), read_file(file, bytes_left)});
                bytes_left -= entries.back().bytes.size();
            }
    } catch (const Error&) {
        return std::nullopt;
    }
    if (entries.empty())
        return std::nullopt;
    return ReproArchive{zip(entries), is_failure};
}

} // namespace abut
