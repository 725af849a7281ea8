#pragma once
// The vertices of a pair of GCP in the order of NormalCollisions.

#include "abut/contact/gcp/smooth_collisions.hpp"

#include <algorithm>

namespace abut::gcp {

/// The vertices of the pair's two elements, of edge-vertex and face-vertex pairs the vertex first; -1 where it has
/// fewer than four.
inline std::array<int, 4> vertex_first(const SmoothCollision& pair)
{
    std::array<int, 4> vertices{-1, -1, -1, -1};
    std::copy(pair.vertices.begin(), pair.vertices.end(), vertices.begin());
    if (pair.kind == PairKind::edge_vertex || pair.kind == PairKind::face_vertex) {
        const auto end = vertices.begin() + static_cast<std::ptrdiff_t>(pair.vertices.size());
        std::rotate(vertices.begin(), end - 1, end);
    }
    return vertices;
}

} // namespace abut::gcp
