#pragma once
// Surfaces of tubes around edges, for pictures and for files of other programs.

#include "abut/mesh/strands.hpp"

#include <span>
#include <vector>

namespace abut {

/// Tubes with round ends around the strands of some edges in space. Vertices and faces stay the same while the edges
/// move; `place` follows them. Rings of a tube are carried from edge to edge and from call to call by the least
/// rotation that keeps them across, so that a moving tube rolls as little as its axis allows; the rings of a closed one
/// take up what is left over when it comes around. Tubes of strands that meet at a branch overlap there.
class Tubes {
public:
    /// `sides` >= 3 of each ring. `radii` [m] are those of vertices. Edges that have a vertex of radius 0 are left out.
    Tubes(const Edges& edges, std::span<const double> radii, int sides);

    /// Counter-clockwise seen from outside.
    [[nodiscard]] const Faces& faces() const { return faces_; }
    [[nodiscard]] Eigen::Index num_vertices() const { return static_cast<Eigen::Index>(axis_vertices_.size()); }
    /// The vertex of the edges that each vertex of the tubes belongs to.
    [[nodiscard]] const std::vector<int>& axis_vertices() const { return axis_vertices_; }

    /// Positions of the tubes' vertices, and unit normals, for positions of the edges' vertices.
    void place(const Positions& X, Positions& positions, Positions& normals);

private:
    void place_strand(std::size_t s, const Positions& X, Eigen::Index row, Positions& positions, Positions& normals);

    std::vector<double> radii_;
    int sides_;
    std::vector<Strand> strands_;
    std::vector<Vec3> across_; // of each strand: the direction of the first side when it was placed last; zero before
    std::vector<int> axis_vertices_;
    Faces faces_;
};

} // namespace abut
