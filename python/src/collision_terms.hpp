#pragma once
// Terms of one kind of a set of collisions, as Python sees them: arrays that are views of the set, which never changes.

#include "abut/contact/friction/tangential_collisions.hpp"
#include "arrays.hpp"

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

} // namespace abut::python
