#pragma once
// Distance between a point and an edge or a line, in two and three dimensions. Stencil: p, e0, e1.

#include "abut/geometry/point_point.hpp"

#include <algorithm>

namespace abut {

/// The part of the edge that is closest to the point. The order is that of the reference toolkit.
enum class PointEdgeFeature : std::uint8_t { e0, e1, edge };

/// Which part of the edge e0e1 is closest to p. A foot point that falls on an end belongs to `edge`; an edge of length
/// zero is its end e0.
template <int Dim>
PointEdgeFeature point_edge_feature(const Vec<Dim>& p, const Vec<Dim>& e0, const Vec<Dim>& e1)
{
    const Vec<Dim> e = e1 - e0;
    const double along = e.dot(p - e0);
    const double squared_length = e.squaredNorm();
    if (along < 0 || squared_length == 0)
        return PointEdgeFeature::e0;
    return along > squared_length ? PointEdgeFeature::e1 : PointEdgeFeature::edge;
}

/// Closest points of p and the line through e0 and e1; u is the coordinate of the foot point, 0 at e0 and 1 at e1.
template <int Dim>
ClosestPair<3, 1, Dim> point_line_closest(const Vec<Dim>& p, const Vec<Dim>& e0, const Vec<Dim>& e1)
{
    return closest_pair<3, Dim>(p - e0, e0 - e1, Vec<3>(1, -1, 0), Vec<3>(0, 1, -1));
}

/// Squared distance from p to the line through e0 and e1; to e0 where these coincide.
template <int Dim>
LocalTerm<3, Dim> point_line_squared_distance(const Vec<Dim>& p, const Vec<Dim>& e0, const Vec<Dim>& e1, Order order)
{
    return point_line_closest<Dim>(p, e0, e1).squared_distance(order);
}

/// Squared distance from p to the given feature of the edge; `edge` stands for its whole line.
template <int Dim>
LocalTerm<3, Dim> point_edge_squared_distance(
    const Vec<Dim>& p, const Vec<Dim>& e0, const Vec<Dim>& e1, PointEdgeFeature feature, Order order)
{
    switch (feature) {
    case PointEdgeFeature::e0:
        return closest_pair<3, Dim>(p - e0, Vec<3>(1, -1, 0)).squared_distance(order);
    case PointEdgeFeature::e1:
        return closest_pair<3, Dim>(p - e1, Vec<3>(1, 0, -1)).squared_distance(order);
    case PointEdgeFeature::edge:
        break;
    }
    return point_line_squared_distance<Dim>(p, e0, e1, order);
}

/// Squared distance from p to the edge e0e1.
template <int Dim>
LocalTerm<3, Dim> point_edge_squared_distance(const Vec<Dim>& p, const Vec<Dim>& e0, const Vec<Dim>& e1, Order order)
{
    return point_edge_squared_distance<Dim>(p, e0, e1, point_edge_feature<Dim>(p, e0, e1), order);
}

/// Coordinate in [0, 1] of the point of the edge e0e1 that is closest to p.
template <int Dim>
double point_edge_coordinate(const Vec<Dim>& p, const Vec<Dim>& e0, const Vec<Dim>& e1)
{
    return std::clamp(point_line_closest<Dim>(p, e0, e1).u[0], 0.0, 1.0);
}

} // namespace abut
