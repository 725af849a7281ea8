#pragma once
// Where `abut export` writes to, and in which format: by the ending of a name, or by --format.

#include "views.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace abut {

enum class ExportFormat : std::uint8_t { glb, usda, obj, ply, pc2, png, mp4, gif };

/// The names of all formats, which are also their endings.
[[nodiscard]] std::vector<std::string> export_formats();
[[nodiscard]] std::string to_string(ExportFormat format);

/// Pictures of the run, rather than its shapes?
[[nodiscard]] bool is_picture(ExportFormat format);

struct ExportTarget {
    ExportFormat format = ExportFormat::glb;
    std::filesystem::path path;    ///< the file; of several files their folder
    std::string before{}, after{}; ///< of several files: what stands around the number
    int num_digits = 0;            ///< of the number; 0 where there is one file, or where objects name the files
    bool is_folder = false;        ///< made if it is not there
    bool force = false;            ///< replace what is there

    /// File k of several.
    [[nodiscard]] std::filesystem::path file(std::size_t k) const;
    /// Makes the folder if it is to be made.
    void prepare() const;
    /// Removes files of an earlier, longer export, whose numbers are `count` and above.
    void remove_beyond(std::size_t count) const;
};

/// Rejects names whose format is not clear, and what exists unless it is to be replaced, with the cure.
[[nodiscard]] ExportTarget choose_target(const ExportOptions& options);

} // namespace abut
