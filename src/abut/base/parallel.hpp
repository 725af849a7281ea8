#pragma once
// Parallel loops whose results do not depend on the number of threads. Work is cut into chunks of a fixed size, so a
// chunk sees the same elements however many threads there are; loops write disjoint outputs, and reductions add their
// chunks in index order.

#include "abut/base/assert.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace abut {

/// Threads that Abut's loops may use, the caller included.
[[nodiscard]] int num_threads();

/// Limits Abut's loops to `count` threads, or, for 0, to the number of hardware threads. Rejects counts below 0 or
/// above 1024.
void set_num_threads(int count);

namespace detail {
void run_chunks(std::size_t num_chunks, const std::function<void(std::size_t)>& run_chunk);
inline std::size_t num_chunks(std::size_t n, std::size_t chunk_size)
{
    ABUT_ASSERT(chunk_size > 0);
    return (n + chunk_size - 1) / chunk_size;
}
} // namespace detail

/// Calls body(begin, end) for consecutive ranges of `chunk_size` that cover [0, n).
template <typename Body>
void parallel_ranges(std::size_t n, std::size_t chunk_size, Body&& body)
{
    if (n <= chunk_size) {
        if (n > 0)
            body(std::size_t(0), n);
        return;
    }
    detail::run_chunks(detail::num_chunks(n, chunk_size), [&](std::size_t chunk) {
        const std::size_t begin = chunk * chunk_size;
        body(begin, begin + chunk_size < n ? begin + chunk_size : n);
    });
}

/// Calls body(i) for every i in [0, n).
template <typename Body>
void parallel_for(std::size_t n, std::size_t chunk_size, Body&& body)
{
    parallel_ranges(n, chunk_size, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            body(i);
    });
}

/// combine(... combine(combine(init, map(0, c)), map(c, 2c)) ..., map(kc, n)): the chunks in order, whoever made them.
template <typename T, typename Map, typename Combine>
T parallel_reduce(std::size_t n, std::size_t chunk_size, T init, Map&& map, Combine&& combine)
{
    struct Partial { // a std::vector<bool> would pack the results of several threads into one word
        T value;
    };
    std::vector<Partial> partial(detail::num_chunks(n, chunk_size), Partial{init});
    parallel_ranges(n, chunk_size, [&](std::size_t begin, std::size_t end) {
        partial[begin / chunk_size].value = map(begin, end);
    });
    for (const Partial& part : partial)
        init = combine(init, part.value);
    return init;
}

} // namespace abut
