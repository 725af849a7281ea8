#include "outputs.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/run/output_name.hpp"

namespace abut {

namespace fs = std::filesystem;

void check_output_file(const fs::path& path, bool force)
{
    check_output_name(path);
    std::error_code ignored;
    if (!force && fs::exists(fs::symlink_status(path, ignored)))
        reject("{}: exists; choose another name or add --force", absolute_name(path));
}

} // namespace abut
