#pragma once
// What is unusual about a mesh: accepted for contact, but worth knowing.

#include "abut/mesh/collision_mesh.hpp"

#include <string>

namespace abut {

struct MeshDiagnostics {
    std::vector<std::pair<int, int>> coincident_vertices; ///< (first, later one at exactly the same place)
    std::vector<int> zero_length_edges;
    std::vector<int> zero_area_faces;
    std::vector<int> non_manifold_edges;    ///< more than two faces
    std::vector<int> inconsistent_edges;    ///< two faces that disagree on the outside
    std::vector<int> boundary_edges;        ///< one face; expected on cloth
    std::vector<int> unreferenced_vertices; ///< in no edge or face: loose points

    /// Is there no finding? Borders and loose points do not count as findings.
    [[nodiscard]] bool is_clean() const;

    /// One line per finding, each with its count, the first ten ids, what it means and the cure; empty when clean.
    [[nodiscard]] std::string summary() const;
};

[[nodiscard]] MeshDiagnostics diagnose(const CollisionMesh& mesh);

} // namespace abut
