#pragma once
// Whole files in and out, with every way to fail turned into an error that names the path.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace abut {

/// The bytes of a regular file. Rejects paths that do not exist or name something else, such as a folder, a pipe or a
/// device, before opening them. LimitReached if the file is larger than `max_bytes`.
[[nodiscard]] std::string read_file(const std::filesystem::path& path, std::uintmax_t max_bytes);

/// Writes a file in one piece: readers see the old content or the new one, and an error (InputOutput) leaves the old
/// one and no other trace. The bytes go to a temporary name in the same folder, which is then renamed.
void write_file(const std::filesystem::path& path, std::string_view content);

/// A file that is written piece by piece, for what is too large to be held at once. As with write_file, it appears
/// under its name when all of it is there: finish() renames it. Without finish() nothing is left of it.
class FileWriter {
public:
    explicit FileWriter(std::filesystem::path path);
    ~FileWriter();
    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;

    void write(std::string_view bytes);
    void finish();

private:
    [[noreturn]] void fail(int error) const;

    std::filesystem::path path_, temporary_;
    int file_; // descriptor; -1 once closed
};

/// The path for error messages: absolute and without symbolic links where that can be found out.
[[nodiscard]] std::string absolute_name(const std::filesystem::path& path);

} // namespace abut
