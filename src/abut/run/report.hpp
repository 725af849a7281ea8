#pragma once
// The page that sums a run up: whether it is good, what was chosen and why, where the time went, and how energies,
// contacts, gaps and forces went over time.

#include "abut/run/result_folder.hpp"

namespace abut {

struct WrittenReport {
    std::filesystem::path path;
    std::vector<std::string> passed_over; ///< lines of the statistics, as ResultFolder::for_each_record()
};
/// Writes report.html into the folder, from its scene, choices and statistics. The page needs no other file, no network
/// and no scripts.
WrittenReport write_report(const ResultFolder& results);

} // namespace abut
