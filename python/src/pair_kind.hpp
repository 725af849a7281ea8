#pragma once
// Kinds of pairs in Python.

#include "abut/detect/candidates.hpp"
#include "enums.hpp"

namespace abut::python {

template <>
struct EnumNames<PairKind> {
    static constexpr auto type = "PairKind";
    static constexpr auto members = "none vertex_vertex edge_vertex edge_edge face_vertex plane_vertex";
    static constexpr auto doc = "Which elements make a pair, in the order in which the pair lists them; or no pair.";
};

} // namespace abut::python
