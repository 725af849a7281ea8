#include "abut/base/checksum.hpp"

#include <cstring>

namespace abut {

std::uint64_t checksum(std::string_view bytes)
{
    std::uint64_t hash = 14695981039346656037ULL;
    const auto mix = [&](std::uint64_t word) { hash = (hash ^ word) * 1099511628211ULL; };
    std::size_t k = 0;
    for (; k + 8 <= bytes.size(); k += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + k, 8);
        mix(word);
        hash ^= hash >> 29;
    }
    for (; k < bytes.size(); ++k)
        mix(static_cast<unsigned char>(bytes[k]));
    return hash;
}

} // namespace abut
