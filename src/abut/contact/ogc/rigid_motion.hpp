#pragma once
// Rigid motions of groups of vertices, and those that fit a move best.
//
//   x, y    positions before and after, c, d their centres of mass
//   R       the rotation that maximises Σ m (y − d)·R (x − c), by Horn's quaternions (1987)
//
// Where several rotations fit as well, as about the line of points that lie on one, it is the least of them.

#include "abut/math/types.hpp"

#include <span>
#include <vector>

namespace abut {

struct RigidMotion {
    Vec3 center = Vec3::Zero(); ///< the point that is turned about [m]
    Vec3 shift = Vec3::Zero();  ///< of that point [m]
    Vec3 axis = Vec3::UnitZ();  ///< of length 1
    double angle = 0;           ///< about the axis, in [0, π] [rad]

    /// A share of it: as much of the shift and of the angle.
    [[nodiscard]] RigidMotion part(double share) const { return {center, share * shift, axis, share * angle}; }
    [[nodiscard]] bool is_none() const { return angle == 0 && shift == Vec3::Zero(); }
    [[nodiscard]] Eigen::Matrix3d rotation() const { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }
};

/// The motions of groups of vertices, numbered from 0, that fit the move from X to Y best by weights such as masses;
/// none for groups without weight. A group of -1 is no group.
[[nodiscard]] std::vector<RigidMotion> fit_rigid_motions(
    std::span<const int> group_of_vertex, int num_groups, const ConstPositions& X, const ConstPositions& Y,
    const Eigen::VectorXd& weights);

/// Moves the vertices of each group in place; those of motions that are none keep their bits.
void apply(std::span<const RigidMotion> motions, std::span<const int> group_of_vertex, Eigen::Ref<Positions> X);

} // namespace abut
