#pragma once
// Pictures of red, green and blue as PNG files.

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace abut {

using Pixel = std::array<std::uint8_t, 3>; ///< red, green, blue

struct Image {
    Image(int w, int h) : width(w), height(h), pixels(static_cast<std::size_t>(w) * h) {}

    [[nodiscard]] Pixel& at(int x, int y) { return pixels[static_cast<std::size_t>(y) * width + x]; }
    [[nodiscard]] const Pixel& at(int x, int y) const { return pixels[static_cast<std::size_t>(y) * width + x]; }

    int width, height;
    std::vector<Pixel> pixels; ///< row by row from the top
};

/// The bytes of a PNG file; the same image gives the same bytes.
[[nodiscard]] std::string encode_png(const Image& image);

/// Written in one piece, as write_file does.
void write_png(const std::filesystem::path& path, const Image& image);

} // namespace abut
