#pragma once
// Polygons to triangles, by cutting off ears (Meisters, "Polygons have ears", 1975).
//
// A polygon in space is looked at along the axis closest to its normal; in that view every decision is exact, so that a
// simple polygon always comes apart into triangles of positive area, concave or with corners of 180 degrees. Convex
// polygons, nearly all in practice, become a fan. The others are first searched for edges that meet, by a sweep
// (Shamos, Hoey, "Geometric intersection problems", 1976), in O(n log n) time. Cutting the ears takes O(n r) time for r
// corners that are not convex, but visits only those of them that lie in the ear's range of the first coordinate.

#include "abut/math/types.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace abut {

enum class PolygonStatus {
    triangulated,
    degenerate,        ///< less than three corners, or no area, as when all of them lie on a line
    self_intersecting, ///< edges cross, touch or overlap, or corners coincide
    too_many_corners,  ///< not convex and with more than PolygonTriangulator::max_concave_corners
};

/// Keeps its memory from one polygon to the next.
class PolygonTriangulator {
public:
    /// Bounds the time of the worst concave polygon to some seconds.
    static constexpr std::size_t max_concave_corners = 20'000;

    /// Triangulates the polygon with these corners [m], finite and at most 1e100 in magnitude.
    [[nodiscard]] PolygonStatus run(std::span<const Vec3> corners);

    /// After success: corners - 2 triangles of positions in `corners`, turning the way the polygon does.
    [[nodiscard]] const std::vector<std::array<int, 3>>& triangles() const { return triangles_; }

private:
    [[nodiscard]] bool project(std::span<const Vec3> corners);
    [[nodiscard]] bool is_convex() const;
    [[nodiscard]] bool is_simple() const;
    void cut_ears();

    std::vector<Vec2> points_; // the projected corners, counter-clockwise
    std::vector<std::array<int, 3>> triangles_;
};

} // namespace abut
