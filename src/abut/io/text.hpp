#pragma once
// What readers of text share: numbers, words of users in messages, files that are no text. Not meant for callers.

#include <cstdint>
#include <string>
#include <string_view>

namespace abut {

/// User bytes for a message: in quotes, short, and harmless to a terminal.
[[nodiscard]] std::string in_quotes(std::string_view bytes);

/// "gzip", "zip", ... if the bytes begin as such a file does; empty otherwise.
[[nodiscard]] std::string_view compression_of(std::string_view bytes);

enum class NumberStatus : std::uint8_t {
    good,
    not_finite,   ///< a NaN or infinity, as C or Windows write them
    out_of_range, ///< too large or too small for a double
    no_number,
};
/// The token as a double with correct rounding, whatever the locale; a leading '+' is allowed.
[[nodiscard]] NumberStatus parse_number(std::string_view token, double& value);

} // namespace abut
