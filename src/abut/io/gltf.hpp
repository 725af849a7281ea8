#pragma once
// Frames of a simulation as one animated glTF 2.0 file (binary, .glb), which Blender, three.js and the viewers of most
// desktops play.
//
// Every object is a mesh of its own with a material. The first frame is its shape; the others are morph targets of
// positions and normals, which an animation of their weights blends in one after the other, so that the times of frames
// are met exactly and motion is linear between them. Of solids the surface is written. Objects that never move have no
// targets. Edges of objects that have a radius become tubes, others lines. Planes become squares around what they hold,
// in two dimensions lines. Numbers are single precision, as the format asks.

#include "abut/io/object_parts.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace abut {

using GltfObject = ObjectLook;

/// The bytes of the file; the same frames give the same bytes. There must be a frame; all frames have the same
/// vertices, elements and objects, and rising times; `objects` has an entry for each object of the frames. A frame in
/// two dimensions gets z = 0.
[[nodiscard]] std::string
encode_glb(std::span<const Frame> frames, std::span<const GltfObject> objects, std::span<const Plane> planes = {});

/// Written in one piece, as write_file does.
void write_glb(
    const std::filesystem::path& path, std::span<const Frame> frames, std::span<const GltfObject> objects,
    std::span<const Plane> planes = {});

} // namespace abut
