#pragma once
// A small SVG writer: shapes in the order of drawing.

#include "abut/math/types.hpp"

#include <span>
#include <string>
#include <string_view>

namespace abut {

class Svg {
public:
    /// `attributes` of the picture as a whole, such as data for scripts: ` name="value"`.
    Svg(int width, int height, std::string_view attributes = {});

    void polygon(std::span<const Vec2> points, std::string_view fill, std::string_view stroke, double stroke_width);
    /// `dashes` as in stroke-dasharray; empty for a whole line.
    void polyline(
        std::span<const Vec2> points, std::string_view stroke, double width, std::string_view dashes = {},
        std::string_view attributes = {});
    void line(const Vec2& a, const Vec2& b, std::string_view stroke, double width);
    void circle(const Vec2& center, double radius, std::string_view fill);
    /// `anchor` is start, middle or end.
    void text(const Vec2& at, std::string_view content, double size, std::string_view anchor = "start");

    /// The finished document.
    [[nodiscard]] std::string str() const { return body_ + "</svg>\n"; }

private:
    std::string body_;
};

/// Text for XML and HTML, outside and inside of attributes.
[[nodiscard]] std::string xml_escaped(std::string_view text);

/// Colour `#rrggbb` of red, green and blue in [0, 1].
[[nodiscard]] std::string rgb(const Vec3& color);

} // namespace abut
