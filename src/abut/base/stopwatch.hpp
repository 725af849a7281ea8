#pragma once

#include <chrono>

namespace abut {

/// Seconds since it was made, and since the last lap. For reports: no result may depend on it.
class Stopwatch {
public:
    double lap()
    {
        const auto now = Clock::now();
        const double seconds = std::chrono::duration<double>(now - last_).count();
        last_ = now;
        return seconds;
    }
    [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now(), last_ = start_;
};

} // namespace abut
