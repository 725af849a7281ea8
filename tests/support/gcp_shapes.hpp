#pragma once
// Shapes that contact potentials treat as touching themselves where they should not: fine corners, notches, slits,
// walls thinner than the potential's extent.

#include "abut/mesh/generate/generators.hpp"
#include "support/random_points.hpp"

#include <numbers>
#include <string>

namespace abut::test {

/// The outline of a square of width 1 with rounded corners: straight sides of `straight` edges each, corners of `arc`
/// edges and a radius of 0.08. With 4 and 12 its edges are 0.21 and 0.0105 long.
std::vector<Vec2> rounded_square(int straight = 4, int arc = 12);

/// The closed curve through points.
MeshData closed_curve(const std::vector<Vec2>& outline);

/// A block with a slit of the given width down from its top.
std::vector<Vec2> slit_outline(double width);

struct RestShape {
    std::string name;
    MeshData data;
    double dhat;
    bool is_reduced; ///< is something so near to something else at rest that extents have to be smaller?
};

std::vector<RestShape> rest_shapes();

/// Positions after a turn and a move.
Positions rigidly_moved(const Positions& X, RandomStream& random, double distance);

} // namespace abut::test
