#pragma once
// Creases and corners: which edges and vertices are part of a shape, and which are there because it was meshed.

#include "abut/mesh/collision_mesh.hpp"

#include <numbers>

namespace abut {

/// The angle by which a surface has to turn for a sharp feature where nobody says another one [rad].
inline constexpr double default_sharp_angle = std::numbers::pi / 6;

/// Indices, ascending.
struct SharpFeatures {
    std::vector<int> edges;   ///< along which the surface turns or ends; none in the plane, where edges are the surface
    std::vector<int> corners; ///< vertices where such edges, or in the plane the curve, turn, branch or end
};

/// The sharp features of the rest surface, for an angle in (0, pi) [rad].
///
/// An edge is sharp unless it has two faces that meet with a turn of at most `angle`: borders, edges of three faces or
/// more and loose edges are sharp. A vertex is a corner unless it has
///   - two sharp edges, of which one continues the other with a turn of at most `angle`: it lies on a crease;
///   - one sharp edge, between two faces: the crease fades out there;
///   - no sharp edge, and faces that rise by at most `angle`: those of a cone with the same sum of angles at its tip.
/// In the plane all edges count as sharp here. Loose points are no corners.
///
/// Turns of `angle` itself count as not sharp: up to 1e-6 rad above it, more than rounding makes of meshes that are
/// moved, turned or scaled. A face without area turns by nothing.
[[nodiscard]] SharpFeatures sharp_features(const CollisionMesh& mesh, double angle = default_sharp_angle);

} // namespace abut
