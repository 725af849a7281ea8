#pragma once
// Names that users gave, as other programs and file systems can take them: no two of them the same.

#include <span>
#include <string>
#include <vector>

namespace abut {

/// Letters of ASCII, digits and underscores, not beginning with a digit, as USD wants its names. What else there is
/// becomes an underscore; names that are the same then get a number.
[[nodiscard]] std::vector<std::string> unique_identifiers(std::span<const std::string> names);

/// Names for files without their endings, on any system: no slashes, control characters or other signs with a meaning,
/// no dot in front, at most 100 bytes, different even where capitals do not count. Letters of all languages stay.
[[nodiscard]] std::vector<std::string> unique_file_names(std::span<const std::string> names);

} // namespace abut
