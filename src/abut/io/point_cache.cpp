#include "abut/io/point_cache.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"

#include <bit>
#include <cmath>

namespace abut {

static_assert(std::endian::native == std::endian::little, "point caches are written as the bytes of the machine");

void write_point_cache(
    const std::filesystem::path& path, const PointCacheHeader& header,
    const std::function<FloatRows(std::int32_t)>& positions)
{
    if (header.num_points < 1 || header.num_samples < 1)
        reject("{}: a point cache needs points and samples; give one or more of each", path.string());
    if (!(header.sample_rate > 0) || !std::isfinite(header.sample_rate) || !std::isfinite(header.start_frame))
        reject("{}: the sample rate {} is not positive and finite", path.string(), header.sample_rate);
    FileWriter file(path);
    const auto write = [&](const auto& value) {
        file.write(std::string_view(reinterpret_cast<const char*>(&value), sizeof(value)));
    };
    constexpr std::string_view magic("POINTCACHE2\0", 12);
    file.write(magic);
    write(std::int32_t(1));
    write(header.num_points);
    write(header.start_frame);
    write(header.sample_rate);
    write(header.num_samples);
    for (std::int32_t k = 0; k < header.num_samples; ++k) {
        const FloatRows rows = positions(k);
        if (rows.rows() != header.num_points)
            reject("{}: sample {} has {} points instead of {}", path.string(), k, rows.rows(), header.num_points);
        file.write(std::string_view(
            reinterpret_cast<const char*>(rows.data()), static_cast<std::size_t>(rows.size()) * sizeof(float)));
    }
    file.finish();
}

} // namespace abut
