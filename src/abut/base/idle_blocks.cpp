#include "abut/base/idle_blocks.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

namespace abut::detail {

namespace {

/// What may be kept: what the Hessian of a few hundred thousand pairs is made with, but no more than a small share of
/// the memory there is, and nothing where the process has a limit of its own, which others must find room below.
std::size_t most_idle_bytes()
{
    rlimit bounds{};
    if (getrlimit(RLIMIT_AS, &bounds) != 0 || bounds.rlim_cur != RLIM_INFINITY)
        return 0;
    static const std::size_t most = [] {
        const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
        std::size_t memory =
            pages > 0 && page > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page) : 0;
        if (std::size_t group = 0; std::ifstream("/sys/fs/cgroup/memory.max") >> group)
            memory = std::min(memory, group);
        return std::min(std::size_t{512} << 20, memory / 16);
    }();
    return most;
}

struct Block {
    void* memory;
    std::size_t bytes;
};

struct Blocks {
    std::mutex mutex;
    std::vector<Block> taken, idle; // few, as they are large
    std::size_t idle_bytes = 0, most_idle_bytes = 0;

    void free_oldest()
    {
        idle_bytes -= idle.front().bytes;
        std::free(idle.front().memory);
        idle.erase(idle.begin());
    }
};

/// Never destroyed: arrays that live as long as the process may be freed after everything else.
Blocks& blocks()
{
    static Blocks* const all = new Blocks;
    return *all;
}

} // namespace

void* take_idle_block(std::size_t bytes)
{
    Blocks& all = blocks();
    const std::lock_guard lock(all.mutex);
    auto best = all.idle.end();
    for (auto block = all.idle.begin(); block != all.idle.end(); ++block)
        if (block->bytes >= bytes && block->bytes / 2 < bytes && (best == all.idle.end() || block->bytes < best->bytes))
            best = block;
    if (best == all.idle.end())
        return nullptr;
    const Block block = *best;
    all.idle_bytes -= block.bytes;
    all.idle.erase(best);
    all.taken.push_back(block);
    return block.memory;
}

void note_block(void* memory, std::size_t bytes)
{
    const std::size_t most = most_idle_bytes();
    Blocks& all = blocks();
    const std::lock_guard lock(all.mutex);
    all.most_idle_bytes = most;
    // So that taking and giving back never allocates
    const std::size_t count = all.taken.size() + all.idle.size() + 1;
    all.taken.reserve(count);
    all.idle.reserve(count);
    all.taken.push_back({memory, bytes});
}

bool give_back_block(void* memory) noexcept
{
    Blocks& all = blocks();
    const std::lock_guard lock(all.mutex);
    for (auto block = all.taken.begin(); block != all.taken.end(); ++block)
        if (block->memory == memory) {
            const Block given = *block;
            all.taken.erase(block);
            all.idle.push_back(given);
            all.idle_bytes += given.bytes;
            while (all.idle_bytes > all.most_idle_bytes)
                all.free_oldest();
            return true;
        }
    return false;
}

std::size_t free_idle_blocks() noexcept
{
    Blocks& all = blocks();
    const std::lock_guard lock(all.mutex);
    const std::size_t bytes = all.idle_bytes;
    while (!all.idle.empty())
        all.free_oldest();
    return bytes;
}

} // namespace abut::detail
