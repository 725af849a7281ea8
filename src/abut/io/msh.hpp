#pragma once
// Gmsh meshes: MSH 4.1 and 2.2 in ASCII.
//
// Read: first-order tetrahedra, or, where the file has none, first-order triangles. The triangles of a file with
// tetrahedra mark parts of their surface, which is derived where it is needed, and are left out, and so are elements of
// lower dimension, such as the points and lines that Gmsh writes for its geometry, and vertices that no element of the
// mesh uses. Elements whose loss would leave holes (hexahedra beside tetrahedra, quadrilaterals beside triangles,
// curved elements) are an error. Sections other than $MeshFormat, $Nodes and $Elements are skipped. Node tags may have
// gaps. Everything malformed is an error with the file, the line, the section and the cure; binary files are refused.

#include "abut/mesh/mesh_data.hpp"

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace abut {

struct MshOptions {
    std::uintmax_t max_bytes = std::uintmax_t(4) << 30; ///< larger files end in LimitReached
    bool keeps_inverted = false; ///< tetrahedra without positive volume are no error, for those who show them
};

/// Reads an MSH file; coordinates [m] become doubles with correct rounding, in three dimensions. Vertices keep the
/// order of the file. Tetrahedra without positive volume end in InvalidStart, which names the first of them.
[[nodiscard]] MeshData read_msh(const std::filesystem::path& path, const MshOptions& options = {});

/// Reads MSH text; `name` stands for the file in error messages.
[[nodiscard]] MeshData parse_msh(std::string_view text, std::string_view name);

} // namespace abut
