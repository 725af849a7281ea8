#pragma once
// Random numbers that are the same on every platform and for every thread count: a stream is a pure function of its
// seed and index, so element i of a parallel loop draws from RandomStream(seed, i).
//
// The generator is SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.

#include "abut/base/assert.hpp"

#include <cstdint>

namespace abut {

class RandomStream {
public:
    explicit RandomStream(std::uint64_t seed, std::uint64_t stream = 0)
        : state_(mix(seed) ^ mix(stream + 0x9e3779b97f4a7c15ULL))
    {}

    std::uint64_t next_bits() { return mix(state_ += 0x9e3779b97f4a7c15ULL); }

    /// Uniform in [0, 1).
    double uniform() { return static_cast<double>(next_bits() >> 11) * 0x1p-53; }

    /// Uniform in [low, high).
    double uniform(double low, double high) { return low + (high - low) * uniform(); }

    /// Uniform in {0, ..., n - 1}; the bias of the multiplication is below n / 2^32.
    std::uint32_t below(std::uint32_t n)
    {
        ABUT_ASSERT(n > 0);
        return static_cast<std::uint32_t>(((next_bits() >> 32) * std::uint64_t(n)) >> 32);
    }

private:
    static std::uint64_t mix(std::uint64_t z)
    {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    std::uint64_t state_;
};

} // namespace abut
