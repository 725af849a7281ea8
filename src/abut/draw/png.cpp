#include "abut/draw/png.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"

#include <png.h>

namespace abut {

std::string encode_png(const Image& image)
{
    static_assert(sizeof(Pixel) == 3); // as PNG_FORMAT_RGB has it
    // libpng's simplified interface: it returns errors instead of jumping out of its functions.
    png_image picture{};
    picture.version = PNG_IMAGE_VERSION;
    picture.width = static_cast<png_uint_32>(image.width);
    picture.height = static_cast<png_uint_32>(image.height);
    picture.format = PNG_FORMAT_RGB;
    std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(picture), '\0');
    png_alloc_size_t size = bytes.size();
    const int row_stride = 0; // rows follow each other without a gap
    if (png_image_write_to_memory(&picture, bytes.data(), &size, 0, image.pixels.data(), row_stride, nullptr) == 0)
        throw LimitReached(fmt::format(
            "a picture of {} x {} pixels cannot be written as PNG ({}); choose a smaller --size", image.width,
            image.height, picture.message));
    bytes.resize(size);
    return bytes;
}

void write_png(const std::filesystem::path& path, const Image& image) { write_file(path, encode_png(image)); }

} // namespace abut
