#pragma once
// The page that sums a run up: whether it is good, what was chosen and why, where the time went, and how energies,
// contacts, gaps and forces went over time.

#include "results.hpp"

namespace abut {

/// Writes report.html into the folder, from its scene, choices and statistics; returns its path. The page needs no
/// other file, no network and no scripts.
std::filesystem::path write_report(const Results& results);

} // namespace abut
