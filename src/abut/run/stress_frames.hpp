#pragma once
// Frames of results with the stress and strain of their cells: OUT/stress/*.vtu, and OUT/stress.pvd, which lists them.

#include "abut/run/result_folder.hpp"

namespace abut {

/// Writes those of the steps, which must be frames, in place of earlier ones, and returns the path of OUT/stress.pvd.
/// They are those of the run, with the arrays `cauchy_stress` (3 x 3, row by row) [Pa], `von_mises_stress` [Pa] and
/// `green_strain` (3 x 3) of each cell; NaN where a cell has none. Rejects a scene whose meshes have changed.
std::filesystem::path write_stress_frames(const ResultFolder& results, const std::vector<int>& steps);

} // namespace abut
