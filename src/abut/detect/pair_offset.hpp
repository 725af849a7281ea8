#pragma once
// The offset of a pair of a mesh's elements, by its kind; mesh/contact_offsets.hpp says what that is.

#include "abut/detect/broad_phase.hpp"

namespace abut {

/// The ends of an edge and the vertices across from it in its faces; of an edge of more than six faces the first six.
class EdgeSurroundings {
public:
    EdgeSurroundings(const CollisionMesh& mesh, int edge)
        : vertices_{mesh.edges()(edge, 0), mesh.edges()(edge, 1)}, count_(2)
    {
        for (const int v : mesh.edge_opposites(edge))
            if (count_ < vertices_.size())
                vertices_[count_++] = v;
    }
    [[nodiscard]] std::span<const int> vertices() const { return {vertices_.data(), count_}; }

private:
    std::array<int, 8> vertices_;
    std::size_t count_;
};

/// Of elements i and j, in the order of the kind's name [m].
[[nodiscard]] inline double pair_offset(const CollisionMesh& mesh, PairKind kind, int i, int j)
{
    const ContactOffsets& offsets = mesh.offsets();
    if (offsets.empty())
        return 0;
    switch (kind) {
    case PairKind::edge_vertex:
        return offsets.between(std::array{j}, corners_of(mesh.edges(), i));
    case PairKind::edge_edge: {
        if (offsets.pairs().empty())
            return offsets.between(corners_of(mesh.edges(), i), corners_of(mesh.edges(), j));
        const EdgeSurroundings a(mesh, i), b(mesh, j);
        return offsets.between(a.vertices(), b.vertices());
    }
    case PairKind::face_vertex:
        return offsets.between(std::array{j}, corners_of(mesh.faces(), i));
    case PairKind::plane_vertex:
        return offsets.radius(j);
    default:
        return offsets.between(std::array{i}, std::array{j});
    }
}

} // namespace abut
