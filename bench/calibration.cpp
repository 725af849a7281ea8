#include "calibration.hpp"

#include "abut/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <vector>

namespace abut::bench {

namespace {

/// Keeps the compiler from dropping a result.
volatile double sink;

double seconds_since(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

double triad_bandwidth()
{
    constexpr std::size_t n = 1 << 24; // 128 MB per array
    std::vector<double> a(n, 0.0), b(n, 1.0), c(n, 2.0);
    double best = 0;
    for (int run = 0; run < 5; ++run) {
        const auto start = std::chrono::steady_clock::now();
        parallel_ranges(n, 1 << 18, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                a[i] = b[i] + 3.0 * c[i];
        });
        best = std::max(best, 24.0 * n / seconds_since(start) / 1e9);
        sink = a[n / 2];
    }
    return best;
}

double fma_rate()
{
    constexpr int steps = 20'000'000, lanes = 32;
    std::array<double, lanes> x;
    x.fill(1);
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < steps; ++i)
        for (double& lane : x)
            lane = lane * 0.999999 + 1e-9;
    const double seconds = seconds_since(start);
    sink = x[0] + x[lanes - 1];
    return 2.0 * steps * lanes / seconds / 1e9;
}

} // namespace abut::bench
