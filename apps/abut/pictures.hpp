#pragma once
// A run as pictures at even times, by the program's own renderer, and as a video of them, by ffmpeg.

#include "export_target.hpp"
#include "views.hpp"

namespace abut {

/// Writes PNG files, or an MP4 or GIF video. Where a video is asked for and there is no ffmpeg, PNG files are written
/// beside it. Prints where they are, and how to make the video of them.
void write_pictures(const ResultFolder& results, const ExportTarget& target, const ExportOptions& options);

} // namespace abut
