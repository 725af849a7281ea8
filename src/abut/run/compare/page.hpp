#pragma once
// The page of a comparison, and all the files of its table.

#include "abut/run/compare/table.hpp"

namespace abut {

/// The table, the runs side by side to play, and plots: time against accuracy, then iterations, contacts, energy and
/// distances over time. It needs no other file and no network. A few lines of script sort the table.
[[nodiscard]] std::string
comparison_page(const Comparison& comparison, const Table& table, const CompareFolder& folder);

/// Writes compare.json, compare.csv and compare.html into the folder of the comparison.
void write_tables(const Comparison& comparison, const Table& table, const CompareFolder& folder);

} // namespace abut
