#pragma once
// Closest features as Python IntEnums, so that arrays of them compare with the names.

#include "abut/base/error.hpp"
#include "abut/geometry/edge_edge.hpp"
#include "abut/geometry/point_triangle.hpp"
#include "arrays.hpp"

#include <optional>

namespace abut::python {

template <typename Feature>
struct FeatureNames;
template <>
struct FeatureNames<PointEdgeFeature> {
    static constexpr auto type = "PointEdgeFeature";
    static constexpr auto members = "e0 e1 edge";
    static constexpr auto doc = "The part of an edge that is closest to a point: one of its ends, or its interior.";
};
template <>
struct FeatureNames<PointTriangleFeature> {
    static constexpr auto type = "PointTriangleFeature";
    static constexpr auto members = "t0 t1 t2 e0 e1 e2 face";
    static constexpr auto doc =
        "The part of a triangle that is closest to a point: a corner, an edge (edge k joins t_k to t_{k+1}), or its "
        "interior.";
};
template <>
struct FeatureNames<EdgeEdgeFeature> {
    static constexpr auto type = "EdgeEdgeFeature";
    static constexpr auto members = "a0_b0 a0_b1 a1_b0 a1_b1 a_b0 a_b1 a0_b a1_b a_b";
    static constexpr auto doc =
        "The parts of two edges that are closest to each other: an end or the interior of a, with an end or the "
        "interior of b.";
};

/// The Python type of a feature, once def_feature() has made it.
template <typename Feature>
py::object feature_type()
{
    return py::module_::import("abut._abut").attr(FeatureNames<Feature>::type);
}

template <typename Feature>
void def_feature(py::module_& module)
{
    using Names = FeatureNames<Feature>;
    py::object type = py::module_::import("enum").attr("IntEnum")(
        Names::type, Names::members, "module"_a = module.attr("__name__"), "start"_a = 0);
    type.attr("__doc__") = Names::doc;
    module.attr(Names::type) = type;
}

template <typename Feature>
py::object to_python(Feature feature)
{
    return feature_type<Feature>()(static_cast<int>(feature));
}

/// A feature that is to be used whatever is closest, or nothing for None.
template <typename Feature>
std::optional<Feature> feature_argument(py::handle value)
{
    if (value.is_none())
        return {};
    if (!py::isinstance(value, feature_type<Feature>()))
        throw py::type_error(fmt::format(
            "feature: expected a member of abut.{} or None, got {}", FeatureNames<Feature>::type,
            std::string(py::repr(value))));
    return static_cast<Feature>(py::cast<int>(value));
}

} // namespace abut::python
