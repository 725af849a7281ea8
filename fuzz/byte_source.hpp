#pragma once
// Numbers drawn from the bytes of a fuzz input, zeros once these are used up.

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace abut::fuzz {

/// How coordinates are written. Small integers meet in every possible way; ulps off them, nothing meets any more.
enum class Coordinates : std::uint8_t {
    integers, ///< 1 byte: -8 ... 7 in its low half
    near,     ///< 1 byte: the same, moved by -8 ... 7 ulps by its high half
    scaled,   ///< 2 bytes: as `near`, times 2 to a signed byte
    doubles,  ///< 8 bytes: the bits of a double, with exponents folded into -64 ... 63 to keep exact numbers short
};

class ByteSource {
public:
    explicit ByteSource(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    std::uint8_t byte() { return place_ < bytes_.size() ? bytes_[place_++] : 0; }

    /// In {0, ..., n - 1}, n <= 256.
    int below(int n) { return byte() % n; }

    double coordinate(Coordinates how)
    {
        if (how == Coordinates::doubles) {
            std::uint64_t bits = 0;
            for (int k = 0; k < 8; ++k)
                bits |= std::uint64_t(byte()) << (8 * k);
            const double x = std::bit_cast<double>(bits);
            if (x == 0 || !std::isfinite(x))
                return x;
            int exponent = 0;
            const double fraction = std::frexp(x, &exponent);
            return std::ldexp(fraction, (exponent + 64) % 128 + (exponent < -64 ? 64 : -64));
        }
        const int drawn = byte();
        double x = drawn % 16 - 8;
        if (how == Coordinates::integers)
            return x;
        const int ulps = (drawn / 16 + 8) % 16 - 8; // a high half of zero is no ulp
        for (int k = 0; k < std::abs(ulps); ++k)
            x = std::nextafter(x, ulps < 0 ? -INFINITY : INFINITY);
        return how == Coordinates::scaled ? std::ldexp(x, static_cast<std::int8_t>(byte())) : x;
    }

private:
    std::span<const std::uint8_t> bytes_;
    std::size_t place_ = 0;
};

} // namespace abut::fuzz
