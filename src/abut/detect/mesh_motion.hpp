#pragma once
// The elements of a mesh on a straight way. Internal: for step sizes.

#include "abut/detect/ccd.hpp"
#include "abut/detect/pair_kinds.hpp"
#include "abut/mesh/collision_mesh.hpp"

namespace abut {

/// The mesh on its way from X0 to X1, as elements in three dimensions.
class MeshMotion {
public:
    MeshMotion(const CollisionMesh& mesh, const Positions& X0, const Positions& X1) : mesh_(mesh), X0_(X0), X1_(X1) {}

    [[nodiscard]] MovingPoints<1> vertex(int v) const { return gather<1>({v}); }
    [[nodiscard]] MovingPoints<2> edge(int e) const { return gather<2>({mesh_.edges()(e, 0), mesh_.edges()(e, 1)}); }
    [[nodiscard]] MovingPoints<3> face(int f) const
    {
        return gather<3>({mesh_.faces()(f, 0), mesh_.faces()(f, 1), mesh_.faces()(f, 2)});
    }

private:
    template <int N>
    MovingPoints<N> gather(const std::array<int, N>& vertices) const
    {
        MovingPoints<N> points;
        for (int k = 0; k < N; ++k) {
            if (X0_.cols() == 3) {
                points.start.col(k) = point<3>(X0_, vertices[k]);
                points.end.col(k) = point<3>(X1_, vertices[k]);
            } else {
                points.start.col(k) << X0_(vertices[k], 0), X0_(vertices[k], 1), 0;
                points.end.col(k) << X1_(vertices[k], 0), X1_(vertices[k], 1), 0;
            }
        }
        return points;
    }

    const CollisionMesh& mesh_;
    const Positions& X0_;
    const Positions& X1_;
};

/// Calls query(first element, second element) with the moving elements of the pair.
template <typename Query>
auto with_elements(const MeshMotion& motion, PairKind kind, int i, int j, Query&& query)
{
    switch (kind) {
    case PairKind::vertex_vertex:
        return query(motion.vertex(i), motion.vertex(j));
    case PairKind::edge_vertex:
        return query(motion.vertex(j), motion.edge(i));
    case PairKind::edge_edge:
        return query(motion.edge(i), motion.edge(j));
    default:
        return query(motion.vertex(j), motion.face(i));
    }
}

} // namespace abut
