#pragma once
// Variants of a scene: the settings of each, and a folder for its results.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// A key of scenes and the values that it is to have.
struct VariedKey {
    std::string key;
    std::vector<std::string> values; ///< as after --set KEY=
};

/// One way to run a scene.
struct Variant {
    std::vector<std::string> values; ///< of each key; empty: as the scene has it
    std::string folder;              ///< a name that is safe in any file system, and no other variant's
};

struct Variants {
    std::vector<std::string> keys;
    std::vector<Variant> list;

    /// "contact.model=ipc" and the like, as apply_settings() takes them.
    [[nodiscard]] std::vector<std::string> settings_of(const Variant& variant) const;
};

/// Splits at commas outside brackets, braces and quotes.
[[nodiscard]] std::vector<std::string> split_values(std::string_view text);

/// "contact.model=ipc,ogc". Rejects what has no key or no value.
[[nodiscard]] VariedKey parse_varied_key(std::string_view text);

/// Every combination; the last key changes fastest. Rejects keys and values that come twice.
[[nodiscard]] Variants all_combinations(const std::vector<VariedKey>& varied);

/// A variant per row of a CSV file whose first row names the keys; an empty cell leaves the key as the scene has it.
/// Rejects rows of another length than the first, and rows that are the same.
[[nodiscard]] Variants read_variants(const std::filesystem::path& path);
[[nodiscard]] Variants parse_variants(std::string_view csv, const std::string& name);

} // namespace abut
