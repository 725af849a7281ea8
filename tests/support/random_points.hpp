#pragma once
// Random points, directions and rotations for tests. All are drawn from a RandomStream, so that a failure repeats.

#include "abut/base/random.hpp"
#include "abut/math/types.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace abut::test {

/// N points, uniform in the cube [-1, 1]^Dim, as columns.
template <int Dim, int N = 1>
Mat<Dim, N> random_points(RandomStream& random)
{
    Mat<Dim, N> points;
    for (double& coordinate : points.reshaped())
        coordinate = random.uniform(-1, 1);
    return points;
}

/// N points on the grid of integers from -size to size, where coincident, collinear and coplanar points are common.
template <int Dim, int N = 1>
Mat<Dim, N> random_grid_points(RandomStream& random, int size)
{
    Mat<Dim, N> points;
    for (double& coordinate : points.reshaped())
        coordinate = static_cast<int>(random.below(2 * size + 1)) - size;
    return points;
}

/// A direction, uniform on the sphere.
template <int Dim>
Vec<Dim> random_direction(RandomStream& random)
{
    while (true) {
        const Vec<Dim> p = random_points<Dim>(random);
        if (p.norm() > 0.1 && p.norm() < 1)
            return p.normalized();
    }
}

/// A direction orthogonal to the unit vector n.
template <int Dim>
Vec<Dim> random_orthogonal(RandomStream& random, const Vec<Dim>& n)
{
    while (true) {
        const Vec<Dim> p = random_direction<Dim>(random);
        const Vec<Dim> in_plane = p - p.dot(n) * n;
        if (in_plane.norm() > 0.1)
            return (in_plane - in_plane.dot(n) * n).normalized();
    }
}

template <int Dim>
Mat<Dim, Dim> random_rotation(RandomStream& random)
{
    Mat<Dim, Dim> rotation;
    if constexpr (Dim == 2) {
        rotation = Eigen::Rotation2Dd(random.uniform(0, 2 * std::numbers::pi)).toRotationMatrix();
    } else {
        const Vec3 x = random_direction<3>(random), y = random_orthogonal<3>(random, x);
        rotation << x, y, x.cross(y);
    }
    return rotation;
}

/// Largest distance between two of the points: the length that rounding errors of differences are relative to.
template <typename Points>
double reach(const Points& points)
{
    double longest = 0;
    for (int i = 0; i < points.cols(); ++i)
        for (int j = 0; j < i; ++j)
            longest = std::max(longest, (points.col(i) - points.col(j)).norm());
    return longest;
}

} // namespace abut::test
