#pragma once
// What sets of collisions have in common in Python: they are sequences of collisions, each of which has a stencil.

#include "abut/linear/stencils.hpp"
#include "arrays.hpp"
#include "mesh_size.hpp"
#include "pair_kind.hpp"

#include <fmt/format.h>

#include <memory>

namespace abut::python {

/// Collisions as Python holds them. A build makes a new set and then takes it over, so that arrays of the old one stay
/// valid, other threads never see half a build, and a build that fails changes nothing.
template <typename Set>
struct SharedCollisions {
    std::shared_ptr<const Set> set = std::make_shared<const Set>();
    MeshSize mesh_size{};

    /// The set, if it fits the mesh.
    [[nodiscard]] std::shared_ptr<const Set> for_mesh(const CollisionMesh& mesh) const
    {
        if (!set->empty())
            mesh_size.require(mesh);
        return set;
    }
};

// --- One collision ---

/// A collision's kind and elements, as its __repr__ begins.
template <typename Collision>
std::string pair_text(const Collision& collision)
{
    return fmt::format(
        "{} ({}, {})", std::string(py::str(to_python(collision.kind).attr("name"))), collision.elements[0],
        collision.elements[1]);
}

/// Defines the class of one collision, the member `collision` of an item, with what every collision has.
template <typename Item>
py::class_<Item> def_collision_class(py::module_& m, const char* name, const char* doc, const char* vertices_doc)
{
    py::class_<Item> type(m, name, doc);
    type.def_property_readonly(
        "kind", [](const Item& self) { return to_python(self.collision.kind); }, "Its PairKind.");
    type.def_property_readonly(
        "elements",
        [](const Item& self) { return py::make_tuple(self.collision.elements[0], self.collision.elements[1]); },
        "The two elements, in the order of the kind's name.");
    type.def_property_readonly(
        "vertices", [](const Item& self) { return to_numpy(self.collision.vertices); }, vertices_doc);
    return type;
}

// --- All of them ---

/// Where the vertices of each collision begin in the list of all, and that list.
template <typename Shared>
void def_stencils(py::class_<Shared>& type)
{
    type.def_property_readonly(
        "stencil_offsets",
        [](const Shared& self) {
            const Stencils& stencils = self.set->stencils();
            py::array_t<std::int64_t> offsets(static_cast<py::ssize_t>(stencils.size() + 1));
            for (std::size_t k = 0; k < stencils.size(); ++k)
                offsets.mutable_data()[k] = stencils.offset(k);
            offsets.mutable_data()[stencils.size()] = stencils.num_entries();
            return offsets;
        },
        "Where the vertices of each collision begin in stencil_vertices, and its end, (len + 1,) int64.");
    type.def_property_readonly(
        "stencil_vertices",
        [](const Shared& self) {
            const Stencils& stencils = self.set->stencils();
            return to_numpy(std::span(
                stencils.empty() ? nullptr : stencils[0].data(), static_cast<std::size_t>(stencils.num_entries())));
        },
        "The vertices of all collisions one after another, (n,) int32: those of collision k are "
        "stencil_vertices[stencil_offsets[k]:stencil_offsets[k + 1]].");
}

/// An index into a sequence, from its end where negative. Beyond it is an IndexError, which ends iterations.
inline std::size_t sequence_index(std::int64_t index, std::size_t size)
{
    const auto count = static_cast<std::int64_t>(size);
    if (index < -count || index >= count)
        throw py::index_error(fmt::format("collision {} is out of range; there are {}", index, size));
    return static_cast<std::size_t>(index < 0 ? index + count : index);
}

/// How many collisions of each kind a set has, in its order.
template <typename Set>
std::array<std::size_t, 5> counts_by_kind(const Set& set)
{
    if constexpr (requires { set.vv(); })
        return {set.vv().size(), set.ev().size(), set.ee().size(), set.fv().size(), set.pv().size()};
    else
        return {
            set.count(PairKind::vertex_vertex), set.count(PairKind::edge_vertex), set.count(PairKind::edge_edge),
            set.count(PairKind::face_vertex), set.count(PairKind::plane_vertex)};
}

/// What makes a class of collisions a sequence; item(shared, index) makes one of them.
template <typename Shared, typename MakeItem>
void def_sequence(py::class_<Shared>& type, MakeItem item, const char* item_doc)
{
    type.def(
        "__len__", [](const Shared& self) { return self.set->size(); }, "Number of collisions of all kinds.");
    type.def(
        "__getitem__",
        [item](const Shared& self, std::int64_t index) { return item(self, sequence_index(index, self.set->size())); },
        "index"_a, item_doc);
    type.def(
        "__iter__",
        [](const py::object& self) {
            const auto iterator = py::reinterpret_steal<py::object>(PySeqIter_New(self.ptr()));
            if (!iterator)
                throw py::error_already_set();
            return iterator;
        },
        "The collisions, one after another.");
    type.def(
        "empty", [](const Shared& self) { return self.set->empty(); }, "Are there no collisions?");
    type.def(
        "__eq__", [](const Shared& a, const Shared& b) { return *a.set == *b.set; }, py::is_operator(),
        "Are the collisions the same, to the last bit?");
    type.def("__repr__", [type_name = std::string(py::str(type.attr("__name__")))](const Shared& self) {
        const auto [vv, ev, ee, fv, pv] = counts_by_kind(*self.set);
        return fmt::format("<abut.{}: {} vv, {} ev, {} ee, {} fv, {} pv>", type_name, vv, ev, ee, fv, pv);
    });
}

} // namespace abut::python
