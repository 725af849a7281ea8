#include "abut/run/output_name.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"

#include <algorithm>

namespace abut {

void check_output_name(const std::filesystem::path& path)
{
    constexpr std::size_t longest_part = 255; // of a path on most file systems
    std::string shown = path.string();
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; };
    if (shown.empty())
        reject("the output has an empty name; give it one");
    if (std::any_of(shown.begin(), shown.end(), is_control)) {
        std::replace_if(shown.begin(), shown.end(), is_control, '?');
        reject("the output '{}' has control characters in its name, shown as '?'; choose another name", shown);
    }
    for (const std::filesystem::path& part : path)
        if (part.native().size() > longest_part)
            reject(
                "the output '{}...' has a name of {} bytes; choose one of at most {}", part.string().substr(0, 40),
                part.native().size(), longest_part);
}

bool is_inside(const std::filesystem::path& file, const std::filesystem::path& folder)
{
    const auto relative = std::filesystem::path(absolute_name(file)).lexically_relative(absolute_name(folder));
    return !relative.empty() && *relative.begin() != "..";
}

} // namespace abut
