#pragma once
// The table of a comparison, and all that is in it and behind it as JSON.

#include "abut/run/compare/measure.hpp"
#include "abut/run/table.hpp"

namespace abut {

/// The reference is the last row.
[[nodiscard]] Table table_of(const Comparison& comparison);

/// With distances over time, of each body, and the time that each repetition took.
[[nodiscard]] nlohmann::json comparison_to_json(const Comparison& comparison, const Table& table);

} // namespace abut
