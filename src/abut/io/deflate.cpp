#include "abut/io/deflate.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace abut {

namespace {

/// Levels above it take twice the time for some per cent.
constexpr int compression_level = 6;

/// `window_bits` is negative for a stream without header and checksum.
std::string deflated(std::string_view bytes, int window_bits)
{
    z_stream stream{};
    constexpr int memory_level = 8;
    if (deflateInit2(&stream, compression_level, Z_DEFLATED, window_bits, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
    // zlib counts in 32 bits.
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    std::size_t read = 0, written = 0;
    int result = Z_OK;
    do {
        const std::size_t in = std::min(most, bytes.size() - read), room = std::min(most, out.size() - written);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + read));
        stream.avail_in = static_cast<uInt>(in);
        stream.next_out = reinterpret_cast<Bytef*>(out.data() + written);
        stream.avail_out = static_cast<uInt>(room);
        result = ::deflate(&stream, read + in == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
        read += in - stream.avail_in;
        written += room - stream.avail_out;
    } while (result == Z_OK);
    deflateEnd(&stream);
    ABUT_ASSERT(result == Z_STREAM_END);
    out.resize(written);
    return out;
}

} // namespace

std::string deflated(std::string_view bytes) { return deflated(bytes, MAX_WBITS); }

std::string deflated_raw(std::string_view bytes) { return deflated(bytes, -MAX_WBITS); }

std::string base64(std::string_view bytes)
{
    constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
        unsigned group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[at + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            text += k <= count ? digits[group >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

} // namespace abut
