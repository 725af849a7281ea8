#pragma once
// Who may see what: a request and the response to it, without sockets.
//
//   /TOKEN/                     the page
//   /TOKEN/manifest.json        docs/playback.md; ?after=STEP: only the frames of later steps
//   /TOKEN/topology
//   /TOKEN/chunk/STEP           one frame
//   /TOKEN/stats.jsonl          ?from=STEP: only the lines of that step and later ones
//   /TOKEN/report.html          of the results, where they have one
//
// Requests hold no names of files: they are compared with these words, and a step is a number.

#include "abut/run/view/http_text.hpp"

namespace abut {

/// 192 bits of the system's randomness as 48 letters.
[[nodiscard]] std::string random_token();

class ViewSite {
public:
    /// For a server at 127.0.0.1 and a port. The source must outlive the site.
    ViewSite(std::string token, int port, ViewSource& source);

    /// Throws nothing. The body is there for HEAD too; it is not to be sent then.
    [[nodiscard]] ViewResponse respond(const ViewRequest& request) const;
    /// For the browser.
    [[nodiscard]] std::string address() const;

private:
    [[nodiscard]] ViewResponse content(std::string_view name, std::string_view query) const;

    std::string token_;
    int port_;
    ViewSource& source_;
};

} // namespace abut
