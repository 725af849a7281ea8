#pragma once

#include "abut/base/error.hpp"
#include "abut/mesh/collision_mesh.hpp"

namespace abut::python {

/// What the mesh that collisions were built for has in common with every mesh that they may be used with: their indices
/// stay in range there.
struct MeshSize {
    int dim = 3, num_vertices = 0, num_edges = 0, num_faces = 0, num_planes = 0;

    static MeshSize of(const CollisionMesh& mesh)
    {
        return {
            mesh.dim(), mesh.num_vertices(), mesh.num_edges(), mesh.num_faces(),
            static_cast<int>(mesh.planes().size())};
    }

    [[nodiscard]] std::string text() const
    {
        return fmt::format(
            "{} vertices in {}D, {} edges, {} faces and {} planes", num_vertices, dim, num_edges, num_faces,
            num_planes);
    }

    void require(const CollisionMesh& mesh) const
    {
        const MeshSize other = of(mesh);
        if (*this != other)
            reject("collisions: built for a mesh of {}, but this one has {}", text(), other.text());
    }

    bool operator==(const MeshSize&) const = default;
};

} // namespace abut::python
