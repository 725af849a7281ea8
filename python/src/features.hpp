#pragma once
// Closest features and kinds of pairs in Python.

#include "abut/detect/candidates.hpp"
#include "abut/geometry/edge_edge.hpp"
#include "abut/geometry/point_triangle.hpp"
#include "enums.hpp"

#include <optional>

namespace abut::python {

template <>
inline constexpr EnumNames enum_names<PairKind>{
    "PairKind", "none vertex_vertex edge_vertex edge_edge face_vertex plane_vertex",
    "Which elements make a pair, in the order in which the pair lists them; or no pair."};
template <>
inline constexpr EnumNames enum_names<PointEdgeFeature>{
    "PointEdgeFeature", "e0 e1 edge",
    "The part of an edge that is closest to a point: one of its ends, or its interior."};
template <>
inline constexpr EnumNames enum_names<PointTriangleFeature>{
    "PointTriangleFeature", "t0 t1 t2 e0 e1 e2 face",
    "The part of a triangle that is closest to a point: a corner, an edge (edge k joins t_k to t_{k+1}), or its "
    "interior."};
template <>
inline constexpr EnumNames enum_names<EdgeEdgeFeature>{
    "EdgeEdgeFeature", "a0_b0 a0_b1 a1_b0 a1_b1 a_b0 a_b1 a0_b a1_b a_b",
    "The parts of two edges that are closest to each other: an end or the interior of a, with an end or the interior "
    "of b."};

/// A feature that is to be used whatever is closest, or nothing for None.
template <typename Feature>
std::optional<Feature> feature_argument(py::handle value)
{
    if (value.is_none())
        return {};
    return enum_argument<Feature>(value, "feature", " or None");
}

} // namespace abut::python
