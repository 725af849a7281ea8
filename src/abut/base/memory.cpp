#include "abut/base/memory.hpp"

#include "abut/base/error.hpp"
#include "abut/base/idle_blocks.hpp"

#include <fstream>
#include <limits>

#include <sys/resource.h>
#include <unistd.h>

namespace abut {

namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

std::size_t address_space_left(std::size_t& limit)
{
    rlimit bounds{};
    if (getrlimit(RLIMIT_AS, &bounds) != 0 || bounds.rlim_cur == RLIM_INFINITY)
        return unlimited;
    limit = bounds.rlim_cur;
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const std::size_t used = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return limit > used ? limit - used : 0;
}

/// Of version 2, as containers have it.
std::size_t control_group_limit()
{
    std::size_t bytes = 0;
    return std::ifstream("/sys/fs/cgroup/memory.max") >> bytes ? bytes : unlimited;
}

std::size_t free_in_machine()
{
    std::ifstream file("/proc/meminfo");
    std::string name, unit;
    std::size_t kilobytes = 0, sum = 0;
    bool is_known = false;
    while (file >> name >> kilobytes && std::getline(file, unit))
        if (name == "MemAvailable:" || name == "SwapFree:") {
            sum += 1024 * kilobytes;
            is_known = is_known || name == "MemAvailable:";
        }
    return is_known ? sum : unlimited;
}

} // namespace

std::string in_megabytes(std::size_t bytes) { return fmt::format("{} MB", (bytes + 999'999) / 1'000'000); }

std::string MemoryLeft::text() const { return fmt::format("{} are left of {}", in_megabytes(bytes), reason); }

MemoryLeft memory_left()
{
    std::size_t limit = 0;
    const std::size_t of_limit = address_space_left(limit), of_group = control_group_limit(),
                      of_machine = free_in_machine();
    if (of_limit <= of_group && of_limit <= of_machine && of_limit != unlimited)
        return {of_limit, fmt::format("the limit of {} (ulimit -v)", in_megabytes(limit))};
    if (of_group <= of_machine && of_group != unlimited)
        return {of_group, "what the control group of the process allows"};
    return {of_machine, "what the machine has"};
}

void require_memory(std::size_t bytes, const std::string& what)
{
    MemoryLeft left = memory_left();
    if (bytes > left.bytes && detail::free_idle_blocks() > 0)
        left = memory_left();
    if (bytes > left.bytes)
        throw LimitReached(fmt::format(
            "{} needs {}, and {}; raise the limit, use a coarser mesh, or a machine with more memory", what,
            in_megabytes(bytes), left.text()));
}

} // namespace abut
