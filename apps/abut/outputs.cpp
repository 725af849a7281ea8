#include "outputs.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/run/output_name.hpp"

namespace abut {

namespace fs = std::filesystem;

void check_output_file(const fs::path& path, bool force, const std::vector<fs::path>& inputs)
{
    check_output_name(path);
    std::error_code ignored;
    for (const fs::path& input : inputs)
        if (fs::equivalent(path, input, ignored))
            reject("{}: is the file {}, which is read; choose another name", path.string(), absolute_name(input));
    if (!force && fs::exists(fs::symlink_status(path, ignored)))
        reject("{}: exists; choose another name or add --force", absolute_name(path));
}

CLI::Validator named()
{
    return {[](const std::string& name) { return name.empty() ? "the name is empty" : std::string(); }, ""};
}

} // namespace abut
