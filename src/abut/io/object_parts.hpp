#pragma once
// What files for other programs show of a run's objects: the surfaces of solids, cloth and obstacles, the edges of
// curves, and vertices that no element has.

#include "abut/io/vtu.hpp"
#include "abut/mesh/plane.hpp"

#include <Eigen/Geometry>

#include <string>
#include <vector>

namespace abut {

/// How an object is called and looks.
struct ObjectLook {
    std::string name{};
    Vec3 color = Vec3::Constant(0.8); ///< red, green, blue as on a screen (sRGB), in [0, 1]
    double radius = 0;                ///< of its edges [m]; 0 if they are lines
};

/// An object without what is inside of it. Elements belong to the object of their first vertex.
struct ObjectParts {
    std::vector<int> vertices; ///< of the frame, rising: those that are seen
    Faces faces;               ///< these and the following count `vertices`
    Edges edges;
    std::vector<int> points;

    /// The vertices' rows of an array with a row for each vertex of the frame.
    [[nodiscard]] Positions rows(const Positions& of_frame) const { return of_frame(vertices, Eigen::all); }
};

/// The parts of `num_objects` objects, by a frame of a run; all frames of the run have the same. Rejects frames whose
/// elements or objects do not fit them.
[[nodiscard]] std::vector<ObjectParts> split_objects(const Frame& frame, std::size_t num_objects);

/// Rejects a frame that has other vertices than the first one of its run, or coordinates that single precision cannot
/// hold. `number` is the frame's, for messages.
void check_fits(const Frame& frame, const Frame& first, std::size_t number);

/// A part of a plane that is large enough to reach beyond everything in the box: four corners of a square around its
/// normal, in the plane the two ends of a line.
[[nodiscard]] Positions plane_patch(const Plane& plane, const Eigen::AlignedBox3d& box, bool is_flat);

/// Of red, green or blue: from a screen's value (sRGB) to that of light, in [0, 1].
[[nodiscard]] double linear_from_srgb(double value);

} // namespace abut
