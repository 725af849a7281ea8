#pragma once
// Edges as curves: the polylines that a mesh of edges is made of, and how close they come to each other.

#include "abut/mesh/mesh_data.hpp"

#include <vector>

namespace abut {

/// A polyline. Where it is closed, its last vertex is joined to the first.
struct Strand {
    std::vector<int> vertices;
    bool is_closed = false;

    [[nodiscard]] std::size_t num_edges() const { return vertices.size() - (is_closed ? 0 : 1); }
};

/// The longest polylines without a branch: they begin and end where a vertex has one edge or more than two, and have
/// every edge once. Closed ones begin at their smallest vertex. Strands are in the order of their first edge and run as
/// it does where nothing speaks against it, from an end with one edge.
[[nodiscard]] std::vector<Strand> find_strands(const Edges& edges, int num_vertices);

/// The least distance between points of edges [m], leaving out points of one strand that are no farther from each
/// other along it than `along` [m], and strands that meet at a branch; infinite if that leaves nothing, and no more
/// than `range` [m] is looked for. A tube of radius r around smooth strands is free of intersections if this is more
/// than 2 r for along = π r, as a curve that turns back within less has a radius of curvature below r.
[[nodiscard]] double strand_distance(const MeshData& mesh, double along, double range);

} // namespace abut
