#include "collision_filter.hpp"

#include "abut/base/error.hpp"
#include "module.hpp"
#include "shared_object.hpp"

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
            throw py::type_error(fmt::format(
                "can_collide({}, {}): expected True or False, got {}", i, j, std::string(py::repr(answer))));
        return py::detail::cast_op<bool>(caster);
    }

private:
    SharedObject callable_;
};

CollisionFilter callable_filter(const py::object& callable, const char* name)
{
    if (PyCallable_Check(callable.ptr()) == 0)
        throw py::type_error(
            fmt::format("{}: expected a callable of two vertices, got {}", name, std::string(py::repr(callable))));
    return CollisionFilter::callable(CallableFilter(callable));
}

std::int64_t length(const auto& table) { return static_cast<std::int64_t>(table.size()); }

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
    py::class_<BoundedFilter>(
        m, "CollisionFilter",
        "Which vertices may collide with which. Filters combine with &, | and ~; filter(i, j) asks one. A pair of "
        "elements is kept when any vertex of one may collide with any vertex of the other.")
        .def(py::init<>(), "Everything may collide.")
        .def_static(
            "static_obstacles",
            [](const ArrayLike& is_static) {
                auto flags = flags_argument(is_static, "is_static");
                const std::int64_t count = length(flags);
                return BoundedFilter(CollisionFilter::static_obstacles(std::move(flags)), count);
            },
            "is_static"_a, "Two vertices of static obstacles do not collide. One bool a vertex, (#V,).")
        .def_static(
            "different_bodies",
            [](const ArrayLike& body_ids) {
                auto ids = integers_argument(body_ids, "body_ids");
                const std::int64_t count = length(ids);
                return BoundedFilter(CollisionFilter::different_bodies(std::move(ids)), count);
            },
            "body_ids"_a,
            "Vertices of one body do not collide with each other. One integer a vertex, (#V,); a negative id is no "
            "body.")
        .def_static(
            "patches",
            [](const ArrayLike& patch_ids, const ArrayLike& colliding_patches) {
                auto ids = integers_argument(patch_ids, "patch_ids");
                const std::int64_t count = length(ids);
                return BoundedFilter(
                    CollisionFilter::patches(std::move(ids), pairs_argument(colliding_patches, "colliding_patches")),
                    count);
            },
            "patch_ids"_a, "colliding_patches"_a,
            "Vertices collide by the patches they belong to, one integer a vertex, (#V,): only the listed pairs of "
            "patches (n, 2) may. A patch collides with itself only where (p, p) is listed.")
        .def_static(
            "except_pairs",
            [](const ArrayLike& vertex_pairs) {
                return BoundedFilter(
                    CollisionFilter::except_pairs(pairs_argument(vertex_pairs, "vertex_pairs")), max_vertices);
            },
            "vertex_pairs"_a, "The listed pairs of vertices (n, 2) do not collide; everything else does.")
        .def_static(
            "only_pairs",
            [](const ArrayLike& vertex_pairs) {
                return BoundedFilter(
                    CollisionFilter::only_pairs(pairs_argument(vertex_pairs, "vertex_pairs")), max_vertices);
            },
            "vertex_pairs"_a, "Only the listed pairs of vertices (n, 2) collide.")
        .def_static(
            "callable",
            [](const py::object& can_collide) {
                return BoundedFilter(callable_filter(can_collide, "can_collide"), max_vertices);
            },
            "can_collide"_a,
            "Asks can_collide(i, j), which returns a bool for two vertices and must be symmetric. It may be called "
            "from "
            "several threads, one at a time; what it raises ends the call that asked. It is slow: prefer tables.")
        .def(
            "__call__",
            [](const BoundedFilter& self, std::int64_t i, std::int64_t j) {
                return self(
                    index_argument(i, self.num_vertices, "vertex_i"), index_argument(j, self.num_vertices, "vertex_j"));
            },
            "vertex_i"_a, "vertex_j"_a, "May these two vertices collide?")
        .def(
            "__and__",
            [](const BoundedFilter& a, const BoundedFilter& b) {
                return BoundedFilter(a & b, std::min(a.num_vertices, b.num_vertices));
            },
            py::is_operator(), "Pairs that both filters allow.")
        .def(
            "__or__",
            [](const BoundedFilter& a, const BoundedFilter& b) {
                return BoundedFilter(a | b, std::min(a.num_vertices, b.num_vertices));
            },
            py::is_operator(), "Pairs that one of the filters allows.")
        .def(
            "__invert__", [](const BoundedFilter& a) { return BoundedFilter(!a, a.num_vertices); },
            "Pairs that the filter does not allow.");
}

} // namespace abut::python
