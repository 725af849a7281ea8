#include "abut/detect/intersections.hpp"

#include "abut/base/error.hpp"
#include "enums.hpp"
#include "module.hpp"

#include <pybind11/stl.h>

namespace abut::python {

template <>
struct EnumNames<IntersectionKind> {
    static constexpr auto type = "IntersectionKind";
    static constexpr auto members = "edge_face edge_edge face_vertex edge_vertex vertex_vertex plane_vertex";
    static constexpr auto doc = "Which elements intersect, in the order in which the pair lists them.";
};

void def_intersections(py::module_& m)
{
    def_enum<IntersectionKind>(m);
    py::class_<Intersection>(m, "Intersection", "Two elements that intersect or touch, or a vertex behind a plane.")
        .def_property_readonly(
            "kind", [](const Intersection& found) { return to_python(found.kind); }, "The IntersectionKind.")
        .def_property_readonly(
            "pair", [](const Intersection& found) { return py::make_tuple(found.pair[0], found.pair[1]); },
            "The elements, in the order of the kind's name.")
        .def_property_readonly(
            "location", [](const Intersection& found) { return to_numpy(as_span(found.location)); },
            "A point (3,) where they meet, rounded [m], or the vertex behind a plane; z is 0 in the plane.")
        .def("__repr__", [](const Intersection& found) {
            return fmt::format(
                "<abut.Intersection: {} ({}, {}) at ({}, {}, {})>",
                std::string(py::str(to_python(found.kind).attr("name"))), found.pair[0], found.pair[1],
                found.location[0], found.location[1], found.location[2]);
        });
    m.def(
        "find_intersections",
        [](const CollisionMesh& mesh, const ArrayLike& X, std::int64_t max_count) {
            const Positions x = positions_argument(X, "X");
            if (max_count < 0)
                reject("max_count: {} is below 0", max_count);
            return without_gil([&] { return find_intersections(mesh, x, max_count); });
        },
        "mesh"_a, "X"_a, py::kw_only(), "max_count"_a = 10'000'000,
        R"(All intersections at positions X (#V, dim) [m], as a list of Intersection sorted by kind and pair.

By exact predicates: touching and coplanar overlap count. Elements that share a vertex are not compared, nor are pairs
that the mesh's filter excludes. In 3D edges are tested against faces, in 2D edges against edges, and loose elements
against what else they may meet. A vertex strictly behind a plane counts, one on it does not. More than `max_count`
raise LimitReached. Runs in parallel, without the interpreter lock.)");
    m.def(
        "has_intersections",
        [](const CollisionMesh& mesh, const ArrayLike& X) {
            const Positions x = positions_argument(X, "X");
            return without_gil([&] { return has_intersections(mesh, x); });
        },
        "mesh"_a, "X"_a, "Is there any intersection at positions X (#V, dim) [m], as find_intersections finds them?");
}

} // namespace abut::python
