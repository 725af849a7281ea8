#pragma once
// What a view shows, whoever asks for it.

#include <memory>
#include <optional>
#include <string>

namespace abut {

/// Bytes that a cache and a response share.
using SharedBytes = std::shared_ptr<const std::string>;

/// One thread at a time may use it. What is not there now is a null pointer.
class ViewSource {
public:
    virtual ~ViewSource() = default;

    [[nodiscard]] virtual std::string title() = 0;
    /// JSON as in docs/playback.md; with `after`, only the frames of later steps.
    [[nodiscard]] virtual SharedBytes manifest(std::optional<int> after) = 0;
    [[nodiscard]] virtual SharedBytes topology() = 0;
    /// One frame.
    [[nodiscard]] virtual SharedBytes chunk(int step) = 0;
    /// Lines of stats.jsonl from a step on: as many as make a response, whole ones.
    [[nodiscard]] virtual SharedBytes stats(int /*from*/) { return nullptr; }
    [[nodiscard]] virtual SharedBytes report() { return nullptr; }
};

} // namespace abut
