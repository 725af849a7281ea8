#pragma once
// A checksum against accidents, not against forgery.

#include <cstdint>
#include <string_view>

namespace abut {

/// FNV-1a over eight bytes at a time, then the rest.
[[nodiscard]] std::uint64_t checksum(std::string_view bytes);

} // namespace abut
