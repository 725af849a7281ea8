#pragma once
// What the machine can do, so that times from different machines can be compared.

namespace abut::bench {

/// Bandwidth of a[i] = b[i] + s * c[i] over arrays far larger than the caches, with all threads: the best of several
/// runs, counting the 24 bytes per element that the code names [GB/s].
[[nodiscard]] double triad_bandwidth();

/// Rate of independent fused multiply-adds on one core, in the registers [Gflop/s, two per multiply-add].
[[nodiscard]] double fma_rate();

} // namespace abut::bench
