#pragma once
// Regions in which each vertex may move whatever the others do in theirs: a ball, and half-spaces between it and what
// is near. Made once per detection; solvers that move vertex by vertex stay in them with no more searches.
//
// Between two elements whose closest points are apart along n lies a slab in which neither is. Its thickness less dmin,
// times 2 gamma_p, is shared out: half to each element, or all of it to one where the other does not move. A vertex at
// height a above its element's end of the slab then keeps n·(x − c) >= −(a + share), so the elements stay apart, also
// on the way: regions are convex. TrustRegion (Truncation::planes) shares slabs out by how steps go instead, which
// needs all steps at once.
//
// The ball keeps vertices from what lies beyond the range of the detection, and contacts from being missed: elements
// that were farther apart than `range` stay farther apart than `contact_range`.

#include "abut/detect/detection.hpp"

#include <span>

namespace abut {

struct VertexRegionsOptions {
    double dmin = 0;          ///< distance that elements keep [m], >= 0
    double contact_range;     ///< closer pairs than this must be known, dmin included [m], > 0
    double relaxation = 0.45; ///< gamma_p: share of a gap that each of two elements may use up, in (0, 0.5)
};

class VertexRegions {
public:
    VertexRegions() = default;
    /// From a detection that was updated at X. Vertices with a flag in `is_fixed` do not move; none where it is empty.
    VertexRegions(
        const Detection& detection, const CollisionMesh& mesh, const ConstPositions& X,
        std::span<const std::uint8_t> is_fixed, const VertexRegionsOptions& options);

    /// Cuts the step of a vertex from x, which is in its region; true where that was necessary. It slides along what it
    /// meets where that descends along the gradient, and else ends there.
    [[nodiscard]] bool cut(int vertex, const Vec3& x, const Vec3& gradient, Vec3& step) const;

    /// Is a point in the region of a vertex?
    [[nodiscard]] bool contains(int vertex, const Vec3& x) const { return is_inside(vertex, x - centers_[vertex]); }

    /// Is nothing so near that it bounds the vertex within its ball?
    [[nodiscard]] bool is_alone(int vertex) const { return half_spaces(vertex).empty(); }

    [[nodiscard]] double radius() const { return radius_; }
    [[nodiscard]] std::size_t num_half_spaces() const { return half_spaces_.size(); }

private:
    /// normal · (x − c) + room >= 0.
    struct HalfSpace {
        Vec3 normal;
        double room;
    };
    [[nodiscard]] std::span<const HalfSpace> half_spaces(int vertex) const
    {
        return {half_spaces_.data() + starts_[vertex], half_spaces_.data() + starts_[vertex + 1]};
    }
    [[nodiscard]] bool is_inside(int vertex, const Vec3& moved) const;

    double radius_ = 0;
    std::vector<Vec3> centers_;
    std::vector<double> free_radii_; // of each vertex: the largest ball that is surely within its region
    std::vector<std::size_t> starts_;
    std::vector<HalfSpace> half_spaces_;
};

} // namespace abut
