#include "collision_filter.hpp"

#include "module.hpp"
#include "threads.hpp"

namespace abut::python {

namespace {

/// A Python callable as a filter, which several threads may ask.
class CallableFilter {
public:
    explicit CallableFilter(py::object callable) : callable_(std::move(callable)) {}

    bool operator()(int i, int j) const
    {
        const py::gil_scoped_acquire acquire;
        const py::object answer = (*callable_)(i, j);
        // Only True and False: a forgotten `return` would otherwise switch collisions off.
        py::detail::make_caster<bool> caster;
        if (!caster.load(answer, false))
            reject_type("can_collide({}, {}): expected True or False, got {}", i, j, repr_of(answer));
        return py::detail::cast_op<bool>(caster);
    }

private:
    SharedObject callable_;
};

CollisionFilter callable_filter(const py::object& callable, const char* name)
{
    if (PyCallable_Check(callable.ptr()) == 0)
        reject_type("{}: expected a callable of two vertices, got {}", name, repr_of(callable));
    return CollisionFilter::callable(CallableFilter(callable));
}

/// A filter by a table with an entry per vertex.
template <typename Table, typename... More>
BoundedFilter by_table(CollisionFilter (*make)(Table, More...), std::type_identity_t<Table> table, const More&... more)
{
    const auto count = static_cast<std::int64_t>(table.size());
    return BoundedFilter(make(std::move(table), more...), count);
}

void def_makers(Class<BoundedFilter>& type)
{
    type.def_static(
        "static_obstacles", "is_static"_a, "Two vertices of static obstacles do not collide. One bool a vertex, (#V,).",
        [](const ArrayLike& is_static) {
            return by_table(CollisionFilter::static_obstacles, flags_argument(is_static, "is_static"));
        });
    type.def_static(
        "different_bodies", "body_ids"_a,
        "Vertices of one body do not collide with each other. One integer a vertex, (#V,); a negative id is no body.",
        [](const ArrayLike& body_ids) {
            return by_table(CollisionFilter::different_bodies, integers_argument(body_ids, "body_ids"));
        });
    type.def_static(
        "patches", "patch_ids"_a, "colliding_patches"_a,
        "Vertices collide by the patches they belong to, one integer a vertex, (#V,): only the listed pairs of patches "
        "(n, 2) may. A patch collides with itself only where (p, p) is listed.",
        [](const ArrayLike& patch_ids, const ArrayLike& colliding_patches) {
            std::vector<int> ids = integers_argument(patch_ids, "patch_ids");
            const auto pairs = pairs_argument(colliding_patches, "colliding_patches");
            return by_table(CollisionFilter::patches, std::move(ids), std::span(pairs));
        });
    type.def_static(
        "except_pairs", "vertex_pairs"_a, "The listed pairs of vertices (n, 2) do not collide; everything else does.",
        [](const ArrayLike& pairs) {
            return BoundedFilter(CollisionFilter::except_pairs(pairs_argument(pairs, "vertex_pairs")));
        });
    type.def_static(
        "only_pairs", "vertex_pairs"_a, "Only the listed pairs of vertices (n, 2) collide.",
        [](const ArrayLike& pairs) {
            return BoundedFilter(CollisionFilter::only_pairs(pairs_argument(pairs, "vertex_pairs")));
        });
    type.def_static(
        "callable", "can_collide"_a,
        "Asks can_collide(i, j), which returns a bool for two vertices and must be symmetric. It may be called from "
        "several threads, one at a time; what it raises ends the call that asked. It is slow: prefer tables.",
        [](const py::object& can_collide) { return BoundedFilter(callable_filter(can_collide, "can_collide")); });
}

} // namespace

CollisionFilter filter_argument(const py::object& value, const char* name)
{
    if (value.is_none())
        return {};
    if (py::isinstance<BoundedFilter>(value))
        return py::cast<const BoundedFilter&>(value);
    return callable_filter(value, name);
}

void def_collision_filter(py::module_& m)
{
    using Filter = BoundedFilter;
    Class<Filter> type(
        m, "CollisionFilter",
        "Which vertices may collide with which. Filters combine with &, | and ~; filter(i, j) asks one. A pair of "
        "elements is kept when any vertex of one may collide with any vertex of the other.");
    type.init("Everything may collide.", [] { return Filter(); });
    def_makers(type);
    type.def(
        "__call__", "vertex_i"_a, "vertex_j"_a, "May these two vertices collide?",
        [](const Filter& self, std::int64_t i, std::int64_t j) {
            const auto vertex = [&](std::int64_t v, const char* name) {
                return index_argument(v, self.num_vertices, name);
            };
            const int first = vertex(i, "vertex_i");
            return self(first, vertex(j, "vertex_j"));
        });
    type.def("__and__", py::is_operator(), "Pairs that both filters allow.", [](const Filter& a, const Filter& b) {
        return Filter(a & b, std::min(a.num_vertices, b.num_vertices));
    });
    type.def(
        "__or__", py::is_operator(), "Pairs that one of the filters allows.",
        [](const Filter& a, const Filter& b) { return Filter(a | b, std::min(a.num_vertices, b.num_vertices)); });
    type.def("__invert__", "Pairs that the filter does not allow.", [](const Filter& a) {
        return Filter(!a, a.num_vertices);
    });
}

} // namespace abut::python
