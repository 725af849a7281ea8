#pragma once
// The pairs of a mesh's elements that contact is about, by their definition: every element against every other. Slow,
// and independent of the library's trees and rules.

#include "abut/detect/step_size.hpp"
#include "support/ccd_queries.hpp"

namespace abut::test {

struct MeshPair {
    PairKind kind;
    IndexPair elements; ///< in the order of the kind's name

    auto operator<=>(const MeshPair&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const MeshPair& pair)
{
    constexpr std::array names{"none", "vertex-vertex", "edge-vertex", "edge-edge", "face-vertex"};
    return out << names[static_cast<int>(pair.kind)] << " (" << pair.elements[0] << ", " << pair.elements[1] << ')';
}

/// The vertices of the pair's elements in the order of a CcdQuery, and how many of them belong to the first.
inline std::vector<int> pair_vertices(const CollisionMesh& mesh, const MeshPair& pair)
{
    const auto [i, j] = pair.elements;
    const auto& E = mesh.edges();
    const auto& F = mesh.faces();
    switch (pair.kind) {
    case PairKind::vertex_vertex:
        return {i, j};
    case PairKind::edge_vertex:
        return {j, E(i, 0), E(i, 1)};
    case PairKind::edge_edge:
        return {E(i, 0), E(i, 1), E(j, 0), E(j, 1)};
    default:
        return {j, F(i, 0), F(i, 1), F(i, 2)};
    }
}

/// The pair on its way from X0 to X1.
inline CcdQuery pair_query(const CollisionMesh& mesh, const Positions& X0, const Positions& X1, const MeshPair& pair)
{
    constexpr std::array kinds{
        CcdKind::point_point, CcdKind::point_point, CcdKind::point_edge, CcdKind::edge_edge, CcdKind::point_triangle};
    CcdQuery query{.kind = kinds[static_cast<int>(pair.kind)], .dim = mesh.dim()};
    const std::vector<int> vertices = pair_vertices(mesh, pair);
    for (std::size_t k = 0; k < vertices.size(); ++k)
        for (int axis = 0; axis < mesh.dim(); ++axis) {
            query.start[k][axis] = X0(vertices[k], axis);
            query.end[k][axis] = X1(vertices[k], axis);
        }
    return query;
}

/// All pairs of elements that have no vertex in common and that the filter lets collide: some vertex of one with some
/// vertex of the other. In space edges with edges and faces with vertices, in the plane edges with vertices; beside
/// them loose vertices with loose vertices and, in space, with loose edges. Sorted.
inline std::vector<MeshPair> collidable_pairs(const CollisionMesh& mesh)
{
    std::vector<MeshPair> pairs;
    const auto consider = [&](PairKind kind, int i, int j) {
        const MeshPair pair{kind, {i, j}};
        const std::vector<int> vertices = pair_vertices(mesh, pair);
        const std::size_t num_first = kind == PairKind::edge_edge ? 2 : 1;
        bool may_collide = false;
        for (std::size_t a = 0; a < num_first; ++a)
            for (std::size_t b = num_first; b < vertices.size(); ++b) {
                if (vertices[a] == vertices[b])
                    return;
                may_collide |= mesh.can_collide(vertices[a], vertices[b]);
            }
        if (may_collide)
            pairs.push_back(pair);
    };
    std::vector<bool> is_loose_vertex(mesh.num_vertices(), true), is_loose_edge(mesh.num_edges(), true);
    for (int e = 0; e < mesh.num_edges(); ++e)
        for (int k = 0; k < 2; ++k)
            is_loose_vertex[mesh.edges()(e, k)] = false;
    for (int f = 0; f < mesh.num_faces(); ++f)
        for (int e = 0; e < mesh.num_edges(); ++e) {
            int common = 0;
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 2; ++l)
                    common += mesh.faces()(f, k) == mesh.edges()(e, l) ? 1 : 0;
            if (common == 2)
                is_loose_edge[e] = false;
        }
    for (int i = 0; i < mesh.num_vertices(); ++i)
        for (int j = i + 1; j < mesh.num_vertices(); ++j)
            if (is_loose_vertex[i] && is_loose_vertex[j])
                consider(PairKind::vertex_vertex, i, j);
    for (int e = 0; e < mesh.num_edges(); ++e)
        for (int v = 0; v < mesh.num_vertices(); ++v)
            if (mesh.dim() == 2 || (is_loose_edge[e] && is_loose_vertex[v]))
                consider(PairKind::edge_vertex, e, v);
    if (mesh.dim() == 3) {
        for (int a = 0; a < mesh.num_edges(); ++a)
            for (int b = a + 1; b < mesh.num_edges(); ++b)
                consider(PairKind::edge_edge, a, b);
        for (int f = 0; f < mesh.num_faces(); ++f)
            for (int v = 0; v < mesh.num_vertices(); ++v)
                consider(PairKind::face_vertex, f, v);
    }
    return pairs;
}

/// The candidates as one list in the same order.
inline std::vector<MeshPair> as_mesh_pairs(const Candidates& candidates)
{
    std::vector<MeshPair> pairs;
    const auto add = [&](PairKind kind, const std::vector<IndexPair>& list) {
        for (const IndexPair& elements : list)
            pairs.push_back({kind, elements});
    };
    add(PairKind::vertex_vertex, candidates.vv);
    add(PairKind::edge_vertex, candidates.ev);
    add(PairKind::edge_edge, candidates.ee);
    add(PairKind::face_vertex, candidates.fv);
    return pairs;
}

} // namespace abut::test
