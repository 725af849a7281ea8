#pragma once
// Terms of one kind of a set of collisions, as Python sees them: arrays that are views of the set, which never changes.

#include "abut/contact/friction/tangential_collisions.hpp"
#include "arrays.hpp"

#include <fmt/format.h>

namespace abut::python {

struct TermsView {
    std::shared_ptr<const void> owner;
    std::size_t size, stencil_size;
    const int* vertices;
    const IndexPair* elements;
    const double* weights;

    template <int N>
    TermsView(std::shared_ptr<const void> set, const CollisionTerms<N>& terms)
        : owner(std::move(set)), size(terms.size()), stencil_size(N),
          vertices(terms.size() == 0 ? nullptr : terms.vertices.front().data()), elements(terms.elements.data()),
          weights(terms.weights.data())
    {}
};

struct EdgeEdgeTermsView : TermsView {
    const EdgeEdgeFeature* features;
    const double* eps_x;

    EdgeEdgeTermsView(std::shared_ptr<const void> set, const EdgeEdgeTerms& terms)
        : TermsView(std::move(set), terms), features(terms.features.data()), eps_x(terms.eps_x.data())
    {}
};

struct TangentialTermsView : TermsView {
    int dim;
    const double *normal_forces, *coefficients, *mu_s, *mu_k;
    const Mat<3, 2>* bases;

    template <int N>
    TangentialTermsView(std::shared_ptr<const void> set, const TangentialTerms<N>& terms, int dimension)
        : TermsView(std::move(set), terms), dim(dimension), normal_forces(terms.normal_forces.data()),
          coefficients(terms.size() == 0 ? nullptr : terms.coefficients.front().data()), mu_s(terms.mu_s.data()),
          mu_k(terms.mu_k.data()), bases(terms.bases.data())
    {}
};

/// Defines an array as a property: get(view, self) makes it, with self as its owner.
template <typename View, typename Class, typename Get>
void def_term_array(Class& type, const char* name, Get get, const char* doc)
{
    type.def_property_readonly(
        name, [get](const py::object& self) { return get(py::cast<const View&>(self), self); }, doc);
}

/// Where the vertices of each collision begin in the list of all, and that list.
template <typename Class, typename Shared>
void def_stencils(Class& type, Shared)
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

/// What makes a class of collisions a sequence, besides __getitem__.
template <typename Class, typename Shared>
void def_sequence(Class& type, Shared)
{
    type.def(
        "__len__", [](const Shared& self) { return self.set->size(); }, "Number of collisions of all kinds.");
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
