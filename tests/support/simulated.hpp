#pragma once
// Small scenes, and steps that must be good.

#include "abut/mesh/generate/generators.hpp"
#include "abut/sim/simulation.hpp"

#include <gtest/gtest.h>

namespace abut::test {

SceneObject box(const std::string& name, const Vec3& size, const Vec3& centre, std::array<int, 3> cells);

SceneObject cube(const std::string& name, double size, const Vec3& centre, int cells = 2);

/// A block in the plane, 0.2 m wide and 0.1 m high.
SceneObject planar_block(const std::string& name, double y);

Plane floor_plane();

/// A stiff cube on a slope of the given angle, as gravity that leans.
Scene slope(double mu, double angle);

/// A cloth of `cells` x `cells` cells above a ball.
Scene falling_cloth(int cells = 10);

/// The vertices of a mesh whose coordinate along an axis is within 1e-6 m of a value.
std::vector<int> vertices_at(const MeshData& mesh, int axis, double value);

/// Runs steps, each of which must converge without intersections or inversions; returns the last report.
StepReport run(Simulation& simulation, int steps);

} // namespace abut::test
