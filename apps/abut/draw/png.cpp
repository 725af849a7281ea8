#include "draw/png.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"

#include <zlib.h>

namespace abut {

namespace {

void append_number(std::string& bytes, std::uint32_t number)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>(number >> shift & 0xff);
}

void append_chunk(std::string& bytes, const std::string& type, const std::string& data)
{
    append_number(bytes, static_cast<std::uint32_t>(data.size()));
    const std::string content = type + data;
    bytes += content;
    append_number(
        bytes, static_cast<std::uint32_t>(
                   crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()))));
}

std::string compress(const std::string& data)
{
    uLongf size = compressBound(data.size());
    std::string result(size, '\0');
    if (compress2(
            reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(data.data()), data.size(),
            9) != Z_OK)
        throw LimitReached("the picture cannot be compressed; choose a smaller --size");
    result.resize(size);
    return result;
}

} // namespace

std::string encode_png(const Image& image)
{
    std::string header;
    append_number(header, static_cast<std::uint32_t>(image.width));
    append_number(header, static_cast<std::uint32_t>(image.height));
    header += {8, 2, 0, 0, 0}; // bits a channel, RGB, deflate, filters, not interlaced

    // Every row is stored as its difference to the one above (filter 2), which packs flat areas well.
    std::string rows;
    rows.reserve((3 * static_cast<std::size_t>(image.width) + 1) * image.height);
    for (int y = 0; y < image.height; ++y) {
        rows += '\2';
        for (int x = 0; x < image.width; ++x)
            for (int c = 0; c < 3; ++c)
                rows += static_cast<char>(image.at(x, y)[c] - (y > 0 ? image.at(x, y - 1)[c] : 0));
    }

    std::string bytes = "\x89PNG\r\n\x1a\n";
    append_chunk(bytes, "IHDR", header);
    append_chunk(bytes, "IDAT", compress(rows));
    append_chunk(bytes, "IEND", "");
    return bytes;
}

void write_png(const std::filesystem::path& path, const Image& image) { write_file(path, encode_png(image)); }

} // namespace abut
