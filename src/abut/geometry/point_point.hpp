#pragma once
// Distance between two points. Stencil: p, q.

#include "abut/geometry/closest_pair.hpp"

namespace abut {

template <int Dim>
ClosestPair<2, 0, Dim> point_point_closest(const Vec<Dim>& p, const Vec<Dim>& q)
{
    return closest_pair<2, Dim>(p - q, Vec<2>(1, -1));
}

/// |p - q|².
template <int Dim>
LocalTerm<2, Dim> point_point_squared_distance(const Vec<Dim>& p, const Vec<Dim>& q, Order order)
{
    return point_point_closest<Dim>(p, q).squared_distance(order);
}

} // namespace abut
