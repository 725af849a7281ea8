#pragma once
// The table of a comparison: as text, CSV and JSON.

#include "abut/run/compare/measure.hpp"

#include <nlohmann/json.hpp>

namespace abut {

struct TableColumn {
    std::string key;     ///< in CSV and JSON
    std::string title;   ///< in text, short
    std::string meaning; ///< with its unit
};

struct CompareTable {
    std::vector<TableColumn> columns;
    std::vector<std::vector<nlohmann::json>>
        rows; ///< a number, text, or null where there is none; the reference is last
};

[[nodiscard]] CompareTable table_of(const Comparison& comparison);

/// Aligned, one line per row, then what is wrong with rows that are not good.
[[nodiscard]] std::string table_to_text(const CompareTable& table);
[[nodiscard]] std::string table_to_csv(const CompareTable& table);
/// With distances over time, of each body, and the time that each repetition took.
[[nodiscard]] nlohmann::json comparison_to_json(const Comparison& comparison, const CompareTable& table);
/// A value in a few characters.
[[nodiscard]] std::string cell_text(const nlohmann::json& value);

} // namespace abut
