#pragma once
// Pages that need no other file and no network: one look for all of them.

#include <string>
#include <string_view>

namespace abut {

/// A whole page: the title, what `body` holds, and the version of the program.
[[nodiscard]] std::string html_page(std::string_view title, std::string_view body);

} // namespace abut
