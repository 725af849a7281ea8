#pragma once
// Bytes made small, and bytes as text: what pages carry their data in.

#include <string>
#include <string_view>

namespace abut {

/// A zlib stream, which browsers inflate by themselves. The same bytes give the same stream.
[[nodiscard]] std::string deflated(std::string_view bytes);

/// The same, with neither header nor checksum: what ZIP files hold.
[[nodiscard]] std::string deflated_raw(std::string_view bytes);

[[nodiscard]] std::string base64(std::string_view bytes);

} // namespace abut
