#pragma once
// How far two frames are apart, vertex by vertex.

#include "abut/io/vtu.hpp"

#include <cmath>
#include <optional>

namespace abut {

/// Over the vertices of a body, or of several [m].
struct Distance {
    double root_mean_square = NAN, largest = NAN;
};

struct FrameDistance {
    Distance all;                 ///< over bodies that can move
    std::vector<Distance> bodies; ///< of each object
};

/// Nothing where the frames' meshes, by connectivity and by the objects of vertices, are not the same.
/// `can_move`: of each object.
[[nodiscard]] std::optional<FrameDistance>
frame_distance(const Frame& frame, const Frame& reference, const std::vector<bool>& can_move);

} // namespace abut
