#include "abut/io/text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace abut {

std::string in_quotes(std::string_view bytes)
{
    constexpr std::size_t max_shown = 40;
    std::string shown = "'";
    for (const char c : bytes.substr(0, max_shown)) {
        if (c >= ' ' && c <= '~')
            shown += c;
        else
            shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    return shown + (bytes.size() > max_shown ? "...'" : "'");
}

std::string_view compression_of(std::string_view bytes)
{
    using namespace std::string_view_literals;
    constexpr std::array<std::array<std::string_view, 2>, 5> formats = {
        {{"\x1f\x8b"sv, "gzip"sv},
         {"PK\x03\x04"sv, "zip"sv},
         {"\x28\xb5\x2f\xfd"sv, "zstd"sv},
         {"\xfd"
          "7zXZ"sv,
          "xz"sv},
         {"BZh"sv, "bzip2"sv}}};
    for (const auto& [magic, format] : formats)
        if (bytes.starts_with(magic))
            return format;
    return {};
}

NumberStatus parse_number(std::string_view token, double& value)
{
    const char* begin = token.data();
    const char* end = begin + token.size();
    if (token.size() > 1 && token[0] == '+' && token[1] != '-')
        ++begin;
    const auto [stop, error] = std::from_chars(begin, end, value);
    const bool windows_not_finite = token.find(".#") != std::string_view::npos; // 1.#IND, 1.#INF, 1.#QNAN
    if (windows_not_finite || (error == std::errc() && stop == end && !std::isfinite(value)))
        return NumberStatus::not_finite;
    if (error == std::errc::result_out_of_range)
        return NumberStatus::out_of_range;
    return error != std::errc() || stop != end ? NumberStatus::no_number : NumberStatus::good;
}

} // namespace abut
