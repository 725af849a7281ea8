#pragma once
// METIS draws from the C library's rand(), which all threads share, and seeds it first.

#include <array>
#include <cstdlib>
#include <mutex>

namespace abut {

/// While this lives, no other ordering of Abut draws, so that orderings do not depend on what other threads do; and the
/// caller's own sequence goes on afterwards as if nothing had happened.
class OwnRandomNumbers {
public:
    OwnRandomNumbers() : lock_(mutex_), before_(initstate(1, state_.data(), state_.size())) {}
    ~OwnRandomNumbers() { setstate(before_); }
    OwnRandomNumbers(const OwnRandomNumbers&) = delete;
    OwnRandomNumbers& operator=(const OwnRandomNumbers&) = delete;

private:
    static inline std::mutex mutex_;
    std::lock_guard<std::mutex> lock_;
    alignas(long) std::array<char, 128> state_{};
    char* before_;
};

} // namespace abut
