#pragma once

#include "abut/mesh/collision_filter.hpp"
#include "bind.hpp"

namespace abut::python {

/// A filter that knows how many vertices its tables have, so that Python cannot ask beyond them.
struct BoundedFilter : CollisionFilter {
    std::int64_t num_vertices;

    explicit BoundedFilter(CollisionFilter filter = {}, std::int64_t count = max_vertices)
        : CollisionFilter(std::move(filter)), num_vertices(count)
    {}
};

/// None, a CollisionFilter, or a callable of two vertices.
[[nodiscard]] CollisionFilter filter_argument(const py::object& value, const char* name);
template <>
struct Argument<CollisionFilter> : ReadBy<py::object, filter_argument> {};

} // namespace abut::python
