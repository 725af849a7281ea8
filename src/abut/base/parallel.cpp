#include "abut/base/parallel.hpp"

#include "abut/base/error.hpp"
#include "abut/base/memory.hpp"

#ifdef ABUT_STD_THREADS
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#else
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <mutex>
#include <string_view>
#endif

namespace abut {

namespace {

void validate_count(int count)
{
    if (count < 0 || count > 1024)
        reject("threads: {} is not between 0 (all hardware threads) and 1024", count);
}

#ifndef ABUT_STD_THREADS
[[noreturn]] void fail_to_start_thread()
{
    throw LimitReached(fmt::format(
        "threads: no memory for one more thread; {}; use fewer threads (--threads 1)", memory_left().text()));
}
#endif

void run_in_order(std::size_t num_chunks, const std::function<void(std::size_t)>& run_chunk)
{
    for (std::size_t chunk = 0; chunk < num_chunks; ++chunk)
        run_chunk(chunk);
}

} // namespace

#ifdef ABUT_STD_THREADS
// For the thread sanitizer, which does not see the synchronisation inside the packaged oneTBB and would report false
// races. Slower, since each loop starts its own threads; otherwise the same.

namespace {
std::atomic<int> thread_limit = 0; // 0: all hardware threads
}

int num_threads()
{
    const int limit = thread_limit;
    return limit > 0 ? limit : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void set_num_threads(int count)
{
    validate_count(count);
    thread_limit = count;
}

void detail::run_chunks(std::size_t num_chunks, const std::function<void(std::size_t)>& run_chunk)
{
    const std::size_t workers = std::min<std::size_t>(num_chunks, static_cast<std::size_t>(num_threads()));
    if (workers <= 1)
        return run_in_order(num_chunks, run_chunk);
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::exception_ptr first_error; // guarded by mutex
    const auto work = [&] {
        try {
            for (std::size_t chunk = next++; chunk < num_chunks; chunk = next++)
                run_chunk(chunk);
        } catch (...) {
            next = num_chunks;
            const std::lock_guard lock(mutex);
            if (!first_error)
                first_error = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 1; i < workers; ++i)
            threads.emplace_back(work);
        work();
    }
    if (first_error)
        std::rethrow_exception(first_error);
}

#else

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
    validate_count(count);
    const std::lock_guard lock(control_mutex);
    thread_limit.reset();
    if (count > 0)
        thread_limit = std::make_unique<tbb::global_control>(
            tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count));
}

void detail::run_chunks(std::size_t num_chunks, const std::function<void(std::size_t)>& run_chunk)
{
    if (num_threads() == 1)
        return run_in_order(num_chunks, run_chunk);
    try {
        tbb::parallel_for(tbb::blocked_range<std::size_t>(0, num_chunks, 1), [&](const auto& range) {
            for (std::size_t chunk = range.begin(); chunk != range.end(); ++chunk)
                run_chunk(chunk);
        });
    } catch (const std::runtime_error& error) {
        if (std::string_view(error.what()).starts_with("pthread_create")) // as TBB says it
            fail_to_start_thread();
        throw;
    }
}

#endif

} // namespace abut
