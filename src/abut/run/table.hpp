#pragma once
// A table of results: as text, CSV and HTML.

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace abut {

struct TableColumn {
    std::string key;     ///< in CSV and JSON
    std::string title;   ///< in text and HTML, short; empty: not shown there
    std::string meaning; ///< with its unit
};

struct Table {
    std::vector<TableColumn> columns;
    std::vector<std::vector<nlohmann::json>> rows; ///< a number, text, or null where there is none
};

/// A JSON number; null where it is not finite.
[[nodiscard]] nlohmann::json finite_or_null(double value);

/// The title of a key's column: its last word, or all of it where another of the keys ends the same way.
[[nodiscard]] std::string short_key(const std::string& key, const std::vector<std::string>& keys);

/// A value in a few characters.
[[nodiscard]] std::string cell_text(const nlohmann::json& value);

/// Aligned, one line per row, then the texts of the last column, which says what is wrong with rows that are not good.
[[nodiscard]] std::string table_to_text(const Table& table);
[[nodiscard]] std::string table_to_csv(const Table& table);

/// A table for a page that has sorting_html() once. `is_good`, of each row: others are marked.
[[nodiscard]] std::string table_to_html(const Table& table, const std::vector<bool>& is_good);
/// The look of these tables, and the few lines of script by which a click on a heading sorts.
[[nodiscard]] std::string sorting_html();

} // namespace abut
