#include "abut/draw/svg.hpp"

#include <fmt/format.h>

namespace abut {

std::string xml_escaped(std::string_view text)
{
    std::string result;
    for (const char c : text)
        switch (c) {
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '&':
            result += "&amp;";
            break;
        case '"':
            result += "&quot;";
            break;
        default:
            result += c;
        }
    return result;
}

Svg::Svg(int width, int height, std::string_view attributes)
    : body_(fmt::format(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
          "font-family=\"sans-serif\" stroke-linejoin=\"round\"{2}>\n<rect width=\"100%\" height=\"100%\" "
          "fill=\"white\"/>\n",
          width, height, attributes))
{}

void Svg::polygon(std::span<const Vec2> points, std::string_view fill, std::string_view stroke, double stroke_width)
{
    body_ += "<polygon points=\"";
    for (const Vec2& p : points)
        body_ += fmt::format("{:.2f},{:.2f} ", p.x(), p.y());
    body_ += fmt::format("\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>\n", fill, stroke, stroke_width);
}

void Svg::polyline(
    std::span<const Vec2> points, std::string_view stroke, double width, std::string_view dashes,
    std::string_view attributes)
{
    body_ += "<polyline points=\"";
    for (const Vec2& p : points)
        body_ += fmt::format("{:.2f},{:.2f} ", p.x(), p.y());
    body_ += fmt::format("\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}", stroke, width, attributes);
    body_ += dashes.empty() ? "/>\n" : fmt::format(" stroke-dasharray=\"{}\"/>\n", dashes);
}

void Svg::line(const Vec2& a, const Vec2& b, std::string_view stroke, double width)
{
    body_ += fmt::format(
        "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\" stroke-width=\"{}\"/>\n", a.x(),
        a.y(), b.x(), b.y(), stroke, width);
}

void Svg::circle(const Vec2& center, double radius, std::string_view fill)
{
    body_ += fmt::format(
        "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" fill=\"{}\"/>\n", center.x(), center.y(), radius, fill);
}

void Svg::text(const Vec2& at, std::string_view content, double size, std::string_view anchor)
{
    body_ += fmt::format(
        "<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{}\" text-anchor=\"{}\">{}</text>\n", at.x(), at.y(), size, anchor,
        xml_escaped(content));
}

std::string rgb(const Vec3& color)
{
    const Vec3 bytes = color.cwiseMax(0).cwiseMin(1) * 255;
    return fmt::format(
        "#{:02x}{:02x}{:02x}", static_cast<int>(bytes[0]), static_cast<int>(bytes[1]), static_cast<int>(bytes[2]));
}

} // namespace abut
