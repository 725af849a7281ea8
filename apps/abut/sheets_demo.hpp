#pragma once
// The demo: two perturbed sheets driven into each other.

#include <cstdint>
#include <filesystem>

namespace abut {

struct SheetsDemoOptions {
    std::filesystem::path output = "out/demo"; ///< folder for sheets.svg
    int cells = 14;                            ///< squares along each side of a sheet
    std::uint64_t seed = 1;                    ///< of the perturbation
};

/// Moves the upper sheet down, each time by a part of the smallest distance, so that it never passes through; prints a
/// table of distances and closest features and draws the last position.
void run_sheets_demo(const SheetsDemoOptions& options);

} // namespace abut
