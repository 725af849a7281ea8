#include "abut/detect/intersections.hpp"

#include "bind.hpp"
#include "module.hpp"

#include <pybind11/stl.h>

namespace abut::python {

template <>
inline constexpr EnumNames enum_names<IntersectionKind>{
    "IntersectionKind", "edge_face edge_edge face_vertex edge_vertex vertex_vertex plane_vertex",
    "Which elements intersect, in the order in which the pair lists them."};

void def_intersections(py::module_& m)
{
    using Self = Intersection;
    def_enum<IntersectionKind>(m);
    Class<Self> type(m, "Intersection", "Two elements that intersect or touch, or a vertex behind a plane.");
    type.get("kind", "The IntersectionKind.", &Self::kind);
    type.get("pair", "The elements, in the order of the kind's name.", &Self::pair);
    type.get(
        "location", "A point (3,) where they meet, rounded [m], or the vertex behind a plane; z is 0 in the plane.",
        &Self::location);
    type.repr([](const Self& found) {
        const Vec3& x = found.location;
        return fmt::format(
            "{} ({}, {}) at ({}, {}, {})", name_of(found.kind), found.pair[0], found.pair[1], x[0], x[1], x[2]);
    });
    def(m, "find_intersections", "mesh"_a, "X"_a, py::kw_only(), "max_count"_a = 10'000'000, unlocked,
        R"(All intersections at positions X (#V, dim) [m], as a list of Intersection sorted by kind and pair.

By exact predicates: touching and coplanar overlap count. Elements that share a vertex are not compared, nor are pairs
that the mesh's filter excludes. In 3D edges are tested against faces, in 2D edges against edges, and loose elements
against what else they may meet. A vertex strictly behind a plane counts, one on it does not. More than `max_count`
raise LimitReached. Runs in parallel, without the interpreter lock.)",
        [](const CollisionMesh& mesh, const Positions& X, std::int64_t max_count) {
            if (max_count < 0)
                reject("max_count: {} is below 0", max_count);
            return find_intersections(mesh, X, max_count);
        });
    def(m, "has_intersections", "mesh"_a, "X"_a, unlocked,
        "Is there any intersection at positions X (#V, dim) [m], as find_intersections finds them?", has_intersections);
}

} // namespace abut::python
