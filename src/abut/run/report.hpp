#pragma once
// The page that sums a run up: whether it is good, the frames to play, what was chosen and why, where the time went,
// and how energies, contacts, gaps and forces went over time.

#include "abut/run/result_folder.hpp"

#include <optional>

namespace abut {

struct ReportOptions {
    std::optional<double> megabytes{}; ///< of the frames in the page; left out: as the scene says
};

struct WrittenReport {
    std::filesystem::path path;
    std::vector<std::string> passed_over; ///< lines of the statistics, as ResultFolder::for_each_record()
};
/// Writes report.html into the folder, from its scene, choices, statistics and frames. The page needs no other file and
/// no network. Where frames cannot be shown, because they are damaged or memory is short, the page says so.
WrittenReport write_report(const ResultFolder& results, const ReportOptions& options = {});

} // namespace abut
