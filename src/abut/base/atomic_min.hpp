#pragma once
// A shared number that several threads lower at once. The smallest of some numbers does not depend on the order in
// which they come, so loops that use it have the same bits for any number of threads.

#include <atomic>

namespace abut {

/// The number now; another thread may lower it in the next moment.
inline double atomic_value(double& target) { return std::atomic_ref<double>(target).load(std::memory_order_relaxed); }

/// target = min(target, value). Meanwhile all threads must read and write `target` by these functions only.
inline void atomic_min(double& target, double value)
{
    const std::atomic_ref<double> shared(target);
    double current = shared.load(std::memory_order_relaxed);
    while (value < current && !shared.compare_exchange_weak(current, value, std::memory_order_relaxed)) {
    }
}

} // namespace abut
