#pragma once
// Wavefront OBJ meshes.
//
// Read: `v` (further values, a weight or a colour, are ignored), `f` with three or more corners in any of the forms v,
// v/vt, v//vn and v/vt/vn, `l` polylines, `p` (checked, and left out of the mesh), indices from 1 or, negative, from
// the last vertex, comments, lines continued by a backslash. Texture, normal, group, material and rendering
// statements are skipped. Everything else is an error with the file, the line and the cure: free-form curves and
// surfaces, words that are not OBJ, numbers that are not finite, corners that repeat or do not exist. Nothing is
// guessed, merged or left out.

#include "abut/mesh/mesh_data.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

struct ObjOptions {
    std::uintmax_t max_bytes = std::uintmax_t(4) << 30; ///< larger files end in LimitReached
};

/// Reads an OBJ file; coordinates [m] become doubles with correct rounding, in three dimensions. Polygons become
/// triangles: convex ones a fan from their first corner, concave ones by cutting ears; polygons that cross or touch
/// themselves are rejected.
[[nodiscard]] MeshData read_obj(const std::filesystem::path& path, const ObjOptions& options = {});

/// Reads OBJ text; `name` stands for the file in error messages.
[[nodiscard]] MeshData parse_obj(std::string_view text, std::string_view name);

/// Writes vertices, edges and faces so that reading them back gives the same bits; a 2D mesh gets z = 0. Rejects what
/// `read_obj` would not read, and tets, which OBJ does not know. On failure (InputOutput) a file that existed before
/// is unchanged. `comment` becomes the first line, behind "# ".
void write_obj(const std::filesystem::path& path, const MeshData& mesh, std::string_view comment = {});

/// A part of an OBJ file with a name of its own.
struct ObjGroup {
    std::string name; ///< line breaks and other control characters become blanks
    MeshData mesh;
    std::vector<int> points{}; ///< vertices that are to be seen, though no element has them
};
/// The same with several meshes, each an object ("o NAME") with its vertices and elements, in one file.
void write_obj(const std::filesystem::path& path, std::span<const ObjGroup> groups, std::string_view comment = {});

} // namespace abut
