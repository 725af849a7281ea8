#pragma once
// Surfaces that enclose a volume: their parts, with all normals pointing out, and what keeps a surface from being one.

#include "abut/math/types.hpp"

#include <vector>

namespace abut {

/// The volume within a closed surface whose normals point out, negative where they point in [m³]: a sum of tetrahedra
/// from `reference`, which changes it by rounding only. Choose it near the surface, and nothing cancels.
[[nodiscard]] double enclosed_volume(const ConstPositions& vertices, const Faces& faces, const Vec3& reference);

/// The mean of the faces' corners.
[[nodiscard]] Vec3 mean_corner(const ConstPositions& vertices, const Faces& faces);

/// The connected parts of a surface in space, in order of their first face, each with its faces turned so that all
/// normals point out. Throws InvalidInput that says how many edges are wrong, and where the first is, for a surface
/// that is open, or has edges of more than two faces, or only one side, or encloses no volume.
[[nodiscard]] std::vector<Faces> closed_parts(const ConstPositions& vertices, const Faces& faces);

/// The hollows of a body: those connected parts of its boundary, which is oriented outward, that enclose a negative
/// volume, turned so that their normals point out of the hollow, into the body. Empty where it has none.
[[nodiscard]] std::vector<Faces> cavities(const ConstPositions& vertices, const Faces& boundary);

} // namespace abut
