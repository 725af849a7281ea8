#pragma once
// How much memory this process may still get, so that what needs much can ask first and say what was missing.

#include <cstddef>
#include <string>

namespace abut {

struct MemoryLeft {
    std::size_t bytes;  ///< that can still be had
    std::string reason; ///< in words, what ends there, e.g. "the limit of 300 MB (ulimit -v)"

    /// E.g. "12 MB are left of the limit of 300 MB (ulimit -v)".
    [[nodiscard]] std::string text() const;
};

/// The least of: the process' limit of address space minus what it has, the limit of its control group, and what the
/// machine has free, swap included.
[[nodiscard]] MemoryLeft memory_left();

/// E.g. "128 MB".
[[nodiscard]] std::string in_megabytes(std::size_t bytes);

/// Throws LimitReached where `bytes` are more than what is left: "WHAT needs ... MB, and there are ... MB left of ...".
void require_memory(std::size_t bytes, const std::string& what);

} // namespace abut
