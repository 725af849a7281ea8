#pragma once
// Reference frames of the edges of rods, and how they are carried from one direction to another.
//
// Notation: t the unit tangent of an edge, d a unit director across it, and P(a -> b) parallel transport: the rotation
// about a x b that takes the direction a to b. It has no share about either, and is not defined for b = -a.

#include "abut/elastic/rod_topology.hpp"

namespace abut {

/// v carried from a to b, for v across a: v - (b · v) / (1 + a · b) (a + b).
[[nodiscard]] inline Vec3 transported(const Vec3& v, const Vec3& a, const Vec3& b)
{
    return v - b.dot(v) / (1 + a.dot(b)) * (a + b);
}

/// The angle by which u must turn about the unit vector t to have the direction of v, in (-pi, pi]; both are across t.
[[nodiscard]] inline double signed_angle(const Vec3& u, const Vec3& v, const Vec3& t)
{
    return std::atan2(u.cross(v).dot(t), u.dot(v));
}

/// The angle between two vectors, in [0, pi].
[[nodiscard]] inline double angle_between(const Vec3& u, const Vec3& v)
{
    return std::atan2(u.cross(v).norm(), u.dot(v));
}

/// Of the angles that differ from `angle` by whole turns, the nearest to `near`.
[[nodiscard]] double unwrapped(double angle, double near);

/// A unit vector across t: the part of `wanted` that is, or, where nothing is left of it, of the axis that t is
/// farthest from.
[[nodiscard]] Vec3 across(const Vec3& wanted, const Vec3& t);

/// Unit tangents of directed edges, one row each.
[[nodiscard]] Positions tangents_of(const ConstPositions& x, const Edges& directed);

/// Directors of all edges of chains, carried along each from its first edge, which takes `wanted`. Around a closed loop
/// a director does not come back to itself; what is missing is spread evenly over the loop. Rows of edges that branch
/// are 0.
[[nodiscard]] Positions
directors_along(const ConstPositions& x, const RodTopology& rods, const std::vector<Vec3>& wanted_of_edges);

} // namespace abut
