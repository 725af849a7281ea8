#pragma once
// Axis-aligned boxes of vertices, edges and faces, still or swept along a step. In two dimensions z is 0.

#include "abut/base/assert.hpp"
#include "abut/mesh/collision_mesh.hpp"

#include <limits>

namespace abut {

struct Box {
    Vec3 lo = Vec3::Constant(std::numeric_limits<double>::infinity());
    Vec3 hi = Vec3::Constant(-std::numeric_limits<double>::infinity());

    /// Closed boxes: touching counts.
    [[nodiscard]] bool overlaps(const Box& other) const
    {
        return (lo.array() <= other.hi.array()).all() && (other.lo.array() <= hi.array()).all();
    }

    void extend(const Box& other)
    {
        lo = lo.cwiseMin(other.lo);
        hi = hi.cwiseMax(other.hi);
    }
};

/// Boxes of a mesh's elements, each grown by `inflation` and its offset on every side and by a little more, which
/// covers rounding: the boxes of two elements overlap if their gap is at most 2 inflation.
struct MeshBoxes {
    std::vector<Box> vertices, edges, faces;
    Vec3 center = Vec3::Zero(); ///< of all boxes

    /// Around positions X.
    void build(const CollisionMesh& mesh, const Positions& X, double inflation);
    /// Around the straight paths from X0 to X1.
    void build(const CollisionMesh& mesh, const Positions& X0, const Positions& X1, double inflation);

private:
    void build_elements(const CollisionMesh& mesh);
};

} // namespace abut
