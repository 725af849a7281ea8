#pragma once
// What Abut asks of arrays at its border. Every build checks; every message names the argument, the row and the cure.

#include "abut/math/types.hpp"

#include <string_view>

namespace abut {

/// Largest coordinate Abut accepts [m]: beyond it the fourth powers of lengths that distances need would overflow.
inline constexpr double max_coordinate = 1e50;

/// At least one row, two or three columns, finite coordinates of magnitude up to max_coordinate.
void validate_positions(const ConstPositions& positions, std::string_view name);

/// `positions` has the given shape, and is finite as above.
void validate_positions(const ConstPositions& positions, Eigen::Index rows, Eigen::Index cols, std::string_view name);

/// `corners` columns (or no rows), indices in [0, num_vertices), no index twice in a row.
void validate_elements(const ConstElements& elements, int corners, Eigen::Index num_vertices, std::string_view name);

/// Every tetrahedron has positive volume, by exact arithmetic; throws InvalidStart naming the first ten that have not.
void validate_tets(const ConstPositions& vertices, const Tets& tets);

} // namespace abut
