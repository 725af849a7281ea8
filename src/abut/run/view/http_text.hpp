#pragma once
// Requests and responses of HTTP/1.1 as text: as much of it as a page on the same machine needs, and nothing that is
// not exactly right.

#include "abut/run/view/source.hpp"

#include <string>
#include <string_view>

namespace abut {

/// Most bytes of a request's address, of all of a request, and most of its headers.
constexpr std::size_t most_target_bytes = 2048, most_request_bytes = 8192, most_headers = 64;

struct ViewRequest {
    std::string method, target;
    std::optional<std::string> host, origin; ///< of the headers of these names
    std::string if_none_match;
    bool has_body = false;
    bool keeps_alive = true; ///< may another request follow on the same connection?
};

struct ViewResponse {
    int status = 200;
    std::string type = "text/plain; charset=utf-8";
    SharedBytes body;
    std::string etag; ///< with its quotes; empty: none
};

/// A text with a line that says what is wrong.
[[nodiscard]] ViewResponse error_response(int status, std::string_view words);

/// What the bytes that came so far are.
struct ParsedRequest {
    enum class State : std::uint8_t { incomplete, complete, refused } state = State::incomplete;
    std::size_t size = 0; ///< bytes of the request, where it is complete
    ViewRequest request;
    ViewResponse refusal; ///< where it was refused; nothing can follow it
};
[[nodiscard]] ParsedRequest parse_request(std::string_view bytes);

/// The lines before the body.
[[nodiscard]] std::string response_head(const ViewResponse& response, bool keeps_alive);

} // namespace abut
