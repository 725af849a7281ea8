#pragma once
// How vertices, edges and faces hang together. Pure functions of index arrays; nothing here knows positions. Any mesh
// is allowed: open, non-manifold, inconsistently oriented, with loose edges and vertices.

#include "abut/base/assert.hpp"
#include "abut/math/types.hpp"
#include "abut/mesh/index_lists.hpp"

#include <cstdint>

namespace abut {

/// The edges of a mesh and how its faces use them.
struct EdgeTopology {
    Edges edges;                     ///< the given ones in their order, then the remaining edges of faces, sorted
    Faces faces_to_edges;            ///< [f][k] is the edge that joins corners k and k + 1 of face f
    IndexLists edge_faces;           ///< faces at each edge, ascending: none, one, two or, where not manifold, more
    std::vector<int> edge_opposites; ///< for each item of edge_faces, that face's vertex opposite to the edge
};

/// Finds the edges of `faces` and adds those that `given` does not list. Rejects an edge or a face that is listed
/// twice, naming both rows. Indices must be valid.
[[nodiscard]] EdgeTopology build_edge_topology(const Edges& given, const Faces& faces, int num_vertices);

/// The edges of triangles, each once as (smaller, larger), sorted.
[[nodiscard]] Edges edges(const ConstElements& faces);

/// The triangles of tetrahedra that belong to one tetrahedron only, outward oriented, in order of their tetrahedron.
[[nodiscard]] Faces boundary_faces(const Tets& tets);

/// The edges of triangles that belong to one triangle only, directed as in it (counter-clockwise around triangles that
/// are counter-clockwise), in order of their triangle.
[[nodiscard]] Edges boundary_edges(const ConstElements& faces);

/// The neighbours of each vertex in the order in which its faces meet them.
///
/// The faces around a vertex form fans: runs of faces in which each shares an edge with the next. A vertex inside a
/// manifold surface has one closed fan, on its border one open fan; elsewhere there may be several. A closed fan of k
/// faces lists k neighbours, an open one k + 1. Where the faces are consistently oriented a fan turns counter-clockwise
/// about their normals.
class OneRings {
public:
    struct Fan {
        std::span<const int> neighbors;
        bool is_closed;
    };

    OneRings() = default;
    OneRings(const Faces& faces, const IndexLists& vertex_faces);

    [[nodiscard]] int num_fans(int vertex) const
    {
        ABUT_ASSERT(vertex >= 0 && vertex + 1 < static_cast<int>(vertex_fans_.size()));
        return vertex_fans_[vertex + 1] - vertex_fans_[vertex];
    }
    [[nodiscard]] Fan fan(int vertex, int k) const
    {
        ABUT_ASSERT(k >= 0 && k < num_fans(vertex));
        const std::size_t i = static_cast<std::size_t>(vertex_fans_[vertex]) + k;
        return {fans_[i], is_closed_[i] != 0};
    }

private:
    std::vector<int> vertex_fans_{0}; // fans of vertex v: [v] .. [v + 1] - 1
    IndexLists fans_;
    std::vector<std::uint8_t> is_closed_;
};

/// A connected part of a mesh.
struct Component {
    int num_vertices = 0;
    int num_edges = 0;
    int num_faces = 0;
    bool is_closed = false;   ///< in space every edge has two faces; in the plane every vertex has two edges
    bool is_oriented = false; ///< neighbouring faces (in the plane, edges) agree on which side is outside

    /// Does it have an inside and an outside?
    [[nodiscard]] bool is_closed_and_oriented() const { return is_closed && is_oriented; }
};

struct Components {
    std::vector<Component> components; ///< in order of their smallest vertex
    std::vector<int> vertex_component;
};

[[nodiscard]] Components
find_components(const EdgeTopology& topology, const Faces& faces, const IndexLists& vertex_edges, int dim);

} // namespace abut
