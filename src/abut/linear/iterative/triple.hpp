#pragma once
// Three numbers of a row in one register: four lanes with AVX, of which the last holds whatever stands behind the three
// in memory and is never stored. So every array that is loaded from has one number more than it needs.

#include "abut/math/lanes.hpp"

#include <cstring>

namespace abut {

#ifdef __AVX__
using Triple = Lanes;

inline Triple load_triple(const double* from)
{
    Triple lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}
inline Triple load_triple(const float* from)
{
    using Floats = float __attribute__((vector_size(16)));
    Floats lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return __builtin_convertvector(lanes, Triple);
}
/// Three numbers, and a zero behind them.
inline Triple only_triple(const double* from) { return Triple{from[0], from[1], from[2], 0}; }
/// The sums of three triples whose last lanes are 0.
inline Triple sums_of(const Triple& a, const Triple& b, const Triple& c)
{
    const Triple ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Triple cc = __builtin_shufflevector(c, c, 0, 4, 2, 6) + __builtin_shufflevector(c, c, 1, 5, 3, 7);
    return __builtin_shufflevector(ab, cc, 0, 1, 4, 5) + __builtin_shufflevector(ab, cc, 2, 3, 6, 7);
}
#else
struct Triple {
    double numbers[3] = {};
    double operator[](int k) const { return numbers[k]; }
    Triple& operator+=(const Triple& other)
    {
        for (int k = 0; k < 3; ++k)
            numbers[k] += other.numbers[k];
        return *this;
    }
    Triple& operator-=(const Triple& other) { return *this += other * -1.0; }
    friend Triple operator+(Triple a, const Triple& b) { return a += b; }
    friend Triple operator*(Triple a, double factor)
    {
        for (double& number : a.numbers)
            number *= factor;
        return a;
    }
    friend Triple operator*(Triple a, const Triple& b)
    {
        for (int k = 0; k < 3; ++k)
            a.numbers[k] *= b.numbers[k];
        return a;
    }
};

template <typename Number>
Triple load_triple(const Number* from)
{
    return {{static_cast<double>(from[0]), static_cast<double>(from[1]), static_cast<double>(from[2])}};
}
inline Triple only_triple(const double* from) { return load_triple(from); }
inline Triple sums_of(const Triple& a, const Triple& b, const Triple& c)
{
    return {{a[0] + a[1] + a[2], b[0] + b[1] + b[2], c[0] + c[1] + c[2]}};
}
#endif

inline void store_triple(const Triple& triple, double* to)
{
    for (int k = 0; k < 3; ++k)
        to[k] = triple[k];
}

inline void add_triple(const Triple& triple, double* to)
{
    for (int k = 0; k < 3; ++k)
        to[k] += triple[k];
}

/// A block, column by column, times three numbers.
template <typename Number>
Triple block_times(const Number* block, const double* x)
{
    return load_triple(block) * x[0] + load_triple(block + 3) * x[1] + load_triple(block + 6) * x[2];
}

} // namespace abut
