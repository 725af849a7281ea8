#pragma once
// The determinant of a knot, |Δ(-1)| of Alexander's polynomial: 1 of a curve without a knot, 3 of the overhand knot, 5
// of the figure-eight knot and of the double overhand knot. It tells apart what the tests tie.

#include "abut/math/types.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <vector>

namespace abut {

/// Of a closed polyline. In a picture of it, arcs run from one passage below another arc to the next; with arc a above
/// and arcs b and c meeting below it, each crossing gives a row 2a - b - c, and the determinant is that of any minor
/// (Livingston, "Knot Theory", 1993, chapter 3). For curves of a moderate number of crossings, in general position.
inline int knot_determinant(std::vector<Vec3> curve)
{
    // Seen from a direction of no meaning
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.4321, Vec3(0.31, 0.83, -0.47).normalized()).toRotationMatrix();
    for (Vec3& x : curve)
        x = turn * x;
    struct Crossing {
        double over, under; // places along the curve: number of the edge and share of it
    };
    std::vector<Crossing> crossings;
    const std::size_t n = curve.size();
    const auto cross = [](const Vec3& a, const Vec3& b) { return a.x() * b.y() - a.y() * b.x(); };
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 2; j < n; ++j) {
            if (i == 0 && j == n - 1)
                continue;
            const Vec3 p = curve[i], u = curve[i + 1] - p, q = curve[j], v = curve[(j + 1) % n] - q;
            const double area = cross(u, v), s = cross(q - p, v) / area, t = cross(q - p, u) / area;
            if (!(s >= 0 && s < 1 && t >= 0 && t < 1))
                continue;
            const bool first_is_over = p.z() + s * u.z() > q.z() + t * v.z();
            const double a = double(i) + s, b = double(j) + t;
            crossings.push_back(first_is_over ? Crossing{a, b} : Crossing{b, a});
        }
    const auto size = static_cast<Eigen::Index>(crossings.size());
    if (size < 2)
        return 1;
    std::sort(
        crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) { return a.under < b.under; });
    // Arc k begins at the passage below of crossing k and ends at that of the next.
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(size, size);
    for (Eigen::Index k = 0; k < size; ++k) {
        const auto after = std::upper_bound(
            crossings.begin(), crossings.end(), crossings[std::size_t(k)].over,
            [](double place, const Crossing& c) { return place < c.under; });
        const Eigen::Index over = (after - crossings.begin() + size - 1) % size;
        rows(k, over) += 2;
        rows(k, k) -= 1;
        rows(k, (k + size - 1) % size) -= 1;
    }
    return static_cast<int>(std::lround(std::abs(rows.topLeftCorner(size - 1, size - 1).partialPivLu().determinant())));
}

} // namespace abut
