#include "abut/base/parallel.hpp"

#include "abut/base/error.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <mutex>

namespace abut {

namespace {
std::mutex control_mutex;
std::unique_ptr<tbb::global_control> thread_limit; // guarded by control_mutex
} // namespace

int num_threads()
{
    return static_cast<int>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

void set_num_threads(int count)
{
    if (count < 0 || count > 1024)
        reject("threads: {} is not between 0 (all hardware threads) and 1024", count);
    const std::lock_guard lock(control_mutex);
    thread_limit.reset();
    if (count > 0)
        thread_limit = std::make_unique<tbb::global_control>(
            tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count));
}

void detail::run_chunks(std::size_t num_chunks, const std::function<void(std::size_t)>& run_chunk)
{
    if (num_threads() == 1) {
        for (std::size_t chunk = 0; chunk < num_chunks; ++chunk)
            run_chunk(chunk);
        return;
    }
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, num_chunks, 1), [&](const auto& range) {
        for (std::size_t chunk = range.begin(); chunk != range.end(); ++chunk)
            run_chunk(chunk);
    });
}

} // namespace abut
