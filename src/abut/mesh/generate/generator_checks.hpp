#pragma once
// Checks that the generators of meshes share. Internal.

#include "abut/base/error.hpp"

#include <cstdint>
#include <limits>
#include <string_view>

namespace abut::generate::detail {

inline void require_length(std::string_view option, double value)
{
    if (!(value >= 1e-50 && value <= 1e50))
        reject("generate::{} = {} is outside [1e-50, 1e50] m; give a positive, finite length", option, value);
}

/// For everything that lies on or in a torus.
inline void require_torus_radii(std::string_view name, double major_radius, double minor_radius)
{
    require_length(fmt::format("{}: major_radius", name), major_radius);
    require_length(fmt::format("{}: minor_radius", name), minor_radius);
    if (minor_radius >= major_radius)
        reject(
            "generate::{}: minor_radius = {} m is not below major_radius = {} m, so it could meet itself on the axis; "
            "make "
            "the tube thinner",
            name, minor_radius, major_radius);
}

inline void require_coordinate(std::string_view option, double value)
{
    if (!(value >= -1e50 && value <= 1e50))
        reject("generate::{} = {} is outside [-1e50, 1e50] m; give a finite coordinate", option, value);
}

inline void require_count(std::string_view option, int value, std::int64_t minimum)
{
    if (value < minimum)
        reject("generate::{} = {} is below its minimum of {}; use {} or more", option, value, minimum, minimum);
}

/// The count is a double because products of three ints overflow 64 bits; up to 2^53 it is exact.
inline void require_representable(std::string_view what, double count)
{
    constexpr int limit = std::numeric_limits<int>::max();
    if (count > limit)
        throw LimitReached(fmt::format(
            "generate::{} would number {:.4g}, above the limit of {}; use fewer subdivisions", what, count, limit));
}

} // namespace abut::generate::detail
