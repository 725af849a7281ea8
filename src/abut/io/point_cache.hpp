#pragma once
// Point caches (.pc2): where the points of one mesh are, sample by sample, for the modifiers of Blender, Maya and
// 3ds Max that move a mesh by such a file. The mesh itself is a file of another format with the same points in the same
// order.
//
// The file is: "POINTCACHE2" and a zero byte, the version 1 and the number of points as 32-bit integers, start frame
// and sample rate as floats, the number of samples as a 32-bit integer, then x, y, z of every point of every sample as
// floats; all of it little endian.

#include "abut/io/position_spool.hpp"

#include <filesystem>
#include <functional>

namespace abut {

struct PointCacheHeader {
    std::int32_t num_points = 0;
    float start_frame = 0; ///< of the animation, where the first sample is
    float sample_rate = 1; ///< frames of the animation from one sample to the next, > 0
    std::int32_t num_samples = 0;
};

/// `positions(k)` are the points of sample k; they are asked for one after the other. The file is there when it is
/// whole, as with write_file.
void write_point_cache(
    const std::filesystem::path& path, const PointCacheHeader& header,
    const std::function<FloatRows(std::int32_t)>& positions);

} // namespace abut
