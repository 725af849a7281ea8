#pragma once
// How the vertices of the collision surface follow from the unknowns. Each is one vertex of the unknowns: all of them,
// or a selection, as of solids only the skin touches anything. So a local derivative at a vertex of the surface is one
// at a block of unknowns, and only the numbers of blocks change. Bodies that move as one, whose surface follows from a
// few unknowns, would need the chain rule here, and nowhere else.

#include "abut/linear/stencils.hpp"
#include "abut/mesh/collision_mesh.hpp"
#include "abut/solver/unknowns.hpp"

namespace abut {

class SurfaceMap {
public:
    /// `mesh` must outlive it.
    explicit SurfaceMap(const CollisionMesh& mesh) : mesh_(mesh) {}

    [[nodiscard]] const CollisionMesh& mesh() const { return mesh_; }

    /// The surface at x; the same for displacements, which follow in the same way.
    [[nodiscard]] Positions positions(const Unknowns& x) const { return mesh_.vertices(x.vertices()); }

    /// The block of unknowns of a vertex of the surface.
    [[nodiscard]] int block_of(int surface_vertex) const { return mesh_.to_full_vertex_id(surface_vertex); }

    /// Stencils of the surface by blocks of unknowns.
    [[nodiscard]] Stencils to_unknowns(const Stencils& of_surface) const;

    /// Replaces the part of dx that moves the surface.
    void set_displacements(const BlockLayout& layout, const Positions& of_surface, Eigen::VectorXd& dx) const;

private:
    const CollisionMesh& mesh_;
};

} // namespace abut
