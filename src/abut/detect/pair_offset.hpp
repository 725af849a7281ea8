#pragma once
// The offset of a pair of a mesh's elements, by its kind; mesh/contact_offsets.hpp says what that is.

#include "abut/detect/broad_phase.hpp"

namespace abut {

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
        const std::array<int, 2> a = corners_of(mesh.edges(), i), b = corners_of(mesh.edges(), j);
        double smallest = offsets.between(a, b);
        if (offsets.pairs().empty())
            return smallest;
        // With the vertices across from them in their faces, as mesh/contact_offsets.hpp says
        for (const std::span<const int> first : {std::span<const int>(a), mesh.edge_opposites(i)})
            for (const std::span<const int> second : {std::span<const int>(b), mesh.edge_opposites(j)})
                if (!first.empty() && !second.empty())
                    smallest = std::min(smallest, offsets.between(first, second));
        return smallest;
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
