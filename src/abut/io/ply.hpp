#pragma once
// A frame as a PLY file (binary, little endian): positions with velocities, contact forces and objects, for programs
// that read point attributes.

#include "abut/io/object_parts.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace abut {

/// The bytes of the file. Of each vertex that is seen, object by object: x, y, z [m], velocity_x, velocity_y,
/// velocity_z [m/s], contact_force_x, contact_force_y, contact_force_z [N] as floats, and `object`, an int that counts
/// from 0. Then faces and edges, where there are any. A frame in two dimensions gets z = 0. `parts` are those of the
/// frame's run; `comment` is one line.
[[nodiscard]] std::string
encode_ply(const Frame& frame, std::span<const ObjectParts> parts, std::string_view comment = {});

/// Written in one piece, as write_file does.
void write_ply(
    const std::filesystem::path& path, const Frame& frame, std::span<const ObjectParts> parts,
    std::string_view comment = {});

} // namespace abut
