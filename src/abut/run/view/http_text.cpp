#include "abut/run/view/http_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace abut {

namespace {

constexpr std::string_view line_end = "\r\n";

/// Pages get scripts and styles from their own text only, and talk to this server only.
constexpr std::string_view safety_headers =
    "X-Content-Type-Options: nosniff\r\n"
    "Cache-Control: no-store\r\n"
    "Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Referrer-Policy: no-referrer\r\n";

std::string_view reason_of(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 304:
        return "Not Modified";
    case 400:
        return "Bad Request";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 413:
        return "Content Too Large";
    case 414:
        return "URI Too Long";
    case 431:
        return "Request Header Fields Too Large";
    case 503:
        return "Service Unavailable";
    case 505:
        return "HTTP Version Not Supported";
    default:
        return "Internal Server Error";
    }
}

/// The letters of methods and of names of headers (RFC 9110, 5.6.2).
bool is_token(std::string_view text)
{
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    };
    return !text.empty() && std::all_of(text.begin(), text.end(), is_letter);
}

std::string_view trimmed(std::string_view text)
{
    const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && is_blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::string lower_case(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

/// What a line of a request is wrong in: a status, and words; 0 where nothing is.
struct Fault {
    int status = 0;
    std::string_view words;
};

Fault read_first_line(std::string_view line, ViewRequest& request)
{
    const std::size_t first = line.find(' '), last = line.rfind(' ');
    if (first == std::string_view::npos || first == last)
        return {400, "the first line is no request"};
    const std::string_view method = line.substr(0, first), target = line.substr(first + 1, last - first - 1),
                           version = line.substr(last + 1);
    if (!is_token(method))
        return {400, "the first line is no request"};
    if (version != "HTTP/1.1" && version != "HTTP/1.0")
        return {version.starts_with("HTTP/") ? 505 : 400, "HTTP/1.1 is spoken here"};
    if (target.size() > most_target_bytes)
        return {414, "the address is too long"};
    const auto is_visible = [](char c) { return c > ' ' && c < 127; };
    if (target.empty() || target[0] != '/' || !std::all_of(target.begin(), target.end(), is_visible))
        return {400, "the address is none of this server"};
    request.method = method;
    request.target = target;
    request.keeps_alive = version == "HTTP/1.1";
    return {};
}

Fault read_header(std::string_view line, ViewRequest& request)
{
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon)))
        return {400, "a header has no name"};
    const std::string name = lower_case(line.substr(0, colon));
    const std::string_view value = trimmed(line.substr(colon + 1));
    const auto is_control = [](unsigned char c) { return (c < ' ' && c != '\t') || c == 127; };
    if (std::any_of(value.begin(), value.end(), is_control))
        return {400, "a header holds a control character"};
    for (const auto& [known, place] :
         {std::pair<std::string_view, std::optional<std::string>*>("host", &request.host), {"origin", &request.origin}})
        if (name == known) {
            if (place->has_value())
                return {400, "a header is there twice"};
            *place = lower_case(value);
        }
    if (name == "if-none-match")
        request.if_none_match = value;
    if (name == "transfer-encoding" || (name == "content-length" && value != "0"))
        request.has_body = true;
    if (name == "connection" && lower_case(value).find("close") != std::string::npos)
        request.keeps_alive = false;
    return {};
}

Fault read_lines(std::string_view lines, ViewRequest& request)
{
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < lines.size(); ++number) {
        const std::size_t end = std::min(lines.find(line_end, begin), lines.size());
        const std::string_view line = lines.substr(begin, end - begin);
        if (number > most_headers)
            return {431, "there are too many headers"};
        const Fault fault = number == 0 ? read_first_line(line, request) : read_header(line, request);
        if (fault.status != 0)
            return fault;
        begin = end + line_end.size();
    }
    return number > 0 ? Fault{} : Fault{400, "the first line is no request"};
}

} // namespace

ViewResponse error_response(int status, std::string_view words)
{
    return {.status = status, .body = std::make_shared<const std::string>(fmt::format("{}\n", words)), .etag = ""};
}

ParsedRequest parse_request(std::string_view bytes)
{
    using State = ParsedRequest::State;
    ParsedRequest parsed;
    const auto refuse = [&](const Fault& fault) {
        parsed.state = State::refused;
        parsed.refusal = error_response(fault.status, fault.words);
        return parsed;
    };
    const std::size_t end = bytes.substr(0, most_request_bytes).find("\r\n\r\n");
    if (end == std::string_view::npos) {
        const std::size_t first_line = bytes.find(line_end);
        // Method, blanks and version are short.
        if (first_line == std::string_view::npos && bytes.size() > most_target_bytes + 64)
            return refuse({414, "the address is too long"});
        if (bytes.size() >= most_request_bytes)
            return refuse({431, "the request is too long"});
        return parsed;
    }
    if (const Fault fault = read_lines(bytes.substr(0, end), parsed.request); fault.status != 0)
        return refuse(fault);
    parsed.state = State::complete;
    parsed.size = end + 4;
    return parsed;
}

std::string response_head(const ViewResponse& response, bool keeps_alive)
{
    std::string head = fmt::format("HTTP/1.1 {} {}\r\n", response.status, reason_of(response.status));
    head += safety_headers;
    if (response.status == 405)
        head += "Allow: GET, HEAD\r\n";
    if (!response.etag.empty())
        head += fmt::format("ETag: {}\r\n", response.etag);
    if (response.status != 304)
        head += fmt::format(
            "Content-Type: {}\r\nContent-Length: {}\r\n", response.type, response.body ? response.body->size() : 0);
    return head + (keeps_alive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n");
}

} // namespace abut
