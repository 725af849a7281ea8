#include "abut/run/playback_html.hpp"

#include "abut/base/error.hpp"
#include "abut/draw/render.hpp"
#include "abut/draw/svg.hpp"
#include "abut/io/deflate.hpp"
#include "abut/play/viewer_script.hpp"

#include <fmt/format.h>

namespace abut {

namespace {

/// JSON that cannot end the script element around it.
std::string without_tags(std::string_view json)
{
    std::string text;
    for (const char c : json)
        if (c == '<')
            text += "\\u003c";
        else
            text += c;
    return text;
}

std::string data_element(std::string_view id, std::string_view bytes)
{
    return fmt::format("<script type=\"application/octet-stream\" id=\"{}\">{}</script>\n", id, base64(bytes));
}

std::string attribute(std::string_view name, std::string_view value)
{
    return value.empty() ? "" : fmt::format(" {}=\"{}\"", name, xml_escaped(value));
}

/// Saves what the element behind a button holds. (In a handler, plain `URL` is the address of the page.)
constexpr const char* save_script =
    R"(const b=this,t=atob(document.getElementById(b.dataset.from).textContent),)"
    R"(u=new Uint8Array(t.length);for(let i=0;i<t.length;++i)u[i]=t.charCodeAt(i);)"
    R"(const a=document.createElement('a');a.href=window.URL.createObjectURL(new Blob([u],)"
    R"({type:b.dataset.type}));a.download=b.dataset.file;a.click();)"
    R"(setTimeout(()=>window.URL.revokeObjectURL(a.href),60000))";

} // namespace

std::string playback_html(const PackedPlayback& playback, const PlaybackElement& element)
{
    std::string html = fmt::format("<div class=\"abut-viewer\" data-play=\"{}\"", element.name);
    html += attribute("data-group", element.group) + attribute("data-reference", element.reference) + ">\n";
    html += "<div class=\"abut-fallback\">" + element.fallback + "</div>\n</div>\n";
    html += fmt::format(
        "<script type=\"application/json\" id=\"{}-manifest\">{}</script>\n", element.name,
        without_tags(playback.manifest));
    html += data_element(element.name + "-topology", playback.topology);
    for (std::size_t k = 0; k < playback.chunks.size(); ++k)
        html += data_element(fmt::format("{}-chunk-{}", element.name, k), playback.chunks[k]);
    return html;
}

std::string viewer_html() { return fmt::format("<script>{}</script>\n", viewer_script()); }

Image picture_of_frame(const ResultFolder& results, const Scene& scene, int step, const PictureSize& size)
{
    const Frame frame = results.frame(step);
    const Look look{
        .colors = body_colors(scene), .planes = scene.planes, .up = up_of(scene), .radii = body_radii(scene)};
    const Camera camera({&frame, 1}, {}, look.up, size.width, size.height);
    return render(frame, camera, look);
}

std::string picture_html(const ResultFolder& results, const Scene& scene, int step)
{
    try {
        const Image image = picture_of_frame(results, scene, step);
        return fmt::format(
            "<img width=\"{}\" height=\"{}\" alt=\"The bodies at {:.4g} s\" src=\"data:image/png;base64,{}\">\n",
            image.width, image.height, step * scene.time.dt, base64(encode_png(image)));
    } catch (const Error&) {
        return "";
    }
}

std::string download_html(std::string_view file, std::string_view type, std::string_view bytes, std::string_view label)
{
    const std::string id = fmt::format("download-{}", file);
    return fmt::format(
               "<button type=\"button\" class=\"download\" data-from=\"{}\" data-file=\"{}\" data-type=\"{}\" "
               "onclick=\"{}\">{}</button>\n",
               id, file, type, xml_escaped(save_script), xml_escaped(label)) +
           data_element(id, bytes);
}

} // namespace abut
