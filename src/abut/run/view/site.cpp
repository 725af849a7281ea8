#include "abut/run/view/site.hpp"

#include "abut/base/checksum.hpp"
#include "abut/base/error.hpp"
#include "abut/draw/svg.hpp"
#include "abut/play/viewer_script.hpp"

#include <sys/random.h>

#include <array>
#include <charconv>
#include <cstring>

namespace abut {

namespace {

/// Takes as long wherever the first difference is.
bool is_same_secret(std::string_view given, std::string_view secret)
{
    if (given.size() != secret.size())
        return false;
    volatile unsigned char difference = 0;
    for (std::size_t k = 0; k < secret.size(); ++k)
        difference = difference | static_cast<unsigned char>(given[k] ^ secret[k]);
    return difference == 0;
}

std::optional<int> step_number(std::string_view text)
{
    int number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    const bool is_number = error == std::errc() && rest == end && !text.starts_with('-');
    return is_number ? std::optional(number) : std::nullopt;
}

/// A number of the query, such as after=7; others are passed over.
struct QueryNumber {
    bool is_wrong = false;
    std::optional<int> value;
};

QueryNumber query_number(std::string_view query, std::string_view key)
{
    QueryNumber number;
    while (!query.empty()) {
        const std::string_view item = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), item.size() + 1));
        if (item.size() <= key.size() || !item.starts_with(key) || item[key.size()] != '=')
            continue;
        number.value = step_number(item.substr(key.size() + 1));
        number.is_wrong = number.is_wrong || !number.value;
    }
    return number;
}

std::string page_of(ViewSource& source)
{
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width\">\n<title>{0}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n"
        "html, body {{ height: 100%; margin: 0; font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff; "
        "}}\n"
        ".abut-viewer {{ height: 100%; }}\n</style>\n</head>\n<body>\n"
        "<div class=\"abut-viewer\" data-play=\"run\" data-live=\"manifest.json\" data-fill></div>\n"
        "<noscript>The view of {0} needs JavaScript.</noscript>\n<script>\n{1}\n</script>\n</body>\n</html>\n",
        xml_escaped(source.title()), viewer_script());
}

ViewResponse found(SharedBytes body, std::string type)
{
    if (!body)
        return error_response(404, "there is no such thing, or not any more");
    std::string etag = fmt::format("\"{:016x}\"", checksum(*body));
    return {.type = std::move(type), .body = std::move(body), .etag = std::move(etag)};
}

} // namespace

std::string random_token()
{
    std::array<unsigned char, 24> bytes{};
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::getrandom(bytes.data() + done, bytes.size() - done, 0);
        if (count < 0 && errno != EINTR)
            throw InputOutput(fmt::format("the system gives no random numbers: {}", std::strerror(errno)));
        done += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    std::string token;
    for (const unsigned char byte : bytes)
        token += fmt::format("{:02x}", byte);
    return token;
}

ViewSite::ViewSite(std::string token, int port, ViewSource& source)
    : token_(std::move(token)), port_(port), source_(source)
{}

std::string ViewSite::address() const { return fmt::format("http://127.0.0.1:{}/{}/", port_, token_); }

ViewResponse ViewSite::respond(const ViewRequest& request) const
{
    // Browsers name the host that an address had: another one is a page that means to reach this machine by a name of
    // its own (DNS rebinding).
    const auto is_here = [&](std::string_view host) {
        return host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_);
    };
    if (request.target.size() > most_target_bytes)
        return error_response(414, "the address is too long");
    if (request.method != "GET" && request.method != "HEAD")
        return error_response(405, "only GET and HEAD are possible");
    if (request.has_body)
        return error_response(413, "requests have no body here");
    if (!request.host || !is_here(*request.host))
        return error_response(403, "the request names another host");
    constexpr std::string_view scheme = "http://";
    if (request.origin && !(request.origin->starts_with(scheme) && is_here(request.origin->substr(scheme.size()))))
        return error_response(403, "the request comes from a page of another server");

    const std::string_view target = request.target, path = target.substr(0, target.find('?'));
    const std::string_view query = target.substr(std::min(target.size(), path.size() + 1));
    const std::size_t slash = path.find('/', 1);
    if (!path.starts_with('/') || !is_same_secret(path.substr(1, std::min(slash, path.size()) - 1), token_))
        return error_response(403, "use the address that abut view printed");
    if (slash == std::string_view::npos)
        return error_response(404, "the address ends in a slash");
    try {
        ViewResponse response = content(path.substr(slash + 1), query);
        if (!response.etag.empty() && response.etag == request.if_none_match)
            response = {.status = 304, .type = {}, .body = nullptr, .etag = response.etag};
        return response;
    } catch (const std::exception& error) {
        return error_response(503, error.what());
    }
}

ViewResponse ViewSite::content(std::string_view name, std::string_view query) const
{
    constexpr const char* bytes = "application/octet-stream";
    if (name.empty())
        return found(std::make_shared<const std::string>(page_of(source_)), "text/html; charset=utf-8");
    if (name == "manifest.json") {
        const QueryNumber after = query_number(query, "after");
        return after.is_wrong ? error_response(400, "after: no step")
                              : found(source_.manifest(after.value), "application/json");
    }
    if (name == "topology")
        return found(source_.topology(), bytes);
    if (name == "report.html")
        return found(source_.report(), "text/html; charset=utf-8");
    if (name == "stats.jsonl") {
        const QueryNumber from = query_number(query, "from");
        return from.is_wrong ? error_response(400, "from: no step")
                             : found(source_.stats(from.value.value_or(0)), "application/jsonl");
    }
    constexpr std::string_view chunk = "chunk/";
    if (name.starts_with(chunk))
        if (const std::optional<int> step = step_number(name.substr(chunk.size())))
            return found(source_.chunk(*step), bytes);
    return error_response(404, "there is no such thing");
}

} // namespace abut
