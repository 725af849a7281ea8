#pragma once
// "Did you mean ...?" for words that users type.

#include <span>
#include <string>
#include <string_view>

namespace abut {

/// The candidate that is closest to `word` by insertions, deletions, changes and swaps of neighbouring letters, if at
/// most a third of its letters differ; otherwise an empty string. The first of equals wins.
[[nodiscard]] std::string nearest_word(std::string_view word, std::span<const std::string> candidates);

} // namespace abut
