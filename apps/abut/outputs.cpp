#include "outputs.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"

#include <algorithm>

namespace abut {

namespace fs = std::filesystem;

void check_output_name(const fs::path& path)
{
    constexpr std::size_t longest_part = 255; // of the usual file systems
    std::string shown = path.string();
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; };
    if (std::any_of(shown.begin(), shown.end(), is_control)) {
        std::replace_if(shown.begin(), shown.end(), is_control, '?');
        reject("the output '{}' has control characters in its name, shown as '?'; choose another name", shown);
    }
    for (const fs::path& part : path)
        if (part.native().size() > longest_part)
            reject(
                "the output '{}...' has a name of {} bytes; choose one of at most {}", part.string().substr(0, 40),
                part.native().size(), longest_part);
}

void check_output_file(const fs::path& path, bool force)
{
    check_output_name(path);
    std::error_code ignored;
    if (!force && fs::exists(fs::symlink_status(path, ignored)))
        reject("{}: exists; choose another name or add --force", absolute_name(path));
}

bool is_inside(const fs::path& file, const fs::path& folder)
{
    const fs::path relative = fs::path(absolute_name(file)).lexically_relative(absolute_name(folder));
    return !relative.empty() && *relative.begin() != "..";
}

} // namespace abut
