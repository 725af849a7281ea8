#pragma once
// What `abut check` finds out about meshes: facts, findings, and what to choose for a simulation.

#include "abut/detect/intersections.hpp"
#include "abut/mesh/diagnostics.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace abut {

/// Facts about one file.
struct MeshFacts {
    std::filesystem::path path;
    MeshData data;                                    ///< without the duplicates below
    std::vector<std::pair<int, int>> duplicate_faces; ///< (first row, later row) of the file
    std::vector<std::pair<int, int>> duplicate_edges;
    int num_edges = 0; ///< with those of the faces
    int num_components = 0;
    int num_closed_components = 0; ///< closed and consistently oriented
    int num_boundary_loops = 0;
    Vec3 box_lo = Vec3::Zero(), box_hi = Vec3::Zero();         ///< [m]
    double shortest_edge = 0, mean_edge = 0, longest_edge = 0; ///< [m]; 0 without edges
    MeshDiagnostics diagnostics;

    [[nodiscard]] bool is_clean() const
    {
        return duplicate_faces.empty() && duplicate_edges.empty() && diagnostics.is_clean() && !has_loose_vertices();
    }
    /// Vertices in no element, beside some that are: no body but one of kind 'points' may have them.
    [[nodiscard]] bool has_loose_vertices() const
    {
        return num_edges > 0 && !diagnostics.unreferenced_vertices.empty();
    }
};

/// A distance at which contact should begin to act, and why.
struct DhatSuggestion {
    double dhat;
    std::string reason;
};

/// All files together, as a scene would have them.
struct MeshCheck {
    std::vector<MeshFacts> files;
    std::vector<int> first_vertex, first_edge, first_face; ///< of each file in the joined mesh
    std::vector<Intersection> intersections;
    double smallest_distance = 0; ///< of elements that share no vertex; infinity if there are none [m]
    DhatSuggestion suggestion;
    MeshData joined;
    Edges edges; ///< of the joined mesh

    [[nodiscard]] bool is_clean() const;

    /// "name: face 12" for an element of the joined mesh; the name is left out when there is one file.
    [[nodiscard]] std::string element_name(const char* kind, int index) const;
};

[[nodiscard]] MeshCheck check_meshes(const std::vector<std::filesystem::path>& paths);

/// The two elements' names.
[[nodiscard]] std::pair<std::string, std::string>
element_names(const MeshCheck& check, const Intersection& intersection);

/// The faces and edges that intersect, as a mesh.
[[nodiscard]] MeshData intersecting_elements(const MeshCheck& check);

} // namespace abut
